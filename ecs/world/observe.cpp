// Updates which components archetypes and edges report, when the set of observed components changes.
#include "ecs/world/observe.h"

#include "ecs/world/world.h"

#include <utility>

namespace perigee {

namespace {

void report_all(World& world) {
    ArchetypeGraph& graph = world.store().graph();
    for (std::uint32_t i = 0; i < graph.known_count(); ++i) {
        graph.at(i).set_reported(world.observers().reported_of(graph.at(i).components()));
    }
    graph.update_edges();
}

}  // namespace

Result<void> start_observing(World& world, Trigger trigger, ObservationPayer* payer) {
    if (auto refused = observing_refused(trigger.kind, world.registry().info(trigger.component).schema)) {
        return Error{std::move(*refused)};
    }
    if (world.observers().observe(trigger, payer)) {
        report_all(world);
        if (trigger.kind == Trigger::Kind::changed) world.observers().copy_all(world, trigger.component);
    }
    return {};
}

void stop_observing(World& world, Trigger trigger, ObservationPayer* payer) {
    if (world.observers().remove(trigger, payer)) report_all(world);
}

}  // namespace perigee
