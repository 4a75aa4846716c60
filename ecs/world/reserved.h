// Ids that are issued before their entities exist, for commands that are played back later.
//
// Invariant: a reserved id is not alive and is never handed out again until it is placed or released. In
// systems that run in parallel, ids come from the system's own pool, so they depend on the order of systems
// alone.
#pragma once

#include "ecs/base/entity.h"

#include <cstddef>
#include <span>

namespace perigee {

class Archetype;
class World;
struct PrefabId;

/// A new id; null when the world is full.
Entity reserve_entity(World& world);
bool is_reserved(const World& world, Entity entity) noexcept;
/// Does nothing if it is not reserved.
void release_reserved(World& world, Entity entity) noexcept;

/// Brings a reserved entity to life. False when memory is exhausted; the id is released then.
bool place_reserved(World& world, Entity entity, Archetype& archetype);
bool place_reserved(World& world, Entity entity, PrefabId prefab);
/// Brings a reserved entity to life as a clone of `original`.
bool place_clone(World& world, Entity reserved, Entity original);

/// Brings many reserved entities to life, one run of rows at a time. Returns how many succeeded; these are
/// the first ones of the span. The ids of the rest are released.
std::size_t place_reserved(World& world, std::span<const Entity> entities, Archetype& archetype);
std::size_t place_reserved(World& world, std::span<const Entity> entities, PrefabId prefab);

}  // namespace perigee
