// Freeing texts that no row refers to any more: mark every handle in the world, then free the rest.
//
// Invariant: a handle is found wherever the world keeps values: rows, buffers, chunk and shared values,
// resources, prefabs, defaults and blobs. Command buffers are not searched: a text that was interned since
// the last sweep outlives this one, and whoever sweeps between groups (Schedule does) has played them back.
// Why not a count per handle: docs/decisions/0005.
#pragma once

#include <cstddef>

namespace perigee {

class World;

/// Frees every text that nothing refers to and that is not new since the last sweep. Returns how many.
/// Expects: no query is being visited.
/// Cost: a walk over the rows of components with text fields; nothing for the others.
std::size_t collect_texts(World& world);

}  // namespace perigee
