// The templates of typed_query.h that need the whole World. No logic of their own.
#pragma once

#include "ecs/world/world.h"

#include <utility>
#include <vector>

namespace perigee {

template <typename... Parameters>
TypedQuery<Parameters...>::TypedQuery(World& world, Query& query) : world_(&world), query_(&query) {
    [[maybe_unused]] const std::vector<QueryTerm>& terms = query.desc().terms;
    [[maybe_unused]] std::size_t term = 0;
    ECS_EXPECTS(sizeof...(Parameters) <= terms.size(), terms.size());
    const auto expect = [&]<typename P>(std::type_identity<P>) {
        using Parameter = internal::QueryParameter<P>;
        world.types().template expect<internal::ComponentOf<P>>(terms[term].component, Parameter::kUse);
        if (!std::is_const_v<typename Parameter::Component> && terms[term].access == Access::read)
            world.types().refuse_writing(type_name<internal::ComponentOf<P>>(), terms[term].component);
        ECS_EXPECTS(Parameter::kIsOptional || !terms[term].is_optional, term);
        ++term;
    };
    (expect(std::type_identity<Parameters>{}), ...);
}

template <typename... Parameters>
template <typename Function>
void TypedQuery<Parameters...>::each(Function fn) const {
    internal::expect_no_pointer<Function>();
    world_->each_chunk(*query_, [&fn](const ChunkView& view) {
        visit_rows(view, fn, std::index_sequence_for<Parameters...>{});
    });
}

template <typename... Parameters>
template <typename Function>
void TypedQuery<Parameters...>::each_chunk(Function fn) const {
    // Not inlined, so that the loop inside fn has the registers to itself.
    world_->each_chunk(
        *query_, [&fn](ChunkView & view) __attribute__((noinline)) {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                fn(view, internal::QueryParameter<Parameters>::chunk_argument(view, I)...);
            }
            (std::index_sequence_for<Parameters...>{});
        });
}

// ---- the filters of a typed query

template <typename Self, typename... Parameters>
template <typename Change>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::with(Change change) const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    change(desc, self.world().types());
    return {self.world(), std::move(desc)};
}

template <typename Self, typename... Parameters>
template <typename... T>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::any() const {
    return with([](QueryDesc& desc, const TypeBindings& types) {
        (desc.any.push_back(types.template id<T>(TypedUse::presence)), ...);
    });
}

template <typename Self, typename... Parameters>
template <typename... T>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::without() const {
    return with([](QueryDesc& desc, const TypeBindings& types) {
        (desc.without.push_back(types.template id<T>(TypedUse::presence)), ...);
    });
}

template <typename Self, typename... Parameters>
template <typename... T>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::changed() const {
    return with([](QueryDesc& desc, const TypeBindings& types) {
        (desc.changed.push_back(types.template id<T>(TypedUse::presence)), ...);
    });
}

template <typename Self, typename... Parameters>
template <typename T>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::shared(const T& value) const {
    return with([&value](QueryDesc& desc, const TypeBindings& types) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        desc.shared.push_back({types.template id<T>(TypedUse::shared), {bytes, bytes + sizeof(T)}});
    });
}

template <typename Self, typename... Parameters>
template <typename T>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::related(Entity target) const {
    return with([target](QueryDesc& desc, const TypeBindings& types) {
        desc.related.push_back({types.template id<T>(TypedUse::presence), target});
    });
}

template <typename Self, typename... Parameters>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::include_disabled() const {
    return with([](QueryDesc& desc, const TypeBindings&) { desc.include_disabled = true; });
}

template <typename Self, typename... Parameters>
template <typename T>
QueryBuilder<Parameters...> QueryFilters<Self, Parameters...>::order_by(std::string field,
                                                                        bool is_descending) const {
    return with([&](QueryDesc& desc, const TypeBindings& types) {
        desc.order_by = OrderBy{types.template id<T>(TypedUse::column), std::move(field), is_descending};
    });
}

template <typename... Parameters> TypedQuery<Parameters...> QueryBuilder<Parameters...>::build() const {
    Result<Query*> found = world_->query(desc_);
    ECS_EXPECTS(found.ok(), found.error().message);
    return TypedQuery<Parameters...>(*world_, *found.value());
}

}  // namespace perigee
