// Replaces the declaration of a system or group in place, for hot reload of scripts.
#include "ecs/base/contract.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <utility>

namespace perigee {

void Schedule::move_to(Node& node, Node* group) {
    mark_stale(node.parent);
    mark_stale(group);
    if (group == node.parent) return;
    if (node.parent != nullptr) {
        std::erase(node.parent->members, &node);
        std::erase(node.parent->order, &node);
    }
    node.parent = group;
    if (group != nullptr) group->members.push_back(&node);
}

Result<void> Schedule::renew(SystemId system, SystemDesc desc) {
    expect_may_change();
    ECS_EXPECTS(!is_running_ && desc.run != nullptr, desc.name);
    if (desc.reacts_to) desc.group = kReactions;
    Node& node = node_at(system);
    ECS_EXPECTS(!node.is_group, node.desc.name);
    if (Result<void> checked = check(desc, &node); !checked) return checked;
    Result<Query*> query = query_of(desc);
    if (!query) return query.error();

    const SystemEvents::Places places = node.events.places();
    release_owned(node);
    node.commands.drop();
    node.events.drop();
    if (node.desc.every != desc.every) node.timer = internal::StepTimer(desc.every);
    move_to(node, find_group(desc.group));
    const SystemDesc before = std::exchange(node.desc, std::move(desc));
    node.status.name = node.desc.name;
    node.status.group = node.desc.group;
    clear_statistics(node);
    set_up(node, query.value());
    if (!before.reacts_to || before.reacts_to == node.desc.reacts_to) node.events.resume_from(places);
    // Last, so that records for a remaining observer are not dropped in between.
    unobserve(before);
    return {};
}

Result<void> Schedule::check_system(SystemDesc desc, std::optional<SystemId> renewed) const {
    if (desc.reacts_to) desc.group = kReactions;
    if (Result<void> checked = check(desc, renewed ? &node_at(*renewed) : nullptr); !checked) return checked;
    if (const Result<Query*> query = query_of(desc); !query) return query.error();
    return {};
}

Result<void> Schedule::renew_group(SystemId group, GroupDesc desc) {
    expect_may_change();
    Node& node = node_at(group);
    ECS_EXPECTS(!is_running_ && node.is_group && !is_engine_group(group), node.desc.name);
    SystemDesc like = described(std::move(desc));
    if (Result<void> checked = check_group(like, &node); !checked) return checked;
    Node* const parent = find_group(like.group);
    if (parent == nullptr) like.group.clear();
    move_to(node, parent);
    if (node.desc.every != like.every) node.timer = internal::StepTimer(like.every);
    node.desc = std::move(like);
    node.status.name = node.desc.name;
    node.status.group = node.desc.group;
    clear_statistics(node);
    return {};
}

void Schedule::clear_statistics(Node& node) noexcept {
    SystemStatus fresh;
    fresh.name = std::move(node.status.name);
    fresh.group = std::move(node.status.group);
    fresh.is_group = node.is_group;
    fresh.is_enabled = node.status.is_enabled;
    fresh.is_left_out = node.status.is_left_out;
    fresh.is_paused = node.status.is_paused;
    node.status = std::move(fresh);
}

}  // namespace perigee
