// The order of systems inside one group, from what they declare about each other.
//
// Invariant: the result depends on names and relations alone, never on the order of the input. Among the
// systems whose predecessors are all placed, the bytewise smallest name comes next.
// Source: topological sorting after Kahn (1962), with a priority queue for the ready nodes.
#pragma once

#include "ecs/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// What one system says. Names in the relations are systems of the same group.
struct OrderedSystem {
    std::string_view name;
    std::span<const std::string> before;
    std::span<const std::string> after;
    bool ignores_unknown_names = false;
};

/// A system of another group: it cannot be ordered against, which deserves a message of its own.
struct ForeignSystem {
    std::string_view name;
    std::string_view group;
};

/// Indices into `systems`, in the order in which they run.
///
/// Expects: names are unique.
/// Errors:  names that no system has (one per line, with a suggestion, or with the group where `elsewhere`
/// has
///          them; of very many the first 20 and the number of the others); a cycle, as a loop in running
///          order: "a -> b -> a".
/// Cost:    linear in the relations.
Result<std::vector<std::uint32_t>> order_systems(std::span<const OrderedSystem> systems,
                                                 std::string_view group,
                                                 std::span<const ForeignSystem> elsewhere);

}  // namespace perigee::internal
