// Divides a limited pool between a game and its mods.
//
// Invariant: half of the pool is the game's share; a quarter is divided evenly into the shares of the mods;
// the last quarter is common, first come, first served. Without mods the game has everything. So no mod can
// use up what the game or another mod needs. Counts units of any kind. Not here: the pool itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

class DividedPool {
public:
    /// Member 0 is the game, the others are mods.
    using Member = std::size_t;

    /// SIZE_MAX, or no argument: an unlimited pool, which is not divided.
    DividedPool() noexcept = default;
    explicit DividedPool(std::size_t max_units) noexcept : max_(max_units) {}

    /// Sets the number of members; their use stays. More members make the shares of mods smaller.
    void set_members(std::size_t count);

    std::size_t max() const noexcept { return max_; }
    /// The share of a member: the units reserved for it.
    std::size_t share(Member member) const noexcept;
    /// Units that a member may take now. `is_parallel`: all members take at the same time, so each gets an
    /// equal part of the common units.
    std::size_t room(Member member, bool is_parallel = false) const noexcept;
    std::size_t used(Member member) const noexcept { return member < used_.size() ? used_[member] : 0; }

    void set_used(Member member, std::size_t units) noexcept;
    /// Returns false and takes nothing when there is not enough room. An unknown member is added.
    bool take(Member member, std::size_t units);
    void give_back(Member member, std::size_t units) noexcept;
    /// Resets the use of all members to zero.
    void clear() noexcept;

private:
    bool is_divided() const noexcept { return max_ != SIZE_MAX && used_.size() > 1; }

    std::size_t max_ = SIZE_MAX;
    std::size_t common_used_ = 0;    ///< used by all members beyond their shares
    std::vector<std::size_t> used_;  ///< by member
};

}  // namespace perigee
