// The heap blocks of dynamic buffers that have outgrown their chunk.
//
// Invariant: blocks start on 64-byte boundaries and never overlap; a released block of a size class is reused
// before new memory is requested. Any thread may allocate and release at any time: one lock per class. Memory
// of the classes returns to the system with the pool, that of larger blocks at once. The pool does not know
// the contents of a block (buffer.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace perigee {

struct BufferPoolStats {
    std::size_t blocks_in_use = 0;
    std::size_t bytes_in_use = 0;
    std::size_t bytes_allocated = 0;  ///< requested from the system, including free blocks
};

class BufferPool {
public:
    static constexpr std::size_t kSmallestBlock = 64;
    static constexpr std::size_t kLargestClass = 64 * 1024;

    /// At most `limit_bytes` in use at any time; more is refused as if memory were exhausted.
    explicit BufferPool(std::size_t limit_bytes = SIZE_MAX) noexcept : limit_bytes_(limit_bytes) {}
    /// Expects: every block was released.
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// Bytes of the block that holds `bytes`: the next power of two, and from kLargestClass on exactly
    /// `bytes`.
    static std::size_t block_bytes(std::size_t bytes) noexcept;

    /// A block of block_bytes(bytes), not zeroed; null when memory is exhausted. Expects: bytes > 0.
    std::byte* allocate(std::size_t bytes) noexcept;
    /// The same without the limit and the quota, for memory that replaces other memory of the pool.
    std::byte* allocate_beyond_limit(std::size_t bytes) noexcept;

    /// Expects: `block` came from allocate(n) with block_bytes(n) == block_bytes(bytes). Null is allowed.
    void release(std::byte* block, std::size_t bytes) noexcept;

    BufferPoolStats stats() const noexcept;
    std::size_t limit_bytes() const noexcept { return limit_bytes_; }

private:
    struct FreeBlock {
        FreeBlock* next;
    };
    struct Slab {
        Slab* next;
    };
    // One cache line each, so that classes do not slow each other down.
    struct alignas(64) SizeClass {
        std::mutex mutex;
        FreeBlock* free = nullptr;
        Slab* slabs = nullptr;
        std::byte* fresh = nullptr;  ///< rest of the newest slab, never used yet
        std::byte* fresh_end = nullptr;
    };
    static constexpr std::size_t kClassCount = 11;  // 64 bytes … 64 KiB

    std::byte* take_block(std::size_t size) noexcept;
    std::byte* allocate_from(SizeClass& size_class, std::size_t bytes) noexcept;
    bool add_slab(SizeClass& size_class, std::size_t bytes) noexcept;
    bool take_from_limit(std::size_t bytes) noexcept;
    void give_back(std::size_t bytes) noexcept;

    std::array<SizeClass, kClassCount> classes_;
    std::size_t limit_bytes_;
    std::atomic<std::size_t> blocks_in_use_{0};
    std::atomic<std::size_t> bytes_in_use_{0};
    std::atomic<std::size_t> bytes_allocated_{0};
};

}  // namespace perigee
