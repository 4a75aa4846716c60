// Creates many entities at once, run by run: a run is a range of new rows in one chunk.
//
// Invariant: entities appear completely or not at all; rows that cannot be completed are removed before
// anything sees them.
#pragma once

#include "ecs/archetype/archetype.h"
#include "ecs/base/entity.h"
#include "ecs/world/bulk.h"
#include "ecs/world/internal/entity_store.h"

#include <cstddef>
#include <span>

namespace perigee::internal {

/// New entities from an image; see spawn_many. Returns the number created.
std::size_t spawn_runs(EntityStore& store, Archetype& archetype, const RowImage& image, std::size_t count,
                       const SpawnInitializer& initialize, Entity* out);
/// Brings reserved entities to life; see place_reserved. Returns how many, the first ones of the span; the
/// ids of the rest are released.
std::size_t place_runs(EntityStore& store, std::span<const Entity> entities, Archetype& archetype,
                       const RowImage& image);
/// Clones with new ids; see clone_many.
std::size_t clone_runs(EntityStore& store, Entity entity, std::size_t count, Entity* out);
/// Brings a reserved entity to life as a clone. When it fails, the entity stays reserved.
bool clone_to(EntityStore& store, Entity reserved, Entity original);

/// Removes entities that were just created and never visible: without handlers, even with cleanup components.
void undo_spawns(EntityStore& store, std::span<const Entity> entities) noexcept;

/// Gives the roots that were just created from a prefab all its parts. Returns the number of complete roots:
/// all or none, and then the roots are removed.
std::size_t complete_roots(EntityStore& store, const Prefab& prefab, std::span<const Entity> roots);

}  // namespace perigee::internal
