// Rectangles with a gradient, as triangles.
//
// Invariant: u and v run from 0 to 1 over the rectangle, so an image can be tinted by it. Not here: gradients
// with more than two stops, which are several rectangles, and radial ones.
#pragma once

#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/point.h"

#include <cstdint>
#include <vector>

namespace perigee {

struct Box {
    float x = 0.0F;
    float y = 0.0F;
    float width = 0.0F;  ///< may be negative
    float height = 0.0F;
};

/// Colours as MeshPoint::color.
struct CornerColors {
    std::uint32_t top_left = 0xFFFF'FFFF;
    std::uint32_t top_right = 0xFFFF'FFFF;
    std::uint32_t bottom_right = 0xFFFF'FFFF;
    std::uint32_t bottom_left = 0xFFFF'FFFF;
};

/// Appends a rectangle whose colours run from corner to corner, with their average in the middle: 4
/// triangles. Nothing is added for a box that is not drawable or has no area. "Top" is where y is smaller if
/// the height is positive.
void add_corner_gradient(const Box& box, const CornerColors& colors, std::vector<MeshPoint>& out);

/// Appends a rectangle whose colour runs from one to another along an angle in radians, from x to y: 0 is
/// left to right, pi / 2 top to bottom. The corner that lies first has the first colour, the one that lies
/// last has the last, as in CSS (https://www.w3.org/TR/css-images-3/#linear-gradients). An angle that is not
/// drawable counts as 0.
void add_linear_gradient(const Box& box, std::uint32_t from, std::uint32_t to, float angle,
                         std::vector<MeshPoint>& out);

}  // namespace perigee
