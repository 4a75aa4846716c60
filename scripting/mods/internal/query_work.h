// What native work on a query costs scripts, in steps of fuel.
//
// Invariant: the cost depends only on the world, so it is the same in each run, and it is known before the
// work begins. Not here: charging (scripting/sandbox/internal/fuel_tank.h, fuel.spend in
// scripts/runtime/sandbox/fuel.lua).
#pragma once

#include "ecs/schema/component.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {
class Query;
class World;
}  // namespace perigee

namespace perigee::internal {

/// Numbers that Lua code passes, by these names: scripts/runtime/systems/query_handle.lua.
enum class QueryWork : std::uint8_t {
    count_rows,
    count_chunks,  ///< in an order, the rows are sorted for that
    visit,         ///< in an order, the rows are sorted and copied
    reach_rows,    ///< each row is changed or listed
};
inline constexpr std::array<std::string_view, 4> kQueryWorkNames{"count_rows", "count_chunks", "visit",
                                                                 "reach_rows"};
static_assert(kQueryWorkNames.size() == static_cast<std::size_t>(QueryWork::reach_rows) + 1);

/// Cost: one look at each match.
double steps_of(const Query& query, QueryWork work) noexcept;

/// The cost of a look-up of sources, when every row of the relation may have changed; without the sources.
double steps_to_find_sources(const World& world, ComponentId relation) noexcept;

/// The cost of comparing `rows` values with those before the write, for reactions to changes.
double steps_to_compare(std::uint32_t rows, std::uint32_t row_bytes) noexcept;

}  // namespace perigee::internal
