// Changes to many entities at once: creating them in runs, and changing all that a query matches.
//
// Invariant: the result is that of the single calls on each entity (World), except for the order of rows.
// Each function returns how many it reached, which is fewer than all only when memory is exhausted. All of
// them are structural changes.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "ecs/schema/type_bindings.h"
#include "ecs/world/component_value.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <span>

namespace perigee {

struct PrefabId;

// ---- creating ----

/// Creates `count` entities, chunk by chunk. `initialize` (may be empty) is called once for each run of new
/// rows. `out`, if not null, receives the ids.
std::size_t spawn_many(World& world, Archetype& archetype, std::size_t count,
                       const SpawnInitializer& initialize = {}, Entity* out = nullptr);
std::size_t spawn_many(World& world, PrefabId prefab, std::size_t count,
                       const SpawnInitializer& initialize = {}, Entity* out = nullptr);
/// Creates `count` clones; see World::clone.
std::size_t clone_many(World& world, Entity entity, std::size_t count, Entity* out = nullptr);
/// Commits memory for `count` more entities of an archetype, so that creating them costs no page faults.
bool warm(World& world, const Archetype& archetype, std::size_t count);

// ---- a list of entities ----

/// Adds the component to many entities, in order. Returns how many of the single calls would return true.
/// Cost: about half that of single calls where neighbours in the list share an archetype.
std::size_t add_many(World& world, ComponentId component, std::span<const ComponentChange> changes);
std::size_t remove_many(World& world, ComponentId component, std::span<const ComponentChange> changes);

// ---- all entities that a query matches, chunk by chunk ----

/// Adds a component. Entities that have it already keep their value, or take `value` if given. For a chunk
/// component `value` becomes the value of the chunks that get it; chunks that have one keep it. Cost: without
/// a new column (tags, shared and chunk components) whole chunks move between archetypes and no row is
/// copied.
std::size_t add_all(World& world, const Query& query, ComponentId component, const void* value = nullptr);
std::size_t remove_all(World& world, const Query& query, ComponentId component);
/// Sets the value on every entity that has the component. Setting a shared component moves rows to the chunks
/// of the new value; a chunk component is set in each chunk.
std::size_t set_all(World& world, const Query& query, ComponentId component, const void* value);
std::size_t set_enabled_all(World& world, const Query& query, ComponentId component, bool is_enabled);
std::size_t destroy_all(World& world, const Query& query);

// ---- by C++ type ----

template <typename T> std::size_t add_all(World& world, const Query& query) {
    return add_all(world, query, world.types().id<T>(TypedUse::presence), static_cast<const void*>(nullptr));
}

template <typename T> std::size_t add_all(World& world, const Query& query, const T& value) {
    return add_all(world, query, world.types().id<T>(TypedUse::give), static_cast<const void*>(&value));
}

template <typename T> std::size_t remove_all(World& world, const Query& query) {
    return remove_all(world, query, world.types().id<T>(TypedUse::presence));
}

template <typename T> std::size_t set_all(World& world, const Query& query, const T& value) {
    return set_all(world, query, world.types().id<T>(TypedUse::set), static_cast<const void*>(&value));
}

template <typename T> std::size_t set_enabled_all(World& world, const Query& query, bool is_enabled) {
    return set_enabled_all(world, query, world.types().id<T>(TypedUse::enabled), is_enabled);
}

/// Takes the component by id and its value as a struct; see TypedWorld::add and set.
template <typename T>
requires(kIsValue<T>) std::size_t
    add_all(World& world, const Query& query, ComponentId component, const T* value) {
    if (value != nullptr) world.types().expect_value<T>(component);
    return add_all(world, query, component, static_cast<const void*>(value));
}

template <typename T>
requires(kIsValue<T>) std::size_t
    set_all(World& world, const Query& query, ComponentId component, const T* value) {
    world.types().expect_value<T>(component);
    return set_all(world, query, component, static_cast<const void*>(value));
}

}  // namespace perigee
