// Clones whole trees.
//
// Invariant: the copy is complete or not created at all. World::clone copies one entity; this function calls
// it for each entity of the tree.
#pragma once

#include "ecs/base/entity.h"

namespace perigee {

class World;

/// Clones an entity with its descendants and returns the clone of the entity itself. Each is cloned by
/// World::clone. Parent links and references within the tree point to the clones, in the same order; other
/// references stay. Descendants keep their names; the top entity has, like any clone, neither a name nor a
/// parent. Structural. Returns null and changes nothing when the entity is not alive or memory is exhausted.
/// Cost: about a microsecond per entity.
Entity clone_tree(World& world, Entity top);

}  // namespace perigee
