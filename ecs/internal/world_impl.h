// The templates of world.h and typed_query.h that need the whole World. No logic of their own.
#pragma once

#include "ecs/world.h"

#include <array>

namespace perigee {

// The address of a component's value; null when the entity is dead or has no column for it. Inline, because
// random access is two cache misses and little else.
inline std::byte* World::cell(Entity entity, ComponentId component, std::uint32_t row_bytes,
                              Location& location) const noexcept {
    if (!index_.find(entity, location)) return nullptr;
    const std::uint16_t line = graph_.column_line(units_.archetype[location.unit], component);
    if (line == 0 || line == ArchetypeGraph::kTagLine) return nullptr;
    return pool_.address(location.unit) + std::size_t{line} * kCacheLine +
           std::size_t{location.row} * row_bytes;
}

template <typename... Components> Archetype& World::archetype() {
    const std::array<ComponentId, sizeof...(Components)> ids{id<Components>()...};
    Result<Archetype*> found = graph_.require(ids);
    ECS_EXPECTS(found.ok());
    return *found.value();
}

template <typename... Components>
requires(sizeof...(Components) > 0) Entity World::spawn(const Components&... values) {
    Archetype* target = &graph_.empty();
    const auto follow = [&](ComponentId component) {
        ArchetypeTransition* transition = graph_.adding(*target, component);
        ECS_EXPECTS(transition != nullptr);
        target = transition->target;
    };
    (follow(id<Components>()), ...);
    const Entity entity = spawn(*target);
    if (entity) (static_cast<void>(set(entity, id<Components>(), &values)), ...);
    return entity;
}

template <typename... Components> TypedQuery<Components...> World::query() {
    const std::uint32_t number = type_number<TypedQuery<Components...>>();
    if (number >= typed_queries_.size()) typed_queries_.resize(number + 1, nullptr);
    if (typed_queries_[number] == nullptr) {
        QueryDesc desc;
        desc.terms = {QueryTerm{id<Components>(), std::is_const_v<Components> ? Access::read : Access::write,
                                false}...};
        Result<Query*> found = query(desc);
        ECS_EXPECTS(found.ok());
        typed_queries_[number] = found.value();
    }
    return TypedQuery<Components...>(*this, *typed_queries_[number]);
}

template <typename... Components, typename Function> void World::each(Function&& fn) {
    query<Components...>().each(std::forward<Function>(fn));
}

template <typename... Components>
template <typename Function>
void TypedQuery<Components...>::each(Function fn) const {
    world_->each_chunk(*query_, [&fn](const ChunkView& view) {
        visit_rows(view, fn, std::index_sequence_for<Components...>{});
    });
}

template <typename... Components>
template <typename Function>
void TypedQuery<Components...>::each_chunk(Function fn) const {
    world_->each_chunk(*query_, [&fn](ChunkView& view) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            fn(view, std::span<Components>(reinterpret_cast<Components*>(view.column_data(I)),
                                           view.row_count())...);
        }
        (std::index_sequence_for<Components...>{});
    });
}

}  // namespace perigee
