// Vec: a point or a direction in double precision, for the arithmetic between the points that come in and the
// points that go out.
//
// The difference of two floats of similar size is exact in a double, and so is the product of two such
// differences. The sign of `cross` is therefore right for all but extreme input.
#pragma once

#include "engine/draw/shapes/point.h"

#include <cmath>

namespace perigee {

struct Vec {
    double x = 0.0;
    double y = 0.0;

    friend constexpr Vec operator+(Vec a, Vec b) noexcept { return {a.x + b.x, a.y + b.y}; }
    friend constexpr Vec operator-(Vec a, Vec b) noexcept { return {a.x - b.x, a.y - b.y}; }
    friend constexpr Vec operator-(Vec a) noexcept { return {-a.x, -a.y}; }
    friend constexpr Vec operator*(Vec a, double factor) noexcept { return {a.x * factor, a.y * factor}; }
};

constexpr Vec vec_of(Point point) noexcept { return {point.x, point.y}; }
/// Expects: it fits a float, as everything does that is near drawable points.
constexpr Point point_of(Vec v) noexcept { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

constexpr double dot(Vec a, Vec b) noexcept { return a.x * b.x + a.y * b.y; }
/// Positive if b points to the left of a, where left of (1, 0) is (0, 1).
constexpr double cross(Vec a, Vec b) noexcept { return a.x * b.y - a.y * b.x; }
constexpr Vec left_of(Vec v) noexcept { return {-v.y, v.x}; }
inline double length(Vec v) noexcept { return std::sqrt(dot(v, v)); }
/// Twice the area of a triangle; negative if it runs the other way around than `cross`.
constexpr double doubled_area(Vec a, Vec b, Vec c) noexcept { return cross(b - a, c - a); }

}  // namespace perigee
