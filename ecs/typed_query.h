// Queries written as a C++ parameter list, with inlined loops.
//
// Invariant: a typed query is a Query plus compile-time types; `each` compiles to the loop that one would
// write by hand over the columns of each chunk. `T` or `T&` writes, `const T` reads; an Entity parameter
// comes first.
#pragma once

#include "ecs/query.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace perigee {

class World;

template <typename... Components> class TypedQuery {
public:
    TypedQuery(World& world, Query& query) noexcept : world_(&world), query_(&query) {}

    Query& query() const noexcept { return *query_; }

    /// Calls fn(Component&…) or fn(Entity, Component&…) for every row.
    /// Cost: nothing over a plain loop; capture small values by value, a reference costs up to 1.5 times.
    template <typename Function> void each(Function fn) const;

    /// Calls fn(ChunkView&, std::span<Component>…) for every chunk.
    template <typename Function> void each_chunk(Function fn) const;

private:
    template <typename Function, std::size_t... I>
    static void visit_rows(const ChunkView& view, Function& fn, std::index_sequence<I...>) {
        const std::size_t count = view.row_count();
        const std::tuple<Components*...> columns{reinterpret_cast<Components*>(view.column_data(I))...};
        rows(count, view.entities().data(), fn, std::get<I>(columns)...);
    }

    // Each column as a restricted parameter: columns never overlap, and the compiler may rely on it. Never
    // inlined: inside a large caller the loop would lose its registers, which costs more than a call per
    // chunk.
    template <typename Function>
    [[gnu::noinline]] static void rows(std::size_t count, const Entity* __restrict entities, Function& fn,
                                       Components* __restrict... columns) {
        if constexpr (std::is_invocable_v<Function&, Entity, Components&...>) {
            for (std::size_t row = 0; row < count; ++row) fn(entities[row], columns[row]...);
        } else {
            for (std::size_t row = 0; row < count; ++row) fn(columns[row]...);
        }
    }

    World* world_;
    Query* query_;
};

}  // namespace perigee
