// Whether parents and children in a snapshot agree, which ecs/relations relies on and does not check.
#pragma once

#include "ecs/save/internal/snapshot_data.h"

namespace perigee::internal {

/// True if every list of children consists of entities that name it as their parent, forwards and backwards,
/// all entities with a parent are in such a list, depths are right, and nothing is its own ancestor. True for
/// worlds without a hierarchy. Expects: rows and entities are valid. Throws std::bad_alloc.
bool has_valid_hierarchy(const World& world, const SnapshotData& data);

}  // namespace perigee::internal
