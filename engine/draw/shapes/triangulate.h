// Polygons cut into triangles that use their corners alone.
//
// Invariant: every triangle has an area and runs from x to y, whichever way around the polygon does. For a
// simple polygon the triangles cover it once. Not here: holes, polygons with a soft edge (polygon.h).
//
// Ears are cut: corners whose triangle contains no other corner. Source: D. Eberly, "Triangulation by Ear
// Clipping", 2002, and https://github.com/mapbox/earcut, which finds corners in a triangle by their position.
// Here a k-d tree finds them, so points of very different density cost no more. Why not a package: Debian 12
// has the tessellator of GLU, which makes 8 allocations per corner, needs 14 s for 65,535 corners and links
// OpenGL, and GEOS, which makes an object of each triangle.
#pragma once

#include "engine/draw/shapes/internal/point_tree.h"
#include "engine/draw/shapes/point.h"
#include "engine/draw/shapes/simple_polygon.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMaxPolygonPoints = 65535;

/// An edge between two levels of y.
struct EdgeSpan {
    double low_x = 0.0;
    double high_x = 0.0;
};

/// Working memory that the caller keeps: a later polygon that is no larger allocates nothing. What it
/// contains after a call is of interest to this folder alone.
struct PolygonScratch {
    std::vector<std::uint32_t> ring;       // the points that count, x to y
    std::vector<Point> corners;            // their coordinates
    std::vector<std::uint32_t> triangles;  // three numbers of corners each
    std::vector<std::uint32_t> before;     // the neighbours of a corner that is left
    std::vector<std::uint32_t> after;
    std::vector<std::uint8_t> states;
    std::vector<std::uint32_t> waiting;  // a queue in a circle
    std::vector<std::uint32_t> reflex;
    PointTree tree;
    SweepScratch sweep;
    std::vector<Point> inner;  // by polygon.cpp: where the opacity begins to fall, and where it is 0
    std::vector<Point> outer;
    std::vector<double> levels;  // by even_odd.cpp
    std::vector<EdgeSpan> spans;
};

/// Appends three indices of points per triangle. Returns true if the polygon is simple: its edges meet only
/// at common corners; points equal to the one before and points on a straight edge are no matter.
///
/// False, and nothing appended: fewer than three different points, more than kMaxPolygonPoints, or one that
/// is not drawable. False with triangles: the polygon touches or crosses itself. If it only touches itself,
/// as with a hole that a cut connects to the outside, the triangles cover it as they should. If it crosses
/// itself, they cover about what is inside, some of it several times.
///
/// Cost: about O(n log n). Searches are limited, so any 65,535 points take less than a second; beyond the
/// limit corners are cut at any price.
bool triangulate(std::span<const Point> points, PolygonScratch& scratch, std::vector<std::uint32_t>& indices);

/// The same, into scratch.triangles, as numbers of scratch.corners.
bool triangulate_corners(std::span<const Point> points, PolygonScratch& scratch);

}  // namespace perigee
