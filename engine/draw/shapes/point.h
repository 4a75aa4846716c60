// Point: a place in the plane, as the functions of this folder take it; which places can be drawn; a full
// turn.
//
// Units are those of the caller, usually pixels. Not here: matrices (engine/draw/draw_state.h).
#pragma once

#include <algorithm>
#include <concepts>
#include <numbers>
#include <span>

namespace perigee {

struct Point {
    float x = 0.0F;
    float y = 0.0F;

    friend bool operator==(const Point&, const Point&) = default;
};

/// In radians, as all angles here.
template <std::floating_point Number> inline constexpr Number kFullTurn = 2 * std::numbers::pi_v<Number>;

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
