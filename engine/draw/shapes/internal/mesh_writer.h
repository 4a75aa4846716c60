// Appends triangles to a mesh.
//
// Invariant: every triangle that it adds has an area, and all run the same way around: x to y.
#pragma once

#include "engine/draw/shapes/internal/vec.h"
#include "engine/draw/shapes/mesh_point.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace perigee {

struct MeshCorner {
    Vec at;
    std::uint32_t color = 0;
};

/// What to do with a triangle that runs the other way around.
enum class Backward { turn_around, drop };

inline void add_triangle(MeshCorner a, MeshCorner b, MeshCorner c, Backward backward,
                         std::vector<MeshPoint>& out) {
    // Rounded first: the triangle that is drawn is the one that must have an area.
    const Point corners[] = {point_of(a.at), point_of(b.at), point_of(c.at)};
    const double area = doubled_area(vec_of(corners[0]), vec_of(corners[1]), vec_of(corners[2]));
    const bool is_backward = area < 0.0;
    if (area == 0.0 || (is_backward && backward == Backward::drop)) return;
    out.push_back({.x = corners[0].x, .y = corners[0].y, .color = a.color});
    const MeshPoint second{.x = corners[1].x, .y = corners[1].y, .color = b.color};
    const MeshPoint third{.x = corners[2].x, .y = corners[2].y, .color = c.color};
    out.push_back(is_backward ? third : second);
    out.push_back(is_backward ? second : third);
}

/// The quad a, b, c, d, cut from a to c.
inline void add_quad(MeshCorner a, MeshCorner b, MeshCorner c, MeshCorner d, Backward backward,
                     std::vector<MeshPoint>& out) {
    add_triangle(a, b, c, backward, out);
    add_triangle(a, c, d, backward, out);
}

/// The colour with its alpha multiplied by 0 .. 1.
inline std::uint32_t faded(std::uint32_t color, double factor) noexcept {
    const auto alpha = static_cast<std::uint32_t>(static_cast<double>(color >> 24U) * factor + 0.5);
    return (color & 0x00FF'FFFFU) | alpha << 24U;
}

}  // namespace perigee
