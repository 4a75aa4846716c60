// Cells that own memory outside the chunk: freed with their row, copied with a clone. Not here: the memory
// itself (storage/buffer_pool.h, storage/object_store.h).
#pragma once

#include "ecs/archetype/archetype.h"

#include <cstdint>
#include <span>

namespace perigee {
class BufferPool;
class ObjectStore;
}  // namespace perigee

namespace perigee::internal {

class RowCells {
public:
    RowCells(BufferPool& buffers, ObjectStore& objects) noexcept : buffers_(buffers), objects_(objects) {}

    BufferPool& buffers() noexcept { return buffers_; }

    /// Frees what the cells of these columns own, in `count` rows from `first` on.
    void release(const Archetype& archetype, std::span<const OwningColumn> columns, const ChunkSlot& slot,
                 std::uint32_t first, std::uint32_t count) noexcept;
    /// The same for all columns whose cells own memory.
    void release(const Archetype& archetype, const ChunkSlot& slot, std::uint32_t first,
                 std::uint32_t count) noexcept {
        release(archetype, archetype.owning_columns(), slot, first, count);
    }
    /// Gives the cells of a bytewise copied row their own memory. False when memory is exhausted.
    bool clone(const Archetype& archetype, const ChunkSlot& slot, std::uint32_t row) noexcept;

private:
    BufferPool& buffers_;
    ObjectStore& objects_;
};

}  // namespace perigee::internal
