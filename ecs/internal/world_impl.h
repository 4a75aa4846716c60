// The templates of world.h and typed_query.h that need the whole World. No logic of their own.
#pragma once

#include "ecs/buffer_column.h"
#include "ecs/world.h"

#include <array>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace perigee {

// The address of a component's value; null when the entity is dead or has no value of it. Inline, because
// random access is two cache misses and little else.
inline std::byte* World::cell(Entity entity, ComponentId component, std::uint32_t row_bytes,
                              Location& location) const noexcept {
    if (!index_.find(entity, location)) [[unlikely]]
        return special_cell(entity, component);
    const ColumnPlace place = graph_.column_place(units_.archetype[location.unit()], component);
    return place.has_column() ? cell_at(location, place, row_bytes) : special_cell(entity, component);
}

inline std::byte* World::cell_at(Location location, ColumnPlace place,
                                 std::uint32_t row_bytes) const noexcept {
    return pool_.address(location.unit()) + std::size_t{place.line} * kCacheLine +
           std::size_t{location.row()} * row_bytes;
}

// Removes a row whose entity goes elsewhere or dies, and corrects the record of the one that moves into the
// hole.
inline void World::take_row(Location location, Archetype& archetype) noexcept {
    const Entity moved =
        archetype.remove(units_.chunk_index[location.unit()], location.row(), change_version_);
    if (!moved) return;
    if (archetype.is_destroyed()) [[unlikely]] {
        index_.hold(moved, location);
    } else {
        index_.place(moved, location);
    }
}

template <typename... Components> Archetype& World::archetype() {
    const std::uint32_t number = type_number<std::tuple<Components...>>();
    if (number < typed_archetypes_.size() && typed_archetypes_[number] != nullptr) {
        return *typed_archetypes_[number];
    }
    const std::array<ComponentId, sizeof...(Components)> ids{id<Components>()...};
    return find_typed_archetype(number, ids);
}

template <typename... Components>
requires(sizeof...(Components) > 0) Entity World::spawn(const Components&... values) {
    begin_structural_change();
    const std::uint32_t number = type_number<std::tuple<Components...>>();
    if (number >= typed_archetypes_.size() || typed_archetypes_[number] == nullptr) [[unlikely]] {
        const std::array<ComponentId, sizeof...(Components)> ids{id<Components>()...};
        if (!knows_typed_archetype(number, ids)) return Entity{};
    }
    Archetype& target = *typed_archetypes_[number];
    if (!target.is_plain() || target.components().size() != sizeof...(Components)) [[unlikely]] {
        const std::array<ComponentValue, sizeof...(Components)> given{
            ComponentValue{id<Components>(), reinterpret_cast<const std::byte*>(&values)}...};
        return spawn_values(target, given);
    }
    const ChunkSlot* slot = append_entity(target);
    if (slot == nullptr) return Entity{};
    const std::uint32_t row = slot->row_count - 1;
    // Together they are all columns there are, so no defaults are written before.
    const auto write = [&]<typename Component>(const Component& value) {
        const ColumnPlace place = graph_.column_place(target.index(), id<Component>());
        if (!place.has_column()) return;
        std::memcpy(slot->data + std::size_t{place.line} * kCacheLine + std::size_t{row} * sizeof(Component),
                    &value, sizeof(Component));
    };
    (write(values), ...);
    return Archetype::entities(*slot)[row];
}

template <typename... Parameters> TypedQuery<Parameters...> World::query() {
    const std::uint32_t number = type_number<TypedQuery<Parameters...>>();
    const auto lock = lock_queries();
    if (number >= typed_queries_.size()) typed_queries_.resize(number + 1, nullptr);
    if (typed_queries_[number] == nullptr) {
        [[maybe_unused]] const auto term = [this]<typename P>(std::type_identity<P>) {
            using Parameter = internal::QueryParameter<P>;
            // What it is in a chunk decides about the parameter: T, Optional<T>, Shared<T> or PerChunk<T>.
            ECS_EXPECTS(Parameter::fits(registry_.info(id<internal::ComponentOf<P>>()).kind()),
                        registry_.info(id<internal::ComponentOf<P>>()).schema.name);
            return QueryTerm{id<internal::ComponentOf<P>>(),
                             std::is_const_v<typename Parameter::Component> ? Access::read : Access::write,
                             Parameter::kIsOptional};
        };
        QueryDesc desc;
        desc.terms = {term(std::type_identity<Parameters>{})...};
        Result<Query*> found = query(desc);
        ECS_EXPECTS(found.ok());
        typed_queries_[number] = found.value();
    }
    return TypedQuery<Parameters...>(*this, *typed_queries_[number]);
}

template <typename... Parameters, typename Function> void World::each(Function&& fn) {
    query<Parameters...>().each(std::forward<Function>(fn));
}

template <typename... Parameters>
template <typename Function>
void TypedQuery<Parameters...>::each(Function fn) const {
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
                fn(view, internal::QueryParameter<Parameters>::whole(view, I)...);
            }
            (std::index_sequence_for<Parameters...>{});
        });
}

// ---- the words of a typed query

template <typename Self, typename... Parameters>
template <typename... T>
QueryBuilder<Parameters...> QueryWords<Self, Parameters...>::any() const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    (desc.any.push_back(self.world().template id<T>()), ...);
    return {self.world(), std::move(desc)};
}

template <typename Self, typename... Parameters>
template <typename... T>
QueryBuilder<Parameters...> QueryWords<Self, Parameters...>::without() const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    (desc.without.push_back(self.world().template id<T>()), ...);
    return {self.world(), std::move(desc)};
}

template <typename Self, typename... Parameters>
template <typename... T>
QueryBuilder<Parameters...> QueryWords<Self, Parameters...>::changed() const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    (desc.changed.push_back(self.world().template id<T>()), ...);
    return {self.world(), std::move(desc)};
}

template <typename Self, typename... Parameters>
template <typename T>
QueryBuilder<Parameters...> QueryWords<Self, Parameters...>::shared(const T& value) const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    desc.shared.push_back({self.world().template id<T>(), {bytes, bytes + sizeof(T)}});
    return {self.world(), std::move(desc)};
}

template <typename Self, typename... Parameters>
QueryBuilder<Parameters...> QueryWords<Self, Parameters...>::include_disabled() const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    desc.include_disabled = true;
    return {self.world(), std::move(desc)};
}

template <typename Self, typename... Parameters>
template <typename T>
QueryBuilder<Parameters...> QueryWords<Self, Parameters...>::order_by(std::string field,
                                                                      bool is_descending) const {
    const Self& self = static_cast<const Self&>(*this);
    QueryDesc desc = self.desc();
    desc.order_by = OrderBy{self.world().template id<T>(), std::move(field), is_descending};
    return {self.world(), std::move(desc)};
}

template <typename... Parameters> TypedQuery<Parameters...> QueryBuilder<Parameters...>::build() const {
    Result<Query*> found = world_->query(desc_);
    ECS_EXPECTS(found.ok(), found.error().message);
    return TypedQuery<Parameters...>(*world_, *found.value());
}

}  // namespace perigee
