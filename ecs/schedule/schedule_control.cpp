// Switches systems and groups on and off, pauses and steps them, and runs groups on request.
#include "ecs/base/contract.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <utility>

namespace perigee {

void Schedule::set_enabled(SystemId system, bool is_enabled) {
    expect_may_change();
    node_at(system).status.is_enabled = is_enabled;
    stop_when_off(system);
}

void Schedule::leave_out(SystemId system, bool is_left_out) {
    expect_may_change();
    node_at(system).status.is_left_out = is_left_out;
    stop_when_off(system);
}

void Schedule::stop_when_off(SystemId system) {
    if (node_at(system).is_on()) return;
    if (!is_running_) return stop(node_at(system));
    deferred_changes_.push_back([this, system] {
        Node* const node = nodes_[system.index].get();
        if (node != nullptr && !node->is_on()) stop(*node);
    });
}

// Members of a disabled group stop with it.
void Schedule::stop(Node& node) {
    for (Node* member : node.members) stop(*member);
    if (!std::exchange(node.is_started, false)) return;
    if (Result<void> stopped = call_outside(node, node.desc.on_stop); !stopped) {
        fail(node, stopped.error());
    }
}

void Schedule::set_paused(SystemId system, bool is_paused) {
    expect_may_change();
    Node& node = node_at(system);
    node.status.is_paused = is_paused;
    node.steps_wanted = 0;
}

void Schedule::step(SystemId system, std::uint64_t runs) {
    expect_may_change();
    Node& node = node_at(system);
    ECS_EXPECTS(node.status.is_paused, node.desc.name, "only what is paused is stepped");
    node.steps_wanted += runs;
}

void Schedule::resume(SystemId system) { node_at(system).status.is_suspended = false; }

bool Schedule::is_active(SystemId system) const {
    for (const Node* node = &node_at(system); node != nullptr; node = node->parent)
        if (!node->is_on() || node->status.is_suspended || node->status.is_paused) return false;
    return true;
}

// ---- runs on request --------------------------------------------------------------------------------------

void Schedule::run_later(SystemId group) {
    expect_may_change();
    const Node& node = node_at(group);
    ECS_EXPECTS(node.is_group && !node.is_presentation, node.desc.name,
                "only groups of a step run on request");
    if (std::ranges::find(requested_, group) == requested_.end()) requested_.push_back(group);
}

void Schedule::run_requested(const TickTime& time) {
    for (const SystemId id : std::exchange(requested_, {})) {
        Node& group = node_at(id);
        // An order that cannot be resolved is reported where the group runs in its turn.
        if (prepare(group)) run_once(group, time);
    }
}

}  // namespace perigee
