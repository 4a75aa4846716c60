// Moves entities from one world to another: loading into a side world, splitting a game into scenes.
//
// Invariant: either all entities arrive complete, or nothing has changed in either world. Types are matched
// by name and must be declared alike on both sides.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/query/query.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace perigee {

class World;
struct ComponentInfo;

/// Moves the living entities that the query of `from` matches, with their descendants, to `to`. There they
/// get new ids and keep their parents; entities whose parent is not moved become roots. References among them
/// point to the new ids; other references become null. Texts and blobs are carried over by content, objects
/// stay shared, and cleanup components and enabled bits are kept. A chunk component is kept, with the value
/// of the new chunk. Errors: every component type that `to` lacks or declares differently; `to` is full.
/// Expects: two different worlds, neither of them locked. Cost: about a microsecond per entity.
Result<std::size_t> move_entities(World& from, const Query& query, World& to);

/// Asked once for each type that the moved entities have, before anything changes. An error ends the move.
using AcceptMoved = std::function<Result<void>(const ComponentInfo& type)>;

/// The same for these entities, with their descendants. Returns their new ids, one for each entity of the
/// list, in its order: null for one that is not alive. Ids that are in the list twice move once.
Result<std::vector<Entity>> move_entities(World& from, std::span<const Entity> entities, World& to,
                                          const AcceptMoved& accept = {});

}  // namespace perigee
