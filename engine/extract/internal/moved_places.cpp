// The checks are passes of their own over places that are in the cache: the compiler makes them from
// instructions for four numbers.
#include "engine/extract/internal/moved_places.h"

#include <bit>
#include <cstring>

namespace perigee::internal {

namespace {

using Point = PreviousPositions::Point;

constexpr PositionColumn kPacked{{}, sizeof(Point), offsetof(Point, x), offsetof(Point, y)};

// Calls write with the place and the row of each.
template <typename Write>
void each_row(std::span<const std::uint32_t> rows, std::span<ItemPlace> places, Write write) {
    if (rows.empty()) {
        for (std::size_t row = 0; row < places.size(); ++row) write(places[row], row);
    } else {
        for (std::size_t i = 0; i < places.size(); ++i) write(places[i], rows[i]);
    }
}

template <bool kIsPacked>
void write_places(const ExtractFrame& frame, const ChunkView& chunk, std::span<const std::uint32_t> rows,
                  bool is_between, std::span<ItemPlace> places) {
    const PositionColumn column = kIsPacked ? kPacked : frame.position;
    const std::byte* const positions = chunk.column_data(0);
    if (!is_between) {
        each_row(rows, places, [&](ItemPlace& place, std::size_t row) {
            const Point now = column.at(positions, row);
            place = {now.x, now.y};
        });
        return;
    }
    const float alpha = frame.alpha;
    const ChunkSlot& slot = slot_of(chunk);
    const std::span<const Point> before = slot.rows_version <= frame.remembered
                                              ? frame.previous.rows(slot.unit, slot.row_count)
                                              : std::span<const Point>{};
    if (!before.empty()) {
        const Point* const points = before.data();
        each_row(rows, places, [=](ItemPlace& place, std::size_t row) {
            const Point at = PreviousPositions::between(points[row], column.at(positions, row), alpha);
            place = {at.x, at.y};
        });
        return;
    }
    const Entity* const entities = chunk.entities().data();
    each_row(rows, places, [&](ItemPlace& place, std::size_t row) {
        const Point now = column.at(positions, row);
        const Point at = frame.previous.between(entities[row], now.x, now.y, alpha);
        place = {at.x, at.y};
    });
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

void copy_positions(const PositionColumn& column, const std::byte* positions, std::span<Point> points) {
    if (column.is_packed()) {
        std::memcpy(points.data(), positions, points.size_bytes());
        return;
    }
    for (std::size_t row = 0; row < points.size(); ++row) points[row] = column.at(positions, row);
}

bool find_places(const ExtractFrame& frame, const ChunkView& chunk, std::span<const std::uint32_t> rows,
                 bool is_between, std::span<ItemPlace> places) {
    if (frame.position.is_packed())
        write_places<true>(frame, chunk, rows, is_between, places);
    else
        write_places<false>(frame, chunk, rows, is_between, places);
    return are_finite(places);
}

std::size_t count_seen(std::span<const ItemPlace> places, const SeenLayer& seen, float reach) {
    const float left = seen.left, top = seen.top, right = seen.right, bottom = seen.bottom;
    std::uint32_t count = 0;
    for (const ItemPlace& place : places) {
        const bool is_across = (place.x + reach >= left) & (place.x - reach <= right);
        const bool is_down = (place.y + reach >= top) & (place.y - reach <= bottom);
        count += is_across & is_down ? 1U : 0U;
    }
    return count;
}

}  // namespace perigee::internal
