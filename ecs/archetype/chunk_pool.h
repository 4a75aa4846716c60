// The memory of all chunks of a world: one reserved address range, handed out in units of 16 KiB.
//
// Invariant: the range never moves; unit n starts at base + n * unit stride; a run of 2 or 4 units is aligned
// to its own length inside a block of 4. Freed units are reused lowest first and are not zeroed. Memory is
// committed in slabs of 2 MiB, which ask for huge pages. The pool does not know the contents of a unit.
//
// The stride is three cache lines longer than a unit. Without them a column has the same address modulo 16
// KiB in every chunk, so the columns in use compete for some sets of the second-level cache and leave the
// sets of other columns, such as the entity column, unused. A third of the cache was lost, and iterating over
// 100,000 rows took 1.7 times as long.
#pragma once

#include "ecs/base/internal/room_set.h"
#include "ecs/base/internal/virtual_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

/// Number of a unit within the pool; a chunk is named by its first unit.
using UnitIndex = std::uint32_t;

inline constexpr UnitIndex kNoUnit = 0xFFFFFFFF;
/// An entity record has 21 bits for the unit; the last number means "nowhere".
inline constexpr std::uint32_t kMaxUnits = (1u << 21) - 1;

struct PoolStats {
    std::size_t units_in_use = 0;
    std::size_t units_committed = 0;
};

class ChunkPool {
public:
    /// Reserves address space only. Expects: unit_bytes is a power of two >= 1024.
    ChunkPool(std::uint32_t unit_bytes, std::size_t reserved_bytes);

    /// A run of `unit_count` (1, 2 or 4) units; kNoUnit when the range, the machine's memory or the
    /// quota of the thread is exhausted.
    UnitIndex allocate(std::uint32_t unit_count) noexcept;
    void release(UnitIndex first, std::uint32_t unit_count) noexcept;
    /// Takes a run that was allocated before and released since, or that commit() made usable. Asks no quota.
    /// Expects: it is free.
    void claim(UnitIndex first, std::uint32_t unit_count) noexcept;

    /// Makes the first `unit_count` units usable. False when the range or the machine's memory is exhausted.
    bool commit(std::size_t unit_count) noexcept;

    /// Commits and touches memory for at least `unit_count` more units, so that filling them causes no
    /// page faults.
    bool warm(std::size_t unit_count) noexcept;

    std::byte* address(UnitIndex unit) const noexcept { return base_ + unit * unit_stride_; }
    /// Bytes from one unit to the next: the unit's own and the gap behind it.
    std::size_t unit_stride() const noexcept { return unit_stride_; }
    std::size_t capacity_units() const noexcept { return capacity_units_; }
    std::size_t capacity_bytes() const noexcept { return capacity_units_ * unit_stride_; }
    std::size_t used_bytes() const noexcept { return used_units_ * unit_stride_; }
    PoolStats stats() const noexcept;

private:
    UnitIndex find_run(std::uint32_t unit_count) noexcept;
    bool commit_more() noexcept;
    bool reserve_blocks(std::size_t blocks) noexcept;
    void mark(std::uint32_t block, std::uint8_t free_mask) noexcept;

    std::size_t unit_stride_;
    std::size_t capacity_units_;
    internal::ReservedRange range_;
    std::byte* base_;
    std::size_t committed_units_ = 0;
    std::size_t used_units_ = 0;
    std::vector<std::uint8_t> free_masks_;          ///< per block of 4 units: bit i set = unit i free
    std::array<internal::RoomSet, 3> blocks_with_;  ///< blocks that hold an aligned free run of 1, 2, 4 units
};

}  // namespace perigee
