// One case per kind that owns memory.
#include "ecs/storage/internal/owned_cells.h"

#include "ecs/base/contract.h"
#include "ecs/storage/buffer.h"

#include <cstring>
#include <new>

namespace perigee::internal {

namespace {

ObjectSlot slot_in(const std::byte* cell) noexcept {
    ObjectSlot slot;
    std::memcpy(&slot, cell, sizeof slot);
    return slot;
}

bool clone_buffer(const Schema& schema, const std::byte* from, std::byte* to, BufferPool& buffers) noexcept {
    const auto& source = *reinterpret_cast<const BufferHeader*>(from);
    BufferHeader copy{0, source.length, 0};
    std::byte* elements = to + sizeof(BufferHeader);
    const std::size_t bytes = std::size_t{source.length} * schema.size;
    if (source.length > schema.buffer_capacity) {
        elements = buffers.allocate(bytes);
        if (elements == nullptr) {
            std::memset(to, 0, sizeof(BufferHeader));
            return false;
        }
        copy.heap = reinterpret_cast<std::uintptr_t>(elements);
        copy.heap_capacity = static_cast<std::uint32_t>(BufferPool::block_bytes(bytes) / schema.size);
    }
    if (elements != source.elements()) std::memcpy(elements, source.elements(), bytes);
    std::memcpy(to, &copy, sizeof copy);
    return true;
}

}  // namespace

void release_cell(const ComponentInfo& info, std::byte* cell, BufferPool& buffers,
                  ObjectStore& objects) noexcept {
    ECS_EXPECTS(info.owns_memory(), info.schema.name);
    if (info.kind() == ComponentKind::buffer) {
        release_buffer(*reinterpret_cast<BufferHeader*>(cell), info.schema.size, buffers);
    } else {
        const ObjectSlot slot = slot_in(cell);
        std::memset(cell, 0, sizeof slot);
        objects.release(slot);
    }
}

bool clone_cell(const ComponentInfo& info, const std::byte* from, std::byte* to, BufferPool& buffers,
                ObjectStore& objects) noexcept {
    ECS_EXPECTS(info.owns_memory(), info.schema.name);
    if (info.kind() == ComponentKind::buffer) return clone_buffer(info.schema, from, to, buffers);
    ObjectSlot copy = 0;
    bool is_shared = true;
    try {
        copy = objects.share(slot_in(from));
    } catch (const std::bad_alloc&) {
        is_shared = false;
    }
    std::memcpy(to, &copy, sizeof copy);
    return is_shared;
}

}  // namespace perigee::internal
