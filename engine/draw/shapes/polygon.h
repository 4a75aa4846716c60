// Filled polygons with a soft edge, as triangles.
//
// Invariant: the triangles of a simple polygon do not overlap, so a translucent one has one opacity; parts
// that are thinner than the soft edge are excepted. Not here: outlines (polyline.h, closed), holes.
#pragma once

#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/point.h"
#include "engine/draw/shapes/triangulate.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Appends the triangles of a polygon: concave or not, either way around, without repeating the first point.
///
/// `fringe`: width of the soft edge in the units of the points, usually one pixel; 0, negative and NaN: none.
/// Half of it lies outside of the polygon. A polygon that is smaller than it becomes fainter.
///
/// A polygon that touches or crosses itself has no soft edge. It is filled by the even-odd rule: what an odd
/// number of edges separates from the outside. With more than 256 points, or so many crossings that more than
/// 65,536 points would come out, it is drawn as triangulate() does. Nothing is added where that adds nothing.
void add_polygon(std::span<const Point> points, std::uint32_t color, float fringe, PolygonScratch& scratch,
                 std::vector<MeshPoint>& out);

}  // namespace perigee
