// What only a new entity may do, while components are still added to it: give values to the chunk that it
// starts.
//
// Invariant: a chunk that has other rows keeps its values. Not here: spawning with all components at once,
// which does this itself (ecs/world/world.h, ecs/world/prefab.h).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/world/component_value.h"

namespace perigee {

class World;
struct PrefabId;

/// Adds a chunk component, unless the entity has it; its value is used if the entity is the first row of its
/// chunk. False if the entity is not alive or memory is exhausted.
bool start_chunk(World& world, Entity entity, const ComponentValue& value);

/// The same with the chunk components of its prefab, as far as it still has them.
bool start_chunk(World& world, Entity entity, PrefabId prefab);
/// True if the prefab has chunk components.
bool has_chunk_components(const World& world, PrefabId prefab) noexcept;

}  // namespace perigee
