// How a pool that has an end is divided between a game and its mods.
//
// Invariant: half of the pool is the game's alone; a quarter is divided evenly among the mods, each part its
// mod's alone; the last quarter is for all, first come. Without mods all is the game's. So no mod can use up
// what the game or another mod needs. Counts units of any kind; not here: the pool itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

class DividedPool {
public:
    /// Member 0 is the game, the others are mods.
    using Member = std::size_t;

    /// SIZE_MAX, or no number: a pool without an end, which is not divided.
    DividedPool() noexcept = default;
    explicit DividedPool(std::size_t most) noexcept : most_(most) {}

    /// From now on there are so many; what they use stays. Parts of mods become smaller.
    void set_members(std::size_t count);

    std::size_t most() const noexcept { return most_; }
    /// What is kept for one alone.
    std::size_t reserve(Member member) const noexcept;
    /// What one may take now. `is_beside_others`: all take at the same time, so each gets an even part of
    /// what is common.
    std::size_t room(Member member, bool is_beside_others = false) const noexcept;
    std::size_t used(Member member) const noexcept { return member < used_.size() ? used_[member] : 0; }

    void set_used(Member member, std::size_t units) noexcept;
    /// False, and nothing is taken, when there is not enough room. A new member is let in.
    bool take(Member member, std::size_t units);
    void give_back(Member member, std::size_t units) noexcept;
    /// No member uses anything any more.
    void clear() noexcept;

private:
    bool is_divided() const noexcept { return most_ != SIZE_MAX && used_.size() > 1; }

    std::size_t most_ = SIZE_MAX;
    std::size_t common_used_ = 0;    ///< what all use beyond their own parts
    std::vector<std::size_t> used_;  ///< by member
};

}  // namespace perigee
