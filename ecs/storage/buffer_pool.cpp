// Each size class has a free list over slabs.
#include "ecs/storage/buffer_pool.h"

#include "ecs/base/contract.h"
#include "ecs/base/memory_quota.h"

#include <algorithm>
#include <bit>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace perigee {

namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSlabHeader = kAlignment;
constexpr std::size_t kSmallestSlab = 16 * 1024;

std::byte* take_from_system(std::size_t bytes) noexcept {
    return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow));
}

void give_to_system(void* memory) noexcept { ::operator delete (memory, std::align_val_t{kAlignment}); }

// Lets the address sanitizer detect the use of a free block, except for the link at its start.
void forbid([[maybe_unused]] std::byte* block, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __SANITIZE_ADDRESS__
    ASAN_POISON_MEMORY_REGION(block + sizeof(void*), bytes - sizeof(void*));
#endif
}
void permit([[maybe_unused]] std::byte* block, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __SANITIZE_ADDRESS__
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
#endif
}

std::size_t class_of(std::size_t block_bytes) noexcept {
    return static_cast<std::size_t>(std::countr_zero(block_bytes)) -
           static_cast<std::size_t>(std::countr_zero(BufferPool::kSmallestBlock));
}

}  // namespace

BufferPool::~BufferPool() {
    ECS_INVARIANT(blocks_in_use_ == 0, blocks_in_use_.load());
    for (SizeClass& size_class : classes_) {
        for (Slab* slab = size_class.slabs; slab != nullptr;) {
            Slab* const next = slab->next;
            give_to_system(slab);
            slab = next;
        }
    }
}

std::size_t BufferPool::block_bytes(std::size_t bytes) noexcept {
    return bytes > kLargestClass ? bytes : std::max(std::bit_ceil(bytes), kSmallestBlock);
}

std::byte* BufferPool::allocate(std::size_t bytes) noexcept {
    ECS_EXPECTS(bytes > 0);
    const std::size_t size = block_bytes(bytes);
    if (!take_from_limit(size)) return nullptr;
    std::byte* const block = take_block(size);
    if (block == nullptr) {
        give_back(size);
        internal::note_refused(MemoryKind::buffers);
    }
    return block;
}

std::byte* BufferPool::allocate_beyond_limit(std::size_t bytes) noexcept {
    ECS_EXPECTS(bytes > 0);
    const std::size_t size = block_bytes(bytes);
    std::byte* const block = take_block(size);
    if (block == nullptr) return nullptr;
    bytes_in_use_.fetch_add(size, std::memory_order_relaxed);
    blocks_in_use_.fetch_add(1, std::memory_order_relaxed);
    return block;
}

// From a class or the system, without counting it as used.
std::byte* BufferPool::take_block(std::size_t size) noexcept {
    if (size <= kLargestClass) return allocate_from(classes_[class_of(size)], size);
    std::byte* const block = take_from_system(size);
    if (block != nullptr) bytes_allocated_.fetch_add(size, std::memory_order_relaxed);
    return block;
}

void BufferPool::release(std::byte* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    const std::size_t size = block_bytes(bytes);
    give_back(size);
    if (size > kLargestClass) {
        bytes_allocated_.fetch_sub(size, std::memory_order_relaxed);
        give_to_system(block);
        return;
    }
    SizeClass& size_class = classes_[class_of(size)];
    const std::lock_guard lock(size_class.mutex);
    size_class.free = new (block) FreeBlock{size_class.free};
    forbid(block, size);
}

std::byte* BufferPool::allocate_from(SizeClass& size_class, std::size_t bytes) noexcept {
    const std::lock_guard lock(size_class.mutex);
    std::byte* block = reinterpret_cast<std::byte*>(size_class.free);
    if (block != nullptr) {
        size_class.free = size_class.free->next;
    } else {
        if (size_class.fresh == size_class.fresh_end && !add_slab(size_class, bytes)) return nullptr;
        block = size_class.fresh;
        size_class.fresh += bytes;
    }
    permit(block, bytes);
    return block;
}

bool BufferPool::add_slab(SizeClass& size_class, std::size_t bytes) noexcept {
    const std::size_t blocks = std::max<std::size_t>(kSmallestSlab / bytes, 2);
    const std::size_t slab_bytes = kSlabHeader + blocks * bytes;
    std::byte* const memory = take_from_system(slab_bytes);
    if (memory == nullptr) return false;
    size_class.slabs = new (memory) Slab{size_class.slabs};
    size_class.fresh = memory + kSlabHeader;
    size_class.fresh_end = memory + slab_bytes;
    bytes_allocated_.fetch_add(slab_bytes, std::memory_order_relaxed);
    return true;
}

bool BufferPool::take_from_limit(std::size_t bytes) noexcept {
    if (!internal::may_take(MemoryKind::buffers, bytes)) return false;
    std::size_t used = bytes_in_use_.load(std::memory_order_relaxed);
    do {
        if (used > limit_bytes_ || bytes > limit_bytes_ - used) {
            internal::gave_back(MemoryKind::buffers, bytes);
            internal::note_refused(MemoryKind::buffers);
            return false;
        }
    } while (!bytes_in_use_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    blocks_in_use_.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void BufferPool::give_back(std::size_t bytes) noexcept {
    bytes_in_use_.fetch_sub(bytes, std::memory_order_relaxed);
    blocks_in_use_.fetch_sub(1, std::memory_order_relaxed);
    internal::gave_back(MemoryKind::buffers, bytes);
}

BufferPoolStats BufferPool::stats() const noexcept {
    return {blocks_in_use_.load(std::memory_order_relaxed), bytes_in_use_.load(std::memory_order_relaxed),
            bytes_allocated_.load(std::memory_order_relaxed)};
}

}  // namespace perigee
