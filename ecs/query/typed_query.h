// Queries written as a C++ parameter list, with inlined loops.
//
// Invariant: a typed query is a Query plus compile-time types; `each` compiles to the loop that you would
// write by hand over the columns of each chunk. `T` writes, `const T` reads, Optional<T> gives a pointer,
// null where it is absent; an Entity parameter comes first. The component's kind decides which parameters are
// allowed; this is checked when the query is created.
//
//     world.query<Position, const Velocity>().each([dt](Position& position, const Velocity& velocity) { … });
//     auto moved = world.query<const Position>().without<Frozen>().changed<Position>().build();
#pragma once

#include "ecs/query/buffer_column.h"
#include "ecs/query/query.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace perigee {

class World;
class WorkerPool;
struct ParallelOptions;

/// An optional component: fn gets a pointer, null where it is absent.
template <typename T> struct Optional;
/// The value of a shared component: fn gets a const T&.
template <typename T> struct Shared;
/// The value of the row's chunk: fn gets a T&, or for PerChunk<const T> a const T&.
template <typename T> struct PerChunk;
/// The row's buffer: fn gets a BufferView<T>, or for Buffer<const T> a std::span<const T>; each_chunk a
/// BufferColumn. If an optional buffer is absent, the view and the span are empty.
template <typename T> struct Buffer;

namespace internal {

/// A function known at compile time, as a function object, so that a loop can inline it.
template <auto kFunction> struct FunctionObject {
    template <typename... Arguments>
    requires std::is_invocable_v<decltype(kFunction), Arguments...>
    [[gnu::flatten]] decltype(auto) operator()(Arguments&&... arguments) const {
        return kFunction(std::forward<Arguments>(arguments)...);
    }
};

/// A call through a pointer for each row costs three to six times as much as an inlined loop.
template <typename Function> constexpr void expect_no_pointer() {
    static_assert(!std::is_pointer_v<Function>,
                  "a function by its address would be called row by row: write each<fall>() instead of "
                  "each(fall), each_parallel<fall>(…) instead of each_parallel(…, fall), or give a lambda");
}

// How one parameter of a typed query finds its value: `first` once per chunk, `skip` to start from another
// row, `at` per row. each_chunk passes `chunk_argument`.
template <typename T> struct QueryParameter {
    using Component = T;
    using Column = T* __restrict;
    using Argument = T&;
    static constexpr TypedUse kUse = TypedUse::row;
    static constexpr bool kIsOptional = false;
    static constexpr bool kIsOneValue = false;

    static T* first(const ChunkView& view, std::size_t term) noexcept {
        return std::is_empty_v<T> ? nothing() : reinterpret_cast<T*>(view.column_data(term));
    }
    static T* skip(T* column, std::size_t rows) noexcept {
        return std::is_empty_v<T> ? column : column + rows;
    }
    static T& at(T* column, std::size_t row) noexcept { return *skip(column, row); }
    static std::span<T> chunk_argument(const ChunkView& view, std::size_t term) noexcept {
        std::byte* const column = std::is_empty_v<T> ? nullptr : view.column_data(term);
        return {reinterpret_cast<T*>(column), column == nullptr ? 0 : view.row_count()};
    }

private:
    // The target of a reference to a tag.
    static T* nothing() noexcept {
        if constexpr (std::is_empty_v<T>) {
            static std::remove_const_t<T> tag;
            return &tag;
        } else {
            return nullptr;
        }
    }
};

template <typename P> struct QueryParameter<Optional<P>> : QueryParameter<P> {
    using Base = QueryParameter<P>;
    using Value = typename Base::Component;
    using Argument = Value*;
    static constexpr bool kIsOptional = true;

    static Value* first(const ChunkView& view, std::size_t term) {
        return view.has(term) ? Base::first(view, term) : nullptr;
    }
    static Value* skip(Value* column, std::size_t rows) noexcept {
        return column == nullptr ? nullptr : Base::skip(column, rows);
    }
    static Value* at(Value* column, std::size_t row) noexcept { return skip(column, row); }
    static auto chunk_argument(const ChunkView& view, std::size_t term) {
        if constexpr (Base::kIsOneValue) {
            return first(view, term);
        } else {
            return Base::chunk_argument(view, term);
        }
    }
};

// One value for all rows.
template <typename T> struct OneValueParameter {
    using Component = T;
    using Column = T* __restrict;
    using Argument = T&;
    static constexpr bool kIsOptional = false;
    static constexpr bool kIsOneValue = true;

    static T* skip(T* value, std::size_t) noexcept { return value; }
    static T& at(T* value, std::size_t) noexcept { return *value; }
};

template <typename T> struct QueryParameter<Shared<T>> : OneValueParameter<const T> {
    static constexpr TypedUse kUse = TypedUse::shared;
    static const T* first(const ChunkView& view, std::size_t term) { return &chunk_argument(view, term); }
    static const T& chunk_argument(const ChunkView& view, std::size_t term) { return view.shared<T>(term); }
};

template <typename T> struct QueryParameter<PerChunk<T>> : OneValueParameter<T> {
    static constexpr TypedUse kUse = TypedUse::chunk_value;
    static T* first(const ChunkView& view, std::size_t term) { return &chunk_argument(view, term); }
    static T& chunk_argument(const ChunkView& view, std::size_t term) { return view.chunk_value<T>(term); }
};

// Cells of a chunk from a given row on.
struct BufferCursor {
    const ChunkView* view;
    std::size_t term;
    std::size_t row;
};

template <typename T> struct QueryParameter<Buffer<T>> {
    using Component = T;
    using Column = BufferCursor;
    using Argument = typename BufferColumn<T>::Row;
    static constexpr TypedUse kUse = TypedUse::buffer;
    static constexpr bool kIsOptional = false;

    static Column first(const ChunkView& view, std::size_t term) noexcept { return {&view, term, 0}; }
    static Column skip(Column column, std::size_t rows) noexcept {
        column.row += rows;
        return column;
    }
    static Argument at(Column column, std::size_t row) {
        if (!column.view->has(column.term)) return {};
        return BufferColumn<T>::row_of(*column.view, column.term,
                                       static_cast<std::uint32_t>(column.row + row));
    }
    static BufferColumn<T> chunk_argument(const ChunkView& view, std::size_t term) {
        return view.buffers<T>(term);
    }
};

template <typename T> struct QueryParameter<Optional<Buffer<T>>> : QueryParameter<Buffer<T>> {
    static constexpr bool kIsOptional = true;
};

template <typename P> using ComponentOf = std::remove_const_t<typename QueryParameter<P>::Component>;

}  // namespace internal

template <typename... Parameters> class QueryBuilder;

/// The filters of a typed query; each call returns a description with one more filter.
template <typename Self, typename... Parameters> class QueryFilters {
public:
    /// Requires at least one of these.
    template <typename... T> QueryBuilder<Parameters...> any() const;
    /// Excludes all of these.
    template <typename... T> QueryBuilder<Parameters...> without() const;
    /// Only chunks in which one of these changed since the running system's last run.
    template <typename... T> QueryBuilder<Parameters...> changed() const;
    /// Only rows whose shared component T has this value.
    template <typename T> QueryBuilder<Parameters...> shared(const T& value) const;
    /// Only rows whose relation T points at this entity; see ecs/relations/sources.h.
    template <typename T> QueryBuilder<Parameters...> related(Entity target) const;
    /// Ignores enabled bits.
    QueryBuilder<Parameters...> include_disabled() const;
    /// Sorts rows by a field of one of the parameters.
    template <typename T>
    QueryBuilder<Parameters...> order_by(std::string field, bool is_descending = false) const;

private:
    template <typename Change> QueryBuilder<Parameters...> with(Change change) const;
};

template <typename... Parameters>
class TypedQuery : public QueryFilters<TypedQuery<Parameters...>, Parameters...> {
public:
    /// Expects: the query's first terms are the parameters, as World::query would make them.
    TypedQuery(World& world, Query& query);

    World& world() const noexcept { return *world_; }
    Query& query() const noexcept { return *query_; }
    const QueryDesc& desc() const noexcept { return query_->desc(); }

    /// Calls fn(Component&…) or fn(Entity, Component&…) for every row; rows with a disabled component are
    /// skipped. Cost: the same as a plain loop. Capture small values by value; a reference makes the loop up
    /// to 1.5 times as slow. Pass a named function as a template argument, each<fall>(), so that it is
    /// inlined too; its body must be visible at the call.
    template <typename Function> void each(Function fn) const;
    template <auto kFunction> void each() const { each(internal::FunctionObject<kFunction>()); }

    /// Calls fn(ChunkView&, std::span<Component>…) for every chunk; the span of an absent optional component
    /// is empty.
    template <typename Function> void each_chunk(Function fn) const;
    template <auto kFunction> void each_chunk() const { each_chunk(internal::FunctionObject<kFunction>()); }

    /// Like each, from several threads at once; defined in parallel_query.h. Rows must be independent.
    template <typename Function>
    void each_parallel(WorkerPool& pool, Function fn, const ParallelOptions& options) const;
    template <typename Function> void each_parallel(WorkerPool& pool, Function fn) const;
    template <auto kFunction> void each_parallel(WorkerPool& pool, const ParallelOptions& options) const {
        each_parallel(pool, internal::FunctionObject<kFunction>(), options);
    }
    template <auto kFunction> void each_parallel(WorkerPool& pool) const {
        each_parallel(pool, internal::FunctionObject<kFunction>());
    }

private:
    friend class TypedWorld;
    struct ExistingQuery {};
    TypedQuery(World& world, Query& query, ExistingQuery) noexcept : world_(&world), query_(&query) {}

    template <typename P> using Column = typename internal::QueryParameter<P>::Column;

    template <typename Function, std::size_t... I>
    static void visit_rows(const ChunkView& view, Function& fn, std::index_sequence<I...>) {
        const Entity* entities = view.entities().data();
        if (view.enabled_words() == nullptr) [[likely]] {
            rows(view.row_count(), entities, fn, internal::QueryParameter<Parameters>::first(view, I)...);
        } else {
            enabled_rows(view, entities, fn, internal::QueryParameter<Parameters>::first(view, I)...);
        }
    }

    // Long runs use the dense loop; in mixed words each bit is tested.
    template <typename Function>
    [[gnu::noinline]] static void enabled_rows(const ChunkView& view, const Entity* entities, Function& fn,
                                               Column<Parameters>... columns) {
        const auto stretch = [&](std::uint32_t first, std::uint32_t last) {
            rows(last - first, entities + first, fn,
                 internal::QueryParameter<Parameters>::skip(columns, first)...);
        };
        const std::uint64_t* words = view.enabled_words();
        const std::uint32_t count = (view.row_count() + 63) / 64;
        for (std::uint32_t word = 0; word < count; ++word) {
            const std::uint64_t bits = words[word];
            if (bits == 0) continue;
            const std::uint32_t first = word * 64;
            if (bits == ~std::uint64_t{0}) {
                while (word + 1 < count && words[word + 1] == ~std::uint64_t{0}) ++word;
                stretch(first, word * 64 + 64);
                continue;
            }
            // A single run? A chunk's last word usually is one.
            const auto from = static_cast<std::uint32_t>(std::countr_zero(bits));
            const std::uint64_t run = bits >> from;
            if ((run & (run + 1)) == 0) {
                stretch(first + from, first + from + static_cast<std::uint32_t>(std::countr_one(run)));
            } else {
                scattered_rows(bits, entities + first, fn,
                               internal::QueryParameter<Parameters>::skip(columns, first)...);
            }
        }
    }

    template <typename Function>
    [[gnu::noinline]] static void scattered_rows(std::uint64_t bits, const Entity* __restrict entities,
                                                 Function& fn, Column<Parameters>... columns) {
        for (; bits != 0; bits &= bits - 1) {
            call(fn, entities, static_cast<std::size_t>(std::countr_zero(bits)), columns...);
        }
    }

    // Each column is a restricted parameter: columns never overlap, and the compiler may rely on it. Never
    // inlined: inside a large caller the loop would run out of registers, which costs more than one call per
    // chunk.
    template <typename Function>
    [[gnu::noinline]] static void rows(std::size_t count, const Entity* __restrict entities, Function& fn,
                                       Column<Parameters>... columns) {
        for (std::size_t row = 0; row < count; ++row) call(fn, entities, row, columns...);
    }

    template <typename Function>
    [[gnu::always_inline]] static void call(Function& fn, const Entity* __restrict entities, std::size_t row,
                                            Column<Parameters>... columns) {
        using internal::QueryParameter;
        if constexpr (std::is_invocable_v<Function&, Entity,
                                          typename QueryParameter<Parameters>::Argument...>) {
            fn(entities[row], QueryParameter<Parameters>::at(columns, row)...);
        } else {
            fn(QueryParameter<Parameters>::at(columns, row)...);
        }
    }

    World* world_;
    Query* query_;
};

/// Builds a query description. Keep the query that build() returns: finding the query of a description again
/// takes a walk over all queries of the world.
template <typename... Parameters>
class QueryBuilder : public QueryFilters<QueryBuilder<Parameters...>, Parameters...> {
public:
    QueryBuilder(World& world, QueryDesc desc) : world_(&world), desc_(std::move(desc)) {}

    World& world() const noexcept { return *world_; }
    const QueryDesc& desc() const noexcept { return desc_; }

    /// Expects: check_query reports no error.
    TypedQuery<Parameters...> build() const;
    Query& query() const { return build().query(); }

    template <typename Function> void each(Function fn) const { build().each(std::move(fn)); }
    template <auto kFunction> void each() const { build().template each<kFunction>(); }
    template <typename Function> void each_chunk(Function fn) const { build().each_chunk(std::move(fn)); }
    template <auto kFunction> void each_chunk() const { build().template each_chunk<kFunction>(); }

private:
    World* world_;
    QueryDesc desc_;
};

}  // namespace perigee
