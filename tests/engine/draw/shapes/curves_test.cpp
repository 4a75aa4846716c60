// Curves against their formulas.
#include "engine/draw/shapes/curves.h"

#include "tests/engine/draw/shapes/mesh_area.h"

#include <catch2/catch.hpp>

#include <limits>
#include <numbers>

namespace perigee {
namespace {

using test::ShapeRandom;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<Point> flattened(const std::vector<Point>& control, float tolerance) {
    std::vector<Point> points;
    add_bezier_points(control, tolerance, points);
    return points;
}

// By the polynomials of Bernstein.
Point by_bernstein(const std::vector<Point>& control, double t) {
    const auto degree = static_cast<double>(control.size() - 1);
    double x = 0.0;
    double y = 0.0;
    double binomial = 1.0;
    for (std::size_t i = 0; i < control.size(); ++i) {
        const auto power = static_cast<double>(i);
        const double weight = binomial * std::pow(t, power) * std::pow(1.0 - t, degree - power);
        x += weight * control[i].x;
        y += weight * control[i].y;
        binomial *= (degree - power) / (power + 1.0);
    }
    return {static_cast<float>(x), static_cast<float>(y)};
}

double distance_to(const std::vector<Point>& line, Point at) {
    double nearest = 1e30;
    for (std::size_t i = 1; i < line.size(); ++i) {
        nearest = std::min(nearest, test::distance_to_segment(at, line[i - 1], line[i]));
    }
    return nearest;
}

TEST_CASE("a Bézier curve is where the polynomials of Bernstein say") {
    ShapeRandom random{1};
    for (std::size_t count = 1; count <= kMaxControlPoints; ++count) {
        std::vector<Point> control;
        for (std::size_t i = 0; i < count; ++i) control.push_back(random.point(100));
        for (const float t : {0.0F, 0.125F, 0.3F, 0.5F, 0.99F, 1.0F}) {
            const Point at = bezier_point(control, t);
            const Point expected = by_bernstein(control, t);
            CHECK(at.x == Approx(expected.x).margin(1e-3));
            CHECK(at.y == Approx(expected.y).margin(1e-3));
        }
    }
}

TEST_CASE("the points of a Bézier curve run from its first to its last control point, within the tolerance") {
    ShapeRandom random{2};
    for (std::size_t count = 2; count <= kMaxControlPoints; ++count) {
        std::vector<Point> control;
        for (std::size_t i = 0; i < count; ++i) control.push_back(random.point(100));
        std::size_t last_size = 0;
        for (const float tolerance : {5.0F, 1.0F, 0.25F}) {
            const std::vector<Point> points = flattened(control, tolerance);
            CHECK(points.front() == control.front());
            CHECK(points.back() == control.back());
            CHECK(points.size() >= last_size);
            last_size = points.size();
            for (int i = 0; i <= 100; ++i) {
                CHECK(distance_to(points, bezier_point(control, static_cast<float>(i) / 100)) <=
                      tolerance + 1e-3);
            }
        }
    }
}

TEST_CASE("a straight curve needs two points, and a huge one no more than the limit") {
    CHECK(flattened({{0, 0}, {50, 50}, {100, 100}}, 0.25F).size() == 2);
    CHECK(flattened({{0, 0}, {9, 9}}, 0.25F).size() == 2);
    CHECK(flattened({{-1e9F, 0}, {1e9F, 1e9F}, {1e9F, -1e9F}}, 0.25F).size() == kMaxCurvePieces + 1);
    CHECK(flattened({{0, 0}, {50, 90}, {100, 0}}, kNaN) ==
          flattened({{0, 0}, {50, 90}, {100, 0}}, kCurveTolerance));
    CHECK(flattened({{0, 0}, {50, 90}, {100, 0}}, 0) ==
          flattened({{0, 0}, {50, 90}, {100, 0}}, kCurveTolerance));
}

TEST_CASE("what is no Bézier curve adds nothing") {
    CHECK(flattened({}, 1).empty());
    CHECK(flattened({{1, 1}}, 1).empty());
    CHECK(flattened(std::vector<Point>(kMaxControlPoints + 1), 1).empty());
    CHECK(flattened({{1, 1}, {kNaN, 1}}, 1).empty());
    CHECK(flattened({{1, 1}, {1e30F, 1}}, 1).empty());
}

TEST_CASE("the points of an ellipse are on it, and as near to each other as the tolerance wants") {
    for (const float tolerance : {2.0F, 0.25F, 0.01F}) {
        std::vector<Point> points;
        add_ellipse_points({{10, 20}, 80, -30}, tolerance, points);
        CHECK(points.size() % 4 == 0);
        CHECK(points[0] == Point{90, 20});
        CHECK(points[points.size() / 4].y == Approx(50));
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point a = points[i];
            const Point b = points[(i + 1) % points.size()];
            CHECK(std::hypot((a.x - 10) / 80, (a.y - 20) / 30) == Approx(1));
            const double middle = std::hypot(((a.x + b.x) / 2 - 10) / 80, ((a.y + b.y) / 2 - 20) / 30);
            CHECK((1 - middle) * 80 <= tolerance + 1e-3);
        }
    }
}

TEST_CASE("an arc has both of its ends") {
    const auto arc = [](float from, float to) {
        std::vector<Point> points;
        add_arc_points({{0, 0}, 100, 100}, from, to, 0.25F, points);
        return points;
    };
    const auto half = static_cast<float>(std::numbers::pi);
    CHECK(arc(0, half / 2).front() == Point{100, 0});
    CHECK(arc(0, half / 2).back().y == Approx(100));
    CHECK(arc(0, half / 2)[1].y > 0);
    CHECK(arc(0, -half / 2)[1].y < 0);
    CHECK(arc(1, 1).size() == 2);
    CHECK(arc(0, 100).size() == arc(0, 2 * half).size());
    CHECK(arc(0, half).size() < arc(0, 2 * half).size());
    CHECK(arc(0, kNaN).empty());
    CHECK(arc(std::numeric_limits<float>::infinity(), 0).empty());
}

TEST_CASE("what is no ellipse adds nothing, and a huge one no more than the limit") {
    const auto ellipse = [](const Ellipse& shape) {
        std::vector<Point> points;
        add_ellipse_points(shape, 0.25F, points);
        return points.size();
    };
    CHECK(ellipse({{0, 0}, 0, 0}) == 0);
    CHECK(ellipse({{0, kNaN}, 1, 1}) == 0);
    CHECK(ellipse({{0, 0}, 1, kNaN}) == 0);
    CHECK(ellipse({{0, 0}, 5, 0}) >= 4);
    CHECK(ellipse({{0, 0}, 1e9F, 1e9F}) == kMaxCurvePieces);
}

}  // namespace
}  // namespace perigee
