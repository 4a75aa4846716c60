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

/// A system of the same group that another one runs before or after.
struct OrderRelation {
    std::string name;
    std::string reason = {};  ///< shown in a cycle, unless the system itself declares the relation
};

/// The declaration of one system.
struct OrderedSystem {
    std::string_view name;
    std::span<const OrderRelation> before;
    std::span<const OrderRelation> after;
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
///         order: "a -> b -> a", with the reasons of its relations.
/// Cost: linear in the relations.
Result<std::vector<std::uint32_t>> order_systems(std::span<const OrderedSystem> systems,
                                                 std::string_view group,
                                                 std::span<const ForeignSystem> elsewhere);

}  // namespace perigee::internal
