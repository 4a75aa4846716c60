// Polylines as triangles: joins, caps and a soft edge.
//
// Invariant: the triangles do not overlap, so that a translucent line has one opacity, as long as the line
// does not cross itself, and no segment at a sharp corner (60 degrees or more) is shorter than the part of it
// that the line of the next segment covers. There the two segments overlap. Not here: dashes, transforms.
//
//   left edge   o--------------------------o     alpha 0
//   left core   +--------------------------+     full          edge to core: `fringe`
//   the points  *                          *
//   right core  +--------------------------+     full
//   right edge  o--------------------------o     alpha 0
//
// Source of the soft edge: NanoVG (https://github.com/memononen/nanovg), its fringe. The names are those of
// SVG and LÖVE.
#pragma once

#include "engine/draw/shapes/line_style.h"
#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/point.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Lengths are in the units of the points.
struct PolylineStyle {
    float width = 1.0F;
    bool is_closed = false;
    LineJoin join = LineJoin::miter;
    LineCap cap = LineCap::butt;
    /// A miter longer than this many widths becomes a bevel.
    float miter_limit = 10.0F;
    std::uint32_t color = 0xFFFF'FFFF;  ///< as MeshPoint::color
    /// Width of the soft edge, usually one pixel; 0: none. Half of it lies inside of the line, so half of the
    /// opacity is exactly at the border. A line thinner than this is drawn as wide as this, and fainter.
    float fringe = 0.0F;
    /// How far a round join or cap may be from the circle. Points nearer to each other than 1/16 of it count
    /// as one.
    float tolerance = 0.25F;
};

/// Appends the triangles of the line through the points.
///
/// Nothing is added if a point is not drawable (is_drawable), for fewer than one point, and if the width is
/// not above 0. One point, or all in one place: a disc for round caps, a square for square caps, nothing for
/// butt caps. A closed line with two different points is drawn as an open one. A turn by 180 degrees ends as
/// a butt cap, or a round one if the join is round. Cost: linear, no memory but that of `out`.
void add_polyline(std::span<const Point> points, const PolylineStyle& style, std::vector<MeshPoint>& out);

}  // namespace perigee
