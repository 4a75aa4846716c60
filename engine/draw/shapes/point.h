// Point: a place in the plane, as the functions of this folder take it, and which places can be drawn.
//
// Units are those of the caller, usually pixels. Not here: matrices (engine/draw/draw_state.h).
#pragma once

#include <algorithm>
#include <span>

namespace perigee {

struct Point {
    float x = 0.0F;
    float y = 0.0F;

    friend bool operator==(const Point&, const Point&) = default;
};

/// The functions of this folder add nothing for coordinates beyond it. A float has steps of 64 there.
inline constexpr float kLargestCoordinate = 1e9F;

/// False for NaN and infinity, too.
inline bool is_drawable(float value) noexcept {
    return value >= -kLargestCoordinate && value <= kLargestCoordinate;
}
inline bool is_drawable(Point point) noexcept { return is_drawable(point.x) && is_drawable(point.y); }
inline bool are_drawable(std::span<const Point> points) noexcept {
    return std::ranges::all_of(points, [](Point point) { return is_drawable(point); });
}

}  // namespace perigee
