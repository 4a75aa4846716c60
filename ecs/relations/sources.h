// The other direction of a relation: the entities that point at one.
//
// A relation is a component with `index = true` and one `entity` field, its target:
//
//     world.declare<Likes>("Likes", {.index = true}, field("target", &Likes::target));
//     for (Entity fan : sources_of<Likes>(world, bob)) …
//     world.query<const Position>().related<Likes>(bob).each(…);
//
// Invariant: a look-up sees the fields as they are at that moment, however they were written: it first reads
// the chunks that changed since the last one. Take addresses (World::edit) again after a look-up: a write
// through an older one is not noticed. When a target dies, its sources' fields become null, or the sources
// are destroyed (Schema::on_target_destroyed): before World::destroy and its relatives return, for commands
// at the end of their playback, for dead targets that a system writes at the end of its group.
//
// An entity has one target for each relation. Not here: parents and children (hierarchy.h), which also have
// an order and a depth.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <vector>

namespace perigee {

/// The living entities whose relation points at `target`, in order of their index. Disabled components count.
/// None for null, for a dead target, and for components that are not relations. Throws std::bad_alloc.
/// Cost: one comparison for each chunk with the relation, reading the chunks that changed, and a random
/// access for each result.
std::vector<Entity> sources_of(World& world, ComponentId relation, Entity target);
/// Their number.
std::size_t source_count(World& world, ComponentId relation, Entity target);

/// The same by C++ type. Expects: T is bound.
template <typename T> std::vector<Entity> sources_of(World& world, Entity target) {
    return sources_of(world, world.types().id<T>(TypedUse::read), target);
}
template <typename T> std::size_t source_count(World& world, Entity target) {
    return source_count(world, world.types().id<T>(TypedUse::read), target);
}

}  // namespace perigee
