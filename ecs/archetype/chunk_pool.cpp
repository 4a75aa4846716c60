// Units are in blocks of four, managed like a small buddy allocator: the free aligned runs follow from a
// 4-bit mask.
#include "ecs/archetype/chunk_pool.h"

#include "ecs/base/contract.h"
#include "ecs/base/internal/memory_gate.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/memory_quota.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace perigee {

namespace {

constexpr std::uint32_t kBlockUnits = 4;
constexpr std::size_t kGapBytes = 192;

// Bits of a run of `unit_count` units from `first` on, inside a block.
constexpr std::uint8_t run_mask(std::uint32_t first, std::uint32_t unit_count) {
    return static_cast<std::uint8_t>(((1u << unit_count) - 1u) << first);
}

// First unit of an aligned free run, or 4.
constexpr std::uint32_t free_run(std::uint8_t free_mask, std::uint32_t unit_count) {
    for (std::uint32_t first = 0; first < kBlockUnits; first += unit_count) {
        const std::uint8_t run = run_mask(first, unit_count);
        if ((free_mask & run) == run) return first;
    }
    return kBlockUnits;
}

constexpr std::size_t size_class(std::uint32_t unit_count) { return unit_count == 4 ? 2u : unit_count - 1u; }

std::size_t stride_of(std::uint32_t unit_bytes) {
    ECS_EXPECTS(std::has_single_bit(unit_bytes) && unit_bytes >= 1024, unit_bytes);
    return unit_bytes + kGapBytes;
}

// For each mask of free units, which size classes (bit 0: 1 unit, bit 1: 2, bit 2: 4) have a run in it.
constexpr auto kClassesOf = [] {
    std::array<std::uint8_t, 16> classes{};
    for (std::uint8_t mask = 0; mask < 16; ++mask) {
        for (const std::uint32_t unit_count : {1u, 2u, 4u}) {
            if (free_run(mask, unit_count) < kBlockUnits)
                classes[mask] |= static_cast<std::uint8_t>(1u << size_class(unit_count));
        }
    }
    return classes;
}();

}  // namespace

ChunkPool::ChunkPool(std::uint32_t unit_bytes, std::size_t reserved_bytes)
    : unit_stride_(stride_of(unit_bytes)),
      capacity_units_(std::min<std::size_t>(reserved_bytes / unit_bytes, kMaxUnits) / kBlockUnits *
                      kBlockUnits),
      range_(capacity_units_ * unit_stride_),
      base_(range_.data()) {
    capacity_units_ = std::min(capacity_units_, range_.size() / unit_stride_ / kBlockUnits * kBlockUnits);
}

UnitIndex ChunkPool::allocate(std::uint32_t unit_count) noexcept {
    ECS_EXPECTS(unit_count == 1 || unit_count == 2 || unit_count == 4, unit_count);
    const std::size_t bytes = unit_count * unit_stride_;
    if (!internal::may_take(MemoryKind::chunks, bytes)) return kNoUnit;
    const UnitIndex first = internal::is_memory_granted() ? find_run(unit_count) : kNoUnit;
    if (first == kNoUnit) {
        internal::gave_back(MemoryKind::chunks, bytes);
        internal::note_refused(MemoryKind::chunks);
    }
    return first;
}

UnitIndex ChunkPool::find_run(std::uint32_t unit_count) noexcept {
    internal::RoomSet& blocks = blocks_with_[size_class(unit_count)];
    std::uint32_t block = blocks.lowest();
    if (block == internal::RoomSet::kNone) {
        if (!commit_more()) return kNoUnit;
        block = blocks.lowest();
    }
    const std::uint32_t first = free_run(free_masks_[block], unit_count);
    mark(block, static_cast<std::uint8_t>(free_masks_[block] & ~run_mask(first, unit_count)));
    used_units_ += unit_count;
    return block * kBlockUnits + first;
}

void ChunkPool::release(UnitIndex first, std::uint32_t unit_count) noexcept {
    const std::uint32_t block = first / kBlockUnits;
    const std::uint8_t run = run_mask(first % kBlockUnits, unit_count);
    ECS_INVARIANT((free_masks_[block] & run) == 0, first, unit_count);
    mark(block, static_cast<std::uint8_t>(free_masks_[block] | run));
    used_units_ -= unit_count;
    internal::gave_back(MemoryKind::chunks, unit_count * unit_stride_);
}

void ChunkPool::claim(UnitIndex first, std::uint32_t unit_count) noexcept {
    const std::uint32_t block = first / kBlockUnits;
    const std::uint8_t run = run_mask(first % kBlockUnits, unit_count);
    ECS_INVARIANT((free_masks_[block] & run) == run, first, unit_count);
    mark(block, static_cast<std::uint8_t>(free_masks_[block] & ~run));
    used_units_ += unit_count;
}

void ChunkPool::mark(std::uint32_t block, std::uint8_t free_mask) noexcept {
    const std::uint8_t before = kClassesOf[free_masks_[block]];
    const std::uint8_t after = kClassesOf[free_mask];
    free_masks_[block] = free_mask;
    for (std::size_t size = 0; size < blocks_with_.size(); ++size) {
        if (((before ^ after) >> size & 1) == 0) continue;
        if ((after >> size & 1) != 0) {
            blocks_with_[size].insert(block);
        } else {
            blocks_with_[size].erase(block);
        }
    }
}

bool ChunkPool::commit_more() noexcept {
    const std::size_t slab_units =
        std::max<std::size_t>(internal::kHugePageBytes / unit_stride_, kBlockUnits);
    const std::size_t wanted =
        std::min((committed_units_ + slab_units) / kBlockUnits * kBlockUnits, capacity_units_);
    if (wanted == committed_units_ || !reserve_blocks(wanted / kBlockUnits)) return false;
    if (!range_.commit(wanted * unit_stride_)) return false;
    free_masks_.resize(wanted / kBlockUnits, 0);
    for (std::size_t block = committed_units_ / kBlockUnits; block < wanted / kBlockUnits; ++block) {
        mark(static_cast<std::uint32_t>(block), 0xF);
    }
    committed_units_ = wanted;
    return true;
}

// Reserves bookkeeping for this many blocks, so that no later step runs out of memory.
bool ChunkPool::reserve_blocks(std::size_t blocks) noexcept {
    try {
        internal::reserve_more(free_masks_, blocks);
        for (internal::RoomSet& set : blocks_with_) set.reserve(static_cast<std::uint32_t>(blocks));
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool ChunkPool::commit(std::size_t unit_count) noexcept {
    while (committed_units_ < unit_count) {
        if (!commit_more()) return false;
    }
    return true;
}

bool ChunkPool::warm(std::size_t unit_count) noexcept {
    const std::size_t before = committed_units_;
    while (committed_units_ - used_units_ < unit_count) {
        if (!commit_more()) return false;
    }
    constexpr std::size_t kPageBytes = 4096;
    for (std::size_t at = before * unit_stride_; at < committed_units_ * unit_stride_; at += kPageBytes) {
        base_[at] = std::byte{0};
    }
    return true;
}

PoolStats ChunkPool::stats() const noexcept { return PoolStats{used_units_, committed_units_}; }

}  // namespace perigee
