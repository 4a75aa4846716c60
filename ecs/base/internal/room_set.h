// A set of small numbers that answers "which is the lowest?" without a scan.
//
// Invariant: bit i of level k + 1 is set if and only if word i of level k is not zero. Four levels of 64-bit
// words cover 16 million numbers; insert, erase and lowest touch one word per level.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace perigee::internal {

class RoomSet {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// Expects: number < 64^4. Cost: allocates beyond the capacity that reserve made.
    void insert(std::uint32_t number) {
        if (number >= capacity()) reserve(number + 1);
        for (std::vector<std::uint64_t>& level : levels_) {
            std::uint64_t& word = level[number >> 6];
            const bool was_empty = word == 0;
            word |= std::uint64_t{1} << (number & 63);
            if (!was_empty) return;  // the levels above are already set
            number >>= 6;
        }
    }
    void erase(std::uint32_t number) noexcept {
        if (!contains(number)) return;
        for (std::vector<std::uint64_t>& level : levels_) {
            std::uint64_t& word = level[number >> 6];
            word &= ~(std::uint64_t{1} << (number & 63));
            if (word != 0) return;
            number >>= 6;
        }
    }
    bool contains(std::uint32_t number) const noexcept {
        const std::size_t word = number >> 6;
        return word < levels_[0].size() && ((levels_[0][word] >> (number & 63)) & 1u) != 0;
    }
    /// The smallest member, or kNone.
    std::uint32_t lowest() const noexcept;
    bool is_empty() const noexcept { return lowest() == kNone; }
    void clear() noexcept;

    /// Makes room so that inserting numbers below `count` never allocates.
    void reserve(std::uint32_t count);

private:
    std::size_t capacity() const noexcept { return levels_[0].size() * 64; }

    static constexpr std::size_t kLevels = 4;
    std::array<std::vector<std::uint64_t>, kLevels> levels_;
};

inline std::uint32_t RoomSet::lowest() const noexcept {
    if (levels_[kLevels - 1].empty()) return kNone;
    if (levels_[kLevels - 1][0] == 0) return kNone;
    std::uint32_t word = 0;
    for (std::size_t level = kLevels; level-- > 0;) {
        word = (word << 6) + static_cast<std::uint32_t>(std::countr_zero(levels_[level][word]));
    }
    return word;
}

}  // namespace perigee::internal
