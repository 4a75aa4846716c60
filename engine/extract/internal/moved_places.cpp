// The checks are passes of their own over places that are in the cache: the compiler makes them from
// instructions for four numbers.
#include "engine/extract/internal/moved_places.h"

#include <bit>
#include <cstring>

namespace perigee::internal {

namespace {

template <bool kIsBetween, bool kIsInOrder>
void write_places(const ExtractFrame& frame, const Entity* entities, const std::byte* positions,
                  const PositionColumn& position, const std::uint32_t* rows, std::span<ItemPlace> places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t row = kIsInOrder ? i : rows[i];
        PreviousPositions::Point at = position.at(positions, row);
        if constexpr (kIsBetween) at = frame.previous.between(entities[row], at.x, at.y, frame.alpha);
        places[i] = {at.x, at.y};
    }
}

bool are_finite(std::span<const ItemPlace> places) noexcept {
    constexpr std::uint32_t kExponent = 0x7F80'0000U;
    std::uint32_t count = 0;
    for (const ItemPlace& place : places) {
        count += (std::bit_cast<std::uint32_t>(place.x) & kExponent) == kExponent ? 1U : 0U;
        count += (std::bit_cast<std::uint32_t>(place.y) & kExponent) == kExponent ? 1U : 0U;
    }
    return count == 0;
}

}  // namespace

bool find_places(const ExtractFrame& frame, const Entity* entities, const std::byte* positions,
                 std::span<const std::uint32_t> rows, bool is_between, std::span<ItemPlace> places) {
    const auto write = [&](const PositionColumn& position) {
        if (rows.empty() && is_between)
            write_places<true, true>(frame, entities, positions, position, nullptr, places);
        else if (rows.empty())
            write_places<false, true>(frame, entities, positions, position, nullptr, places);
        else if (is_between)
            write_places<true, false>(frame, entities, positions, position, rows.data(), places);
        else
            write_places<false, false>(frame, entities, positions, position, rows.data(), places);
    };
    constexpr PositionColumn kPacked{{}, sizeof(ItemPlace), offsetof(ItemPlace, x), offsetof(ItemPlace, y)};
    if (frame.position.is_packed() && rows.empty() && !is_between) {
        std::memcpy(places.data(), positions, places.size_bytes());
    } else if (frame.position.is_packed()) {
        write(kPacked);
    } else {
        write(frame.position);
    }
    return are_finite(places);
}

std::size_t count_seen(std::span<const ItemPlace> places, const SeenLayer& seen, float reach) {
    std::uint32_t count = 0;
    for (const ItemPlace& place : places) {
        const bool is_across = (place.x + reach >= seen.left) & (place.x - reach <= seen.right);
        const bool is_down = (place.y + reach >= seen.top) & (place.y - reach <= seen.bottom);
        count += is_across & is_down ? 1U : 0U;
    }
    return count;
}

}  // namespace perigee::internal
