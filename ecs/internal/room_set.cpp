// RoomSet: growing and clearing; the hot part is inline in the header.
#include "ecs/internal/room_set.h"

#include <algorithm>

namespace perigee::internal {

void RoomSet::reserve(std::uint32_t count) {
    std::size_t words = (std::size_t{count} + 63) / 64;
    for (std::size_t level = 0; level < kLevels; ++level) {
        if (levels_[level].size() < words)
            levels_[level].resize(std::max(words, levels_[level].size() * 2), 0);
        words = (levels_[level].size() + 63) / 64;
    }
    // Doubling may have outgrown the top word's 64 children only beyond 16 million members.
}

void RoomSet::insert(std::uint32_t number) {
    reserve(number + 1);
    for (std::size_t level = 0; level < kLevels; ++level) {
        levels_[level][number >> 6] |= std::uint64_t{1} << (number & 63);
        number >>= 6;
    }
}

void RoomSet::erase(std::uint32_t number) noexcept {
    if (!contains(number)) return;
    for (std::size_t level = 0; level < kLevels; ++level) {
        std::uint64_t& word = levels_[level][number >> 6];
        word &= ~(std::uint64_t{1} << (number & 63));
        if (word != 0) return;
        number >>= 6;
    }
}

void RoomSet::clear() noexcept {
    for (std::vector<std::uint64_t>& level : levels_) std::fill(level.begin(), level.end(), 0);
}

}  // namespace perigee::internal
