// Round trips through the text forms, and invalid texts.
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

TEST_CASE("short forms repeat their digits and are opaque without the last one") {
    CHECK(color_from_text("#f80") == pack_color(255, 136, 0, 255));
    CHECK(color_from_text("#f808") == pack_color(255, 136, 0, 136));
    CHECK(color_from_text("#ff8000") == pack_color(255, 128, 0, 255));
}

TEST_CASE("colours have names") {
    CHECK(color_from_text("white") == kWhite);
    CHECK(color_from_text("grey") == color_from_text("gray"));
    CHECK(color_from_text("transparent") == 0U);
}

TEST_CASE("any other text is not a colour") {
    for (const char* text :
         {"", "#", "#1", "#12", "#12345", "#1234567", "#123456789", "#ggg", "red ", "Red", "ff0000"})
        CHECK_FALSE(color_from_text(text));
}

TEST_CASE("unit values are clamped and rounded") {
    CHECK(color_from_unit(0, 0.5, 1) == pack_color(0, 128, 255));
    CHECK(color_from_unit(-3, 7, std::numeric_limits<double>::quiet_NaN(), 0) == pack_color(0, 255, 0, 0));
}
