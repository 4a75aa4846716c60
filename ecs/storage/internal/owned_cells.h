// Releases and clones the memory owned by cells of buffer and object components. Moving a row needs none of
// this, since nothing points into it.
#pragma once

#include "ecs/schema/registry.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/object_store.h"

#include <cstddef>

namespace perigee::internal {

/// Releases the memory of the cell and leaves an empty buffer, or nil. Expects: info.owns_memory().
void release_cell(const ComponentInfo& info, std::byte* cell, BufferPool& buffers,
                  ObjectStore& objects) noexcept;

/// Overwrites `to` with an independent copy of `from`: a buffer's elements are copied, an object is shared.
/// `to` may be `from`: then a bytewise copy of a cell gets its own memory. False when memory is exhausted;
/// then `to` is an empty buffer, or nil.
bool clone_cell(const ComponentInfo& info, const std::byte* from, std::byte* to, BufferPool& buffers,
                ObjectStore& objects) noexcept;

}  // namespace perigee::internal
