// From coordinates of items to pixels: camera, letterbox, matrix, clip.
#include "engine/sdl/mesh/view.h"

#include "engine/sdl/draw/glyph_layout.h"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace perigee;

TEST_CASE("the camera's point is the centre of the picture, and zoom keeps it there") {
    const Letterbox box = letterbox_of({1280, 720}, {2560, 1600});
    const DrawState state{.camera = {100000, -5000, 3}, .matrix = {}, .clip = {}};
    const View view = view_of(state, false, box, {1280, 720});
    CHECK(view.scale == 6.0F);
    CHECK(100000 * view.xx + view.x0 == Approx(1280).margin(0.1));
    CHECK(-5000 * view.yy + view.y0 == Approx(800).margin(0.1));
    const View screen = view_of(state, true, box, {1280, 720});
    CHECK(screen.scale == 2.0F);
    CHECK(screen.y0 == 80.0F);
}

TEST_CASE("a view knows what its matrix keeps") {
    const Letterbox box = letterbox_of({100, 100}, {100, 100});
    const auto with = [&](const DrawMatrix& matrix) {
        return view_of({.camera = {}, .matrix = matrix, .clip = {}}, true, box, {100, 100});
    };
    const View mirrored = with({-2, 0, 5, 0, 2, 7});
    CHECK((mirrored.is_upright && mirrored.is_similar && mirrored.scale == 2.0F));
    const View turned = with({0, -3, 0, 3, 0, 0});
    CHECK((!turned.is_upright && turned.is_similar && turned.scale == 3.0F));
    const View stretched = with({4, 0, 0, 0, 1, 0});
    CHECK((stretched.is_upright && !stretched.is_similar && stretched.scale == 2.0F));
    CHECK_FALSE(with({1, 0.5F, 0, 0, 1, 0}).is_similar);
}

TEST_CASE("a clip is inside of the letterbox, whatever its numbers") {
    const Letterbox box = letterbox_of({100, 50}, {200, 200});
    const auto clip = [&](DrawClip rectangle) {
        return clip_of({.camera = {}, .matrix = {}, .clip = rectangle}, box);
    };
    CHECK(clip({}) == PixelBox{box.x, box.y, box.width, box.height});
    CHECK(clip({10, 10, 20, 5}) == PixelBox{box.x + 20, box.y + 20, 40, 10});
    CHECK(clip({-1e30F, -1e30F, 3e38F, 3e38F}) == PixelBox{box.x, box.y, box.width, box.height});
    CHECK(clip({10, 10, 0, 5}).width == 0);
    CHECK(clip({500, 10, 5, 5}).width == 0);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(clip({nan, 10, 5, 5}).width == 0);
    CHECK(clip({10, 10, nan, nan}).width == 0);
    CHECK(clip({nan, nan, nan, nan}) == PixelBox{box.x, box.y, 0, 0});
}

TEST_CASE("a turned camera turns the picture the other way about its middle") {
    const Letterbox box = letterbox_of({100, 100}, {200, 200});
    const DrawState state{.camera = {30, 40, 2, 1.5707963F}, .matrix = {}, .clip = {}};
    const View view = view_of(state, false, box, {100, 100});
    const WindowPoint middle = view.placed(30, 40), right = view.placed(40, 40);
    CHECK(middle.x == Approx(100));
    CHECK(middle.y == Approx(100));
    CHECK(right.x == Approx(100).margin(0.001));
    CHECK(right.y == Approx(60));
    CHECK((!view.is_upright && view.is_similar && view.scale == 4.0F));
    CHECK(view_of(state, true, box, {100, 100}).is_upright);
    const DrawMatrix matrix = camera_matrix(state.camera, 100, 100);
    CHECK(matrix.apply(40, 40).y * 2 == Approx(60));
}

TEST_CASE("parts of a picture that touch have no pixel between them") {
    const Letterbox box = letterbox_of({101, 50}, {333, 200});
    const Letterbox left = part_of(box, {0, 0, 51, 50}), right = part_of(box, {51, 0, 50, 50});
    CHECK(left.x == box.x);
    CHECK(right.x == left.x + left.width);
    CHECK(right.x + right.width == box.x + box.width);
    CHECK(left.height == box.height);
    CHECK(part_of(box, {}) == box);
    CHECK(part_of(box, {10, 10, 0, 5}).width == 0);
    CHECK(part_of(box, {std::numeric_limits<float>::quiet_NaN(), 10, 5, 5}).width == 0);
}

TEST_CASE(
    "a stretched box stretches the picture of any camera, and the mouse points at what is drawn there") {
    const Letterbox box = layout_of({{100, 50}, ScreenFit::stretch}, {300, 400}).box;
    const DrawState state{.camera = {30, 40, 2, 0.7F}, .matrix = {}, .clip = {}};
    const View view = view_of(state, false, box, {100, 50});
    CHECK((!view.is_similar && !view.is_upright));
    const DrawMatrix camera = camera_matrix(state.camera, 100, 50);
    for (const auto& [x, y] : {std::pair{30.0F, 40.0F}, {33.0F, 41.0F}, {-20.0F, 70.0F}}) {
        const WindowPoint at = view.placed(x, y);
        CHECK(box.logical_x(at.x) == Approx(camera.apply(x, y).x).margin(0.001));
        CHECK(box.logical_y(at.y) == Approx(camera.apply(x, y).y).margin(0.001));
    }
    CHECK(part_of(box, {50, 0, 50, 25}).x == 150);
    CHECK(part_of(box, {50, 0, 50, 25}).height == 200);
    CHECK(clip_of({.camera = {}, .matrix = {}, .clip = {10, 10, 20, 5}}, box) == PixelBox{30, 80, 60, 40});
}

TEST_CASE(
    "what is as wide as whole pixels stays so wide wherever it is, also at halves and with errors of "
    "floats") {
    std::mt19937 random{1};
    for (int round = 0; round < 20000; ++round) {
        const float place = static_cast<float>(random() % 8000) / 2.0F - 1000.0F;
        const float error = static_cast<float>(random() % 200) * 1e-5F - 0.001F;
        const auto width = static_cast<float>(1 + random() % 300);
        CAPTURE(place, error, width);
        REQUIRE(snapped(place + error + width) - snapped(place) == width);
        REQUIRE(to_whole_pixel(place + error) == snapped(place + error));
    }
    CHECK(snapped(0.5F) == 1.0F);
    CHECK(snapped(1.5F) == 2.0F);
    CHECK(snapped(-0.5F) == 0.0F);
}
