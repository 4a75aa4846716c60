// Blend modes: what SDL's drivers mix, compared with what the names say, and with OpenGL.
#include "engine/sdl/draw/sdl_blend.h"

#include "engine/draw/color.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <vector>

using namespace perigee;
using test::count_different;
using test::PictureScene;
using test::pixel;

namespace {

constexpr BlendMode kAll[] = {BlendMode::alpha,  BlendMode::add,      BlendMode::multiply,
                              BlendMode::screen, BlendMode::subtract, BlendMode::replace,
                              BlendMode::darken, BlendMode::lighten};

bool near(std::uint32_t color, const std::vector<int>& expected) {
    for (unsigned i = 0; i < 3; ++i)
        if (std::abs(static_cast<int>(color >> (16 - 8 * i) & 0xFFU) - expected[i]) > 2) return false;
    return true;
}

// Paints a shape, an image with transparent pixels, a text and a mesh over a grey-green.
void paint_all(PictureScene& scene, AssetHandle image, BlendMode mode, PackedColor color) {
    scene.add([&](DrawList& list) {
        DrawItem item{.w = 64, .h = 64, .color = pack_color(100, 200, 50), .flags = kDrawScreen};
        list.add_immediate(item, 0);
        item = {.x = 2, .y = 2, .w = 20, .h = 20, .color = color};
        item.flags = static_cast<std::uint8_t>(kDrawScreen | static_cast<std::uint8_t>(mode));
        list.add_immediate(item, 0);
        DrawItem sprite = item;
        sprite.kind = DrawKind::sprite;
        sprite.x = 32;
        sprite.ref = scene.images.frame_of(image, 0);
        list.add_immediate(sprite, 0, image);
        DrawItem text = item;
        text.kind = DrawKind::text;
        text.y = 26;
        text.w = 0;
        text.ref = list.add_text("ink");
        list.add_immediate(text, 0);
        DrawItem mesh = item;
        mesh.kind = DrawKind::mesh;
        const std::vector<MeshPoint> points{{36, 36, 0, 0}, {60, 36, 1, 0}, {60, 60, 1, 1},
                                            {36, 36, 0, 0}, {60, 60, 1, 1}, {36, 60, 0, 1}};
        mesh.ref = list.add_mesh(points);
        list.add_immediate(mesh, 0);
    });
}

struct BlendScene : PictureScene {
    BlendScene() : PictureScene({64, 64}) {
        // Left opaque, right transparent with a colour, below half.
        folder.write("assets/holes.png",
                     test::png_of(2, 2,
                                  {pack_color(200, 100, 255), pack_color(255, 255, 255, 0),
                                   pack_color(200, 100, 255, 128), pack_color(0, 0, 0, 0)}));
        holes = assets.intern(0, "assets/holes.png").value();
        images.add(holes, 2, 2);
    }
    AssetHandle holes = 0;
};

}  // namespace

TEST_CASE("modes that every driver has look as with OpenGL, for shapes, images, texts and meshes") {
    BlendScene scene;
    for (const BlendMode mode : {BlendMode::alpha, BlendMode::add, BlendMode::multiply, BlendMode::replace})
        for (const PackedColor color : {kWhite, pack_color(200, 100, 255), pack_color(200, 100, 255, 128)}) {
            CAPTURE(kBlendNames[static_cast<std::size_t>(mode)], color);
            paint_all(scene, scene.holes, mode, color);
            const Picture picture = scene.with_gl();
            CHECK(count_different(picture, scene.with_software(), 3) == 0);
            CHECK(count_different(picture, scene.with_sdl_gles(), 3) == 0);
        }
}

TEST_CASE("modes that a driver composes look as with OpenGL") {
    BlendScene scene;
    for (const BlendMode mode : {BlendMode::screen, BlendMode::subtract}) {
        CAPTURE(kBlendNames[static_cast<std::size_t>(mode)]);
        paint_all(scene, scene.holes, mode, pack_color(200, 100, 255, 200));
        CHECK(count_different(scene.with_gl(), scene.with_sdl_gles(), 3) == 0);
    }
}

TEST_CASE("the software renderer adds instead of screen and lighten, and multiplies to darken and subtract") {
    BlendScene scene;
    const auto mixed = [&](BlendMode mode, PackedColor color) {
        paint_all(scene, scene.holes, mode, color);
        return pixel(scene.with_software(), 10, 10);
    };
    const PackedColor color = pack_color(60, 30, 255);
    for (const BlendMode mode : {BlendMode::add, BlendMode::screen, BlendMode::lighten})
        CHECK(near(mixed(mode, color), {160, 230, 255}));
    for (const BlendMode mode : {BlendMode::multiply, BlendMode::darken, BlendMode::subtract})
        CHECK(near(mixed(mode, color), {24, 24, 50}));
}

TEST_CASE("what is invisible changes nothing, in every driver and mode but replace") {
    BlendScene scene;
    for (const BlendMode mode : kAll) {
        if (mode == BlendMode::replace) continue;
        CAPTURE(kBlendNames[static_cast<std::size_t>(mode)]);
        paint_all(scene, scene.holes, mode, pack_color(255, 255, 255, 0));
        for (const Picture& picture : {scene.with_software(), scene.with_sdl_gles()})
            CHECK(test::count_other_than(picture, pixel(picture, 0, 0), 0, 0, 64, 64) == 0);
        // Nor do the transparent pixels of an image, and what is around letters.
        paint_all(scene, scene.holes, mode, kWhite);
        for (const Picture& picture : {scene.with_software(), scene.with_sdl_gles()}) {
            CHECK(test::count_other_than(picture, pixel(picture, 0, 0), 42, 2, 52, 22) == 0);
            CHECK(test::count_other_than(picture, pixel(picture, 0, 0), 2, 24, 30, 28) == 0);
        }
    }
}
