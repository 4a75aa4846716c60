// Frees texts and blobs that nothing refers to any more: marks every handle in the world, then frees the
// rest.
//
// Invariant: a handle is found wherever the world keeps values: rows, buffers, chunk and shared values,
// resources, events, prefabs, defaults and blobs. Command buffers are not searched: a text or blob made since
// the last sweep survives this one, and a sweep between groups (as in Schedule) comes after their playback.
// Why there is no reference count: docs/decisions/0005.
#pragma once

#include <cstddef>

namespace perigee {

class World;

/// Frees every unreferenced text that is not new since the last sweep. Returns their number. Expects: no
/// query is being visited.
/// Cost: a walk over the rows of components with text fields.
std::size_t collect_texts(World& world);

/// The same for blobs. A blob keeps those that it refers to; texts in freed blobs are free for the next sweep
/// of texts. Cost: a walk over the rows of components with blob fields, and over all blobs.
std::size_t collect_blobs(World& world);

}  // namespace perigee
