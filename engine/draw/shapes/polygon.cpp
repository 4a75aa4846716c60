// The triangles of the polygon are drawn with its corners moved inwards by half of the soft edge; a band of
// quads leads from there to the corners moved outwards. A triangle that this turns around is left out: it is
// thinner than the edge.
#include "engine/draw/shapes/polygon.h"

#include "engine/draw/shapes/internal/even_odd.h"
#include "engine/draw/shapes/internal/mesh_writer.h"
#include "engine/draw/shapes/internal/vec.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perigee {
namespace {

// How much farther than a side a corner of the soft edge may move. Inside it stays near, since there may be
// another side.
constexpr double kLongestSpikeInside = 2.0;
constexpr double kLongestSpikeOutside = 4.0;

// Twice the area, and the length around it.
struct Extent {
    double area = 0.0;
    double around = 0.0;
};

Extent extent_of(const std::vector<Point>& corners) {
    Extent extent;
    const Vec origin = vec_of(corners.front());
    Vec last = vec_of(corners.back());
    for (const Point corner : corners) {
        const Vec at = vec_of(corner);
        extent.area += doubled_area(origin, last, at);
        extent.around += length(at - last);
        last = at;
    }
    return extent;
}

// Moves the sides of the corner inwards by `inset` and outwards by `outset`.
void add_moved(Vec before, Vec at, Vec after, double inset, double outset, PolygonScratch& scratch) {
    const double length_before = length(at - before);
    const double length_after = length(after - at);
    const Vec from = (at - before) * (1.0 / length_before);
    const Vec to = (after - at) * (1.0 / length_after);
    const double cosine = dot(from, to);
    const double half_cosine = std::sqrt(std::max(0.0, (1.0 + cosine) / 2.0));
    const double half_sine = std::sqrt(std::max(0.0, (1.0 - cosine) / 2.0));
    const bool is_convex = cross(from, to) >= 0.0;
    const Vec bisector = cosine > 0.0 ? left_of(from + to) : (to - from) * (is_convex ? 1.0 : -1.0);
    const Vec inward = bisector * (1.0 / length(bisector));
    // On the inner side of the turn the corner moves along its sides, at most by half of each; on the other
    // side it becomes a spike. Both are limits for width / half_cosine.
    const double room = std::min(length_before, length_after) / 2.0;
    const auto along_sides = [&](double width) {
        return width * half_sine <= room * half_cosine ? width / half_cosine : room / half_sine;
    };
    const auto spike = [&](double width, double longest) {
        return width * std::min(1.0 / std::max(half_cosine, 1e-9), longest);
    };
    const double in = is_convex ? along_sides(inset) : spike(inset, kLongestSpikeInside);
    const double out = is_convex ? spike(outset, kLongestSpikeOutside) : along_sides(outset);
    scratch.inner.push_back(point_of(at + inward * in));
    scratch.outer.push_back(point_of(at - inward * out));
}

// The sum of opacity over the triangles from `first` on, times two.
double doubled_opacity(const std::vector<MeshPoint>& points, std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = first; i + 2 < points.size(); i += 3) {
        const MeshPoint* p = &points[i];
        const double alpha = (p[0].color >> 24U) + (p[1].color >> 24U) + (p[2].color >> 24U);
        sum += alpha / (3.0 * 255.0) * doubled_area({p[0].x, p[0].y}, {p[1].x, p[1].y}, {p[2].x, p[2].y});
    }
    return sum;
}

void add_soft_polygon(std::uint32_t color, double fringe, PolygonScratch& scratch,
                      std::vector<MeshPoint>& out) {
    const std::vector<Point>& corners = scratch.corners;
    const std::size_t count = corners.size();
    const Extent extent = extent_of(corners);
    // The inner edge fits, since area / around is at most the radius of the largest circle inside.
    const double inset = std::min(fringe / 2.0, extent.area / 2.0 / extent.around);
    scratch.inner.clear();
    scratch.outer.clear();
    for (std::size_t i = 0; i < count; ++i) {
        add_moved(vec_of(corners[(i + count - 1) % count]), vec_of(corners[i]),
                  vec_of(corners[(i + 1) % count]), inset, fringe / 2.0, scratch);
    }

    const std::size_t first = out.size();
    const auto inner = [&](std::size_t i) { return MeshCorner{vec_of(scratch.inner[i]), color}; };
    const auto outer = [&](std::size_t i) {
        return MeshCorner{vec_of(scratch.outer[i]), color & 0x00FF'FFFFU};
    };
    for (std::size_t i = 0; i + 2 < scratch.triangles.size(); i += 3) {
        const std::uint32_t* corner = &scratch.triangles[i];
        add_triangle(inner(corner[0]), inner(corner[1]), inner(corner[2]), Backward::drop, out);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t next = (i + 1) % count;
        add_quad(outer(i), outer(next), inner(next), inner(i), Backward::drop, out);
    }

    if (inset == fringe / 2.0 || (color >> 24U) == 0) return;
    const double wanted = extent.area * (color >> 24U) / 255.0;
    const double factor = std::min(1.0, wanted / doubled_opacity(out, first));
    for (std::size_t i = first; i < out.size(); ++i) out[i].color = faded(out[i].color, factor);
}

}  // namespace

void add_polygon(std::span<const Point> points, std::uint32_t color, float fringe, PolygonScratch& scratch,
                 std::vector<MeshPoint>& out) {
    const bool is_simple = triangulate_corners(points, scratch);
    if (scratch.corners.size() < 3) return;
    if (is_simple && fringe > 0.0F && is_drawable(fringe)) {
        add_soft_polygon(color, fringe, scratch, out);
        return;
    }
    if (!is_simple && add_even_odd(scratch, color, out)) return;
    for (const std::uint32_t corner : scratch.triangles) {
        const Point at = scratch.corners[corner];
        out.push_back({.x = at.x, .y = at.y, .color = color});
    }
}

}  // namespace perigee
