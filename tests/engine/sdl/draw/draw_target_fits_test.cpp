// Screens of pixel art, and the fits, as pictures of both back ends.
#include "engine/draw/color.h"
#include "engine/sdl/window/letterbox.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

// What has smooth edges and finer details than a pixel of the screen.
void paint_much(PictureScene& scene) {
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.color = pack_color(255, 128, 0);
        painter.circle(true, 12, 9, 7);
        painter.color = pack_color(0, 255, 128);
        painter.line(3, 16, 30, 3);
        painter.color = kWhite;
        painter.text("Ay", 18, 4, {.size = 12});
        painter.matrix = DrawMatrix{0.3F, -0.4F, 26, 0.4F, 0.3F, 13};
        painter.rectangle(true, -6, -6, 12, 12);
    });
}

}  // namespace

TEST_CASE("each pixel of pixel art is a square of pixels of the window, at a whole scale") {
    PictureScene scene{{131, 77}};
    scene.screen = ScreenDesc{{32, 18}, ScreenFit::integer, true};
    paint_much(scene);
    for (const Picture& picture : {scene.with_gl(), scene.with_software()}) {
        REQUIRE(picture.size == PixelSize{131, 77});
        const Letterbox box = layout_of(*scene.screen, picture.size).box;
        REQUIRE(box.scale_x == 4.0F);
        int colored = 0;
        for (int y = 0; y < 18; ++y)
            for (int x = 0; x < 32; ++x) {
                const int left = box.x + 4 * x, top = box.y + 4 * y;
                const std::uint32_t color = pixel(picture, left, top);
                colored += color != 0 ? 1 : 0;
                REQUIRE(count_other_than(picture, color, left, top, left + 4, top + 4) == 0);
            }
        CHECK(colored > 100);
        CHECK(count_other_than(picture, 0, 0, 0, 131, box.y) == 0);  // a bar
    }
    // Otherwise the same list has finer details.
    scene.screen->is_pixel_art = false;
    const Picture fine = scene.with_gl();
    const Letterbox box = layout_of(*scene.screen, fine.size).box;
    int mixed = 0;
    for (int y = 0; y < 18; ++y)
        for (int x = 0; x < 32; ++x) {
            const int left = box.x + 4 * x, top = box.y + 4 * y;
            mixed += count_other_than(fine, pixel(fine, left, top), left, top, left + 4, top + 4) != 0;
        }
    CHECK(mixed > 20);
}

TEST_CASE(
    "at other scales the pixels of pixel art keep their colour, and only edges between them are mixed") {
    PictureScene scene{{100, 50}};
    scene.screen = ScreenDesc{{40, 20}, ScreenFit::letterbox, true};  // 2.5
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        for (int x = 0; x < 40; x += 2) {
            painter.color = kWhite;
            painter.rectangle(true, static_cast<float>(x), 0, 1, 20);
        }
    });
    const Picture gl = scene.with_gl(), software = scene.with_software();
    for (int x = 0; x < 40; ++x) {
        const std::uint32_t color = x % 2 == 0 ? 0xFFFFFF : 0;
        const int middle = static_cast<int>(2.5 * x + 1.25);
        CAPTURE(x, middle);
        CHECK(pixel(gl, middle, 25) == color);
        CHECK(pixel(software, middle, 25) == color);
    }
    CHECK(count_different(gl, software, 130) == 0);
    // Every fifth pixel of the window is half of one and half of the other.
    CHECK((pixel(gl, 2, 25) >> 16U) == Approx(128).margin(2));
}

TEST_CASE("canvases, clips and masks are drawn in a picture of pixel art as in any other") {
    PictureScene scene{{64, 36}};
    scene.screen = ScreenDesc{{32, 18}, ScreenFit::letterbox, true};
    const std::uint32_t canvas = scene.surfaces.make_canvas({4, 4}, scene.images);
    const auto draw = [&](Painter& painter) {
        painter.is_screen = true;
        painter.set_canvas(&scene.surfaces.use_canvas(canvas), canvas, 0);
        painter.color = pack_color(0, 255, 0);
        painter.rectangle(true, 0, 0, 4, 2);
        painter.set_canvas(nullptr, 0, 0);
        painter.color = pack_color(0, 0, 255);
        painter.rectangle(true, 0, 0, 32, 18);
        painter.color = kWhite;
        painter.image(scene.images.frame_of(canvas, 0), 0, 0);
        painter.color = pack_color(255, 0, 0);
        painter.clip = {8, 4, 16, 10};
        painter.rectangle(true, 0, 0, 32, 18);
        painter.clip = {};
        REQUIRE(painter.begin_mask(false, false) == Painter::MaskStart::begun);
        painter.rectangle(true, 26, 2, 4, 4);
        painter.end_mask();
        painter.color = kWhite;
        painter.rectangle(true, 0, 0, 32, 18);
    };
    for (const bool has_gl : {true, false}) {
        scene.surfaces.begin_frame(scene.images);
        scene.paint(draw);
        scene.surfaces.end_frame(scene.images);
        const Picture picture = has_gl ? scene.with_gl() : scene.with_software();
        CHECK(count_other_than(picture, 0x00FF00, 0, 0, 8, 4) == 0);
        CHECK(count_other_than(picture, 0x0000FF, 0, 4, 8, 8) == 0);
        CHECK(count_other_than(picture, 0xFF0000, 16, 8, 48, 28) == 0);
        CHECK(count_other_than(picture, 0xFFFFFF, 52, 4, 60, 12) == 0);
        CHECK(count_other_than(picture, 0x0000FF, 0, 28, 64, 36) == 0);
        CHECK(count_other_than(picture, 0x0000FF, 60, 0, 64, 36) == 0);
    }
    CHECK(scene.gl_reports().empty());
    CHECK(scene.software_reports().empty());
}

TEST_CASE("each fit shows the screen where the arithmetic says, in every back end [P13]") {
    for (const ScreenFit fit :
         {ScreenFit::letterbox, ScreenFit::integer, ScreenFit::stretch, ScreenFit::expand})
        for (const bool is_pixel_art : {false, true}) {
            PictureScene scene{{139, 113}};
            scene.screen = ScreenDesc{{40, 20}, fit, is_pixel_art};
            const ScreenLayout layout = layout_of(*scene.screen, {139, 113});
            CAPTURE(int(fit), is_pixel_art);
            scene.paint([&](Painter& painter) {
                painter.is_screen = true;
                painter.color = pack_color(0, 255, 0);
                painter.rectangle(true, 0, 0, static_cast<float>(layout.logical.width),
                                  static_cast<float>(layout.logical.height));
                painter.color = pack_color(255, 0, 0);
                painter.rectangle(true, 10, 5, 20, 10);
            });
            const Letterbox& box = layout.box;
            const auto window_x = [&](float x) {
                return static_cast<int>(static_cast<float>(box.x) + x * box.scale_x);
            };
            const auto window_y = [&](float y) {
                return static_cast<int>(static_cast<float>(box.y) + y * box.scale_y);
            };
            for (const Picture& picture : {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()}) {
                CHECK(pixel(picture, window_x(11.5F), window_y(6.5F)) == 0xFF0000);
                CHECK(pixel(picture, window_x(28.5F), window_y(13.5F)) == 0xFF0000);
                CHECK(pixel(picture, window_x(8.5F), window_y(6.5F)) == 0x00FF00);
                CHECK(pixel(picture, window_x(31.5F), window_y(13.5F)) == 0x00FF00);
                const bool has_bars = fit == ScreenFit::letterbox || fit == ScreenFit::integer;
                CHECK(pixel(picture, 60, 1) == (has_bars ? 0U : 0x00FF00U));
                CHECK(pixel(picture, 60, 111) == (has_bars ? 0U : 0x00FF00U));
            }
        }
}
