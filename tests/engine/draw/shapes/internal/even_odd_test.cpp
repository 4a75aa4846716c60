// Trapezoids against the even-odd rule at random points.
#include "engine/draw/shapes/internal/even_odd.h"

#include "tests/engine/draw/shapes/mesh_area.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

TEST_CASE("what an odd number of edges separates from the outside is covered once, the rest is not covered") {
    test::ShapeRandom random{1};
    PolygonScratch scratch;
    for (std::size_t round = 0; round < 60; ++round) {
        std::vector<Point>& corners = scratch.corners;
        corners.clear();
        while (corners.size() < 3 + round % 30) {
            corners.push_back(random.point(100));
            if (corners.size() % 3 == 2) corners.back().y = corners.front().y;
        }
        std::vector<MeshPoint> mesh;
        CHECK(add_even_odd(scratch, 0xFF01'0203, mesh));
        CHECK(test::measure(mesh).smallest > 0.0);
        for (int i = 0; i < 200; ++i) {
            const Point at = random.point(100);
            const int count = test::cover_count(mesh, at, 0.0);
            CHECK(count <= 1);
            // Points on the side of a trapezoid are in none; of a thousand, that is one or two.
            if (test::distance_to_border(corners, at) > 0.01) {
                CHECK((count == 1 || test::opacity_at(mesh, at) > 0.0) == test::is_inside(corners, at));
            }
        }
    }
}

TEST_CASE("a scribble of many crossings adds nothing") {
    test::ShapeRandom random{2};
    PolygonScratch scratch;
    while (scratch.corners.size() < kMaxEvenOddCorners) scratch.corners.push_back(random.point(100));
    std::vector<MeshPoint> mesh(3);
    CHECK_FALSE(add_even_odd(scratch, 0, mesh));
    CHECK(mesh.size() == 3);

    scratch.corners = test::star_polygon(random, kMaxEvenOddCorners);
    CHECK(add_even_odd(scratch, 0, mesh));
    CHECK(mesh.size() > 3);
    scratch.corners = test::star_polygon(random, kMaxEvenOddCorners + 1);
    CHECK_FALSE(add_even_odd(scratch, 0, mesh));
}

}  // namespace
}  // namespace perigee
