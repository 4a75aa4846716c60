// The area that a point sees, against rays that try each wall.
#include "engine/draw/shapes/visible_area.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace perigee {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

// Along a ray from `eye`; `farthest` if it does not meet the line between the two points.
double distance_to(Point eye, double angle, Point from, Point to, double farthest) {
    const double dx = std::cos(angle);
    const double dy = std::sin(angle);
    const double ax = double{from.x} - eye.x;
    const double ay = double{from.y} - eye.y;
    const double bx = double{to.x} - eye.x;
    const double by = double{to.y} - eye.y;
    const double side_a = dx * ay - dy * ax;
    const double side_b = dx * by - dy * bx;
    if (side_a == side_b || side_a * side_b > 0.0) {
        return farthest;
    }
    const double share = side_a / (side_a - side_b);
    const double along = dx * (ax + share * (bx - ax)) + dy * (ay + share * (by - ay));
    return along < 0.0 ? farthest : std::min(along, farthest);
}

double by_rays(Point eye, double reach, const std::vector<Wall>& walls, double angle) {
    double nearest = reach / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
    for (const Wall& wall : walls) {
        nearest = distance_to(eye, angle, wall.from, wall.to, nearest);
    }
    return nearest;
}

double by_outline(Point eye, const std::vector<Point>& outline, double angle) {
    double nearest = 1e9;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        nearest = distance_to(eye, angle, outline[i], outline[(i + 1) % outline.size()], nearest);
    }
    return nearest;
}

std::vector<Point> seen(Point eye, float reach, const std::vector<Wall>& walls) {
    VisibleAreaScratch scratch;
    std::vector<Point> outline;
    add_visible_area(eye, reach, walls, scratch, outline);
    return outline;
}

// Away from corners, where the distance jumps.
bool is_smooth(Point eye, double reach, const std::vector<Wall>& walls, double angle) {
    const double here = by_rays(eye, reach, walls, angle);
    return std::abs(by_rays(eye, reach, walls, angle - 1e-3) - here) < 1.0 &&
           std::abs(by_rays(eye, reach, walls, angle + 1e-3) - here) < 1.0;
}

TEST_CASE("what a point sees ends where a ray meets the first wall, also if walls cross") {
    std::mt19937 random(18);
    std::uniform_real_distribution<float> place(-150.0F, 150.0F);
    std::uniform_real_distribution<double> turn(-std::numbers::pi, std::numbers::pi);
    int compared = 0;
    for (int scene = 0; scene < 100; ++scene) {
        const Point eye{place(random), place(random)};
        std::vector<Wall> walls(static_cast<std::size_t>(scene % 25));
        for (Wall& wall : walls) {
            wall = {{place(random), place(random)}, {place(random), place(random)}};
        }
        const std::vector<Point> outline = seen(eye, 100.0F, walls);
        for (int ray = 0; ray < 50; ++ray) {
            const double angle = turn(random);
            if (is_smooth(eye, 100.0, walls, angle)) {
                CHECK(by_outline(eye, outline, angle) ==
                      Approx(by_rays(eye, 100.0, walls, angle)).margin(0.05));
                ++compared;
            }
        }
    }
    CHECK(compared > 2500);
}

TEST_CASE("without walls a point sees the square around it") {
    for (const Point corner : seen({10.0F, 20.0F}, 5.0F, {})) {
        CHECK(std::max(std::abs(corner.x - 10.0F), std::abs(corner.y - 20.0F)) == Approx(5.0F));
    }
    CHECK(by_outline({0.0F, 0.0F}, seen({0.0F, 0.0F}, 5.0F, {}), kTurn / 8.0) ==
          Approx(std::hypot(5.0, 5.0)));
}

TEST_CASE("a point sees nothing from or to what is not drawable") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    CHECK(seen({nan, 0.0F}, 5.0F, {}).empty());
    CHECK(seen({0.0F, infinite}, 5.0F, {}).empty());
    for (const float reach : {0.0F, -1.0F, nan, infinite}) {
        CHECK(seen({0.0F, 0.0F}, reach, {}).empty());
    }
    const std::vector<Point> open = seen({0.0F, 0.0F}, 5.0F, {});
    CHECK(seen({0.0F, 0.0F}, 5.0F, {{{nan, 1.0F}, {1.0F, 1.0F}}}).size() == open.size());
}

}  // namespace
}  // namespace perigee
