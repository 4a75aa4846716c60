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
    CHECK(quantised_stroke(1e30F) == 0xFFFF);
    CHECK(quantised_stroke(-std::numeric_limits<float>::infinity()) == 1);
    CHECK(quantised_stroke(1e-9F) == kFineStroke + 1);
    DrawItem item;
    for (const float exact : {0.0625F, 0.5F, 1.0F, 3.9375F, 4.0F, 77.25F, 2047.9375F, 2048.0F, 4000.25F}) {
        item.stroke = quantised_stroke(exact);
        CHECK(item.stroke_pixels() == exact);
    }
    for (float pixels = 0.001F; pixels < 6000.0F; pixels *= 1.01F) {
        item.stroke = quantised_stroke(pixels);
        CAPTURE(pixels);
        const float most = pixels < 4.0F ? 1.0F / 8192.0F : pixels < 2048.0F ? 1.0F / 32.0F : 0.126F;
        CHECK(std::fabs(item.stroke_pixels() - pixels) <= most);
    }
    item.stroke = quantised_stroke(3.99999F);
    CHECK(item.stroke_pixels() == Approx(4.0F).margin(0.001));
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
