// The memory of one Lua state: a private address range, served by size classes, counted to the byte.
//
// Invariant: every byte a state uses (machine code aside, which LuaJIT maps itself) is in this heap, so it
// can be counted, capped and released as a whole without running the state's destructors. Addresses stay
// below 2^47, as LuaJIT requires. It does not use malloc: the heap works the same under sanitizers, and a
// state abandoned in the middle of an allocation leaves no lock behind.
//
//   blocks up to 1 KiB      64 classes, 16 bytes apart            free list per class, carved from the range
//   up to 256 KiB           4 classes per doubling                the same
//   joined by trim          any                                   one list, first fit, before carving
//   larger                  a mapping of their own                grown in place or moved by the kernel
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace perigee::internal {

class SharedLimit;

class LuaHeap {
public:
    /// Reserves address space only; memory is taken as it is used. In a process with limited address space
    /// (ecs/base/address_space.h) the range is smaller; if it is empty, all requests fail.
    explicit LuaHeap(std::size_t limit_bytes = kDefaultLimit);
    ~LuaHeap();
    LuaHeap(const LuaHeap&) = delete;
    LuaHeap& operator=(const LuaHeap&) = delete;

    /// The contract of lua_Alloc: old_bytes is the requested size, new_bytes 0 frees. Null when the limit or
    /// the system refuses; the old block is then untouched. Shrinking always succeeds.
    void* reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes) noexcept;

    /// Joins adjacent free blocks and returns their whole pages to the system. Joined blocks serve requests
    /// of every size. For use after much was freed at once. Cost: sorts the free blocks by address.
    void trim() noexcept { join(true); }

    /// Releases everything at once and restarts for a new state. Expects: the old state is never entered
    /// again, not even to close it.
    void start_over() noexcept;

    /// True if the state's thread is inside reallocate. For its signal handlers.
    bool is_busy() const noexcept { return is_busy_; }

    std::size_t used_bytes() const noexcept { return used_bytes_; }
    /// End of the part of the range handed out so far; all used and free blocks are below it.
    std::size_t carved_bytes() const noexcept { return carved_; }
    std::size_t peak_bytes() const noexcept { return peak_bytes_; }
    /// Bytes of blocks with separate mappings: long strings, parts of large tables.
    std::size_t large_bytes() const noexcept { return large_bytes_; }
    /// Bytes not returned to the system: freed blocks serve only their own size class, so this can be far
    /// more than the bytes in use.
    std::size_t resident_bytes() const noexcept { return committed_ - returned_ + large_bytes_; }
    /// From now on resident_bytes counts, in steps of kCountStep, towards a limit shared with other heaps.
    /// Call again after the limit was re-divided. Lifetime: `all` must outlive the heap.
    void share(SharedLimit* all) noexcept;
    /// True if the heap grew beyond its room in the shared limit since forget_growth().
    bool has_outgrown_all() const noexcept { return has_outgrown_all_; }
    /// The same, computed exactly now.
    bool is_above_all() noexcept;
    void forget_growth() noexcept { has_outgrown_all_ = false; }
    const SharedLimit* all() const noexcept { return all_; }
    static constexpr std::size_t kCountStep = 64 * 1024;
    std::size_t limit_bytes() const noexcept { return limit_bytes_; }
    /// True if a request was ever refused.
    bool has_refused() const noexcept { return has_refused_; }

    /// A hard limit. Reaching it is fatal for the running code: a stock LuaJIT can crash when memory is
    /// refused inside compiled code, so this limit is far above a mod's normal limits.
    void set_limit_bytes(std::size_t bytes) noexcept { limit_bytes_ = bytes; }

    /// Calls `notify` once, from inside an allocation, when used_bytes, resident_bytes or allocated_bytes is
    /// above its limit, or has_outgrown_all().
    void watch(std::size_t used, std::size_t resident, std::size_t allocated, void (*notify)(void*) noexcept,
               void* context) noexcept {
        watched_used_ = used;
        watched_resident_ = resident;
        watched_allocated_ = allocated;
        notify_ = notify;
        notify_context_ = context;
    }
    void unwatch() noexcept { notify_ = nullptr; }

    /// Bytes requested since the last restart, freed or not; a block that grows counts with its full new
    /// size.
    std::size_t allocated_bytes() const noexcept { return allocated_bytes_; }
    void restart_allocated() noexcept { allocated_bytes_ = 0; }

    static constexpr std::size_t kDefaultLimit = std::size_t{1} << 30;

private:
    struct FreeBlock {
        FreeBlock* next;
    };
    struct Span {
        Span* next;
        std::size_t bytes;
    };
    struct alignas(64) LargeBlock;

    static constexpr std::size_t kSmallestRange = std::size_t{4} << 30;
    static constexpr std::size_t kLargestRange = std::size_t{64} << 30;
    static constexpr std::size_t kSmallBytes = 1024;
    /// While the range is this small, joining is cheap, so it joins its free blocks before growing.
    static constexpr std::size_t kJoinStep = 16 * 1024;
    static constexpr std::size_t kLargestJoined = std::size_t{1} << 20;
    static constexpr std::size_t kLargestClass = 256 * 1024;
    static constexpr std::size_t kClassCount = 64 + 4 * 8;

    static std::size_t class_of(std::size_t bytes) noexcept;
    static std::size_t class_bytes(std::size_t index) noexcept;
    void* try_reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes) noexcept;
    void* take(std::size_t bytes) noexcept;
    void give(void* block, std::size_t bytes) noexcept;
    void* take_joined(std::size_t bytes) noexcept;
    Span* free_blocks() noexcept;
    void join(bool gives_back) noexcept;
    void* carve(std::size_t bytes) noexcept;
    void count_resident() noexcept;
    void tell_all() noexcept;
    void* take_large(std::size_t bytes) noexcept;
    void give_large(void* block) noexcept;
    void* resize_large(void* block, std::size_t new_bytes) noexcept;

    std::array<FreeBlock*, kClassCount> free_{};
    Span* joined_ = nullptr;  ///< by trim, at first of more than kSmallBytes; sorted by address
    std::byte* range_ = nullptr;
    std::size_t range_bytes_;  ///< address space: more than the limit, see resident_bytes
    std::size_t carved_ = 0;   ///< bytes of the range handed out at least once
    std::size_t next_join_ = kJoinStep;
    std::size_t committed_ = 0;  ///< bytes of the range that may be touched
    LargeBlock* large_ = nullptr;
    std::size_t returned_ = 0;  ///< part of these: pages of free blocks returned to the system
    std::size_t large_bytes_ = 0;
    SharedLimit* all_ = nullptr;
    std::size_t counted_ = 0;  ///< part of resident_bytes counted in the shared limit
    bool has_outgrown_all_ = false;
    std::size_t used_bytes_ = 0;
    std::size_t peak_bytes_ = 0;
    std::size_t allocated_bytes_ = 0;
    std::size_t limit_bytes_;
    std::size_t watched_used_ = 0;
    std::size_t watched_resident_ = 0;
    std::size_t watched_allocated_ = 0;
    void (*notify_)(void*) noexcept = nullptr;
    void* notify_context_ = nullptr;
    bool has_refused_ = false;
    volatile bool is_busy_ = false;
};

}  // namespace perigee::internal
