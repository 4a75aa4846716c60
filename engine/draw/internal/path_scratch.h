// Working memory of a Painter's paths.
#pragma once

#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/point.h"
#include "engine/draw/shapes/polygon.h"

#include <vector>

namespace perigee {

/// Kept from call to call, so that drawing allocates nothing in the long run.
struct PathScratch {
    std::vector<Point> points;
    std::vector<MeshPoint> triangles;
    PolygonScratch polygon;
};

}  // namespace perigee
