// The quantised members of an item compared with their values.
#include "engine/draw/draw_item.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace perigee;

TEST_CASE("an angle is stored to a fraction of a degree, whatever its number of turns") {
    std::mt19937 random{2};
    for (int i = 0; i < 1000; ++i) {
        const float radians = (static_cast<float>(random() % 200'000) - 100'000.0F) / 1000.0F;
        const double kept = DrawItem{.angle = quantised_angle(radians)}.angle_radians();
        CHECK(std::cos(kept) == Approx(std::cos(radians)).margin(2e-4));
        CHECK(std::sin(kept) == Approx(std::sin(radians)).margin(2e-4));
    }
    CHECK(quantised_angle(std::numeric_limits<float>::quiet_NaN()) == 0);
    CHECK(quantised_angle(std::numeric_limits<float>::infinity()) == 0);
}

TEST_CASE("a stroke is never zero, which would mean filled") {
    CHECK(quantised_stroke(0) == 1);
    CHECK(quantised_stroke(-5) == 1);
    CHECK(quantised_stroke(1.5F) == 24);
    CHECK(quantised_stroke(1e30F) == 4095 * 16);
    CHECK(quantised_stroke(std::numeric_limits<float>::quiet_NaN()) == 16);
}

TEST_CASE("the flags store blend mode, flips, space and alignment independently") {
    DrawItem item;
    item.flags =
        static_cast<std::uint8_t>(static_cast<unsigned>(BlendMode::multiply) | kDrawFlipY | kDrawScreen |
                                  static_cast<unsigned>(TextAlign::right) << kDrawAlignShift);
    CHECK(item.blend() == BlendMode::multiply);
    CHECK(item.align() == TextAlign::right);
    CHECK((item.flags & kDrawFlipX) == 0);
}

TEST_CASE("an origin keeps its usual values exactly and is clamped elsewhere") {
    CHECK(quantised_origin(0.5F) == 64);
    CHECK(quantised_origin(1.0F) == 128);
    CHECK(quantised_origin(-1.0F) == 0);
    CHECK(quantised_origin(9.0F) == 255);
    CHECK(quantised_origin(std::numeric_limits<float>::quiet_NaN()) == 0);
}
