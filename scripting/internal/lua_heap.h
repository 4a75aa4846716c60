// The memory of one Lua state: a private address range, served by size classes, counted to the byte.
//
// Invariant: every byte a state uses (machine code aside, which LuaJIT maps itself) lies in this heap, so it
// can be counted, capped and given back as a whole without running the state's destructors. Addresses stay
// below 2^47, which LuaJIT demands. No malloc inside: the heap works alike under the sanitizers, and a state
// that is abandoned in the middle of an allocation leaves no lock behind.
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
    /// Reserves address space only; memory is taken as it is used. Where the process is limited
    /// (ecs/address_space.h) the range is smaller, and without any room it is empty: then nothing is served.
    explicit LuaHeap(std::size_t limit_bytes = kDefaultLimit);
    ~LuaHeap();
    LuaHeap(const LuaHeap&) = delete;
    LuaHeap& operator=(const LuaHeap&) = delete;

    /// The contract of lua_Alloc: old_bytes is what was asked for, new_bytes 0 frees. Null when the limit or
    /// the machine says no; the old block is then untouched. Shrinking always succeeds.
    void* reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes) noexcept;

    /// Joins free blocks that lie side by side and gives their whole pages back to the machine. What was
    /// joined serves requests of every size. For the moment after much was freed at once. Cost: sorts the
    /// free blocks by address.
    void trim() noexcept { join(true); }

    /// Gives everything back at once, and serves a new state from the beginning. Expects: the state that had
    /// the blocks is never entered again, not even to be closed.
    void start_over() noexcept;

    /// Is the thread that owns the state inside reallocate? For its signal handlers.
    bool is_busy() const noexcept { return is_busy_; }

    std::size_t used_bytes() const noexcept { return used_bytes_; }
    /// Where the range has been handed out up to: what is in use and free below lies within.
    std::size_t carved_bytes() const noexcept { return carved_; }
    std::size_t peak_bytes() const noexcept { return peak_bytes_; }
    /// What blocks with a mapping of their own take: long strings, parts of large tables.
    std::size_t large_bytes() const noexcept { return large_bytes_; }
    /// What is kept from the machine: freed blocks serve their own class only, so this can be far more than
    /// is used.
    std::size_t held_bytes() const noexcept { return committed_ - returned_ + large_bytes_; }
    /// From now on held_bytes counts, in steps of kCountStep, in a limit that this heap shares with others;
    /// so it does in one that was divided again. Lifetime: `all` outlives the heap.
    void share(SharedLimit* all) noexcept;
    /// Did the heap grow although the limit of all has no more room for it? Since forget_growth().
    bool has_outgrown_all() const noexcept { return has_outgrown_all_; }
    /// Looks again, exactly.
    bool is_above_all() noexcept;
    void forget_growth() noexcept { has_outgrown_all_ = false; }
    const SharedLimit* all() const noexcept { return all_; }
    static constexpr std::size_t kCountStep = 64 * 1024;
    std::size_t limit_bytes() const noexcept { return limit_bytes_; }
    /// Was a request ever refused?
    bool has_refused() const noexcept { return has_refused_; }

    /// A hard wall. Reaching it is fatal for what runs: LuaJIT's stock build can crash when memory is refused
    /// inside compiled code, so the wall stands far above what a mod may use.
    void set_limit_bytes(std::size_t bytes) noexcept { limit_bytes_ = bytes; }

    /// Calls `notify` once, from inside an allocation, when used_bytes, held_bytes or allocated_bytes is
    /// above its limit, or has_outgrown_all().
    void watch(std::size_t used, std::size_t held, std::size_t allocated, void (*notify)(void*) noexcept,
               void* context) noexcept {
        watched_used_ = used;
        watched_held_ = held;
        watched_allocated_ = allocated;
        notify_ = notify;
        notify_context_ = context;
    }
    void unwatch() noexcept { notify_ = nullptr; }

    /// All that was asked for since the last restart, given back or not; blocks that grow count whole.
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
    /// A range that grows joins its free blocks first, while it is so small that this costs little.
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
    void count_held() noexcept;
    void tell_all() noexcept;
    void* take_large(std::size_t bytes) noexcept;
    void give_large(void* block) noexcept;
    void* resize_large(void* block, std::size_t new_bytes) noexcept;

    std::array<FreeBlock*, kClassCount> free_{};
    Span* joined_ = nullptr;  ///< by trim, of more than kSmallBytes at first; by address
    std::byte* range_ = nullptr;
    std::size_t range_bytes_;  ///< address space: more than the limit, see held_bytes
    std::size_t carved_ = 0;   ///< bytes of the range handed out at least once
    std::size_t next_join_ = kJoinStep;
    std::size_t committed_ = 0;  ///< bytes of the range that may be touched
    LargeBlock* large_ = nullptr;
    std::size_t returned_ = 0;  ///< of these, pages of free blocks that the machine has again
    std::size_t large_bytes_ = 0;
    SharedLimit* all_ = nullptr;
    std::size_t counted_ = 0;  ///< of held_bytes, there
    bool has_outgrown_all_ = false;
    std::size_t used_bytes_ = 0;
    std::size_t peak_bytes_ = 0;
    std::size_t allocated_bytes_ = 0;
    std::size_t limit_bytes_;
    std::size_t watched_used_ = 0;
    std::size_t watched_held_ = 0;
    std::size_t watched_allocated_ = 0;
    void (*notify_)(void*) noexcept = nullptr;
    void* notify_context_ = nullptr;
    bool has_refused_ = false;
    volatile bool is_busy_ = false;
};

}  // namespace perigee::internal
