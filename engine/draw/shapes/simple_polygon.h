// Whether a polygon is simple: its edges meet only at the corners that they share.
//
// A sweep over the corners from left to right, with the edges that it crosses in their order; only edges that
// become neighbours are compared. Source: M. I. Shamos, D. Hoey, "Geometric intersection problems", FOCS
// 1976.
#pragma once

#include "engine/draw/shapes/point.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Working memory that the caller keeps.
struct SweepScratch {
    std::vector<std::uint32_t> corners;  // from left to right
    std::vector<std::uint32_t> edges;    // edge i goes from corner i to the next one
};

/// Touching counts as not simple. Expects: drawable points, none equal to the next, at least three. Cost: O(n
/// log n), and the moves of up to n / 2 numbers per corner if that many edges are above each other.
bool is_simple_polygon(std::span<const Point> corners, SweepScratch& scratch);

}  // namespace perigee
