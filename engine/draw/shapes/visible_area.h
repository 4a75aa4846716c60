// What a point sees between walls, as a polygon: the area that a light without size reaches.
//
// Invariant: in each direction the outline is at the nearest wall, or at the edge of the square around the
// point, whichever is nearer; only within kVisibleAngleStep of a corner may it be at either of its sides. The
// points depend on the input alone. Not here: which walls are near (walls are tried one by one), soft edges,
// drawing.
#pragma once

#include "engine/draw/shapes/point.h"

#include <span>
#include <vector>

namespace perigee {

/// How far beside a corner the search looks past it, in radians.
inline constexpr double kVisibleAngleStep = 1e-5;

/// Seen from both sides.
struct Wall {
    Point from;
    Point to;
};

/// Kept between calls, so that none takes memory once the largest is done.
struct VisibleAreaScratch {
    struct SeenWall {
        Wall wall;              ///< seen from `eye`, which is at 0, 0
        double distance = 0.0;  ///< of its nearest point
    };
    std::vector<SeenWall> walls;
    std::vector<double> angles;
};

/// Appends the corners of what is seen from `eye`, by angle from -pi to pi, as the rim of a fan around `eye`.
/// The square reaches `reach` from `eye` in x and in y. Walls may cross, touch and overlap. Nothing is added
/// for an eye or a reach that is not drawable, or a reach that is not above 0; a wall that is not drawable is
/// left out. Cost: for each end of a wall that meets the square, and each place where two cross, the walls
/// that are nearer than what is seen there.
void add_visible_area(Point eye, float reach, std::span<const Wall> walls, VisibleAreaScratch& scratch,
                      std::vector<Point>& out);

}  // namespace perigee
