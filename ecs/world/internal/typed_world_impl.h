// The templates of typed_world.h: they check the request, and World carries it out. They are here and not in
// the class because they need the complete World.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/internal/entity_store.h"
#include "ecs/world/internal/log_access.h"
#include "ecs/world/world.h"

#include <array>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace perigee {

inline World& TypedWorld::world() noexcept { return static_cast<World&>(*this); }
inline const World& TypedWorld::world() const noexcept { return static_cast<const World&>(*this); }

// ---- entities ----

template <typename... Components>
requires(sizeof...(Components) > 0) Entity TypedWorld::spawn(const Components&... values) {
    internal::EntityStore& store = world().store();
    store.guard().begin_change();
    const std::array<ComponentId, sizeof...(Components)> ids{types().id<Components>(TypedUse::give)...};
    const std::uint32_t number = type_number<std::tuple<Components...>>();
    const std::vector<Archetype*>& known = store.typed_archetypes();
    if (number >= known.size() || known[number] == nullptr) [[unlikely]] {
        if (!knows_typed_archetype(number, ids)) return Entity{};
    }
    Archetype& target = *known[number];
    if (!target.is_plain() || target.components().size() != sizeof...(Components)) [[unlikely]] {
        const std::array<const void*, sizeof...(Components)> bytes{&values...};
        std::array<ComponentValue, sizeof...(Components)> given{};
        for (std::size_t i = 0; i < given.size(); ++i)
            given[i] = {ids[i], static_cast<const std::byte*>(bytes[i])};
        return store.spawn_values(target, given);
    }
    const ChunkSlot* slot = store.append_entity(target);
    if (slot == nullptr) return Entity{};
    const std::uint32_t row = slot->row_count - 1;
    // Together they are all columns, so no defaults are written first.
    const auto write = [&]<typename Component>(ComponentId id, const Component& value) {
        const ColumnPlace place = store.graph().column_place(target.index(), id);
        if (!place.has_column()) return;
        std::memcpy(slot->data + std::size_t{place.line} * kCacheLine + std::size_t{row} * sizeof(Component),
                    &value, sizeof(Component));
    };
    const ComponentId* id = ids.data();
    (write(*id++, values), ...);
    return Archetype::entities(*slot)[row];
}

template <typename... Components>
requires(sizeof...(Components) > 0) Entity TypedWorld::spawn() {
    return world().spawn(archetype<Components...>());
}

template <typename... Components> Archetype& TypedWorld::archetype() {
    const std::vector<Archetype*>& known = world().store().typed_archetypes();
    const std::uint32_t number = type_number<std::tuple<Components...>>();
    if (number < known.size() && known[number] != nullptr) return *known[number];
    const std::array<ComponentId, sizeof...(Components)> ids{types().id<Components>(TypedUse::presence)...};
    return find_typed_archetype(number, ids);
}

// ---- components of one entity ----

template <typename T> bool TypedWorld::add(Entity entity) {
    return world().add(entity, types().id<T>(TypedUse::presence), static_cast<const void*>(nullptr));
}

template <typename T> bool TypedWorld::add(Entity entity, const T& value) {
    const ComponentId component = types().id<T>(TypedUse::give);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    return world().add(entity, component, static_cast<const void*>(bytes));
}

template <typename T> bool TypedWorld::remove(Entity entity) {
    return world().remove(entity, types().id<T>(TypedUse::presence));
}

template <typename T> bool TypedWorld::has(Entity entity) const {
    return world().has(entity, types().id<T>(TypedUse::presence));
}

template <typename T> const T* TypedWorld::value(Entity entity, ComponentId component) const {
    const std::byte* const found = world().store().cell(entity, component, sizeof(T));
    internal::log_access(world(), component, Access::read, found);
    return reinterpret_cast<const T*>(found);
}

template <typename T> T* TypedWorld::edit(Entity entity) {
    return reinterpret_cast<T*>(world().edit(entity, types().id<T>(TypedUse::edit)));
}

template <typename T> bool TypedWorld::set(Entity entity, const T& value) {
    return world().set(entity, types().id<T>(TypedUse::set), static_cast<const void*>(&value));
}

template <typename T> bool TypedWorld::set_enabled(Entity entity, bool is_enabled) {
    return world().set_enabled(entity, types().id<T>(TypedUse::enabled), is_enabled);
}

template <typename T> bool TypedWorld::is_enabled(Entity entity) const {
    return world().is_enabled(entity, types().id<T>(TypedUse::presence));
}

template <typename T> BufferView<T> TypedWorld::buffer_of(Entity entity, ComponentId component) {
    World& self = world();
    std::byte* const cell = self.edit(entity, component);
    if (cell == nullptr) return {};
    return BufferView<T>(cell, type_of_buffer(component), self.buffers(), self.store().guard().version());
}

template <typename T> std::span<const T> TypedWorld::elements_of(Entity entity, ComponentId component) const {
    const auto* header = reinterpret_cast<const BufferHeader*>(world().get(entity, component));
    if (header == nullptr) return {};
    return {reinterpret_cast<const T*>(header->elements()), header->length};
}

template <typename T> BufferView<T> TypedWorld::buffer(Entity entity) {
    return buffer_of<T>(entity, types().id<T>(TypedUse::buffer));
}

template <typename T> std::span<const T> TypedWorld::elements(Entity entity) const {
    return elements_of<T>(entity, types().id<T>(TypedUse::buffer));
}

template <typename T>
requires(kIsValue<T>) bool TypedWorld::add(Entity entity, ComponentId component, const T* value) {
    if (value != nullptr) types().expect_value<T>(component);
    return world().add(entity, component, static_cast<const void*>(value));
}

template <typename T>
requires(kIsValue<T>) bool TypedWorld::set(Entity entity, ComponentId component, const T* value) {
    types().expect_value<T>(component);
    return world().set(entity, component, static_cast<const void*>(value));
}

// ---- queries, resources ----

template <typename... Parameters> TypedQuery<Parameters...> TypedWorld::query() {
    const auto describe = [](const TypeBindings& types) {
        [[maybe_unused]] const auto term = [&types]<typename P>(std::type_identity<P>) {
            using Parameter = internal::QueryParameter<P>;
            // Its storage in a chunk decides the parameter: T, Shared<T>, PerChunk<T> or Buffer<T>.
            return QueryTerm{types.id<internal::ComponentOf<P>>(Parameter::kUse),
                             std::is_const_v<typename Parameter::Component> ? Access::read : Access::write,
                             Parameter::kIsOptional};
        };
        return std::vector<QueryTerm>{term(std::type_identity<Parameters>{})...};
    };
    using Made = TypedQuery<Parameters...>;
    return Made(world(), typed_query(type_number<Made>(), describe), typename Made::ExistingQuery{});
}

template <typename... Parameters, typename Function> void TypedWorld::each(Function&& fn) {
    query<Parameters...>().each(std::forward<Function>(fn));
}

template <typename T> T& TypedWorld::resource() {
    const ComponentId component = types().id<T>(TypedUse::resource);
    std::byte* const value = resource_bytes(component);
    internal::log_access(world(), component, std::is_const_v<T> ? Access::read : Access::write, value);
    return *reinterpret_cast<T*>(value);
}

}  // namespace perigee
