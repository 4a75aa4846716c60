// Cells of buffer and object components: what becomes of the memory they refer to when a row goes or is
// doubled. Moving a row needs nothing of this: nothing points into it.
#pragma once

#include "ecs/buffer_pool.h"
#include "ecs/object_store.h"
#include "ecs/registry.h"

#include <cstddef>

namespace perigee::internal {

/// Lets go of what the cell refers to and leaves an empty buffer, or nil. Expects: info.owns_memory().
void release_cell(const ComponentInfo& info, std::byte* cell, BufferPool& buffers,
                  ObjectStore& objects) noexcept;

/// Makes `to` (whatever it held is overwritten) a cell of its own: a buffer's elements are copied, an object
/// is shared. `to` may be `from`: a byte by byte copy of a cell then gets memory of its own. False when
/// memory is exhausted; `to` is an empty buffer, or nil, then.
bool clone_cell(const ComponentInfo& info, const std::byte* from, std::byte* to, BufferPool& buffers,
                ObjectStore& objects) noexcept;

}  // namespace perigee::internal
