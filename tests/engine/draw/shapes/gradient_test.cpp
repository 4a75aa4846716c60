// Colours of gradients at the corners and in between.
#include "engine/draw/shapes/gradient.h"

#include "tests/engine/draw/shapes/mesh_area.h"

#include <catch2/catch.hpp>

#include <limits>
#include <numbers>

namespace perigee {
namespace {

constexpr std::uint32_t kBlack = 0xFF00'0000;
constexpr std::uint32_t kWhiteColor = 0xFFFF'FFFF;
constexpr auto kPi = std::numbers::pi_v<float>;

std::uint32_t color_at(const std::vector<MeshPoint>& mesh, float x, float y) {
    for (const MeshPoint& point : mesh) {
        if (point.x == x && point.y == y) return point.color;
    }
    FAIL("no corner at " << x << ", " << y);
    return 0;
}

std::vector<MeshPoint> linear(const Box& box, float angle) {
    std::vector<MeshPoint> mesh;
    add_linear_gradient(box, kBlack, kWhiteColor, angle, mesh);
    return mesh;
}

TEST_CASE("each corner of a box has its colour, and the middle their average") {
    std::vector<MeshPoint> mesh;
    add_corner_gradient({10, 20, 100, 50}, {0xFF00'0000, 0xFF00'0064, 0xFF64'0000, 0xFF00'6400}, mesh);
    CHECK(mesh.size() == 12);
    CHECK(test::measure(mesh).area == Approx(5000));
    CHECK(test::measure(mesh).smallest > 0.0);
    CHECK(color_at(mesh, 10, 20) == 0xFF00'0000);
    CHECK(color_at(mesh, 110, 20) == 0xFF00'0064);
    CHECK(color_at(mesh, 110, 70) == 0xFF64'0000);
    CHECK(color_at(mesh, 10, 70) == 0xFF00'6400);
    CHECK(color_at(mesh, 60, 45) == 0xFF19'1919);
    for (const MeshPoint& point : mesh) {
        CHECK(point.u == Approx((point.x - 10) / 100));
        CHECK(point.v == Approx((point.y - 20) / 50));
    }
}

TEST_CASE("a linear gradient runs along its angle, from the first corner to the last") {
    const Box box{0, 0, 100, 50};
    CHECK(color_at(linear(box, 0), 0, 0) == kBlack);
    CHECK(color_at(linear(box, 0), 0, 50) == kBlack);
    CHECK(color_at(linear(box, 0), 100, 0) == kWhiteColor);
    CHECK(color_at(linear(box, kPi / 2), 100, 0) == kBlack);
    CHECK(color_at(linear(box, kPi / 2), 0, 50) == kWhiteColor);
    CHECK(color_at(linear(box, kPi), 0, 0) == kWhiteColor);
    const std::vector<MeshPoint> slanted = linear(box, kPi / 4);
    CHECK(color_at(slanted, 0, 0) == kBlack);
    CHECK(color_at(slanted, 100, 50) == kWhiteColor);
    CHECK(color_at(slanted, 100, 0) == 0xFFAA'AAAA);  // 2/3 of the way
    CHECK(color_at(slanted, 50, 25) == 0xFF80'8080);
    CHECK(linear(box, std::numeric_limits<float>::infinity()) == linear(box, 0));
}

TEST_CASE("a box of negative size is the same box, and its triangles run from x to y") {
    for (const Box& box : {Box{100, 0, -100, 50}, Box{0, 50, 100, -50}, Box{100, 50, -100, -50}}) {
        const std::vector<MeshPoint> mesh = linear(box, 0);
        CHECK(test::measure(mesh).smallest > 0.0);
        CHECK(test::measure(mesh).area == Approx(5000));
        CHECK(color_at(mesh, 0, 0) == kBlack);
        CHECK(color_at(mesh, 100, 50) == kWhiteColor);
    }
}

TEST_CASE("a box without an area adds nothing") {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    for (const Box& box : {Box{0, 0, 0, 5}, Box{0, 0, 5, 0}, Box{kNaN, 0, 5, 5}, Box{0, 0, 5, kNaN},
                           Box{0, 0, std::numeric_limits<float>::infinity(), 5}, Box{9e8F, 0, 9e8F, 5}}) {
        CHECK(linear(box, 1).empty());
    }
}

}  // namespace
}  // namespace perigee
