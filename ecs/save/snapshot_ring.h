// The recent steps of a world, within a limit of memory.
//
//     SnapshotRing ring(world, 256 << 20);
//     ring.keep(step).value();                        // after each step
//     const SnapshotRing::Kept* kept = ring.find(earlier);
//     if (kept != nullptr) restore_snapshot(world, kept->snapshot).value();
//
// Invariant: steps ascend. Each snapshot shares what did not change with the one before it. When the
// snapshots of the world need more than the limit, the oldest are dropped; the newest always stays. Keeping
// an earlier step again drops all later ones, which belong to an abandoned future. Not here: restoring.
#pragma once

#include "ecs/base/result.h"
#include "ecs/save/world_snapshot.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace perigee {

class World;

class SnapshotRing {
public:
    struct Kept {
        std::uint64_t step;
        WorldSnapshot snapshot;
        /// What it took beyond the memory of the one before it; 0 for the first.
        std::size_t new_bytes;
        std::shared_ptr<const void> more;  ///< what the caller keeps with it, such as the state of a schedule
    };

    /// Lifetime: the world's. `max_bytes` is the limit for all snapshots of the world, see snapshot_memory.
    /// `more_bytes`: what everything in Kept::more needs beside them; it counts towards the limit.
    SnapshotRing(World& world, std::size_t max_bytes, std::function<std::size_t()> more_bytes = {}) noexcept
        : world_(world), max_bytes_(max_bytes), more_bytes_(std::move(more_bytes)) {}

    /// Keeps the world as it is now. Errors and exceptions: as take_snapshot; then the ring is as before,
    /// without the steps from `step` on.
    Result<void> keep(std::uint64_t step, std::shared_ptr<const void> more = {});

    /// The last one kept at or before this step; null if there is none. Lifetime: until the next call of
    /// another function.
    const Kept* find(std::uint64_t step) const noexcept;
    /// The first one kept after this step; null if there is none. Lifetime: as that of find.
    const Kept* find_after(std::uint64_t step) const noexcept;
    /// Drops all from this step on, which belong to an abandoned future.
    void forget_from(std::uint64_t step) noexcept;
    const Kept* oldest() const noexcept { return kept_.empty() ? nullptr : &kept_.front(); }
    const Kept* newest() const noexcept { return kept_.empty() ? nullptr : &kept_.back(); }
    std::size_t count() const noexcept { return kept_.size(); }
    void clear() noexcept { kept_.clear(); }

private:
    bool is_over_limit() const;
    /// Number of those at or before the step.
    std::ptrdiff_t count_until(std::uint64_t step) const noexcept;

    World& world_;
    std::size_t max_bytes_;
    std::function<std::size_t()> more_bytes_;
    std::deque<Kept> kept_;
};

}  // namespace perigee
