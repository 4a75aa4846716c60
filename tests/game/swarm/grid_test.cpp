// The grid finds what a full search finds, in a fixed order, also with discs outside its box.
#include "game/swarm/grid.h"

#include "ecs/base/random.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace perigee::swarm {
namespace {

struct Point {
    float x, y, radius;
};

std::vector<Point> random_points(Random& random, std::size_t count, double extent) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back({static_cast<float>(random.range(-extent, extent)),
                          static_cast<float>(random.range(-extent, extent)),
                          static_cast<float>(random.range(1, 20))});
    }
    return points;
}

void fill(Grid& grid, const std::vector<Point>& points) {
    grid.begin(-100, -100, 100, 60, 24);
    for (const Point& point : points) grid.add(point.x, point.y, point.radius);
    grid.finish();
}

std::vector<std::uint32_t> visited(const Grid& grid, float x, float y, float reach) {
    std::vector<std::uint32_t> found;
    grid.visit_rows(x, y, reach, [&](std::span<const Disc> discs) {
        for (const Disc& disc : discs) found.push_back(disc.index);
    });
    return found;
}

TEST_CASE("a visit finds every disc whose centre lies in the square, and none twice") {
    Random random(5);
    Grid grid;
    for (int round = 0; round < 60; ++round) {
        // Twice as wide as the box: half of the discs are outside.
        const std::vector<Point> points =
            random_points(random, static_cast<std::size_t>(random.integer(0, 300)), 200);
        fill(grid, points);
        REQUIRE(grid.size() == points.size());
        for (int visit = 0; visit < 20; ++visit) {
            const auto x = static_cast<float>(random.range(-220, 220));
            const auto y = static_cast<float>(random.range(-220, 220));
            const auto reach = static_cast<float>(random.range(0, 90));
            const std::vector<std::uint32_t> found = visited(grid, x, y, reach);
            const std::set<std::uint32_t> once(found.begin(), found.end());
            REQUIRE(once.size() == found.size());
            for (std::uint32_t i = 0; i < points.size(); ++i) {
                const bool lies_in =
                    std::fabs(points[i].x - x) <= reach && std::fabs(points[i].y - y) <= reach;
                if (lies_in) REQUIRE(once.contains(i));
            }
        }
    }
}

TEST_CASE("discs of one cell come in the order in which they were added") {
    Grid grid;
    fill(grid, std::vector<Point>(50, Point{3, 3, 1}));
    const std::vector<std::uint32_t> found = visited(grid, 3, 3, 1);
    REQUIRE(found.size() == 50);
    for (std::uint32_t i = 0; i < found.size(); ++i) REQUIRE(found[i] == i);
}

TEST_CASE("the largest radius is that of this step, not of an earlier one") {
    Grid grid;
    fill(grid, {{0, 0, 30}, {5, 5, 2}});
    REQUIRE(grid.largest_radius() == 30);
    fill(grid, {{5, 5, 2}});
    REQUIRE(grid.largest_radius() == 2);
}

TEST_CASE("a disc at NaN is stored, and a box of any size stays affordable") {
    Grid grid;
    grid.begin(-1e30F, -1e30F, 1e30F, 1e30F, 24);
    grid.add(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1);
    grid.add(0, 0, 1);
    grid.finish();
    REQUIRE(grid.size() == 2);
    REQUIRE(visited(grid, 0, 0, 10) == std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace perigee::swarm
