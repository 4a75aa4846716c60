// Bézier curves and arcs of ellipses as points of a polyline that is near enough.
//
// Invariant: no point of the curve is farther than the tolerance from the polyline, up to kMaxCurvePieces
// pieces. All points that come out are on the curve. Not here: drawing them (polyline.h, polygon.h).
//
// Source: the number of pieces is Wang's formula (G. Wang, 1984), as in R. Goldman, "Pyramid Algorithms",
// 2003, 5.6.3; the points are those of de Casteljau.
#pragma once

#include "engine/draw/shapes/point.h"

#include <cstddef>
#include <span>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMaxControlPoints = 32;
inline constexpr std::size_t kMaxCurvePieces = 1024;
/// Used for a tolerance that is not above 0.
inline constexpr float kCurveTolerance = 0.25F;

/// The point at `t`; 0 is the first control point, 1 the last. Other values of t continue the curve. Expects:
/// 1 .. kMaxControlPoints control points.
Point bezier_point(std::span<const Point> control, float t);

/// Appends the curve from its first to its last control point, both included. 3 control points: quadratic, 4:
/// cubic. Nothing is added for fewer than 2 or more than kMaxControlPoints, or one that is not drawable.
void add_bezier_points(std::span<const Point> control, float tolerance, std::vector<Point>& out);

/// An ellipse whose axes are parallel to x and y.
struct Ellipse {
    Point center;
    float radius_x = 0.0F;
    float radius_y = 0.0F;
};

/// Appends the points of an ellipse once around, from its right side towards y; the first is not repeated.
/// Nothing is added for what is not drawable, or if both radii are 0; a negative radius counts as positive.
void add_ellipse_points(const Ellipse& ellipse, float tolerance, std::vector<Point>& out);

/// Appends the points of an arc, both ends included. Angles in radians from x to y; if `to` is smaller, the
/// arc runs backwards; more than a turn counts as one. Nothing is added as for an ellipse.
void add_arc_points(const Ellipse& ellipse, float from, float to, float tolerance, std::vector<Point>& out);

}  // namespace perigee
