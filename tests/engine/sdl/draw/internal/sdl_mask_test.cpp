// Masks as every back end draws them: with a stencil buffer, and with pixels that are read.
#include "engine/sdl/draw/internal/sdl_mask.h"

#include "engine/draw/color.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr PackedColor kRed = pack_color(255, 0, 0), kGreen = pack_color(0, 255, 0);
constexpr std::uint32_t kRedRgb = 0xFF0000, kGreenRgb = 0x00FF00;

template <typename Draw>
void mask(Painter& painter, Draw draw, bool is_inverted = false, bool is_within = false) {
    REQUIRE(painter.begin_mask(is_inverted, is_within) == Painter::MaskStart::begun);
    draw(painter);
    painter.end_mask();
}

void box(Painter& painter, float x, float y, float width, float height) {
    painter.rectangle(true, x, y, width, height);
}

void paint_all(Painter& painter, PackedColor color = kRed) {
    painter.color = color;
    box(painter, 0, 0, 64, 64);
    painter.color = kWhite;
}

template <typename Check> void check_all(PictureScene& scene, Check check) {
    {
        INFO("OpenGL");
        check(scene.with_gl());
        CHECK(scene.gl_reports().empty());
    }
    {
        INFO("software");
        check(scene.with_software());
        CHECK(scene.software_reports().empty());
    }
    INFO("SDL with OpenGL ES");
    check(scene.with_sdl_gles());
}

}  // namespace

TEST_CASE("drawing is kept inside of a mask, or outside of it, until the mask is cleared [P7]") {
    PictureScene scene{{64, 64}};
    for (const bool is_inverted : {false, true}) {
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            mask(
                painter, [](Painter& p) { box(p, 10, 20, 30, 8), box(p, 10, 20, 8, 30); }, is_inverted);
            paint_all(painter);
            painter.clear_mask();
            painter.color = kGreen;
            box(painter, 60, 60, 4, 4);
        });
        check_all(scene, [=](const Picture& picture) {
            for (int y = 0; y < 60; ++y)
                for (int x = 0; x < 64; ++x) {
                    const bool is_inside = x >= 10 && y >= 20 && ((x < 40 && y < 28) || (x < 18 && y < 50));
                    REQUIRE(pixel(picture, x, y) == (is_inside != is_inverted ? kRedRgb : 0));
                }
            CHECK(count_other_than(picture, kGreenRgb, 60, 60, 64, 64) == 0);
        });
    }
}

TEST_CASE("masks within masks keep drawing inside of all, and inverted ones outside") {
    PictureScene scene{{64, 64}};
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        mask(painter, [](Painter& p) { box(p, 0, 0, 40, 40); });
        mask(
            painter, [](Painter& p) { box(p, 20, 0, 10, 64), box(p, 25, 0, 10, 64); }, true, true);
        mask(
            painter, [](Painter& p) { box(p, 10, 10, 54, 54); }, false, true);
        paint_all(painter);
    });
    check_all(scene, [](const Picture& picture) {
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x) {
                const bool is_inside = x < 40 && y < 40 && (x < 20 || x >= 35) && x >= 10 && y >= 10;
                REQUIRE(pixel(picture, x, y) == (is_inside ? kRedRgb : 0));
            }
    });
}

TEST_CASE("layers change between masks, and each item has the mask with which it was drawn") {
    PictureScene scene{{64, 64}};
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        mask(painter, [](Painter& p) { box(p, 0, 0, 32, 64); });
        painter.layer = 2;
        paint_all(painter, kRed);
        painter.push(true);
        mask(painter, [](Painter& p) { box(p, 0, 0, 64, 32); });
        painter.layer = 1;
        paint_all(painter, kGreen);
        painter.layer = 3;
        painter.color = pack_color(0, 0, 255);
        box(painter, 40, 20, 24, 44);
        painter.pop();
        painter.layer = 3;
        painter.color = kWhite;
        box(painter, 30, 60, 34, 4);
    });
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRedRgb, 0, 0, 32, 60) == 0);
        CHECK(count_other_than(picture, kGreenRgb, 32, 0, 64, 20) == 0);
        CHECK(count_other_than(picture, 0x0000FF, 40, 20, 64, 32) == 0);
        CHECK(count_other_than(picture, 0, 32, 32, 64, 64) == 0);
        CHECK(count_other_than(picture, 0xFFFFFF, 30, 60, 32, 64) == 0);
    });
}

TEST_CASE("what is less than half opaque is no part of a mask: images, texts and colours") {
    PictureScene scene{{64, 64}};
    const std::uint32_t image = scene.surfaces.make_pixels({2, 1}, scene.images);
    PixelBuffer& pixels = *scene.surfaces.find(image)->pixels;
    pixels.fill(0, 0, 1, 1, pack_color(0, 0, 0, 140));
    pixels.fill(1, 0, 1, 1, pack_color(255, 255, 255, 100));
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        mask(painter, [&](Painter& p) {
            p.image(scene.images.frame_of(image, 0), 0, 0, {.scale_x = 8, .scale_y = 8});
            p.color = pack_color(0, 0, 0, 100);
            box(p, 0, 10, 20, 10);
            p.color = pack_color(0, 0, 0, 200);
            p.blend = BlendMode::add;
            box(p, 20, 10, 20, 10);
            p.blend = BlendMode::alpha;
            p.text("I", 40, 20, {.size = 40});
        });
        CHECK(painter.color == kWhite);  // the state is as before
        paint_all(painter);
    });
    for (const int back_end : {0, 1, 2}) {
        pixels.mark_all();
        const Picture picture = back_end == 0   ? scene.with_gl()
                                : back_end == 1 ? scene.with_software()
                                                : scene.with_sdl_gles();
        CAPTURE(back_end);
        CHECK(count_other_than(picture, kRedRgb, 0, 0, 8, 8) == 0);
        CHECK(count_other_than(picture, 0, 8, 0, 64, 10) == 0);
        CHECK(count_other_than(picture, 0, 0, 10, 20, 20) == 0);
        CHECK(count_other_than(picture, kRedRgb, 20, 10, 40, 20) == 0);
        int ink = 0;
        for (int y = 20; y < 64; ++y)
            for (int x = 40; x < 64; ++x) {
                const std::uint32_t color = pixel(picture, x, y);
                REQUIRE((color == 0 || color == kRedRgb));
                ink += color == kRedRgb ? 1 : 0;
            }
        CHECK(ink > 40);
        CHECK(ink < 400);
    }
}

TEST_CASE("every blend mode changes what is inside of a mask alone [P7]") {
    PictureScene scene{{64, 64}};
    for (std::size_t i = 0; i < kBlendNames.size(); ++i) {
        INFO(kBlendNames[i]);
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            paint_all(painter, pack_color(100, 120, 140));
            painter.blend = static_cast<BlendMode>(i);
            painter.color = pack_color(200, 10, 90, 200);
            box(painter, 0, 0, 20, 20);
            mask(painter, [](Painter& p) { box(p, 30, 30, 20, 20); });
            box(painter, 25, 25, 30, 30);
        });
        check_all(scene, [](const Picture& picture) {
            CHECK(count_other_than(picture, pixel(picture, 5, 5), 30, 30, 50, 50) == 0);
            CHECK(count_other_than(picture, 0x64788C, 20, 0, 64, 30) == 0);
            CHECK(count_other_than(picture, 0x64788C, 50, 0, 64, 64) == 0);
            CHECK(pixel(picture, 5, 5) != 0x64788C);
        });
    }
}

TEST_CASE("the camera, the matrix and the scissor hold for what draws the mask, too") {
    PictureScene scene{{64, 64}};
    scene.paint([&](Painter& painter) {
        painter.set_camera({0, 0, 2});
        mask(painter, [](Painter& p) {
            p.intersect_scissor(0, 0, 64, 40);
            p.transform({1, 0, 4, 0, 1, 0});
            box(p, -8, -8, 16, 16);
        });
        painter.is_screen = true;
        paint_all(painter);
    });
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRedRgb, 24, 16, 56, 40) == 0);
        CHECK(count_other_than(picture, 0, 0, 40, 64, 64) == 0);
        CHECK(count_other_than(picture, 0, 0, 0, 24, 64) == 0);
        CHECK(count_other_than(picture, 0, 56, 0, 64, 64) == 0);
    });
}

TEST_CASE("canvases have masks of their own, also those with smooth edges") {
    for (const bool is_multisampled : {false, true}) {
        PictureScene scene{{64, 64}};
        const std::uint32_t canvas = scene.surfaces.make_canvas({64, 64, 0, is_multisampled}, scene.images);
        for (const int back_end : {0, 1}) {
            CAPTURE(is_multisampled, back_end);
            scene.surfaces.begin_frame(scene.images);
            scene.surfaces.clear_canvas(canvas, 0);
            scene.paint([&](Painter& painter) {
                painter.is_screen = true;
                mask(painter, [](Painter& p) { box(p, 0, 0, 50, 50); });
                painter.set_canvas(&scene.surfaces.use_canvas(canvas), canvas, 1);
                box(painter, 60, 0, 4, 4);  // the mask of the screen does nothing here
                mask(painter, [](Painter& p) { box(p, 10, 10, 54, 54); });
                paint_all(painter);
                painter.set_canvas(nullptr, 0, 1);
                mask(painter, [](Painter& p) { box(p, 0, 0, 50, 50); });
                painter.image(scene.images.frame_of(canvas, 0), 0, 0);
            });
            scene.surfaces.end_frame(scene.images);
            const Picture picture = back_end == 0 ? scene.with_gl() : scene.with_software();
            CHECK(count_other_than(picture, kRedRgb, 10, 10, 50, 50) == 0);
            CHECK(count_other_than(picture, 0, 0, 0, 50, 10) == 0);
            CHECK(count_other_than(picture, 0, 50, 0, 64, 64) == 0);
        }
    }
}

TEST_CASE("a mask of nothing hides everything, and one of everything nothing") {
    PictureScene scene{{64, 64}};
    for (const bool is_inverted : {false, true}) {
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            mask(
                painter, [](Painter&) {}, is_inverted);
            paint_all(painter);
        });
        check_all(scene, [=](const Picture& picture) {
            CHECK(count_other_than(picture, is_inverted ? kRedRgb : 0, 0, 0, 64, 64) == 0);
        });
    }
}

TEST_CASE("many masks, texts and images in one frame are drawn as with few") {
    PictureScene scene{{64, 64}};
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        for (int i = 0; i < 64; ++i) {
            const auto x = static_cast<float>(i % 8 * 8), y = static_cast<float>(i / 8 * 8);
            mask(painter, [=](Painter& p) { box(p, x, y, 7, 7); });
            paint_all(painter);
            painter.image(scene.images.frame_of(scene.four, 0), x, y);
            painter.text("text", x, y, {.size = 6});
        }
    });
    check_all(scene, [](const Picture& picture) {
        for (int i = 0; i < 8; ++i) {
            CHECK(count_other_than(picture, 0, 7 + 8 * i, 0, 8 + 8 * i, 64) == 0);
            CHECK(pixel(picture, 8 * i, 1) == 0x0000FF);  // of the image
            CHECK(pixel(picture, 8 * i + 5, 6) == kRedRgb);
        }
    });
}
