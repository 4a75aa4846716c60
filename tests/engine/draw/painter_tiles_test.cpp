// gfx.nine_slice and gfx.tiled in scripts: the items that they become, and the message of each error. Not
// here: their pixels (tests/engine/sdl/gl/gl_meshes_test.cpp).
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <algorithm>
#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

std::string drawn(const std::string& body, const std::string& before = "") {
    GameFolder game{before + "function draw()\n" + body + "\nend"};
    game.write("assets/panel.png", png_head(30, 20));
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return picture(*engine);
}

std::string failure(const std::string& line) {
    GameFolder game{"function draw()\n" + line + "\nend"};
    game.write("assets/panel.png", png_head(30, 20));
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    return errors.empty() ? "no error" : errors.back().message;
}

auto lines(const std::string& text) { return std::ranges::count(text, '\n'); }

constexpr char kHead[] = "camera 640,360 zoom 1\n";

}  // namespace

TEST_CASE("a nine-slice keeps its corners, and stretches its edges and its middle") {
    CHECK(drawn("gfx.nine_slice('assets/panel.png', 10, 20, 100, 50, { left = 5, right = 6, top = 7, bottom "
                "= 8 })") ==
          std::string{kHead} +
              "world 0 sprite at 10,20 size 5x7 assets/panel.png [0,0 5x7] #ffffffff\n"
              "world 0 sprite at 15,20 size 89x7 assets/panel.png [5,0 19x7] #ffffffff\n"
              "world 0 sprite at 104,20 size 6x7 assets/panel.png [24,0 6x7] #ffffffff\n"
              "world 0 sprite at 10,27 size 5x35 assets/panel.png [0,7 5x5] #ffffffff\n"
              "world 0 sprite at 15,27 size 89x35 assets/panel.png [5,7 19x5] #ffffffff\n"
              "world 0 sprite at 104,27 size 6x35 assets/panel.png [24,7 6x5] #ffffffff\n"
              "world 0 sprite at 10,62 size 5x8 assets/panel.png [0,12 5x8] #ffffffff\n"
              "world 0 sprite at 15,62 size 89x8 assets/panel.png [5,12 19x8] #ffffffff\n"
              "world 0 sprite at 104,62 size 6x8 assets/panel.png [24,12 6x8] #ffffffff\n");
}

TEST_CASE("borders shrink in a box that is too small for them, and nothing is drawn in one without a size") {
    const std::string small = drawn("gfx.nine_slice('assets/panel.png', 0, 0, 8, 4, 8, 'red')");
    CHECK(lines(small) == 5);
    CHECK(contains(small, "at 4,2 size 4x2 assets/panel.png [22,12 8x8] #e63232ff"));
    CHECK(drawn("gfx.nine_slice('assets/panel.png', 0, 0, 0, 4, 8)\n"
                "gfx.nine_slice('assets/panel.png', 0, 0, -5, 4, 8)") == kHead);
    CHECK(lines(drawn("gfx.nine_slice('assets/panel.png', 0, 0, 50, 50, 0)")) == 2);
    CHECK(lines(drawn("gfx.nine_slice('assets/panel.png', 0, 0, 50, 50, { top = 3 })")) == 3);
}

TEST_CASE("the border of a nine-slice can be a part of an image, and have a scale") {
    const std::string list = drawn(
        "gfx.nine_slice('assets/panel.png', 0, 0, 50, 40, border)",
        "local border = { left = 2, right = 2, top = 2, bottom = 2, scale = 3, quad = { 10, 5, 9, 9 } }\n");
    CHECK(contains(list, "at 0,0 size 6x6 assets/panel.png [10,5 2x2]"));
    CHECK(contains(list, "at 6,6 size 38x28 assets/panel.png [12,7 5x5]"));
    CHECK(contains(list, "at 44,34 size 6x6 assets/panel.png [17,12 2x2]"));
}

TEST_CASE("a nine-slice of a missing image is the placeholder, and surfaces have slices, too") {
    CHECK(contains(drawn("gfx.nine_slice('assets/none.png', 1, 2, 30, 40, 4)"), "at 1,2 size 30x40 missing"));
    CHECK(lines(drawn("gfx.nine_slice(p, 1, 2, 30, 40, 2)", "local p = gfx.pixels(8, 8)\n")) == 10);
}

TEST_CASE("a rectangle is filled with as many tiles as can be seen") {
    CHECK(drawn("gfx.tiled('assets/panel.png', 10, 20, 60, 40)") ==
          std::string{kHead} + "world 0 mesh at 0,0 of 8 triangles #ffffffff\n");
    CHECK(contains(drawn("gfx.tiled('assets/panel.png', 10, 20, 60, 40, 7, -3)"), "of 18 triangles"));
    // 1280 x 720 show 43 x 36 of them.
    CHECK(contains(drawn("gfx.tiled('assets/panel.png', -1e6, -1e6, 2e6, 2e6)"), "of 3096 triangles"));
    CHECK(contains(drawn("gfx.set_camera(50, 50, 4) gfx.tiled('assets/panel.png', 0, 0, 1e6, 1e6)"),
                   "of 98 triangles"));
    CHECK(drawn("gfx.tiled('assets/panel.png', 2000, 0, 60, 40)") == kHead);
    CHECK(drawn("gfx.tiled('assets/panel.png', 0, 0, 0, -5)") == kHead);
    CHECK(contains(drawn("gfx.tiled('assets/panel.png', 0, 0, 60, 60, 0, 0, { scale = 2, color = 'red' })"),
                   "of 4 triangles #e63232ff"));
    CHECK(contains(drawn("gfx.tiled('assets/panel.png', 0, 0, 60, 60, 0, 0, s)",
                         "local s = gfx.style { quad = { 0, 0, 10, 10 } }\n"),
                   "of 72 triangles"));
    CHECK(contains(drawn("gfx.tiled('assets/panel.png', 0, 0, 60, 60, { scale = 2 })"), "of 4 triangles"));
    CHECK(contains(drawn("gfx.tiled('assets/none.png', 1, 2, 60, 60)"), "at 1,2 size 60x60 missing"));
}

TEST_CASE("tiles are those that the camera sees, also turned, and in a layer with a camera of its own") {
    CHECK(
        contains(drawn("gfx.set_camera(0, 0, 1, math.pi / 2) gfx.tiled('assets/panel.png', 0, 500, 60, 40)"),
                 "of 8 triangles"));
    CHECK(contains(drawn("gfx.set_layer('far') gfx.set_camera(1e5, 360)\n"
                         "gfx.tiled('assets/panel.png', 10, 20, 60, 40)",
                         "gfx.layer('far', { order = 1, parallax = 0 })\n"),
                   "of 8 triangles"));
}

TEST_CASE("an image that wraps fills any rectangle with two triangles") {
    CHECK(contains(drawn("gfx.tiled('assets/panel.png', 0, 0, 1e6, 1e6, 5, 5, { scale = 0.001 })",
                         "gfx.set_wrap('assets/panel.png', 'repeat')\n"),
                   "of 2 triangles"));
}

TEST_CASE("mistakes with slices and tiles are errors that name the argument") {
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10)") ==
          "bad argument #6 to 'gfx.nine_slice': expected a border in whole pixels, or { left =, right =, top "
          "=, "
          "bottom = }, got nil");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10, 1.5)") ==
          "bad argument #6 to 'gfx.nine_slice': expected a border in whole pixels, or { left =, right =, top "
          "=, "
          "bottom = }, got 1.5");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10, { lft = 1 })") ==
          "gfx.nine_slice: unknown key 'lft'; did you mean 'left'?");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10, { 1, 2, 3, 4 })") ==
          "gfx.nine_slice: a border has names, as in { left = 8, right = 8, top = 8, bottom = 8 }");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10, { left = -1 })") ==
          "gfx.nine_slice: option 'left': expected a whole number of pixels, got -1");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10, 11)") ==
          "gfx.nine_slice: the borders are larger than the image, which has 30 x 20 pixels");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 0, 10, 10, { quad = 5 })") ==
          "gfx.nine_slice: option 'quad': expected { x, y, width, height }, got 5");
    CHECK(failure("gfx.nine_slice('assets/panel.png', 0, 1/0, 10, 10, 1)") ==
          "bad argument #3 to 'gfx.nine_slice': expected a finite number, got inf");
    CHECK(failure("gfx.tiled('assets/panel.png', 0, 0, 10)") ==
          "bad argument #5 to 'gfx.tiled': expected a number, got nil");
    CHECK(failure("gfx.tiled('assets/panel.png', 0, 0, 10, 10, 0, 0, { scale = 0 })") ==
          "gfx.tiled: a tile needs a scale above 0");
    CHECK(failure("gfx.tiled('assets/panel.png', 0, 0, 1000, 700, 0, 0, { scale = 0.01 })") ==
          "gfx.tiled: more than 65536 tiles are in view; after gfx.set_wrap(image, \"repeat\") there may be "
          "any "
          "number");
}
