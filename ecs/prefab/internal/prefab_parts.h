// Creates the children of prefabs. Not here: how a description becomes parts (prefab_flat.h).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/world/prefab.h"

#include <span>

namespace perigee::internal {

/// See Prefab::spawn_parts.
bool spawn_parts(World& world, const Prefab& prefab, std::span<const Entity> roots);

}  // namespace perigee::internal
