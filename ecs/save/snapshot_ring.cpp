// A queue: new steps at the end, dropped ones from the front.
#include "ecs/save/snapshot_ring.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perigee {

Result<void> SnapshotRing::keep(std::uint64_t step, std::shared_ptr<const void> more) {
    forget_from(step);
    const std::size_t before = snapshot_memory(world_).bytes;
    Result<WorldSnapshot> taken = take_snapshot(world_, kept_.empty() ? nullptr : &kept_.back().snapshot);
    if (!taken) return taken.error();
    const std::size_t taken_bytes = kept_.empty() ? 0 : snapshot_memory(world_).bytes - before;
    kept_.push_back({step, std::move(taken).value(), taken_bytes, std::move(more)});
    while (kept_.size() > 1 && is_over_limit()) kept_.pop_front();
    return {};
}

void SnapshotRing::forget_from(std::uint64_t step) noexcept {
    while (!kept_.empty() && kept_.back().step >= step) kept_.pop_back();
}

bool SnapshotRing::is_over_limit() const {
    return snapshot_memory(world_).bytes + (more_bytes_ ? more_bytes_() : 0) > max_bytes_;
}

const SnapshotRing::Kept* SnapshotRing::find(std::uint64_t step) const noexcept {
    const auto after = kept_.begin() + count_until(step);
    return after == kept_.begin() ? nullptr : &*std::prev(after);
}

const SnapshotRing::Kept* SnapshotRing::find_after(std::uint64_t step) const noexcept {
    const auto after = kept_.begin() + count_until(step);
    return after == kept_.end() ? nullptr : &*after;
}

std::ptrdiff_t SnapshotRing::count_until(std::uint64_t step) const noexcept {
    return std::upper_bound(kept_.begin(), kept_.end(), step,
                            [](std::uint64_t wanted, const Kept& kept) { return wanted < kept.step; }) -
           kept_.begin();
}

}  // namespace perigee
