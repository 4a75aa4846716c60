// Computes the order of systems inside one group from their before/after declarations.
//
// Invariant: the result depends on names and relations alone, never on the order of the input. Among the
// systems whose predecessors are all placed, the bytewise smallest name comes next.
// Source: topological sorting after Kahn (1962), with a priority queue for the ready nodes.
#pragma once

#include "ecs/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// The declaration of one system. Names in the relations are systems of the same group.
struct OrderedSystem {
    std::string_view name;
    std::span<const std::string> before;
    std::span<const std::string> after;
    bool ignores_unknown_names = false;
};

/// A system of another group. Ordering against it is impossible and gets a separate message.
struct ForeignSystem {
    std::string_view name;
    std::string_view group;
};

/// Indices into `systems`, in running order.
///
/// Expects: names are unique.
/// Errors: unknown names (one per line, with a suggestion, or with the group in which `elsewhere`
///         has them; if there are many, the first 20 and the number of the others); a cycle, in running
///         order: "a -> b -> a".
/// Cost: linear in the relations.
Result<std::vector<std::uint32_t>> order_systems(std::span<const OrderedSystem> systems,
                                                 std::string_view group,
                                                 std::span<const ForeignSystem> elsewhere);

}  // namespace perigee::internal
