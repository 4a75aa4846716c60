// MeshPoint: a corner of a triangle, ready to be drawn.
//
// Plain data in the layout that the back ends upload. Three in a row form a triangle.
#pragma once

#include <cstdint>

namespace perigee {

/// A corner of the triangles of a mesh.
struct MeshPoint {
    float x = 0.0F;  ///< as DrawItem::x
    float y = 0.0F;
    float u = 0.0F;  ///< 0 .. 1 of the image
    float v = 0.0F;
    std::uint32_t color = 0xFFFF'FFFF;  ///< as DrawItem::color; multiplied by that of the item

    friend bool operator==(const MeshPoint&, const MeshPoint&) = default;
};
static_assert(sizeof(MeshPoint) == 20);

}  // namespace perigee
