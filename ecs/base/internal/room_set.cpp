// RoomSet: growing and clearing; the hot part is inline in the header.
#include "ecs/base/internal/room_set.h"

#include <algorithm>

namespace perigee::internal {

void RoomSet::reserve(std::uint32_t count) {
    std::array<std::size_t, kLevels> words{};
    std::size_t needed = (std::size_t{count} + 63) / 64;
    for (std::size_t level = 0; level < kLevels; ++level) {
        const std::size_t size = levels_[level].size();
        words[level] = size < needed ? std::max(needed, size * 2) : size;
        needed = (words[level] + 63) / 64;
    }
    // From the top, so that every word has a parent if memory runs out in between.
    for (std::size_t level = kLevels; level-- > 0;) levels_[level].resize(words[level], 0);
    // The top word's 64 children suffice for 16 million members.
}

void RoomSet::clear() noexcept {
    for (std::vector<std::uint64_t>& level : levels_) std::fill(level.begin(), level.end(), 0);
}

}  // namespace perigee::internal
