// From coordinates of items to pixels: camera, letterbox, matrix, clip.
#include "engine/sdl/mesh/view.h"

#include <catch2/catch.hpp>

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
}
