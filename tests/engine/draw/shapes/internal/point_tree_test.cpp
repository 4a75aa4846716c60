// The tree against a look at each point.
#include "engine/draw/shapes/internal/point_tree.h"

#include "tests/engine/draw/shapes/mesh_area.h"

#include <catch2/catch.hpp>

#include <numeric>

namespace perigee {
namespace {

TEST_CASE("the tree finds a point in a triangle if there is one that was not removed") {
    test::ShapeRandom random{1};
    for (int round = 0; round < 60; ++round) {
        std::vector<Point> points;
        for (int i = 0; i < 3 * round; ++i) {
            // On a grid, so that some lie on the sides; and some in one place.
            const Point at = random.point(round % 2 == 0 ? 1000 : 6);
            points.push_back(round % 2 == 0 ? at : Point{std::round(at.x), std::round(at.y)});
        }
        std::vector<std::uint32_t> ids(points.size());
        std::iota(ids.begin(), ids.end(), 0U);
        PointTree tree;
        tree.build(points, ids);
        for (int query = 0; query < 60; ++query) {
            Point a = random.point(round % 2 == 0 ? 300 : 6);
            Point b = random.point(round % 2 == 0 ? 300 : 6);
            Point c = random.point(round % 2 == 0 ? 300 : 6);
            if (round % 2 == 1) {
                for (Point* point : {&a, &b, &c}) *point = {std::round(point->x), std::round(point->y)};
            }
            if (test::doubled(a, b, c) < 0.0) std::swap(b, c);
            for (const bool is_border_in : {false, true}) {
                const auto is_in = [&](std::uint32_t id) {
                    const Point at = points[id];
                    if (at == a || at == b || at == c) return false;
                    const double least =
                        std::min({test::doubled(a, b, at), test::doubled(b, c, at), test::doubled(c, a, at)});
                    return is_border_in ? least >= 0.0 : least > 0.0;
                };
                if (test::doubled(a, b, c) == 0.0) continue;
                std::uint64_t work = 0;
                REQUIRE(tree.has_point_in(a, b, c, is_border_in, work) == std::ranges::any_of(ids, is_in));
            }
            if (ids.empty()) continue;
            const auto gone = static_cast<std::size_t>(random.between(0, ids.size() - 0.01));
            tree.remove(ids[gone]);
            ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(gone));
        }
    }
}

TEST_CASE("a search looks at a small part of the points") {
    test::ShapeRandom random{2};
    std::vector<Point> points;
    for (int i = 0; i < 10000; ++i) points.push_back(random.point(1000));
    std::vector<std::uint32_t> ids(points.size());
    std::iota(ids.begin(), ids.end(), 0U);
    PointTree tree;
    tree.build(points, ids);
    std::uint64_t work = 0;
    for (int i = 0; i < 100; ++i) {
        const Point at = random.point(900);
        tree.has_point_in(at, {at.x + 5, at.y}, {at.x, at.y + 5}, true, work);
    }
    CHECK(work < 100 * 100);
}

}  // namespace
}  // namespace perigee
