// How images of files are sampled, as OpenGL and SDL's renderers draw them.
#include "engine/sdl/gl/image_pages.h"

#include "engine/draw/color.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr std::uint32_t kRed = 0xFF0000, kGreen = 0x00FF00, kBlue = 0x0000FF, kWhiteRgb = 0xFFFFFF;

void show(PictureScene& scene, FrameId frame, float scale, float rotation = 0.0F) {
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.image(frame, 4, 4, {.scale_x = scale, .scale_y = scale, .rotation = rotation});
    });
}

template <typename Check> void check_all(PictureScene& scene, Check check) {
    {
        INFO("OpenGL");
        check(scene.with_gl());
    }
    {
        INFO("software");
        check(scene.with_software());
    }
    INFO("SDL with OpenGL ES");
    check(scene.with_sdl_gles());
}

}  // namespace

TEST_CASE(
    "a linear filter mixes the pixels of an image, a nearest one does not, and both change at any time "
    "[P8]") {
    PictureScene scene{{64, 64}};
    for (const ImageFilter filter : {ImageFilter::linear, ImageFilter::nearest, ImageFilter::linear}) {
        scene.images.set_filter(scene.four, filter);
        show(scene, scene.images.frame_of(scene.four, 0), 20.0F);
        check_all(scene, [&](const Picture& picture) {
            CHECK(pixel(picture, 5, 5) == kRed);  // at the corner there is nothing to mix with
            CHECK(pixel(picture, 42, 42) == kWhiteRgb);
            const bool is_mixed = pixel(picture, 22, 5) != kRed && pixel(picture, 26, 5) != kGreen;
            CHECK(is_mixed == (filter == ImageFilter::linear));
            CHECK(count_other_than(picture, 0, 44, 0, 64, 64) == 0);
        });
    }
}

TEST_CASE("the default filter of the game holds for images without one") {
    PictureScene scene{{64, 64}};
    scene.images.set_default_filter(0, ImageFilter::linear);
    show(scene, scene.images.frame_of(scene.four, 0), 20.0F);
    CHECK(pixel(scene.with_gl(), 26, 5) != kGreen);
    scene.images.set_filter(scene.four, ImageFilter::nearest);
    CHECK(pixel(scene.with_gl(), 26, 5) == kGreen);
}

TEST_CASE("what is transparent has no colour between linear pixels") {
    PictureScene scene{{64, 64}};
    const std::vector<PackedColor> pixels{kWhite, pack_color(0, 0, 0, 0)};
    scene.folder.write("assets/edge.png", test::png_of(2, 1, pixels));
    const AssetHandle edge = scene.assets.intern(0, "assets/edge.png").value();
    scene.images.add(edge, 2, 1);
    scene.images.set_filter(edge, ImageFilter::linear);
    scene.list.background = kWhite;
    show(scene, scene.images.frame_of(edge, 0), 20.0F);
    CHECK(count_other_than(scene.with_gl(), kWhiteRgb, 0, 0, 64, 64) == 0);
}

TEST_CASE("an image that wraps is shown again by parts that are larger than it [P8]") {
    PictureScene scene{{64, 64}};
    scene.images.set_wrap(scene.four, ImageWrap::repeat);
    const FrameId part = scene.images.add_rectangle(scene.four, 1, 0, 5, 3);
    show(scene, part, 8.0F);
    check_all(scene, [](const Picture& picture) {
        constexpr std::uint32_t kRows[2][2] = {{kRed, kGreen}, {kBlue, kWhiteRgb}};
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 5; ++x)
                CHECK(count_other_than(picture, kRows[y % 2][(x + 1) % 2], 4 + 8 * x, 4 + 8 * y, 12 + 8 * x,
                                       12 + 8 * y) == 0);
        CHECK(count_other_than(picture, 0, 44, 0, 64, 64) == 0);
    });
    scene.images.set_wrap(scene.four, ImageWrap::mirror);
    check_all(scene, [](const Picture& picture) {
        constexpr std::uint32_t kTop[] = {kGreen, kGreen, kRed, kRed, kGreen};
        for (int x = 0; x < 5; ++x)
            CHECK(count_other_than(picture, kTop[x], 4 + 8 * x, 4, 12 + 8 * x, 12) == 0);
        CHECK(count_other_than(picture, kBlue, 20, 20, 36, 28) == 0);
    });
    // As it was made, but no longer repeated.
    scene.images.set_wrap(scene.four, ImageWrap::clamp);
    check_all(scene, [](const Picture& picture) { CHECK(count_other_than(picture, 0, 44, 0, 64, 64) == 0); });
}

TEST_CASE("repeated images are mirrored and turned like others") {
    PictureScene scene{{64, 64}};
    scene.images.set_wrap(scene.four, ImageWrap::repeat);
    const FrameId part = scene.images.add_rectangle(scene.four, 0, 0, 5, 3);
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.image(part, 44, 4, {.scale_x = -8.0F, .scale_y = 8.0F});
    });
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRed, 4, 4, 12, 12) == 0);
        CHECK(count_other_than(picture, kGreen, 12, 4, 20, 12) == 0);
    });
    show(scene, part, 6.0F, 0.5F);
    const Picture gl = scene.with_gl();
    CHECK(count_different(gl, scene.with_sdl_gles(), 60) < 60);
    CHECK(count_different(gl, scene.with_software(), 60) < 350);
}

TEST_CASE("a part that shows a tiny image a billion times costs no more than others") {
    PictureScene scene{{64, 64}};
    scene.images.set_wrap(scene.four, ImageWrap::repeat);
    const FrameId part = scene.images.add_rectangle(scene.four, 0, 0, 65535, 65535);
    show(scene, part, 0.001F);
    check_all(scene, [](const Picture& picture) { CHECK(pixel(picture, 30, 30) != 0); });
}
