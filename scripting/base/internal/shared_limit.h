// One limit shared by several members: all mods of a game together, for memory or time.
//
// Invariant: half of the limit is divided evenly, each part reserved for one member; the other half is
// common, first come, first served. So all together stay below the limit, and no member can use up another's
// reserve. It counts what members report; each member stores its own amount. Thread-safe except for divide().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace perigee::internal {

class SharedLimit {
public:
    explicit SharedLimit(std::size_t limit) noexcept : limit_(limit), part_(limit / 2) {}

    /// Expects: divide() follows.
    void set_limit(std::size_t limit) noexcept { limit_ = limit; }

    /// Divides the limit among this many members. Expects: every member calls move(0, …) again.
    void divide(std::size_t members) noexcept {
        members_ = std::max<std::size_t>(members, 1);
        part_ = limit_ / 2 / members_;
        common_used_ = used_ = 0;
    }

    /// Changes a member's amount from `before` to `now`, even without room for it. False: there was no room.
    bool move(std::size_t before, std::size_t now) noexcept {
        used_.fetch_add(now - before, std::memory_order_relaxed);
        const std::size_t change = above_part(now) - above_part(before);  // modulo 2^64
        const std::size_t common = common_used_.fetch_add(change, std::memory_order_relaxed) + change;
        return now <= part_ || common <= limit_ / 2;
    }

    /// How much more a member with `used` may take. `is_beside_others`: all take at the same time, so each
    /// gets an equal part of the common half.
    std::size_t room(std::size_t used, bool is_beside_others = false) const noexcept {
        const std::size_t common = common_used_.load(std::memory_order_relaxed);
        const std::size_t left = limit_ / 2 - std::min(limit_ / 2, common);
        return (part_ - std::min(part_, used)) + (is_beside_others ? left / members_ : left);
    }

    std::size_t limit() const noexcept { return limit_; }
    std::size_t part() const noexcept { return part_; }
    std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }

private:
    std::size_t above_part(std::size_t amount) const noexcept { return amount - std::min(amount, part_); }

    std::size_t limit_;
    std::size_t members_ = 1;
    std::size_t part_;
    std::atomic<std::size_t> common_used_ = 0;  ///< amounts of all members beyond their own parts
    std::atomic<std::size_t> used_ = 0;
};

}  // namespace perigee::internal
