// The inside of a polygon that crosses itself, by the even-odd rule of SVG, as trapezoids.
//
// The levels of y at which a corner or a crossing lies cut the plane into strips. In a strip no edges cross,
// so every second gap between them is inside.
#pragma once

#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/triangulate.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

/// Each pair of edges may cross, and each crossing makes a strip.
inline constexpr std::size_t kMaxEvenOddCorners = 256;
inline constexpr std::size_t kMaxEvenOddPoints = std::size_t{1} << 16U;

/// Fills scratch.corners. False, and nothing added: more than kMaxEvenOddCorners, or more than
/// kMaxEvenOddPoints would come out.
bool add_even_odd(PolygonScratch& scratch, std::uint32_t color, std::vector<MeshPoint>& out);

}  // namespace perigee
