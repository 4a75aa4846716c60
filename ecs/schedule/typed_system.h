// C++ systems written as a parameter list, a few options and a loop.
//
// Invariant: the options and parameters are the complete declaration; the result is an ordinary SystemDesc.
// `T` writes, `const T` reads, as in typed_query.h, and the loops are those of typed queries, inlined.
//
//     void fall(Position& position, const Velocity& velocity) { position.y += velocity.y / 60; }
//
//     schedule.add(system<Position, const Velocity>(world, "fall").each<fall>());
//     schedule.add(system<Position, const Velocity>(world, "move").after({"steer"}).each(
//         [](const SystemContext& context) {
//             return [dt = static_cast<float>(context.time.dt)](Position& position, const Velocity& velocity)
//             {
//                 position.x += velocity.x * dt;
//             };
//         }));
#pragma once

#include "ecs/parallel/parallel_query.h"
#include "ecs/query/parallel_options.h"
#include "ecs/schedule/system.h"
#include "ecs/world/world.h"

#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace perigee {

template <typename... Parameters> class SystemBuilder;

/// A system whose function gets several queries: the result of SystemBuilder::queries.
template <typename Builder, typename... Queries> class QueriesBuilder {
public:
    QueriesBuilder(Builder builder, Queries... queries)
        : builder_(std::move(builder)), queries_(std::move(queries)...) {}

    /// fn(SystemContext&, const TypedQuery<…>&…), with one argument for each query; if the system has
    /// parameters too, fn(SystemContext&, const TypedQuery<Parameters…>&, const TypedQuery<…>&…). Returns
    /// nothing or a Result<void>. Completes the description.
    template <typename Function> SystemDesc run(Function fn) const {
        return builder_.over(queries_, std::move(fn));
    }

private:
    Builder builder_;
    std::tuple<Queries...> queries_;
};

template <typename... Parameters> class SystemBuilder {
public:
    SystemBuilder(World& world, std::string name) : world_(&world) {
        desc_.name = std::move(name);
        desc_.needs_rows = sizeof...(Parameters) != 0;
        if constexpr (sizeof...(Parameters) != 0) desc_.query = world.query<Parameters...>().desc();
    }

    // ---- order and time: see SystemDesc
    SystemBuilder& group(std::string name) { return set(desc_.group, std::move(name)); }
    SystemBuilder& before(std::vector<std::string> names) { return set(desc_.before, std::move(names)); }
    SystemBuilder& after(std::vector<std::string> names) { return set(desc_.after, std::move(names)); }
    SystemBuilder& every(double seconds) { return set(desc_.every, seconds); }
    SystemBuilder& run_if(SystemCondition condition) { return set(desc_.run_if, std::move(condition)); }
    SystemBuilder& serial_key(std::string key) { return set(desc_.serial_key, std::move(key)); }
    SystemBuilder& alone() { return set(desc_.is_alone, true); }
    SystemBuilder& commands(std::string point) { return set(desc_.commands, std::move(point)); }
    SystemBuilder& exclusive() { return set(desc_.is_exclusive, true); }
    SystemBuilder& enabled(bool is_enabled) { return set(desc_.is_enabled, is_enabled); }
    /// Runs even if no row matches.
    SystemBuilder& always() { return set(desc_.needs_rows, false); }

    // ---- accesses
    template <typename... T> SystemBuilder& any() { return narrow(words().template any<T...>()); }
    template <typename... T> SystemBuilder& without() { return narrow(words().template without<T...>()); }
    template <typename... T> SystemBuilder& changed() { return narrow(words().template changed<T...>()); }
    template <typename T> SystemBuilder& shared(const T& value) { return narrow(words().shared(value)); }
    template <typename T> SystemBuilder& related(Entity target) {
        return narrow(words().template related<T>(target));
    }
    template <typename T> SystemBuilder& order_by(std::string field, bool is_descending = false) {
        return narrow(words().template order_by<T>(std::move(field), is_descending));
    }
    SystemBuilder& include_disabled() { return narrow(words().include_disabled()); }
    /// Besides the rows: random access, resources, events. `T` writes, `const T` reads; also Buffer<T>.
    template <typename... T> SystemBuilder& uses() {
        (add_use<T>(), ...);
        return *this;
    }

    // ---- several queries
    /// Adds queries that the function visits, nested if it likes. Each is what world.query<…>() returns, with
    /// filters or without; what it accesses becomes part of the system's access. Set everything else before.
    ///
    ///     const auto towers = world.query<const Position, const Tower>();
    ///     const auto enemies = world.query<Position, Health>();
    ///     schedule.add(system(world, "aim").queries(towers, enemies).run(
    ///         [](SystemContext&, const auto& towers, const auto& enemies) { … }));
    ///
    /// The row loop of `each` assumes that nothing else changes its columns: where a nested loop writes a
    /// component that the outer one has, the outer one is each_chunk.
    template <typename... Queries> auto queries(const Queries&... queries) const {
        SystemBuilder with_access = *this;
        (with_access.add_access(queries.desc()), ...);
        return QueriesBuilder<SystemBuilder, decltype(built(queries))...>(std::move(with_access),
                                                                          built(queries)...);
    }

    // ---- lifecycle
    SystemBuilder& on_create(SystemFunction function) { return set(desc_.on_create, std::move(function)); }
    SystemBuilder& on_start(SystemFunction function) { return set(desc_.on_start, std::move(function)); }
    SystemBuilder& on_stop(SystemFunction function) { return set(desc_.on_stop, std::move(function)); }
    SystemBuilder& on_destroy(SystemFunction function) { return set(desc_.on_destroy, std::move(function)); }

    // ---- the function; each of these completes the description

    /// fn(Component&…) or fn(Entity, Component&…) for each row; or fn(const SystemContext&), called once per
    /// run, which returns such a function. Cost: a plain loop. Pass a named function as a template argument,
    /// each<fall>(), so that it is inlined; its body must be visible here.
    template <auto kFunction> SystemDesc each() const { return each(internal::FunctionObject<kFunction>()); }
    template <typename Function> SystemDesc each(Function fn) const {
        expect_no_pointer_per_row<Function>();
        return ending([fn = std::move(fn)](SystemContext& context) mutable {
            const TypedQuery<Parameters...> query(context.world, *context.query);
            with_function(fn, context, [&](auto&& row) { query.each(std::forward<decltype(row)>(row)); });
        });
    }

    /// Like each, with the chunks split over the workers if there are enough rows. The function is called
    /// from several threads at once, so it must not be mutable.
    template <auto kFunction> SystemDesc each_parallel(ParallelOptions options = {}) const {
        return each_parallel(internal::FunctionObject<kFunction>(), options);
    }
    template <typename Function> SystemDesc each_parallel(Function fn, ParallelOptions options = {}) const {
        expect_no_pointer_per_row<Function>();
        return ending([fn = std::move(fn), options](SystemContext& context) {
            const TypedQuery<Parameters...> query(context.world, *context.query);
            with_function(fn, context, [&](const auto& row) {
                if (context.workers == nullptr) {
                    query.each(row);
                } else {
                    query.each_parallel(*context.workers, row, options);
                }
            });
        });
    }

    /// fn(ChunkView&, std::span<Component>…) for each chunk, or fn(SystemContext&) that returns such a
    /// function.
    template <auto kFunction> SystemDesc each_chunk() const {
        return each_chunk(internal::FunctionObject<kFunction>());
    }
    template <typename Function> SystemDesc each_chunk(Function fn) const {
        return ending([fn = std::move(fn)](SystemContext& context) mutable {
            const TypedQuery<Parameters...> query(context.world, *context.query);
            with_function(fn, context,
                          [&](auto&& chunk) { query.each_chunk(std::forward<decltype(chunk)>(chunk)); });
        });
    }

    /// fn(SystemContext&), and with parameters fn(SystemContext&, const TypedQuery<…>&) too; returns nothing
    /// or a Result<void>.
    template <typename Function> SystemDesc run(Function fn) const {
        return ending([fn = std::move(fn)](SystemContext& context) mutable {
            if constexpr (std::is_invocable_v<Function&, SystemContext&>) {
                return fn(context);
            } else {
                return fn(context, TypedQuery<Parameters...>(context.world, *context.query));
            }
        });
    }

private:
    template <typename Builder, typename... Queries> friend class QueriesBuilder;

    template <typename... P> static TypedQuery<P...> built(const TypedQuery<P...>& query) { return query; }
    template <typename... P> static TypedQuery<P...> built(const QueryBuilder<P...>& query) {
        return query.build();
    }
    // Filters read enabled bits and versions, which other systems write.
    void add_access(const QueryDesc& query) {
        AccessDesc& access = desc_.access;
        for (const QueryTerm& term : query.terms)
            (term.access == Access::write ? access.write : access.read).push_back(term.component);
        for (const std::vector<ComponentId>* filter : {&query.any, &query.without, &query.changed})
            access.read.insert(access.read.end(), filter->begin(), filter->end());
    }
    template <typename Queries, typename Function>
    SystemDesc over(const Queries& queries, Function fn) const {
        return ending([queries, fn = std::move(fn)](SystemContext& context) mutable {
            return std::apply(
                [&](const auto&... each) {
                    if constexpr (sizeof...(Parameters) == 0) {
                        return fn(context, each...);
                    } else {
                        return fn(context, TypedQuery<Parameters...>(context.world, *context.query), each...);
                    }
                },
                queries);
        });
    }
    template <typename Value> SystemBuilder& set(Value& member, Value value) {
        member = std::move(value);
        return *this;
    }
    QueryBuilder<Parameters...> words() const {
        static_assert(sizeof...(Parameters) != 0, "a query needs a parameter");
        return QueryBuilder<Parameters...>(*world_, desc_.query);
    }
    SystemBuilder& narrow(const QueryBuilder<Parameters...>& narrowed) {
        desc_.query = narrowed.desc();
        return *this;
    }
    template <typename T> void add_use() {
        using Used = typename internal::QueryParameter<T>::Component;
        std::vector<ComponentId>& list = std::is_const_v<Used> ? desc_.access.read : desc_.access.write;
        list.push_back(world_->id<std::remove_const_t<Used>>());
    }
    // A function that is called once per run may be passed by address.
    template <typename Function> static constexpr void expect_no_pointer_per_row() {
        if constexpr (!std::is_invocable_v<Function&, SystemContext&>)
            internal::expect_no_pointer<Function>();
    }
    /// Passes `visit` the function for rows or chunks: the result of `fn` for this run, or `fn` itself.
    template <typename Function, typename Visit>
    static void with_function(Function& fn, SystemContext& context, const Visit& visit) {
        if constexpr (std::is_invocable_v<Function&, SystemContext&>) {
            visit(fn(context));
        } else {
            visit(std::ref(fn));
        }
    }
    template <typename Body> SystemDesc ending(Body body) const {
        SystemDesc desc = desc_;
        desc.run = [body = std::move(body)](SystemContext& context) mutable -> Result<void> {
            if constexpr (std::is_void_v<std::invoke_result_t<Body&, SystemContext&>>) {
                body(context);
                return {};
            } else {
                return body(context);
            }
        };
        return desc;
    }

    World* world_;
    SystemDesc desc_;
};

/// Describes a system over the rows with these components; without parameters, a system without a query.
template <typename... Parameters> SystemBuilder<Parameters...> system(World& world, std::string name) {
    return SystemBuilder<Parameters...>(world, std::move(name));
}

}  // namespace perigee
