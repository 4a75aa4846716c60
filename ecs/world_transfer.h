// Moving entities from one world to another: loading into a side world, splitting a game into scenes.
//
// Invariant: either all of them arrive with all they had, or nothing has changed in either world. Types are
// matched by name and must be declared alike on both sides.
#pragma once

#include "ecs/query.h"
#include "ecs/result.h"

#include <cstddef>

namespace perigee {

class World;

/// Moves the living entities that the query of `from` matches, and all below them, to `to`, where they get
/// ids of their own and the same parents; those whose parent stays behind become roots. References among them
/// lead to the new ids; references to others become null. Texts and blobs are carried over by content,
/// objects stay shared, cleanup components come along, enabled bits too. Of a chunk component only that they
/// have it: the value is the one of their new chunk. Errors: every component type that `to` lacks or declares
/// otherwise; `to` is full. Expects: two worlds, neither of them locked. Cost: one entity after the other;
/// about a microsecond each.
Result<std::size_t> move_entities(World& from, const Query& query, World& to);

}  // namespace perigee
