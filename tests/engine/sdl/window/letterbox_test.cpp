// Properties of random sizes, and scales near a multiple of one half.
#include "engine/sdl/window/letterbox.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace perigee;

TEST_CASE("the picture keeps its aspect ratio, stays inside the window, and is centred") {
    std::mt19937 random{1};
    for (int round = 0; round < 5000; ++round) {
        const PixelSize logical{static_cast<int>(1 + random() % 3000), static_cast<int>(1 + random() % 3000)};
        const PixelSize window{static_cast<int>(1 + random() % 5000), static_cast<int>(1 + random() % 5000)};
        const Letterbox box = letterbox_of(logical, window);
        CAPTURE(logical.width, logical.height, window.width, window.height, box.scale);
        REQUIRE(box.x >= 0);
        REQUIRE(box.y >= 0);
        REQUIRE(box.x + box.width <= window.width);
        REQUIRE(box.y + box.height <= window.height);
        REQUIRE(std::abs(window.width - box.width - 2 * box.x) <= 1);
        REQUIRE(std::abs(window.height - box.height - 2 * box.y) <= 1);
        REQUIRE(std::fabs(static_cast<float>(box.width) - static_cast<float>(logical.width) * box.scale) <=
                1.0F);
        REQUIRE(std::fabs(static_cast<float>(box.height) - static_cast<float>(logical.height) * box.scale) <=
                1.0F);
        // At most a sixteenth of the possible size is lost.
        const bool fills =
            box.width >= window.width * 15 / 16 - 1 || box.height >= window.height * 15 / 16 - 1;
        REQUIRE(fills);
    }
}

TEST_CASE("a scale near a multiple of one half is rounded to it, and others stay") {
    CHECK(letterbox_of({1280, 720}, {1280, 720}) == Letterbox{1.0F, 0, 0, 1280, 720});
    CHECK(letterbox_of({1280, 720}, {1920, 1080}) == Letterbox{1.5F, 0, 0, 1920, 1080});
    CHECK(letterbox_of({1280, 720}, {1340, 800}) == Letterbox{1.0F, 30, 40, 1280, 720});
    CHECK(letterbox_of({1280, 720}, {2560, 1600}) == Letterbox{2.0F, 0, 80, 2560, 1440});
    CHECK(letterbox_of({1280, 720}, {320, 180}).scale == 0.25F);
    CHECK(letterbox_of({1000, 1000}, {1250, 1250}).scale == 1.25F);
}

TEST_CASE("window and game coordinates convert both ways") {
    const Letterbox box = letterbox_of({1280, 720}, {2560, 1600});
    CHECK(box.logical_x(0.0F) == 0.0F);
    CHECK(box.logical_x(2560.0F) == 1280.0F);
    CHECK(box.logical_y(80.0F) == 0.0F);
    CHECK(box.logical_y(80.0F + 720.0F) == 360.0F);
    CHECK(box.logical_y(0.0F) < 0.0F);
}

TEST_CASE("a window without an area has a valid letterbox") {
    const Letterbox box = letterbox_of({0, 0}, {0, -5});
    CHECK(box.width == 1);
    CHECK(box.height == 1);
    CHECK(std::isfinite(box.logical_x(10.0F)));
}
