// Queries written as a C++ parameter list, with inlined loops.
//
// Invariant: a typed query is a Query plus compile-time types; `each` compiles to the loop that one would
// write by hand over the columns of each chunk. `T` writes, `const T` reads, Optional<T> gives a pointer,
// null where it is absent; an Entity parameter comes first.
//
//     world.query<Position, const Velocity>().each([dt](Position& position, const Velocity& velocity) { … });
//     auto moved = world.query<const Position>().without<Frozen>().changed<Position>().build();
#pragma once

#include "ecs/query.h"

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace perigee {

class World;
class WorkerPool;
struct ParallelOptions;

/// A parameter that an entity need not have.
template <typename T> struct Optional;

namespace internal {

// How one parameter of a typed query finds its value: `first` once per chunk, `at` per row.
template <typename T> struct QueryParameter {
    using Component = T;
    using Argument = T&;
    static constexpr bool kIsOptional = false;

    static T* first(const ChunkView& view, std::size_t term) noexcept {
        return reinterpret_cast<T*>(view.column_data(term));
    }
    static T& at(T* column, std::size_t row) noexcept { return column[row]; }
};

template <typename T> struct QueryParameter<Optional<T>> {
    using Component = T;
    using Argument = T*;
    static constexpr bool kIsOptional = true;

    static T* first(const ChunkView& view, std::size_t term) noexcept {
        return reinterpret_cast<T*>(view.column_data(term));
    }
    static T* at(T* column, std::size_t row) noexcept { return column == nullptr ? nullptr : column + row; }
};

template <typename P> using ComponentOf = std::remove_const_t<typename QueryParameter<P>::Component>;

}  // namespace internal

template <typename... Parameters> class QueryBuilder;

/// The words that narrow a typed query down; each gives a description with one more.
template <typename Self, typename... Parameters> class QueryWords {
public:
    /// At least one of these is there.
    template <typename... T> QueryBuilder<Parameters...> any() const;
    /// None of these is there.
    template <typename... T> QueryBuilder<Parameters...> without() const;
    /// Chunks in which one of these changed since the running system last ran.
    template <typename... T> QueryBuilder<Parameters...> changed() const;
    /// Rows in order of a field of one of the parameters.
    template <typename T>
    QueryBuilder<Parameters...> order_by(std::string field, bool is_descending = false) const;
};

template <typename... Parameters>
class TypedQuery : public QueryWords<TypedQuery<Parameters...>, Parameters...> {
public:
    TypedQuery(World& world, Query& query) noexcept : world_(&world), query_(&query) {}

    World& world() const noexcept { return *world_; }
    Query& query() const noexcept { return *query_; }
    const QueryDesc& desc() const noexcept { return query_->desc(); }

    /// Calls fn(Component&…) or fn(Entity, Component&…) for every row.
    /// Cost: nothing over a plain loop; capture small values by value, a reference costs up to 1.5 times.
    template <typename Function> void each(Function fn) const;

    /// Calls fn(ChunkView&, std::span<Component>…) for every chunk; a span is empty where an optional
    /// component is absent.
    template <typename Function> void each_chunk(Function fn) const;

    /// Like each, from several threads at once; defined in parallel_query.h. Rows must not depend on each
    /// other.
    template <typename Function>
    void each_parallel(WorkerPool& pool, Function fn, const ParallelOptions& options) const;
    template <typename Function> void each_parallel(WorkerPool& pool, Function fn) const;

private:
    template <typename P> using Value = typename internal::QueryParameter<P>::Component;

    template <typename Function, std::size_t... I>
    static void visit_rows(const ChunkView& view, Function& fn, std::index_sequence<I...>) {
        rows(view.row_count(), view.entities().data(), fn,
             internal::QueryParameter<Parameters>::first(view, I)...);
    }

    // Each column as a restricted parameter: columns never overlap, and the compiler may rely on it. Never
    // inlined: inside a large caller the loop would lose its registers, which costs more than a call per
    // chunk.
    template <typename Function>
    [[gnu::noinline]] static void rows(std::size_t count, const Entity* __restrict entities, Function& fn,
                                       Value<Parameters>* __restrict... columns) {
        using internal::QueryParameter;
        if constexpr (std::is_invocable_v<Function&, Entity,
                                          typename QueryParameter<Parameters>::Argument...>) {
            for (std::size_t row = 0; row < count; ++row) {
                fn(entities[row], QueryParameter<Parameters>::at(columns, row)...);
            }
        } else {
            for (std::size_t row = 0; row < count; ++row) {
                fn(QueryParameter<Parameters>::at(columns, row)...);
            }
        }
    }

    World* world_;
    Query* query_;
};

/// A description in the making. Becomes a query with build(), which is worth keeping: finding the query of a
/// description again takes a walk over all queries of the world.
template <typename... Parameters>
class QueryBuilder : public QueryWords<QueryBuilder<Parameters...>, Parameters...> {
public:
    QueryBuilder(World& world, QueryDesc desc) : world_(&world), desc_(std::move(desc)) {}

    World& world() const noexcept { return *world_; }
    const QueryDesc& desc() const noexcept { return desc_; }

    /// Expects: check_query finds nothing.
    TypedQuery<Parameters...> build() const;
    Query& query() const { return build().query(); }

    template <typename Function> void each(Function fn) const { build().each(std::move(fn)); }
    template <typename Function> void each_chunk(Function fn) const { build().each_chunk(std::move(fn)); }

private:
    World* world_;
    QueryDesc desc_;
};

}  // namespace perigee
