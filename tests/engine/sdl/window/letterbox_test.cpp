// Properties of random sizes, and scales near a multiple of one half.
#include "engine/sdl/window/letterbox.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace perigee;

TEST_CASE("the picture keeps its aspect ratio, stays inside the window, and is centred") {
    std::mt19937 random{1};
    for (int round = 0; round < 5000; ++round) {
        const PixelSize logical{static_cast<int>(1 + random() % 3000), static_cast<int>(1 + random() % 3000)};
        const PixelSize window{static_cast<int>(1 + random() % 5000), static_cast<int>(1 + random() % 5000)};
        const Letterbox box = letterbox_of(logical, window);
        CAPTURE(logical.width, logical.height, window.width, window.height, box.scale());
        REQUIRE(box.x >= 0);
        REQUIRE(box.y >= 0);
        REQUIRE(box.x + box.width <= window.width);
        REQUIRE(box.y + box.height <= window.height);
        REQUIRE(std::abs(window.width - box.width - 2 * box.x) <= 1);
        REQUIRE(std::abs(window.height - box.height - 2 * box.y) <= 1);
        REQUIRE(std::fabs(static_cast<float>(box.width) - static_cast<float>(logical.width) * box.scale()) <=
                1.0F);
        REQUIRE(std::fabs(static_cast<float>(box.height) -
                          static_cast<float>(logical.height) * box.scale()) <= 1.0F);
        // At most a sixteenth of the possible size is lost.
        const bool fills =
            box.width >= window.width * 15 / 16 - 1 || box.height >= window.height * 15 / 16 - 1;
        REQUIRE(fills);
    }
}

TEST_CASE("a scale near a multiple of one half is rounded to it, and others stay") {
    CHECK(letterbox_of({1280, 720}, {1280, 720}) == Letterbox{1.0F, 1.0F, 0, 0, 1280, 720});
    CHECK(letterbox_of({1280, 720}, {1920, 1080}) == Letterbox{1.5F, 1.5F, 0, 0, 1920, 1080});
    CHECK(letterbox_of({1280, 720}, {1340, 800}) == Letterbox{1.0F, 1.0F, 30, 40, 1280, 720});
    CHECK(letterbox_of({1280, 720}, {2560, 1600}) == Letterbox{2.0F, 2.0F, 0, 80, 2560, 1440});
    CHECK(letterbox_of({1280, 720}, {320, 180}).scale() == 0.25F);
    CHECK(letterbox_of({1000, 1000}, {1250, 1250}).scale() == 1.25F);
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

namespace {

PixelSize random_size(std::mt19937& random, int largest) {
    const auto side = [&] { return 1 + static_cast<int>(random() % static_cast<unsigned>(largest)); };
    const int width = side();
    return {width, side()};
}

constexpr ScreenFit kFits[] = {ScreenFit::letterbox, ScreenFit::integer, ScreenFit::stretch,
                               ScreenFit::expand};

}  // namespace

TEST_CASE("whatever the fit, a point of the window is one point of the screen, and back [P13]") {
    std::mt19937 random{7};
    for (int round = 0; round < 4000; ++round) {
        const PixelSize logical = random_size(random, 2000), window = random_size(random, 4000);
        const ScreenFit fit = kFits[round % 4];
        const ScreenLayout layout = layout_of({logical, fit, random() % 2 == 0}, window);
        const Letterbox& box = layout.box;
        CAPTURE(int(fit), logical.width, logical.height, window.width, window.height);
        const auto x = static_cast<float>(random() % static_cast<unsigned>(window.width));
        const auto y = static_cast<float>(random() % static_cast<unsigned>(window.height));
        const float back_x = box.logical_x(x) * box.scale_x + static_cast<float>(box.x);
        const float back_y = box.logical_y(y) * box.scale_y + static_cast<float>(box.y);
        REQUIRE(std::fabs(back_x - x) < 0.01F);
        REQUIRE(std::fabs(back_y - y) < 0.01F);
        // The corners of the picture are those of the screen, but for the rounding of the picture's size.
        REQUIRE(std::fabs(box.logical_x(static_cast<float>(box.x + box.width)) -
                          static_cast<float>(layout.logical.width)) <= 0.6F / box.scale_x);
        REQUIRE(std::fabs(box.logical_y(static_cast<float>(box.y + box.height)) -
                          static_cast<float>(layout.logical.height)) <= 0.6F / box.scale_y);
    }
}

TEST_CASE("the fit integer shows whole multiples, or the largest that fits") {
    const auto box = [](PixelSize window) { return layout_of({{320, 180}, ScreenFit::integer}, window).box; };
    CHECK(box({1366, 768}) == Letterbox{4, 4, 43, 24, 1280, 720});
    CHECK(box({639, 359}) == Letterbox{1, 1, 159, 89, 320, 180});
    CHECK(box({160, 180}) == Letterbox{0.5F, 0.5F, 0, 45, 160, 90});
    std::mt19937 random{8};
    for (int round = 0; round < 2000; ++round) {
        const PixelSize logical = random_size(random, 500), window = random_size(random, 4000);
        const Letterbox found = layout_of({logical, ScreenFit::integer}, window).box;
        REQUIRE((found.scale_x < 1.0F || found.scale_x == std::floor(found.scale_x)));
        REQUIRE((found.x >= 0 && found.y >= 0));
    }
}

TEST_CASE("the fit stretch fills the window") {
    const ScreenLayout layout = layout_of({{320, 180}, ScreenFit::stretch}, {701, 523});
    CHECK(layout.logical == PixelSize{320, 180});
    CHECK((layout.box.x == 0 && layout.box.y == 0));
    CHECK((layout.box.width == 701 && layout.box.height == 523));
    CHECK(layout.box.logical_x(701) == Approx(320));
    CHECK(layout.box.logical_y(523) == Approx(180));
}

TEST_CASE("the fit expand grows the screen until it covers the window, as much on both sides") {
    const auto layout = [](PixelSize window, bool is_pixel_art = false) {
        return layout_of({{160, 90}, ScreenFit::expand, is_pixel_art}, window);
    };
    CHECK(layout({1280, 720}).logical == PixelSize{160, 90});
    CHECK(layout({1280, 960}).logical == PixelSize{160, 120});
    CHECK(layout({701, 523}, true).logical == PixelSize{176, 132});
    CHECK(layout({701, 523}, true).box == Letterbox{4, 4, -1, -2, 704, 528});
    std::mt19937 random{9};
    for (int round = 0; round < 4000; ++round) {
        const PixelSize logical = random_size(random, 800);
        PixelSize window = random_size(random, 4000);
        window.width = std::max(window.width, window.height / 4);  // no stripes
        window.height = std::max(window.height, window.width / 4);
        const ScreenLayout grown = layout_of({logical, ScreenFit::expand, round % 2 == 0}, window);
        const Letterbox& box = grown.box;
        CAPTURE(logical.width, logical.height, window.width, window.height);
        if (grown.logical.width == kMaxScreenSide || grown.logical.height == kMaxScreenSide) continue;
        REQUIRE((grown.logical.width >= logical.width && grown.logical.height >= logical.height));
        REQUIRE((grown.logical.width - logical.width) % 2 == 0);
        REQUIRE((grown.logical.height - logical.height) % 2 == 0);
        REQUIRE((box.x <= 0 && box.y <= 0));
        REQUIRE((box.x + box.width >= window.width && box.y + box.height >= window.height));
        // Less than a pixel of the screen is cut off on each side.
        REQUIRE(static_cast<float>(-box.x) < box.scale_x + 1.0F);
        REQUIRE(static_cast<float>(-box.y) < box.scale_y + 1.0F);
    }
    CHECK(layout_of({{16, 16}, ScreenFit::expand}, {160'000, 16}).logical == PixelSize{kMaxScreenSide, 16});
}
