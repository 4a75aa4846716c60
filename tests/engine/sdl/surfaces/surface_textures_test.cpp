// Surfaces as both back ends draw them.
#include "engine/sdl/surfaces/surface_textures.h"

#include "engine/sdl/gl/gl_surfaces.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr PackedColor kRed = pack_color(255, 0, 0);
constexpr PackedColor kGreen = pack_color(0, 255, 0);

// Draws an image with its top left corner at 0, 0.
void show(PictureScene& scene, std::uint32_t image, float scale = 1.0F) {
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.image(scene.images.frame_of(image, 0), 0, 0, {.scale_x = scale, .scale_y = scale});
    });
}

template <typename Check> void check_both(PictureScene& scene, Check check) {
    {
        INFO("OpenGL");
        check(scene.with_gl());
    }
    INFO("software");
    check(scene.with_software());
}

}  // namespace

TEST_CASE("pixels are drawn as they are, and a write shows in the next frame") {
    PictureScene scene{{64, 48}};
    const std::uint32_t image = scene.surfaces.make_pixels({40, 30}, scene.images);
    PixelBuffer& pixels = *scene.surfaces.find(image)->pixels;
    pixels.fill(0, 0, 40, 30, kRed);
    pixels.fill(10, 5, 3, 2, kGreen);
    show(scene, image);
    for (const bool is_gl : {true, false}) {
        const auto picture = [&] { return is_gl ? scene.with_gl() : scene.with_software(); };
        INFO((is_gl ? "OpenGL" : "software"));
        pixels.mark_all();  // the other back end took what changed
        const Picture first = picture();
        CHECK(count_other_than(first, 0x00FF00, 10, 5, 13, 7) == 0);
        CHECK(count_other_than(first, 0xFF0000, 0, 0, 40, 5) == 0);
        CHECK(count_other_than(first, 0x000000, 40, 0, 64, 48) == 0);
        pixels.fill(20, 20, 1, 1, kWhite);
        CHECK(pixel(picture(), 20, 20) == 0xFFFFFF);
        pixels.fill(20, 20, 1, 1, kRed);
        CHECK(pixel(picture(), 20, 20) == 0xFF0000);
    }
}

TEST_CASE("transparent pixels blend as those of an image file do") {
    PictureScene scene{{64, 48}};
    const std::uint32_t image = scene.surfaces.make_pixels({2, 1}, scene.images);
    PixelBuffer& pixels = *scene.surfaces.find(image)->pixels;
    pixels.fill(0, 0, 1, 1, pack_color(255, 0, 0, 128));
    show(scene, image, 20.0F);
    for (const bool is_gl : {true, false}) {
        pixels.mark_all();
        const Picture picture = is_gl ? scene.with_gl() : scene.with_software();
        CHECK(std::abs(int(pixel(picture, 5, 5) >> 16U) - 128) <= 1);
        CHECK(pixel(picture, 30, 5) == 0);
    }
}

TEST_CASE("pixels are drawn with every blend mode") {
    PictureScene scene{{64, 48}};
    const std::uint32_t image = scene.surfaces.make_pixels({4, 4}, scene.images);
    PixelBuffer& pixels = *scene.surfaces.find(image)->pixels;
    for (const PackedColor color : {pack_color(200, 100, 50, 128), pack_color(50, 200, 100, 128)}) {
        pixels.fill(0, 0, 4, 4, color);
        for (std::size_t i = 0; i < kBlendNames.size(); ++i) {
            INFO(kBlendNames[i]);
            const auto mode = static_cast<BlendMode>(i);
            const auto pictures = [&](bool is_surface) {
                scene.paint([&](Painter& painter) {
                    painter.is_screen = true;
                    painter.color = pack_color(100, 120, 140);
                    painter.rectangle(true, 0, 0, 64, 48);
                    painter.color = is_surface ? kWhite : color;
                    painter.blend = mode;
                    if (is_surface)
                        painter.image(scene.images.frame_of(image, 0), 0, 0);
                    else
                        painter.rectangle(true, 0, 0, 4, 4);
                });
                pixels.mark_all();
                const std::uint32_t gl = pixel(scene.with_gl(), 2, 2);
                pixels.mark_all();
                return std::pair{gl, pixel(scene.with_software(), 2, 2)};
            };
            const auto [gl, software] = pictures(true);
            const auto [gl_shape, software_shape] = pictures(false);
            for (unsigned shift = 0; shift < 24; shift += 8) {
                CHECK(std::abs(int(gl >> shift & 0xFFU) - int(gl_shape >> shift & 0xFFU)) <= 2);
                CHECK(std::abs(int(software >> shift & 0xFFU) - int(software_shape >> shift & 0xFFU)) <= 2);
            }
        }
    }
}

TEST_CASE("the filter of a surface decides what is between its pixels") {
    PictureScene scene{{64, 48}};
    const std::uint32_t image = scene.surfaces.make_pixels({2, 1}, scene.images);
    for (const ImageFilter filter : {ImageFilter::nearest, ImageFilter::linear}) {
        scene.images.set_filter(image, filter);
        PixelBuffer& pixels = *scene.surfaces.find(image)->pixels;
        pixels.fill(0, 0, 1, 1, kRed);
        pixels.fill(1, 0, 1, 1, kGreen);
        show(scene, image, 30.0F);
        check_both(scene, [filter](const Picture& picture) {
            CHECK((pixel(picture, 25, 5) == 0xFF0000) == (filter == ImageFilter::nearest));
        });
    }
}

TEST_CASE("a surface that takes the place of another is drawn with its own size and parts") {
    PictureScene scene{{64, 48}};
    for (const std::uint16_t side : {std::uint16_t{40}, std::uint16_t{8}}) {
        const std::uint32_t image = scene.surfaces.make_pixels({side, side}, scene.images);
        scene.surfaces.find(image)->pixels->fill(side / 2, 0, side, side, kGreen);
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            const auto half = static_cast<std::uint16_t>(side / 2);
            painter.image(scene.images.add_rectangle(image, half, 0, half, half), 0, 0);
        });
        check_both(scene, [&](const Picture& picture) {
            CHECK(count_other_than(picture, 0x00FF00, 0, 0, side / 2, side / 2) == 0);
            CHECK(pixel(picture, side / 2, 0) == 0);
            scene.surfaces.find(image)->pixels->mark_all();
        });
        scene.surfaces.release(image);
        scene.surfaces.begin_frame(scene.images);
    }
}

TEST_CASE("pixels are there again after the driver lost everything") {
    PictureScene scene{{64, 48}};
    const std::uint32_t image = scene.surfaces.make_pixels({40, 30}, scene.images);
    scene.surfaces.find(image)->pixels->fill(0, 0, 40, 30, kGreen);
    show(scene, image);
    const Picture before = scene.with_gl();
    scene.renew_gl();
    CHECK(count_different(before, scene.with_gl()) == 0);
    CHECK(pixel(before, 5, 5) == 0x00FF00);
}

TEST_CASE("a surface that a back end has not heard of shows the placeholder") {
    PictureScene scene{{64, 48}};
    scene.draws_surfaces = false;
    const std::uint32_t image = scene.surfaces.make_pixels({40, 30}, scene.images);
    show(scene, image);
    check_both(scene, [](const Picture& picture) { CHECK(pixel(picture, 1, 1) == 0xFF00FF); });
}
