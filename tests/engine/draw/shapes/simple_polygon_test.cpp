// The sweep against the comparison of all pairs of edges.
#include "engine/draw/shapes/simple_polygon.h"

#include "tests/engine/draw/shapes/mesh_area.h"

#include <catch2/catch.hpp>

#include <numeric>

namespace perigee {
namespace {

using test::ShapeRandom;

bool is_simple(const std::vector<Point>& corners) {
    static SweepScratch scratch;
    return is_simple_polygon(corners, scratch);
}

int side_of(Point a, Point b, Point c) {
    const double area = test::doubled(a, b, c);
    return area > 0.0 ? 1 : area < 0.0 ? -1 : 0;
}

bool is_between(Point a, Point b, Point c) {
    return c.x >= std::min(a.x, b.x) && c.x <= std::max(a.x, b.x) && c.y >= std::min(a.y, b.y) &&
           c.y <= std::max(a.y, b.y);
}

bool do_meet(Point a, Point b, Point c, Point d) {
    const int sides[] = {side_of(a, b, c), side_of(a, b, d), side_of(c, d, a), side_of(c, d, b)};
    if (sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0) return true;
    return (sides[0] == 0 && is_between(a, b, c)) || (sides[1] == 0 && is_between(a, b, d)) ||
           (sides[2] == 0 && is_between(c, d, a)) || (sides[3] == 0 && is_between(c, d, b));
}

bool is_simple_by_pairs(const std::vector<Point>& corners) {
    const std::size_t count = corners.size();
    const auto at = [&](std::size_t i) { return corners[i % count]; };
    for (std::size_t i = 0; i < count; ++i) {
        // The next edge shares a corner; it must not turn back over this one.
        const Point a = at(i);
        const Point b = at(i + 1);
        const Point c = at(i + 2);
        const double onward =
            (double{b.x} - a.x) * (double{c.x} - b.x) + (double{b.y} - a.y) * (double{c.y} - b.y);
        if (side_of(a, b, c) == 0 && onward < 0.0) return false;
        for (std::size_t j = i + 2; j < count; ++j) {
            if ((j + 1) % count != i && do_meet(a, b, at(j), at(j + 1))) return false;
        }
    }
    return true;
}

TEST_CASE("the sweep says what the comparison of all pairs of edges says") {
    ShapeRandom random{1};
    int simple_count = 0;
    for (int round = 0; round < 40000; ++round) {
        // Few places, so that corners touch edges and edges lie on each other.
        const int size = 3 + round % 5;
        std::vector<Point> points;
        while (points.size() < static_cast<std::size_t>(3 + round % 7)) {
            const Point point{static_cast<float>(static_cast<int>(random.between(0, size))),
                              static_cast<float>(static_cast<int>(random.between(0, size)))};
            if (points.empty() || point != points.back()) points.push_back(point);
        }
        if (points.front() == points.back()) continue;
        const bool expected = is_simple_by_pairs(points);
        INFO(round);
        REQUIRE(is_simple(points) == expected);
        simple_count += expected;
    }
    CHECK(simple_count > 2000);
}

TEST_CASE("one crossing in a large polygon is found") {
    ShapeRandom random{2};
    for (int round = 0; round < 100; ++round) {
        std::vector<Point> points = test::star_polygon(random, 500);
        CHECK(is_simple(points));
        const auto i = static_cast<std::size_t>(random.between(0, 498));
        std::swap(points[i], points[i + 1]);
        CHECK(is_simple(points) == is_simple_by_pairs(points));
    }
}

}  // namespace
}  // namespace perigee
