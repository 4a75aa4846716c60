// Reports row changes to observers: called when rows are added, removed or moved and their archetype has
// observed components. The observed components are determined when observing begins, not per row.
#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/world/world.h"

namespace perigee {

namespace {

// With the values of the rows: from the column, or the shared one.
void note_values(World& world, Trigger::Kind kind, const Archetype& archetype, ComponentId component,
                 const Archetype::Run& rows) noexcept {
    const ChunkSlot& slot = archetype.chunks()[rows.chunk];
    const std::byte* values = nullptr;
    std::size_t stride = 0;
    const std::uint32_t bytes = world.registry().value_bytes(component);
    if (const int column = archetype.column_of(component); column >= 0 && bytes != 0) {
        values =
            Archetype::cell(slot, archetype.layout().columns[static_cast<std::size_t>(column)], rows.row);
        stride = bytes;
    } else if (const int shared = archetype.shared_of(component); shared >= 0) {
        const auto index = static_cast<std::size_t>(shared);
        values = world.shared().value(component, archetype.shared_value(slot.partition, index));
    }
    const Entity* const entities = Archetype::entities(slot) + rows.row;
    world.observers().note(kind, component, entities, rows.count, values, stride);
}

}  // namespace

Result<void> World::observe(Trigger trigger, ObservationPayer* payer) {
    if (auto refused = observing_refused(trigger.kind, registry_.info(trigger.component).schema)) {
        return Error{std::move(*refused)};
    }
    if (observers_.observe(trigger, payer)) {
        report_all();
        if (trigger.kind == Trigger::Kind::changed) observers_.copy_all(*this, trigger.component);
    }
    return {};
}

void World::forget(Trigger trigger, ObservationPayer* payer) {
    if (observers_.forget(trigger, payer)) report_all();
}

void World::report_all() {
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
        graph_.at(i).set_reported(observers_.reported_of(graph_.at(i).components()));
    }
    graph_.review_transitions();
}

void World::note_born(const Archetype& archetype, const Entity* entities, std::size_t count) noexcept {
    for (const ComponentId component : archetype.reported()) {
        observers_.note(Trigger::Kind::added, component, entities, count, nullptr, 0);
    }
}

// Rows that are removed. For held entities these are their last components.
void World::note_gone(const Archetype& archetype, const Archetype::Run& rows) noexcept {
    const Trigger::Kind kind = archetype.is_destroyed() ? Trigger::Kind::removed : Trigger::Kind::destroyed;
    const Entity* const entities = Archetype::entities(archetype.chunks()[rows.chunk]) + rows.row;
    for (const ComponentId component : archetype.reported()) {
        note_values(*this, kind, archetype, component, rows);
        observers_.let_go(component, entities, rows.count);
    }
}

// Rows before they leave for the target.
void World::note_moved(const ArchetypeTransition& transition, const Archetype::Run& rows) noexcept {
    const Archetype &source = *transition.source, &target = *transition.target;
    const Entity* const entities = Archetype::entities(source.chunks()[rows.chunk]) + rows.row;
    const bool is_destroying = target.is_destroyed() && !source.is_destroyed();
    for (const ComponentId component : source.reported()) {
        const bool is_lost = !target.has(component);
        if (is_destroying || is_lost) {
            const Trigger::Kind kind = is_destroying ? Trigger::Kind::destroyed : Trigger::Kind::removed;
            note_values(*this, kind, source, component, rows);
        }
        if (is_lost) observers_.let_go(component, entities, rows.count);
    }
    if (is_destroying) return;
    for (const ComponentId component : target.reported()) {
        if (source.has(component)) continue;
        observers_.note(Trigger::Kind::added, component, entities, rows.count, nullptr, 0);
    }
}

}  // namespace perigee
