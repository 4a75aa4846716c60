// Filled polygons: their opacity is their area, with a soft edge or without.
#include "engine/draw/shapes/polygon.h"

#include "tests/engine/draw/shapes/mesh_area.h"
#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

#include <limits>
#include <numbers>

namespace perigee {
namespace {

using test::measure;
using test::ShapeRandom;

std::vector<MeshPoint> filled(const std::vector<Point>& points, float fringe,
                              std::uint32_t color = 0xFFFF'FFFF) {
    static PolygonScratch scratch;
    std::vector<MeshPoint> mesh;
    add_polygon(points, color, fringe, scratch, mesh);
    REQUIRE(mesh.size() % 3 == 0);
    return mesh;
}

std::vector<Point> regular(int count, double radius) {
    std::vector<Point> points;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * i / count;
        points.push_back(
            {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))});
    }
    return points;
}

TEST_CASE("without a soft edge a polygon is filled up to its sides") {
    ShapeRandom random{1};
    for (std::size_t round = 0; round < 100; ++round) {
        const std::vector<Point> points = test::star_polygon(random, 3 + round % 40);
        const test::MeshMeasure sum = measure(filled(points, 0));
        CHECK(sum.area == Approx(test::polygon_area(points)));
        CHECK(sum.smallest > 0.0);
    }
    CHECK(filled(regular(5, 9), std::numeric_limits<float>::quiet_NaN()) == filled(regular(5, 9), 0));
    CHECK(filled(regular(5, 9), -1) == filled(regular(5, 9), 0));
}

TEST_CASE("a soft edge keeps the area, and half of the opacity is at the side") {
    for (const int count : {4, 6, 60}) {
        std::vector<Point> points = regular(count, 100);
        for (int way = 0; way < 2; ++way) {
            const std::vector<MeshPoint> mesh = filled(points, 4);
            CHECK(measure(mesh).opacity == Approx(test::polygon_area(points)).epsilon(2e-3));
            const Point middle{(points[0].x + points[1].x) / 2, (points[0].y + points[1].y) / 2};
            const float scale = 1 / std::hypot(middle.x, middle.y);
            const auto at = [&](float out) {
                return test::opacity_at(mesh, {middle.x * (1 + out * scale), middle.y * (1 + out * scale)});
            };
            CHECK(at(-2.1F) == Approx(1));
            CHECK(at(-1) == Approx(0.75).margin(0.01));
            CHECK(at(0) == Approx(0.5).margin(0.01));
            CHECK(at(1) == Approx(0.25).margin(0.01));
            CHECK(at(2.1F) == 0.0);
            std::ranges::reverse(points);
        }
    }
}

TEST_CASE("the soft edge of a concave polygon overlaps nothing") {
    ShapeRandom random{2};
    for (std::size_t round = 0; round < 60; ++round) {
        std::vector<Point> points = test::star_polygon(random, 5 + round % 12, 60, 120);
        const std::vector<MeshPoint> mesh = filled(points, 1);
        CHECK(measure(mesh).smallest > 0.0);
        CHECK(measure(mesh).opacity == Approx(test::polygon_area(points)).epsilon(0.01));
        for (int i = 0; i < 200; ++i) {
            const Point at = random.point(125);
            REQUIRE(test::cover_count(mesh, at) <= 1);
            if (test::distance_to_border(points, at) < 2.5) continue;
            CHECK((test::opacity_at(mesh, at) > 0.99) == test::is_inside(points, at));
        }
    }
}

TEST_CASE("a polygon that is smaller than its soft edge has the opacity of its area") {
    for (const double radius : {0.02, 0.2, 0.5, 1.0}) {
        INFO(radius);
        const std::vector<Point> points = regular(12, radius);
        CHECK(measure(filled(points, 1)).opacity ==
              Approx(test::polygon_area(points)).epsilon(0.05).margin(0.01));
    }
    const std::vector<Point> thin{{0, 0}, {100, 0}, {100, 0.5F}, {0, 0.5F}};
    CHECK(measure(filled(thin, 1)).opacity == Approx(50).epsilon(0.05));
}

TEST_CASE("a spike has an edge that ends near it") {
    const std::vector<Point> points{{0, 0}, {100, 0.5F}, {0, 1}};
    for (const MeshPoint& point : filled(points, 2)) CHECK(point.x < 105);
}

TEST_CASE("the soft edge of a notch stays away from the side behind it") {
    const std::vector<Point> points{{0, 0}, {100, 5}, {8, 11}, {100, 30}, {0, 70}};
    const std::vector<MeshPoint> mesh = filled(points, 4);
    ShapeRandom random{8};
    for (int i = 0; i < 2000; ++i) {
        const Point at = random.point(15);
        REQUIRE(test::cover_count(mesh, {at.x, at.y + 11}) <= 1);
    }
}

TEST_CASE("colours keep their hue, and their opacity inside") {
    for (const MeshPoint& point : filled(regular(6, 50), 1, 0x8012'3456)) {
        CHECK((point.color & 0xFF'FFFFU) == 0x12'3456);
        CHECK((point.color >> 24U == 0x80 || point.color >> 24U == 0));
    }
}

TEST_CASE("a small polygon that crosses itself is filled by the even-odd rule") {
    std::vector<Point> pentagram;
    for (const std::size_t i : {0, 2, 4, 1, 3}) pentagram.push_back(regular(5, 100)[i]);
    const std::vector<MeshPoint> mesh = filled(pentagram, 1);
    CHECK(test::opacity_at(mesh, {0, 0}) == 0.0);
    CHECK(test::opacity_at(mesh, {90, 0}) == 1.0);
    ShapeRandom random{3};
    for (int i = 0; i < 300; ++i) {
        const Point at = random.point(100);
        if (test::distance_to_border(pentagram, at) < 0.1) continue;
        CHECK((test::opacity_at(mesh, at) > 0.0) == test::is_inside(pentagram, at));
    }
}

TEST_CASE("a lasso whose ends cross is filled by the even-odd rule, too") {
    std::vector<Point> lasso = regular(250, 100);
    lasso.front() = {80, -20};
    lasso.back() = {80, 20};
    const std::vector<MeshPoint> mesh = filled(lasso, 1);
    CHECK(test::opacity_at(mesh, {0, 0}) == 1.0);
    CHECK(measure(mesh).smallest > 0.0);
    ShapeRandom random{7};
    for (int i = 0; i < 300; ++i) {
        const Point at = random.point(100);
        if (test::distance_to_border(lasso, at) < 0.1) continue;
        CHECK((test::opacity_at(mesh, at) > 0.0) == test::is_inside(lasso, at));
    }
}

TEST_CASE("a large polygon that crosses itself is filled somehow") {
    ShapeRandom random{4};
    std::vector<Point> points;
    for (int i = 0; i < 200; ++i) points.push_back(random.point(100));
    const test::MeshMeasure sum = measure(filled(points, 1));
    CHECK(sum.area > 0.0);
    CHECK(sum.smallest > 0.0);
}

TEST_CASE("what is no polygon is not filled") {
    CHECK(filled({}, 1).empty());
    CHECK(filled({{0, 0}, {1, 1}}, 1).empty());
    CHECK(filled({{0, 0}, {1, 1}, {2, 2}}, 1).empty());
    CHECK(filled({{0, 0}, {1, 0}, {std::numeric_limits<float>::infinity(), 2}}, 1).empty());
}

TEST_CASE("any drawable polygon gives finite triangles with an area") {
    ShapeRandom random{5};
    for (std::size_t round = 0; round < 1000; ++round) {
        const double size = std::pow(10.0, random.between(-6, 9));
        std::vector<Point> points = test::star_polygon(random, 3 + round % 30, size / 50, size);
        if (round % 3 == 0) points[round % points.size()] = random.point(size);
        const std::vector<MeshPoint> mesh =
            filled(points, static_cast<float>(std::pow(10.0, random.between(-3, 9))));
        for (const MeshPoint& point : mesh) REQUIRE((std::isfinite(point.x) && std::isfinite(point.y)));
        if (!mesh.empty()) CHECK(measure(mesh).smallest > 0.0);
    }
}

TEST_CASE("a filled polygon that fits the memory of the last one allocates nothing") {
    ShapeRandom random{6};
    const std::vector<Point> points = test::star_polygon(random, 1000);
    PolygonScratch scratch;
    std::vector<MeshPoint> mesh;
    add_polygon(points, 0xFFFF'FFFF, 1, scratch, mesh);
    mesh.clear();
    {
        const RefusedMemory counting{RefusedMemory::kNever};
        add_polygon(points, 0xFFFF'FFFF, 1, scratch, mesh);
    }
    CHECK(RefusedMemory::requests() == 0);
}

}  // namespace
}  // namespace perigee
