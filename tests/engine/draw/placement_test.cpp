// Where the corners of items are after a placement, beside the matrix applied to each of them.
#include "engine/draw/placement.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <random>

using namespace perigee;

namespace {

using Corners = std::array<DrawMatrix::Point, 4>;

// Of a rectangle or sprite, by the definition of DrawItem.
Corners corners_of(const DrawItem& item) {
    const double angle = item.angle_radians();
    Corners corners;
    for (std::size_t i = 0; i < 4; ++i) {
        const double x = item.w * ((i & 1U) != 0 ? 1 : 0) - item.w * item.origin_x / 128.0;
        const double y = item.h * ((i & 2U) != 0 ? 1 : 0) - item.h * item.origin_y / 128.0;
        corners[i] = {static_cast<float>(item.x + x * std::cos(angle) - y * std::sin(angle)),
                      static_cast<float>(item.y + x * std::sin(angle) + y * std::cos(angle))};
    }
    return corners;
}

class Random {
public:
    float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(source_); }
    DrawItem rectangle() {
        DrawItem item{
            .x = between(-100, 100), .y = between(-100, 100), .w = between(1, 80), .h = between(1, 80)};
        item.angle = static_cast<std::uint16_t>(between(0, 65535));
        item.origin_x = static_cast<std::uint8_t>(between(0, 255));
        item.origin_y = static_cast<std::uint8_t>(between(0, 255));
        return item;
    }

private:
    std::mt19937 source_{7};
};

DrawMatrix even(float angle, float scale, float x, float y) {
    return {scale * std::cos(angle), -scale * std::sin(angle), x,
            scale * std::sin(angle), scale * std::cos(angle),  y};
}

}  // namespace

TEST_CASE("an item is where its corners are, moved by the matrix") {
    Random random;
    for (int i = 0; i < 500; ++i) {
        const DrawMatrix matrix = even(random.between(-4, 4), random.between(0.1F, 5),
                                       random.between(-50, 50), random.between(-50, 50));
        const DrawItem before = random.rectangle();
        DrawItem after = before;
        const Placement placement(matrix);
        placement.apply(after);
        CHECK(placement.state_matrix() == DrawMatrix{});
        const Corners from = corners_of(before), to = corners_of(after);
        for (std::size_t corner = 0; corner < 4; ++corner) {
            const DrawMatrix::Point expected = matrix.apply(from[corner].x, from[corner].y);
            // An angle has steps of 1/65536 turn, over up to 1,000 pixels.
            CHECK(std::hypot(to[corner].x - expected.x, to[corner].y - expected.y) < 0.2F);
        }
    }
}

TEST_CASE("both ends of a line are moved, and widths and corners are scaled") {
    const Placement placement(even(0, 2, 10, 20));
    DrawItem line{.x = 1, .y = 2, .w = 3, .h = 4, .stroke = 16, .kind = DrawKind::line};
    placement.apply(line);
    CHECK(line == DrawItem{.x = 12, .y = 24, .w = 16, .h = 28, .stroke = 32, .kind = DrawKind::line});
    DrawItem box{.w = 8, .h = 9, .ref = 48, .kind = DrawKind::rectangle};
    placement.apply(box);
    CHECK(box == DrawItem{.x = 10, .y = 20, .w = 16, .h = 18, .ref = 96, .kind = DrawKind::rectangle});
}

TEST_CASE("a matrix that stretches, mirrors, slants or flattens stays a state") {
    for (const DrawMatrix& matrix :
         {DrawMatrix{2, 0, 0, 0, 1, 0}, DrawMatrix{-1, 0, 0, 0, 1, 0}, DrawMatrix{1, 0.5F, 0, 0, 1, 0},
          DrawMatrix{0, 0, 1, 0, 0, 1}, DrawMatrix{0, 1, 0, 1, 0, 0}}) {
        const Placement placement(matrix);
        CHECK(placement.state_matrix() == matrix);
        Random random;
        const DrawItem before = random.rectangle();
        DrawItem after = before;
        placement.apply(after);
        CHECK(after == before);
    }
}

TEST_CASE("without a matrix nothing changes") {
    Random random;
    const DrawItem before = random.rectangle();
    DrawItem after = before;
    Placement{}.apply(after);
    CHECK(after == before);
    CHECK(Placement{}.is_identity());
    CHECK(Placement{}.scale() == 1.0F);
}
