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

void RoomSet::clear() noexcept {
    for (std::vector<std::uint64_t>& level : levels_) std::fill(level.begin(), level.end(), 0);
}

}  // namespace perigee::internal
