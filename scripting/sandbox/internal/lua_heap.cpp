// Free lists and carving for blocks up to 256 KiB, separate mappings for larger ones. Blocks have no header:
// Lua passes the size when it frees one.
#include "scripting/sandbox/internal/lua_heap.h"

#include "ecs/base/address_space.h"
#include "scripting/base/internal/shared_limit.h"

#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kCommitStep = 256 * 1024;
constexpr std::size_t kShareOfLimit = 16;
constexpr std::size_t kLeastRange = std::size_t{8} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t step) noexcept {
    return (bytes + step - 1) / step * step;
}

// Freed blocks are out of bounds for instrumented code: a string_view into a collected string is found.
void hide([[maybe_unused]] const void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __SANITIZE_ADDRESS__
    ASAN_POISON_MEMORY_REGION(block, bytes);
#endif
}

void show([[maybe_unused]] const void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __SANITIZE_ADDRESS__
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
#endif
}

void* map_memory(std::size_t bytes, int protection) noexcept {
    void* memory = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

// Header before a large block's bytes. All of them are linked, so that the heap can be released as a whole.
struct alignas(64) LuaHeap::LargeBlock {
    LargeBlock* next;
    LargeBlock* previous;
    std::size_t mapped_bytes;
};

LuaHeap::LuaHeap(std::size_t limit_bytes)
    : range_bytes_(2 * std::clamp(limit_bytes, kSmallestRange / 2, kLargestRange / 2)),
      limit_bytes_(limit_bytes) {
    range_bytes_ = reservable_bytes(range_bytes_, kShareOfLimit) / kPage * kPage;
    if (range_bytes_ >= kLeastRange) range_ = static_cast<std::byte*>(map_memory(range_bytes_, PROT_NONE));
    if (range_ == nullptr) range_bytes_ = limit_bytes_ = 0;
}

LuaHeap::~LuaHeap() {
    start_over();
    if (all_ != nullptr) all_->move(counted_, 0);
    if (range_ != nullptr) munmap(range_, range_bytes_);
}

void LuaHeap::start_over() noexcept {
    while (large_ != nullptr) give_large(large_ + 1);
    show(range_, committed_);  // the addresses will be used again
    if (committed_ != 0) madvise(range_, committed_, MADV_DONTNEED);
    free_.fill(nullptr);
    joined_ = nullptr;
    carved_ = used_bytes_ = allocated_bytes_ = committed_ = returned_ = 0;
    next_join_ = kJoinStep;
    unwatch();
    count_resident();
}

void LuaHeap::share(SharedLimit* all) noexcept {
    all_ = all;
    counted_ = 0;
    tell_all();
    forget_growth();
}

bool LuaHeap::is_above_all() noexcept {
    if (all_ == nullptr) return false;
    const std::size_t before = std::exchange(counted_, resident_bytes());
    return !all_->move(before, counted_);
}

// Other threads read the sum, so it is not updated for each page.
void LuaHeap::count_resident() noexcept {
    const std::size_t resident = resident_bytes();
    if (resident > counted_ + kCountStep || counted_ > resident + kCountStep) tell_all();
}

void LuaHeap::tell_all() noexcept {
    if (all_ == nullptr) return;
    const std::size_t before = std::exchange(counted_, resident_bytes());
    if (!all_->move(before, counted_) && counted_ > before) has_outgrown_all_ = true;
}

void* LuaHeap::reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes) noexcept {
    is_busy_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    void* const result = try_reallocate(block, old_bytes, new_bytes);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    is_busy_ = false;
    if (result == nullptr && new_bytes != 0) has_refused_ = true;
    if (notify_ != nullptr && (used_bytes_ > watched_used_ || resident_bytes() > watched_resident_ ||
                               allocated_bytes_ > watched_allocated_ || has_outgrown_all_)) {
        std::exchange(notify_, nullptr)(notify_context_);
    }
    return result;
}

void* LuaHeap::try_reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes) noexcept {
    if (block == nullptr) old_bytes = 0;
    if (new_bytes == 0) {
        if (block != nullptr) give(block, old_bytes);
        used_bytes_ -= old_bytes;
        return nullptr;
    }
    if (new_bytes > old_bytes && used_bytes_ + (new_bytes - old_bytes) > limit_bytes_) return nullptr;

    void* result = nullptr;
    if (block == nullptr) {
        result = take(new_bytes);
    } else if (old_bytes > kLargestClass && new_bytes > kLargestClass) {
        result = resize_large(block, new_bytes);
    } else if (old_bytes <= kLargestClass && new_bytes <= kLargestClass &&
               class_of(old_bytes) == class_of(new_bytes)) {
        result = block;
    } else {
        result = take(new_bytes);
        if (result != nullptr) {
            std::memcpy(result, block, std::min(old_bytes, new_bytes));
            give(block, old_bytes);
        }
    }
    if (result == nullptr) {
        if (new_bytes > old_bytes) return nullptr;
        result = block;  // LuaJIT assumes that shrinking cannot fail: the old block is kept
    }
    used_bytes_ += new_bytes - old_bytes;
    if (new_bytes > old_bytes) allocated_bytes_ += new_bytes;
    peak_bytes_ = std::max(peak_bytes_, used_bytes_);
    return result;
}

std::size_t LuaHeap::class_of(std::size_t bytes) noexcept {
    if (bytes <= kSmallBytes) return (bytes + 15) / 16 - 1;
    // Four steps per doubling: the two bits below the leading one of bytes - 1 choose the step.
    const std::size_t last = bytes - 1;
    const auto exponent = static_cast<std::size_t>(std::bit_width(last)) - 1;  // 10 .. 17
    return 64 + (exponent - 10) * 4 + ((last >> (exponent - 2)) & 3);
}

std::size_t LuaHeap::class_bytes(std::size_t index) noexcept {
    if (index < 64) return (index + 1) * 16;
    const std::size_t exponent = 10 + (index - 64) / 4;
    return (std::size_t{1} << exponent) + ((index - 64) % 4 + 1) * (std::size_t{1} << (exponent - 2));
}

void* LuaHeap::take(std::size_t bytes) noexcept {
    if (bytes > kLargestClass) return take_large(bytes);
    const std::size_t index = class_of(bytes);
    if (FreeBlock* block = free_[index]) {
        show(block, class_bytes(index));
        free_[index] = block->next;
        return block;
    }
    if (void* const joined = take_joined(class_bytes(index))) return joined;
    if (carved_ > next_join_ && carved_ < kLargestJoined) {
        join(false);
        if (free_[index] != nullptr) return take(bytes);
        if (void* const joined = take_joined(class_bytes(index))) return joined;
    }
    return carve(class_bytes(index));
}

// From the front, so that later pages stay untouched as long as possible.
void* LuaHeap::take_joined(std::size_t bytes) noexcept {
    for (Span** place = &joined_; *place != nullptr; place = &(*place)->next) {
        Span* const span = *place;
        if (span->bytes < bytes) continue;
        const Span rest{span->next, span->bytes - bytes};
        show(span, std::min(bytes + sizeof(Span), span->bytes));
        if (rest.bytes == 0) {
            *place = rest.next;
        } else {
            *place = reinterpret_cast<Span*>(reinterpret_cast<std::byte*>(span) + bytes);
            **place = rest;
        }
        returned_ -= std::min(returned_, bytes);
        count_resident();
        return span;
    }
    return nullptr;
}

// All of them as one list, in the order of their addresses.
LuaHeap::Span* LuaHeap::free_blocks() noexcept {
    // sorted[i] has 2^i blocks or none: lists of equal length are merged.
    std::array<Span*, 48> sorted{};
    const auto merged = [](Span* a, Span* b) {
        Span* first = nullptr;
        Span** last = &first;
        while (a != nullptr && b != nullptr) {
            Span*& lower = a < b ? a : b;
            *last = lower;
            last = &lower->next;
            lower = lower->next;
        }
        *last = a != nullptr ? a : b;
        return first;
    };
    const auto add = [&](Span* span) {
        span->next = nullptr;
        std::size_t i = 0;
        for (; sorted[i] != nullptr; ++i) span = merged(std::exchange(sorted[i], nullptr), span);
        sorted[i] = span;
    };
    for (Span* span = std::exchange(joined_, nullptr); span != nullptr;) add(std::exchange(span, span->next));
    for (std::size_t index = 0; index < kClassCount; ++index) {
        for (FreeBlock* block = std::exchange(free_[index], nullptr); block != nullptr;) {
            show(block, sizeof(Span));
            FreeBlock* const next = block->next;
            auto* const span = reinterpret_cast<Span*>(block);
            span->bytes = class_bytes(index);
            add(span);
            block = next;
        }
    }
    Span* all = nullptr;
    for (Span* const list : sorted) all = merged(all, list);
    return all;
}

void LuaHeap::join(bool gives_back) noexcept {
    Span* span = free_blocks();
    Span** end = &joined_;
    if (gives_back) returned_ = 0;
    while (span != nullptr) {
        Span* const first = span;
        for (span = span->next; span != nullptr && reinterpret_cast<std::byte*>(first) + first->bytes ==
                                                       reinterpret_cast<std::byte*>(span);
             span = span->next) {
            first->bytes += span->bytes;
        }
        auto* const start = reinterpret_cast<std::byte*>(first);
        if (first->bytes <= kSmallBytes) {
            give(first, first->bytes);
            continue;
        }
        hide(start + sizeof(Span), first->bytes - sizeof(Span));
        const std::size_t begin = round_up(static_cast<std::size_t>(start - range_) + sizeof(Span), kPage);
        const std::size_t stop = static_cast<std::size_t>(start - range_) + first->bytes;
        if (gives_back && begin + kPage <= stop) {
            const std::size_t pages = (stop - begin) / kPage * kPage;
            if (madvise(range_ + begin, pages, MADV_DONTNEED) == 0) returned_ += pages;
        }
        *end = first;
        end = &first->next;
    }
    *end = nullptr;
    next_join_ = carved_ + kJoinStep;
    count_resident();
}

void LuaHeap::give(void* block, std::size_t bytes) noexcept {
    if (bytes > kLargestClass) {
        give_large(block);
        return;
    }
    auto* free_block = static_cast<FreeBlock*>(block);
    FreeBlock*& head = free_[class_of(bytes)];
    free_block->next = head;
    head = free_block;
    hide(block, class_bytes(class_of(bytes)));
}

void* LuaHeap::carve(std::size_t bytes) noexcept {
    if (carved_ + bytes > range_bytes_) return nullptr;
    if (carved_ + bytes > committed_) {
        const std::size_t wanted = std::min(range_bytes_, round_up(carved_ + bytes, kCommitStep));
        if (mprotect(range_ + committed_, wanted - committed_, PROT_READ | PROT_WRITE) != 0) return nullptr;
        committed_ = wanted;
        count_resident();
    }
    void* block = range_ + carved_;
    carved_ += bytes;
    return block;
}

void* LuaHeap::take_large(std::size_t bytes) noexcept {
    const std::size_t mapped = round_up(bytes + sizeof(LargeBlock), kPage);
    auto* header = static_cast<LargeBlock*>(map_memory(mapped, PROT_READ | PROT_WRITE));
    if (header == nullptr) return nullptr;
    *header = {.next = large_, .previous = nullptr, .mapped_bytes = mapped};
    if (large_ != nullptr) large_->previous = header;
    large_ = header;
    large_bytes_ += mapped;
    count_resident();
    return header + 1;
}

void LuaHeap::give_large(void* block) noexcept {
    LargeBlock* header = static_cast<LargeBlock*>(block) - 1;
    if (header->next != nullptr) header->next->previous = header->previous;
    (header->previous != nullptr ? header->previous->next : large_) = header->next;
    large_bytes_ -= header->mapped_bytes;
    munmap(header, header->mapped_bytes);
    count_resident();
}

void* LuaHeap::resize_large(void* block, std::size_t new_bytes) noexcept {
    LargeBlock* header = static_cast<LargeBlock*>(block) - 1;
    const std::size_t mapped = round_up(new_bytes + sizeof(LargeBlock), kPage);
    void* moved = mremap(header, header->mapped_bytes, mapped, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return nullptr;
    header = static_cast<LargeBlock*>(moved);
    large_bytes_ += mapped - header->mapped_bytes;
    header->mapped_bytes = mapped;
    if (header->next != nullptr) header->next->previous = header;
    (header->previous != nullptr ? header->previous->next : large_) = header;
    count_resident();
    return header + 1;
}

}  // namespace perigee::internal
