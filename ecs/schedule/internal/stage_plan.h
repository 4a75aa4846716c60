// Computes which systems of a group may run in parallel.
//
// Invariant: members of one stage do not conflict. A member is in a later stage than every earlier one (in
// the group's order) that it conflicts with or is declared to come after. So running stage by stage gives the
// same result as running in order, for any number of threads. Depends on the declarations alone. Conflict:
// one writes what the other reads or writes; both have the same serial key; one of them must run alone.
// Source: list scheduling by levels.
#pragma once

#include "ecs/schema/component.h"

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
    std::vector<ComponentId> reads;   ///< sorted; need not include written components
    std::vector<ComponentId> writes;  ///< sorted
    std::string_view serial_key;      ///< "": none
    bool is_alone = false;
};

/// The accesses of a description: its query with all filters, and its access lists. Events do not count: they
/// are collected separately until the end of the group, so sending and reading them never conflicts.
StageMember stage_member(const SystemDesc& desc, const ComponentRegistry& registry);

bool is_conflict(const StageMember& a, const StageMember& b) noexcept;

/// The stages, each with its members in order. `declared` are pairs (earlier, later) of the order. Shape:
/// indices into `members`, which are in the group's order.
std::vector<std::vector<std::uint32_t>> plan_stages(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared);

/// Two members that write the same component without a declared order between them, not even an indirect one.
struct UnorderedPair {
    std::uint32_t first;
    std::uint32_t second;
    ComponentId component;
};
std::vector<UnorderedPair> unordered_writes(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared);

}  // namespace internal
}  // namespace perigee
