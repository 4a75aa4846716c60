// Layers that are drawn as a whole, by their pixels in all back ends.
#include "engine/sdl/draw/internal/sdl_layers.h"

#include "engine/draw/layer_look.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace perigee;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr PackedColor kGray = pack_color(64, 64, 64);

LayerLook whole(std::int16_t layer, BlendMode blend = BlendMode::add) {
    LayerLook look;
    look.layer = look.first = layer;
    look.blend = blend;
    return look;
}

void fill(DrawList& list, std::int16_t layer, float x, float width, PackedColor color, float height = 40) {
    list.add_immediate({.x = x, .w = width, .h = height, .color = color}, layer);
}

// Layer 1 has an effect whose body is this.
LayerLook with_effect(PictureScene& scene, ShaderTable& shaders, const std::string& body) {
    scene.folder.write(
        "effect.glsl",
        "vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {\n  return " + body + ";\n}\n");
    LayerLook look = whole(1, BlendMode::alpha);
    look.effect = shaders.of_file(scene.assets.intern(0, "effect.glsl").value(), scene.assets, 0).value();
    CHECK(shaders.take_reports().empty());
    return look;
}

std::vector<Picture> pictures(PictureScene& scene) {
    return {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()};
}

}  // namespace

TEST_CASE("things that overlap in a layer that is added add up once [P15]") {
    PictureScene scene{{60, 40}};
    scene.add([](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        list.set_layers(std::vector{whole(1)});
        fill(list, 0, 0, 60, kGray);
        for (const float x : {10.0F, 20.0F}) fill(list, 1, x, 20, kGray);
        fill(list, 2, 50, 10, pack_color(0, 0, 255));
    });
    for (const Picture& picture : pictures(scene)) {
        CHECK(count_other_than(picture, 0x404040, 0, 0, 10, 40) == 0);
        CHECK(count_other_than(picture, 0x808080, 10, 0, 40, 40) == 0);
        CHECK(count_other_than(picture, 0x404040, 40, 0, 50, 40) == 0);
        CHECK(count_other_than(picture, 0x0000FF, 50, 0, 60, 40) == 0);
    }
}

TEST_CASE("groups of layers are in one another, also in a part of the picture") {
    PictureScene scene{{60, 40}};
    scene.add([](DrawList& list) {
        LayerLook all = whole(5);
        all.first = 1;
        DrawList& view = list.add_view({20, 10, 30, 20}, {15, 10, 1, 0});
        view.clear_color = kGray;
        view.set_layers(std::vector{whole(2), all});
        fill(view, 1, 0, 10, kGray);
        fill(view, 2, 5, 10, kGray);
        fill(view, 2, 5, 10, kGray);
        fill(view, 3, 20, 5, kGray);
        fill(list, 2, 0, 4, kGray);
    });
    for (const Picture& picture : pictures(scene)) {
        CHECK(count_other_than(picture, 0x000000, 0, 0, 60, 10) == 0);
        CHECK(count_other_than(picture, 0x808080, 20, 10, 25, 30) == 0);
        CHECK(count_other_than(picture, 0xC0C0C0, 25, 10, 30, 30) == 0);
        CHECK(count_other_than(picture, 0x404040, 35, 10, 40, 30) == 0);
        CHECK(count_other_than(picture, 0x808080, 40, 10, 45, 30) == 0);
        CHECK(count_other_than(picture, 0x404040, 45, 10, 50, 30) == 0);
        CHECK(count_other_than(picture, 0x000000, 50, 10, 60, 40) == 0);
    }
}

TEST_CASE("a layer that is multiplied keeps what is around its things") {
    PictureScene scene{{60, 40}};
    scene.add([](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        list.set_layers(std::vector{whole(1, BlendMode::multiply)});
        fill(list, 0, 0, 60, pack_color(200, 100, 50));
        fill(list, 1, 10, 20, pack_color(255, 0, 255));
    });
    for (const Picture& picture : pictures(scene)) {
        CHECK(pixel(picture, 20, 20) == 0xC80032);
        CHECK(pixel(picture, 40, 20) == 0xC86432);
    }
}

TEST_CASE("masks work in a layer that is drawn as a whole, and end with it") {
    PictureScene scene{{60, 40}};
    scene.add([](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        list.set_layers(std::vector{whole(1)});
        const std::uint32_t mask = list.add_mask(false);
        list.mask(mask).list->add_immediate({.x = 10, .w = 20, .h = 20}, 0);
        fill(list, 0, 0, 60, kGray);
        DrawState state = list.immediate_state();
        state.mask = mask;
        list.set_state(state);
        fill(list, 1, 0, 60, kGray);
        state.mask = 0;
        list.set_state(state);
        fill(list, 2, 50, 10, kGray);
    });
    for (const Picture& picture : pictures(scene)) {
        CHECK(count_other_than(picture, 0x808080, 10, 0, 30, 20) == 0);
        CHECK(count_other_than(picture, 0x404040, 0, 0, 10, 40) == 0);
        CHECK(count_other_than(picture, 0x404040, 10, 20, 60, 40) == 0);
    }
}

TEST_CASE("the picture of a layer may have a background") {
    PictureScene scene{{60, 40}};
    scene.add([](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        LayerLook look = whole(1, BlendMode::alpha);
        look.background = pack_color(128, 0, 0, 128);
        list.set_layers(std::vector{look});
        fill(list, 0, 0, 60, kWhite);
        fill(list, 1, 10, 20, kGray);
    });
    for (const Picture& picture : pictures(scene)) {
        CHECK(count_other_than(picture, 0x404040, 10, 0, 30, 40) == 0);
        const std::uint32_t mixed = pixel(picture, 40, 20);
        CHECK(std::abs(static_cast<int>(mixed >> 16U) - 191) <= 2);
        CHECK(std::abs(static_cast<int>(mixed & 0xFFU) - 127) <= 2);
    }
}

TEST_CASE("a layer is drawn as a whole on a canvas and in pixel art") {
    PictureScene scene{{60, 40}};
    scene.screen = ScreenDesc{PixelSize{30, 20}};
    scene.screen->is_pixel_art = true;
    const std::uint32_t canvas = scene.surfaces.make_canvas({.width = 20, .height = 20}, scene.images);
    const auto draw = [](DrawList& list) {
        list.set_layers(std::vector{whole(1)});
        for (int i = 0; i < 2; ++i) fill(list, 1, 0, 10, kGray, 20);
    };
    const auto fill_frame = [&](DrawList& list) {
        scene.surfaces.begin_frame(scene.images);
        scene.surfaces.clear_canvas(canvas, kGray);
        draw(scene.surfaces.use_canvas(canvas).add_view({0, 0, 20, 20}, {10, 10, 1, 0}));
        scene.surfaces.end_frame(scene.images);
        list.camera = {15, 10, 1, 0};
        DrawItem item{.w = 20, .h = 20, .kind = DrawKind::sprite};
        item.ref = scene.images.frame_of(canvas, 0);
        list.add(item, {0, 0}, canvas);
        list.set_layers(std::vector{whole(1)});
        for (int i = 0; i < 2; ++i) fill(list, 1, 20, 10, kGray, 20);
    };
    for (Picture (PictureScene::*const with)() :
         {&PictureScene::with_gl, &PictureScene::with_software, &PictureScene::with_sdl_gles}) {
        scene.add(fill_frame);
        const Picture picture = (scene.*with)();
        CHECK(pixel(picture, 10, 20) == 0x808080);
        CHECK(pixel(picture, 30, 20) == 0x404040);
        CHECK(pixel(picture, 50, 20) == 0x404040);
    }
}

TEST_CASE("a picture of a layer is gone when it is no longer used, and made again") {
    PictureScene scene{{60, 40}};
    for (const bool is_used : {true, false, false, true}) {
        scene.add([&](DrawList& list) {
            list.camera = {30, 20, 1, 0};
            if (is_used) list.set_layers(std::vector{whole(1)});
            for (int i = 0; i < 2; ++i) fill(list, 1, 0, 60, kGray);
        });
        for (const Picture& picture : pictures(scene)) CHECK(pixel(picture, 5, 5) == 0x404040);
    }
}

TEST_CASE("OpenGL draws a layer with its effect, and the software renderer without it, and says so [P15]") {
    PictureScene scene{{60, 40}};
    ShaderTable shaders;
    const LayerLook look = with_effect(scene, shaders, "Texel(image, 1.0 - at).brga * color");
    scene.add([&](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        list.set_layers(std::vector{look});
        fill(list, 0, 0, 60, kGray);
        fill(list, 1, 5, 10, pack_color(255, 0, 0), 10);
        list.use_effects(shaders);
    });
    const Picture turned = scene.with_gl();
    CHECK(count_other_than(turned, 0x00FF00, 45, 30, 55, 40) == 0);
    CHECK(count_other_than(turned, 0x404040, 0, 0, 60, 30) == 0);
    CHECK(pixel(scene.with_software(), 10, 5) == 0xFF0000);
    CHECK(scene.software_reports().size() == 1);
}

TEST_CASE("what is added in a layer with an effect is seen with every renderer") {
    PictureScene scene{{60, 40}};
    ShaderTable shaders;
    const LayerLook look = with_effect(scene, shaders, "Texel(image, at) * color");
    scene.add([&](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        list.set_layers(std::vector{look});
        list.add_immediate({.x = 10,
                            .y = 10,
                            .w = 20,
                            .h = 20,
                            .color = kGray,
                            .flags = static_cast<std::uint8_t>(BlendMode::add)},
                           1);
        list.use_effects(shaders);
    });
    for (const Picture& picture : pictures(scene)) {
        CHECK(count_other_than(picture, 0x404040, 10, 10, 30, 30) == 0);
        CHECK(count_other_than(picture, 0x000000, 31, 0, 60, 40) == 0);
    }
}

TEST_CASE("the effect of a picture is drawn over its background, its views and the screen [P15]") {
    PictureScene scene{{60, 40}};
    ShaderTable shaders;
    const LayerLook look = with_effect(scene, shaders, "vec4(1.0 - Texel(image, at).rgb, 1.0) * color");
    scene.add([&](DrawList& list) {
        list.camera = {30, 20, 1, 0};
        list.background = pack_color(255, 255, 0);
        DrawList& view = list.add_view({10, 10, 20, 20}, {0, 0, 1, 0});
        view.add_immediate({.x = -10, .y = -10, .w = 20, .h = 20, .color = pack_color(255, 0, 0)}, 0);
        list.add_immediate({.x = 40, .y = 10, .w = 10, .h = 10, .color = kWhite, .flags = kDrawScreen}, 0);
        list.use_picture_effect(look.effect, shaders);
        CHECK(list.picture_effect() != 0);
    });
    const Picture negative = scene.with_gl();
    CHECK(count_other_than(negative, 0x00FFFF, 10, 10, 30, 30) == 0);
    CHECK(count_other_than(negative, 0x000000, 40, 10, 50, 20) == 0);
    CHECK(count_other_than(negative, 0x0000FF, 0, 0, 60, 10) == 0);
    CHECK(count_other_than(negative, 0x0000FF, 0, 30, 60, 40) == 0);
    CHECK(count_other_than(scene.with_software(), 0xFF0000, 10, 10, 30, 30) == 0);
    CHECK(scene.software_reports().size() == 1);
}
