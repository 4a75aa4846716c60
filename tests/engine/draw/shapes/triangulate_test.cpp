// Triangles against the polygon: they cover it once, and use its corners alone.
#include "engine/draw/shapes/triangulate.h"

#include "tests/engine/draw/shapes/mesh_area.h"
#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace perigee {
namespace {

using test::doubled;
using test::ShapeRandom;

struct Cut {
    bool is_simple = false;
    std::vector<std::uint32_t> indices;
    double area = 0.0;
    double smallest = 1e30;
};

Cut cut_of(const std::vector<Point>& points) {
    static PolygonScratch scratch;
    Cut cut;
    cut.is_simple = triangulate(points, scratch, cut.indices);
    REQUIRE(cut.indices.size() % 3 == 0);
    for (const std::uint32_t index : cut.indices) REQUIRE(index < points.size());
    for (std::size_t i = 0; i < cut.indices.size(); i += 3) {
        const double area =
            doubled(points[cut.indices[i]], points[cut.indices[i + 1]], points[cut.indices[i + 2]]) / 2.0;
        cut.area += area;
        cut.smallest = std::min(cut.smallest, area);
    }
    return cut;
}

// A side of two triangles has them on different sides; a side of one triangle is an edge of the polygon.
bool is_covered_once(const std::vector<Point>& points, const Cut& cut) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (std::size_t i = 0; i < cut.indices.size(); ++i) {
        const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
        if (++sides[{cut.indices[i], cut.indices[next]}] > 1) return false;
    }
    const auto count = static_cast<std::uint32_t>(points.size());
    for (const auto& [side, times] : sides) {
        const auto [a, b] = side;
        const bool is_edge = (a + 1) % count == b || (b + 1) % count == a;
        if (sides.contains({b, a}) == is_edge) return false;
    }
    return true;
}

std::vector<Point> comb(std::size_t teeth) {
    std::vector<Point> points{{0, 100}};
    for (std::size_t i = 0; i < teeth; ++i) {
        const auto x = static_cast<float>(i);
        points.push_back({x, 0});
        points.push_back({x + 0.5F, 99});
    }
    points.push_back({static_cast<float>(teeth), 0});
    points.push_back({static_cast<float>(teeth), 100});
    return points;
}

// A band that winds around 0, 0.
std::vector<Point> spiral(std::size_t count) {
    std::vector<Point> points;
    const auto add = [&](std::size_t i, double inset) {
        const double angle = 40.0 * static_cast<double>(i) / static_cast<double>(count);
        const double radius = 20 + 5 * angle - inset;
        points.push_back(
            {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))});
    };
    for (std::size_t i = 0; i < count / 2; ++i) add(2 * i, 0);
    for (std::size_t i = count / 2; i-- > 0;) add(2 * i, 10);
    return points;
}

TEST_CASE("the triangles of a simple polygon cover it once") {
    ShapeRandom random{1};
    for (std::size_t round = 0; round < 600; ++round) {
        std::vector<Point> points = test::star_polygon(random, 3 + round % 60, 5, 100);
        if (round % 2 == 1) std::ranges::reverse(points);
        std::ranges::rotate(points, points.begin() + static_cast<std::ptrdiff_t>(round % points.size()));
        const Cut cut = cut_of(points);
        INFO(round);
        CHECK(cut.is_simple);
        CHECK(cut.indices.size() == 3 * (points.size() - 2));
        CHECK(cut.smallest > 0.0);
        CHECK(cut.area == Approx(test::polygon_area(points)).epsilon(1e-9));
        CHECK(is_covered_once(points, cut));
    }
}

TEST_CASE("polygons that are far from convex are cut") {
    for (const std::vector<Point>& points : {comb(1), comb(2), comb(300), spiral(50), spiral(2000)}) {
        const Cut cut = cut_of(points);
        INFO(points.size());
        CHECK(cut.is_simple);
        CHECK(cut.smallest > 0.0);
        CHECK(cut.area == Approx(test::polygon_area(points)).epsilon(1e-9));
        CHECK(is_covered_once(points, cut));
    }
}

TEST_CASE("corners on straight edges belong to triangles, and no triangle has one in its side") {
    // A grid of corners on the border of an L, and of a square.
    for (const std::vector<Point>& shape :
         {std::vector<Point>{{0, 0}, {8, 0}, {8, 4}, {4, 4}, {4, 8}, {0, 8}},
          std::vector<Point>{{0, 0}, {8, 0}, {8, 8}, {0, 8}, {4, 4}}}) {
        std::vector<Point> points;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const Point a = shape[i];
            const Point b = shape[(i + 1) % shape.size()];
            for (int k = 0; k < 4; ++k)
                points.push_back({a.x + (b.x - a.x) * k / 4, a.y + (b.y - a.y) * k / 4});
        }
        const Cut cut = cut_of(points);
        CHECK(cut.is_simple);
        CHECK(cut.smallest > 0.0);
        CHECK(cut.area == Approx(test::polygon_area(points)));
        CHECK(is_covered_once(points, cut));
    }
}

TEST_CASE("repeated points count once") {
    const std::vector<Point> points{{0, 0}, {0, 0}, {8, 0}, {8, 8}, {8, 8}, {8, 8}, {4, 2}, {0, 8}, {0, 0}};
    const Cut cut = cut_of(points);
    CHECK(cut.is_simple);
    CHECK(cut.indices.size() == 9);
    CHECK(cut.area == Approx(test::polygon_area(points)));
}

TEST_CASE("both ways around give the same area and triangles that run from x to y") {
    ShapeRandom random{2};
    std::vector<Point> points = test::star_polygon(random, 30);
    const Cut forward = cut_of(points);
    std::ranges::reverse(points);
    const Cut backward = cut_of(points);
    CHECK(forward.area == Approx(backward.area));
    CHECK(std::min(forward.smallest, backward.smallest) > 0.0);
}

TEST_CASE("a hole that a cut connects to the outside stays a hole, though the polygon touches itself") {
    const std::vector<Point> points{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0},
                                    {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}};
    const Cut cut = cut_of(points);
    CHECK_FALSE(cut.is_simple);
    CHECK(cut.smallest > 0.0);
    CHECK(cut.area == Approx(81 - 9));
}

TEST_CASE("polygons that cross themselves are not simple, and end with triangles inside of their bounds") {
    CHECK_FALSE(cut_of({{0, 0}, {8, 8}, {8, 0}, {0, 8}}).is_simple);
    std::vector<Point> pentagram;
    for (int i = 0; i < 5; ++i) {
        const double angle = i * 4 * 3.14159265 / 5;
        pentagram.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
    }
    CHECK_FALSE(cut_of(pentagram).is_simple);

    ShapeRandom random{3};
    for (std::size_t round = 0; round < 300; ++round) {
        std::vector<Point> points;
        for (std::size_t i = 0; i < 6 + round; ++i) points.push_back(random.point(100));
        const Cut cut = cut_of(points);
        CHECK(!cut.indices.empty());
        CHECK(cut.smallest > 0.0);
    }
}

TEST_CASE("what is no polygon gives no triangles") {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const std::vector<Point>& points :
         {std::vector<Point>{}, std::vector<Point>{{1, 1}}, std::vector<Point>{{0, 0}, {1, 1}},
          std::vector<Point>{{0, 0}, {1, 1}, {0, 0}, {1, 1}, {1, 1}},
          std::vector<Point>{{0, 0}, {1, 1}, {2, 2}}, std::vector<Point>{{0, 0}, {1, 0}, {kNaN, 1}},
          std::vector<Point>{{0, 0}, {1, 0}, {0, kInfinity}}, std::vector<Point>{{0, 0}, {1, 0}, {0, 1e30F}},
          std::vector<Point>{{5, 5}, {5, 5}, {5, 5}, {5, 5}},
          std::vector<Point>(kMaxPolygonPoints + 1, Point{1, 2})}) {
        const Cut cut = cut_of(points);
        CHECK_FALSE(cut.is_simple);
        CHECK(cut.indices.empty());
    }
}

TEST_CASE("indices are appended") {
    PolygonScratch scratch;
    std::vector<std::uint32_t> indices{7};
    CHECK(triangulate(std::vector<Point>{{0, 0}, {1, 0}, {1, 1}}, scratch, indices));
    CHECK(indices == std::vector<std::uint32_t>{7, 0, 1, 2});
}

TEST_CASE("a polygon that fits the memory of the last one allocates nothing") {
    ShapeRandom random{4};
    const std::vector<Point> points = test::star_polygon(random, 1000);
    PolygonScratch scratch;
    std::vector<std::uint32_t> indices;
    triangulate(points, scratch, indices);
    indices.clear();
    {
        const RefusedMemory counting{RefusedMemory::kNever};
        triangulate(points, scratch, indices);
    }
    CHECK(RefusedMemory::requests() == 0);
    CHECK(indices.size() == 3 * 998);
}

TEST_CASE("random and adverse polygons with as many points as there may be are cut") {
    ShapeRandom random{5};
    for (const std::vector<Point>& points : {test::star_polygon(random, kMaxPolygonPoints, 50, 100),
                                             comb(kMaxPolygonPoints / 2 - 2), spiral(kMaxPolygonPoints)}) {
        const Cut cut = cut_of(points);
        CHECK(cut.is_simple);
        CHECK(cut.smallest > 0.0);
        CHECK(cut.area == Approx(test::polygon_area(points)).epsilon(1e-6));
    }
    std::vector<Point> scribble;
    for (std::size_t i = 0; i < kMaxPolygonPoints; ++i) scribble.push_back(random.point(100));
    CHECK_FALSE(cut_of(scribble).is_simple);
}

}  // namespace
}  // namespace perigee
