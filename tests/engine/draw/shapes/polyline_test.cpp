// Lines against their definition: what is nearer to the points than half of the width is covered, once.
#include "engine/draw/shapes/polyline.h"

#include "tests/engine/draw/shapes/mesh_area.h"
#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace perigee {
namespace {

using test::measure;
using test::ShapeRandom;

constexpr LineJoin kJoins[] = {LineJoin::miter, LineJoin::bevel, LineJoin::round};
constexpr LineCap kCaps[] = {LineCap::butt, LineCap::round, LineCap::square};
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<MeshPoint> drawn(const std::vector<Point>& points, const PolylineStyle& style) {
    std::vector<MeshPoint> mesh;
    add_polyline(points, style, mesh);
    REQUIRE(mesh.size() % 3 == 0);
    return mesh;
}

std::vector<Point> sine_curve(std::size_t count) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = 300.0 * static_cast<double>(i) / static_cast<double>(count - 1);
        points.push_back({static_cast<float>(x), static_cast<float>(60.0 * std::sin(x / 40.0))});
    }
    return points;
}

double length_of(const std::vector<Point>& points) {
    double sum = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        sum += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    }
    return sum;
}

// Runs in x, so it does not cross itself; its corners turn by up to 120 degrees.
std::vector<Point> zigzag(ShapeRandom& random) {
    std::vector<Point> points{{0, 0}};
    for (int i = 0; i < 6; ++i) {
        const double angle = random.between(-1.0, 1.0);
        const double along = random.between(40.0, 60.0);
        points.push_back({points.back().x + static_cast<float>(along * std::cos(angle)),
                          points.back().y + static_cast<float>(along * std::sin(angle))});
    }
    return points;
}

double distance_to_line(const std::vector<Point>& points, Point at) {
    double nearest = 1e30;
    for (std::size_t i = 1; i < points.size(); ++i) {
        nearest = std::min(nearest, test::distance_to_segment(at, points[i - 1], points[i]));
    }
    return nearest;
}

TEST_CASE("a straight line covers its length times its width") {
    const std::vector<Point> points{{10, 10}, {40, 50}};  // 50 long
    for (const float fringe : {0.0F, 1.0F, 3.0F}) {
        INFO(fringe);
        const auto area = [&](LineCap cap) {
            return measure(drawn(points, {.width = 6, .cap = cap, .fringe = fringe, .tolerance = 0.001F}))
                .opacity;
        };
        const double corners =
            fringe * fringe / 3.0;  // where two soft edges meet; their product would be 1/4
        CHECK(area(LineCap::butt) == Approx(300 + corners));
        CHECK(area(LineCap::square) == Approx(300 + 36 + corners));
        // The soft edge of a circle: the part outside of the border is longer than the part inside.
        const double soft = std::numbers::pi * fringe * fringe / 12.0;
        CHECK(area(LineCap::round) == Approx(300 + std::numbers::pi * 9 + soft).epsilon(1e-3));
    }
}

TEST_CASE("a smooth curve covers its length times its width, whatever the join") {
    const std::vector<Point> points = sine_curve(400);
    for (const LineJoin join : kJoins) {
        for (const float fringe : {0.0F, 1.0F}) {
            const test::MeshMeasure sum =
                measure(drawn(points, {.width = 8, .join = join, .fringe = fringe}));
            CHECK(sum.opacity == Approx(length_of(points) * 8).epsilon(1e-3));
            CHECK(sum.smallest > 0.0);
        }
    }
}

TEST_CASE("each point of a line with ordinary corners is covered once, and none beside it") {
    ShapeRandom random{1};
    for (int round = 0; round < 40; ++round) {
        std::vector<Point> points = zigzag(random);
        if (round % 2 == 1) std::ranges::reverse(points);
        const LineJoin join = kJoins[round % 3];
        const LineCap cap = kCaps[round / 3 % 3];
        const float fringe = round % 4 < 2 ? 0.0F : 2.0F;
        const std::vector<MeshPoint> mesh =
            drawn(points, {.width = 10, .join = join, .cap = cap, .fringe = fringe});
        CHECK(measure(mesh).smallest > 0.0);
        for (int i = 0; i < 300; ++i) {
            const Point& near = points[static_cast<std::size_t>(random.between(0, 6.99))];
            const Point offset = random.point(20);
            const Point at{near.x + offset.x, near.y + offset.y};
            const double distance = distance_to_line(points, at);
            INFO(round << ": " << at.x << ", " << at.y);
            const int count = test::cover_count(mesh, at);
            REQUIRE(count <= 1);
            if (join != LineJoin::round || cap != LineCap::round) continue;
            const double opacity = test::opacity_at(mesh, at);
            const double expected = fringe > 0.0F ? std::clamp((5.0 + 1.0 - distance) / 2.0, 0.0, 1.0)
                                                  : (distance < 5.0 ? 1.0 : 0.0);
            if (fringe > 0.0F || std::abs(distance - 5.0) > 0.3) {
                CHECK(opacity == Approx(expected).margin(0.2));
            }
        }
    }
}

TEST_CASE("a closed line joins its ends") {
    const std::vector<Point> square{{0, 0}, {100, 0}, {100, 100}, {0, 100}};
    std::vector<Point> repeated = square;
    repeated.push_back({0, 0});
    repeated.push_back({0, 0});
    for (const std::vector<Point>& points : {square, repeated}) {
        const auto area = [&](LineJoin join, float fringe) {
            return measure(drawn(points, {.width = 10,
                                          .is_closed = true,
                                          .join = join,
                                          .fringe = fringe,
                                          .tolerance = 0.001F}))
                .opacity;
        };
        CHECK(area(LineJoin::miter, 0) == Approx(110 * 110 - 90 * 90));
        CHECK(area(LineJoin::miter, 1) == Approx(110 * 110 - 90 * 90));
        CHECK(area(LineJoin::bevel, 0) == Approx(110 * 110 - 90 * 90 - 4 * 12.5));
        CHECK(area(LineJoin::round, 0) ==
              Approx(110 * 110 - 90 * 90 - 4 * (25 - std::numbers::pi * 25 / 4)).epsilon(1e-4));
        CHECK(area(LineJoin::bevel, 0) == Approx(area(LineJoin::bevel, 1)).epsilon(0.002));
    }
}

TEST_CASE("a closed line covers each point once, on both sides of its first point") {
    ShapeRandom random{2};
    for (int round = 0; round < 30; ++round) {
        std::vector<Point> points = test::star_polygon(random, 3 + round % 5, 80, 120);
        if (round % 2 == 1) std::ranges::reverse(points);
        const std::vector<MeshPoint> mesh = drawn(
            points, {.width = 8, .is_closed = true, .join = kJoins[round % 3], .fringe = round % 2 * 1.0F});
        for (int i = 0; i < 300; ++i) {
            const Point& near = points[static_cast<std::size_t>(random.between(0, points.size() - 0.01))];
            const Point offset = random.point(12);
            const Point at{near.x + offset.x, near.y + offset.y};
            REQUIRE(test::cover_count(mesh, at) <= 1);
            const bool is_bevel =
                kJoins[round % 3] == LineJoin::bevel;  // it cuts off what is near a sharp corner
            if (!is_bevel && test::distance_to_border(points, at) < 3.0) {
                REQUIRE(test::opacity_at(mesh, at) > 0.9);
            }
        }
    }
}

TEST_CASE("a thick line around a small circle is one disc") {
    std::vector<Point> circle;
    for (int i = 0; i < 40; ++i) {
        const double angle = i * std::numbers::pi / 20;
        circle.push_back({static_cast<float>(3 * std::cos(angle)), static_cast<float>(3 * std::sin(angle))});
    }
    for (const float fringe : {0.0F, 1.0F}) {
        const std::vector<MeshPoint> mesh = drawn(circle, {.width = 10, .is_closed = true, .fringe = fringe});
        ShapeRandom random{3};
        for (int i = 0; i < 500; ++i) {
            const Point at = random.point(10);
            const double distance = std::hypot(at.x, at.y);
            CHECK(test::cover_count(mesh, at) <= 1);
            if (distance > 0.1 && distance < 7.3) CHECK(test::opacity_at(mesh, at) == Approx(1));
            if (distance > 8.6) CHECK(test::opacity_at(mesh, at) == 0.0);
        }
    }
}

TEST_CASE("a long segment keeps its width until a bend that is too tight for it") {
    std::vector<Point> points{{-100, -3}};
    for (int i = 0; i <= 20; ++i) {
        const double angle = (i / 20.0 - 0.5) * std::numbers::pi;
        points.push_back({static_cast<float>(3 * std::cos(angle)), static_cast<float>(3 * std::sin(angle))});
    }
    const std::vector<MeshPoint> mesh = drawn(points, {.width = 10});
    for (float x = -99; x < -1; ++x) {
        CHECK(test::opacity_at(mesh, {x, 1.9F}) == Approx(1));
        CHECK(test::opacity_at(mesh, {x, -7.9F}) == Approx(1));
    }
}

TEST_CASE("a miter ends at its limit") {
    const std::vector<Point> points{{0, 0}, {100, 0}, {0, 20}};  // its miter is about 10 widths long
    const auto reach = [&](float limit) {
        float most = 0;
        for (const MeshPoint& point : drawn(points, {.width = 10, .miter_limit = limit}))
            most = std::max(most, point.x);
        return most;
    };
    CHECK(reach(11) > 140);
    CHECK(reach(4) < 110);
    CHECK(reach(kNaN) < 110);
}

TEST_CASE("the edge of a bevel is as soft as that of the segments") {
    const std::vector<Point> points{{0, 0}, {100, 0}, {100, 100}};
    const std::vector<MeshPoint> mesh = drawn(points, {.width = 20, .join = LineJoin::bevel, .fringe = 4});
    const auto at = [&](double along) {  // along the diagonal, from the bevel outwards; 2 inside, 2 outside
        const double middle = 8 / std::numbers::sqrt2 / std::numbers::sqrt2;
        const double away = along / std::numbers::sqrt2;
        return test::opacity_at(
            mesh, {static_cast<float>(100 + middle + away), static_cast<float>(-middle - away)});
    };
    CHECK(at(-0.5) == Approx(1));
    CHECK(at(1) == Approx(0.75).margin(0.01));
    CHECK(at(2) == Approx(0.5).margin(0.01));
    CHECK(at(3) == Approx(0.25).margin(0.01));
    CHECK(at(4.5) == 0.0);
}

TEST_CASE("a line thinner than its soft edge is fainter, not thinner") {
    const std::vector<Point> points{{0, 0}, {100, 0}};
    const std::vector<MeshPoint> mesh = drawn(points, {.width = 0.25F, .fringe = 1});
    CHECK(measure(mesh).opacity == Approx(25).epsilon(0.01));
    CHECK(test::opacity_at(mesh, {50, 0}) == Approx(0.25).margin(0.005));
    CHECK(test::opacity_at(mesh, {50, 0.5F}) == Approx(0.125).margin(0.005));
    for (const MeshPoint& point : mesh) CHECK((point.color & 0xFF'FFFFU) == 0xFF'FFFFU);
}

TEST_CASE("one point is a disc, a square or nothing, as its cap says") {
    for (const std::vector<Point>& points :
         {std::vector<Point>{{5, 5}}, std::vector<Point>{{5, 5}, {5, 5}, {5, 5}}}) {
        for (const bool is_closed : {false, true}) {
            const auto area = [&](LineCap cap, float fringe) {
                return measure(drawn(points, {.width = 6,
                                              .is_closed = is_closed,
                                              .cap = cap,
                                              .fringe = fringe,
                                              .tolerance = 0.001F}))
                    .opacity;
            };
            CHECK(area(LineCap::butt, 0) == 0.0);
            CHECK(area(LineCap::round, 0) == Approx(std::numbers::pi * 9).epsilon(1e-3));
            CHECK(area(LineCap::square, 0) == Approx(36));
            CHECK(area(LineCap::butt, 1) == 0.0);
            CHECK(area(LineCap::square, 1) == Approx(36).epsilon(0.02));
        }
    }
}

TEST_CASE("repeated points and a closed line of two points change nothing") {
    const std::vector<Point> points{{0, 0}, {50, 0}, {50, 50}};
    const std::vector<Point> repeated{{0, 0}, {0, 0}, {50, 0}, {50, 0}, {50, 0}, {50, 50}, {50, 50}};
    for (const LineJoin join : kJoins) {
        for (const LineCap cap : kCaps) {
            const PolylineStyle style{.width = 5, .join = join, .cap = cap, .fringe = 1};
            CHECK(drawn(points, style) == drawn(repeated, style));
        }
    }
    CHECK(drawn({{0, 0}, {50, 0}, {0, 0}}, {.width = 5, .is_closed = true}) ==
          drawn({{0, 0}, {50, 0}}, {.width = 5}));
}

TEST_CASE("a line that turns back ends as its join says") {
    const std::vector<Point> points{{0, 0}, {50, 0}, {0, 0}};
    const auto reach = [&](LineJoin join) {
        float most = 0;
        for (const MeshPoint& point : drawn(points, {.width = 10, .join = join, .tolerance = 0.001F}))
            most = std::max(most, point.x);
        return most;
    };
    CHECK(reach(LineJoin::miter) == Approx(50));
    CHECK(reach(LineJoin::bevel) == Approx(50));
    CHECK(reach(LineJoin::round) == Approx(55).margin(0.01));
}

TEST_CASE("what cannot be drawn adds nothing") {
    const std::vector<Point> good{{0, 0}, {50, 0}, {50, 50}};
    CHECK(drawn({}, {}).empty());
    for (const float bad : {kNaN, kInfinity, -kInfinity, 1e30F}) {
        for (std::size_t i = 0; i < good.size(); ++i) {
            std::vector<Point> points = good;
            points[i].x = bad;
            CHECK(drawn(points, {}).empty());
            points[i] = {1, bad};
            CHECK(drawn(points, {}).empty());
        }
        CHECK(drawn(good, {.width = bad}).empty());
    }
    CHECK(drawn(good, {.width = 0}).empty());
    CHECK(drawn(good, {.width = -1}).empty());
    for (const float bad : {kNaN, kInfinity, -1.0F}) {
        CHECK(drawn(good, {.fringe = bad}) == drawn(good, {}));
        CHECK(drawn(good, {.join = LineJoin::round, .tolerance = bad}) ==
              drawn(good, {.join = LineJoin::round}));
    }
}

TEST_CASE("any drawable points give finite triangles with an area") {
    ShapeRandom random{4};
    for (int round = 0; round < 2000; ++round) {
        std::vector<Point> points;
        const double size = std::pow(10.0, random.between(-6, 9));
        while (random.between(0, 1) < 0.8) {
            points.push_back(random.point(size));
            if (random.between(0, 1) < 0.2) points.push_back(points[points.size() / 2]);
            if (random.between(0, 1) < 0.2) points.back().y = points.front().y;
        }
        const PolylineStyle style{.width = static_cast<float>(std::pow(10.0, random.between(-3, 9))),
                                  .is_closed = round % 2 == 1,
                                  .join = kJoins[round % 3],
                                  .cap = kCaps[round / 3 % 3],
                                  .miter_limit = 1e9F,
                                  .fringe = static_cast<float>(round % 5)};
        for (const MeshPoint& point : drawn(points, style))
            REQUIRE((std::isfinite(point.x) && std::isfinite(point.y)));
        if (!points.empty()) CHECK(measure(drawn(points, style)).smallest > 0.0);
    }
}

TEST_CASE("a line that fits the memory of the last one allocates nothing") {
    const std::vector<Point> points = sine_curve(1000);
    const PolylineStyle style{.width = 8, .is_closed = true, .join = LineJoin::round, .fringe = 1};
    std::vector<MeshPoint> mesh = drawn(points, style);
    mesh.clear();
    {
        const RefusedMemory counting{RefusedMemory::kNever};
        add_polyline(points, style, mesh);
    }
    CHECK(RefusedMemory::requests() == 0);
}

}  // namespace
}  // namespace perigee
