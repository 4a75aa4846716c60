// Which systems of a group may run at the same time.
//
// Invariant: members of one stage do not conflict; a member stands in a later stage than every earlier one
// (in the group's order) that it conflicts with or is declared to come after. So running stage by stage gives
// what running in order gives, however many threads there are. Depends on the declarations alone.
// Conflict: one writes what the other reads or writes; the same serial key; one of them wants to be alone.
// Source: list scheduling by levels.
#pragma once

#include "ecs/component.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

class ComponentRegistry;

struct SystemDesc;

namespace internal {

struct StageMember {
    std::vector<ComponentId> reads;   ///< sorted; what is written need not stand here
    std::vector<ComponentId> writes;  ///< sorted
    std::string_view serial_key;      ///< "": none
    bool is_alone = false;
};

/// What a description says: its query with all that it filters by, and access besides. Events are no part of
/// it: they wait apart until the end of the group, so sending and reading them disturbs nobody.
StageMember stage_member(const SystemDesc& desc, const ComponentRegistry& registry);

bool is_conflict(const StageMember& a, const StageMember& b) noexcept;

/// The stages, each with its members in order. `declared` are pairs (earlier, later) of the order.
/// Shape: indices into `members`, which stand in the group's order.
std::vector<std::vector<std::uint32_t>> plan_stages(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared);

/// Two members that write the same without a declared order between them, not even by way of others.
struct UnorderedPair {
    std::uint32_t first;
    std::uint32_t second;
    ComponentId component;
};
std::vector<UnorderedPair> unordered_writes(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared);

}  // namespace internal
}  // namespace perigee
