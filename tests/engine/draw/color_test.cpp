// Round trips through the text forms, and rounding.
#include "engine/draw/color.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <limits>
#include <random>

using namespace perigee;

TEST_CASE("a packed colour written as hexadecimal is parsed to the same colour") {
    std::mt19937 random{1};
    for (int i = 0; i < 2000; ++i) {
        const auto c = static_cast<PackedColor>(random());
        const auto text =
            fmt::format("#{:02x}{:02X}{:02x}{:02X}", c & 255U, c >> 8U & 255U, c >> 16U & 255U, c >> 24U);
        REQUIRE(color_from_text(text) == c);
    }
}

TEST_CASE("a text that is not a colour gives none") { CHECK_FALSE(color_from_text("ff0000")); }

TEST_CASE("unit values are clamped and rounded") {
    CHECK(color_from_unit(0, 0.5, 1) == pack_color(0, 128, 255));
    CHECK(color_from_unit(-3, 7, std::numeric_limits<double>::quiet_NaN(), 0) == pack_color(0, 255, 0, 0));
}
