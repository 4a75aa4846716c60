// Images of shaders besides the one that is drawn, by the pixels that come out.
#include "engine/sdl/gl/internal/second_images.h"

#include "engine/draw/color.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <span>
#include <string>
#include <vector>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

const std::string kHead = "uniform Image mask;\nvec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) ";

// The image of four pixels covers 32 x 32, and the shader has the image `mask`, of 4 x 1 grey pixels: 0, 85,
// 170 and 255.
class MaskScene : public PictureScene {
public:
    explicit MaskScene(const std::string& code, const std::string& head = kHead) : PictureScene{{32, 32}} {
        const PackedColor grey[] = {pack_color(0, 0, 0), pack_color(85, 85, 85), pack_color(170, 170, 170),
                                    kWhite};
        mask = add_image("assets/mask.png", 4, 1, {std::begin(grey), std::end(grey)});
        folder.write("a.glsl", head + code);
        id = shaders.of_file(assets.intern(0, "a.glsl").value(), assets, 0).value();
        REQUIRE(shaders.take_reports().empty());
    }
    AssetHandle add_image(const std::string& path, std::uint16_t width, std::uint16_t height,
                          const std::vector<PackedColor>& pixels) {
        folder.write(path, test::png_of(width, height, pixels));
        const AssetHandle image = assets.intern(0, path).value();
        images.add(image, width, height);
        return image;
    }
    void send(std::uint32_t image, std::string_view name = "mask") {
        REQUIRE(shaders.send_image(id, name, image).ok());
    }
    // `draw` in place of the image.
    Picture shown(const std::function<void(Painter&)>& draw = {}) {
        list.clear();
        Painter painter;
        painter.begin_frame(list, images, &shaders);
        painter.is_screen = true;
        painter.shader = id;
        if (draw)
            draw(painter);
        else
            show(painter);
        painter.end_frame();
        list.sort(images);
        surfaces.end_frame(images);
        const Picture picture = with_gl();
        for (const std::string& report : gl_reports()) FAIL_CHECK(report);
        return picture;
    }
    void show(Painter& painter, float x = 0, float y = 0, float scale = 16) const {
        painter.image(images.frame_of(four, 0), x, y, {.scale_x = scale, .scale_y = scale});
    }

    ShaderTable shaders;
    ShaderId id = 0;
    AssetHandle mask = 0;
};

const std::string kMask = "{ return vec4(Texel(mask, at).rgb, 1.0); }";

}  // namespace

TEST_CASE("the second image of a shader has places of its own, whatever shares pages with it") {
    MaskScene scene{kMask};
    CHECK(count_other_than(scene.shown(), 0xFFFFFF, 0, 0, 32, 32) == 0);  // not sent: white
    scene.send(scene.mask);
    const Picture picture = scene.shown();
    for (int x = 0; x < 32; ++x) CHECK(pixel(picture, x, 9) == 0x555555U * static_cast<unsigned>(x / 8));
    // An image that is drawn, too, is on a page with others.
    const Picture both = scene.shown([&](Painter& painter) {
        scene.show(painter);
        painter.shader = 0;
        painter.image(scene.images.frame_of(scene.mask, 0), 0, 0, {.scale_x = 8, .scale_y = 8});
    });
    CHECK(count_different(both, picture) == 0);
    scene.send(0);
    CHECK(count_other_than(scene.shown(), 0xFFFFFF, 0, 0, 32, 32) == 0);
}

TEST_CASE("texture, texture2D and textureSize read a second image, and Texel the drawn one beside it") {
    for (const char* const code :
         {"{ return vec4(texture(mask, at).rgb, 1.0); }", "{ return vec4(texture2D(\n mask, at).rgb, 1.0); }",
          "{ return vec4(vec3(floor(at.x * float(textureSize(mask, 0).x)) / 3.0), 1.0); }"}) {
        MaskScene scene{code};
        scene.send(scene.mask);
        const Picture picture = scene.shown();
        CAPTURE(code);
        for (int x = 0; x < 32; ++x) CHECK(pixel(picture, x, 9) == 0x555555U * static_cast<unsigned>(x / 8));
    }
    MaskScene both{"{ return Texel(image, at) * vec4(Texel(mask, at).rgb, 1.0); }"};
    both.send(both.mask);
    const Picture picture = both.shown();
    CHECK(pixel(picture, 12, 4) == 0x550000);
    CHECK(pixel(picture, 20, 4) == 0x00AA00);
    CHECK(pixel(picture, 12, 28) == 0x000055);
    CHECK(pixel(picture, 28, 28) == 0xFFFFFF);
}

TEST_CASE("a second image repeats and is filtered as it is when it is drawn") {
    MaskScene scene{"{ return vec4(Texel(mask, at * 2.0).rgb, 1.0); }"};
    scene.send(scene.mask);
    CHECK(pixel(scene.shown(), 20, 5) == 0xFFFFFF);  // beyond the edge is the edge
    scene.images.set_wrap(scene.mask, ImageWrap::repeat);
    CHECK(pixel(scene.shown(), 17, 5) == 0x000000);
    CHECK(pixel(scene.shown(), 25, 5) == 0xAAAAAA);
    scene.images.set_wrap(scene.mask, ImageWrap::mirror);
    CHECK(pixel(scene.shown(), 17, 5) == 0xFFFFFF);
    CHECK(pixel(scene.shown(), 25, 5) == 0x555555);
    scene.images.set_wrap(scene.mask, ImageWrap::clamp);
    scene.images.set_filter(scene.mask, ImageFilter::linear);
    CHECK(std::abs(static_cast<int>(pixel(scene.shown(), 4, 5) & 0xFFU) - 0x35) < 4);
}

TEST_CASE("colours of a second image are not multiplied by their opacity, whatever its filter") {
    MaskScene scene{"{ vec4 c = Texel(mask, at); return vec4(c.r, c.a, 0.0, 1.0); }"};
    const AssetHandle half = scene.add_image("assets/half.png", 1, 1, {pack_color(255, 0, 0, 128)});
    scene.send(half);
    CHECK(pixel(scene.shown(), 5, 5) == 0xFF8000);
    scene.images.set_filter(half, ImageFilter::linear);
    CHECK(pixel(scene.shown(), 5, 5) == 0xFF8000);
}

TEST_CASE("a canvas and pixels are second images, the right way up") {
    MaskScene scene{kMask};
    const std::uint32_t canvas = scene.surfaces.make_canvas({8, 8}, scene.images);
    const std::uint32_t pixels = scene.surfaces.make_pixels({2, 2}, scene.images);
    scene.surfaces.find(pixels)->pixels->fill(0, 0, 2, 1, pack_color(0, 0, 255));
    scene.surfaces.begin_frame(scene.images);
    const auto draw = [&](Painter& painter) {
        painter.set_canvas(&scene.surfaces.use_canvas(canvas), canvas, 0);
        painter.shader = 0;
        painter.color = pack_color(255, 0, 0, 128);
        painter.rectangle(true, 0, 0, 8, 2);
        painter.color = kWhite;
        painter.set_canvas(nullptr, 0, 0);
        painter.shader = scene.id;
        scene.show(painter);
    };
    scene.send(canvas);
    const Picture of_canvas = scene.shown(draw);
    CHECK(pixel(of_canvas, 4, 4) == 0xFF0000);
    CHECK(pixel(of_canvas, 4, 12) == 0);
    scene.surfaces.begin_frame(scene.images);
    scene.send(pixels);
    const Picture of_pixels = scene.shown();
    CHECK(pixel(of_pixels, 4, 4) == 0x0000FF);
    CHECK(pixel(of_pixels, 4, 20) == 0);
}

TEST_CASE("in the canvas that is drawn into, a shader that reads it sees white") {
    MaskScene scene{kMask};
    const std::uint32_t canvas = scene.surfaces.make_canvas({16, 16}, scene.images);
    scene.surfaces.begin_frame(scene.images);
    scene.send(canvas);
    const Picture picture = scene.shown([&](Painter& painter) {
        painter.set_canvas(&scene.surfaces.use_canvas(canvas), canvas, 0);
        scene.show(painter, 0, 0, 4);
        painter.set_canvas(nullptr, 0, 0);
        painter.shader = 0;
        painter.image(scene.images.frame_of(canvas, 0), 0, 0);
    });
    CHECK(count_other_than(picture, 0xFFFFFF, 0, 0, 8, 8) == 0);
    CHECK(pixel(picture, 20, 20) == 0);
}

TEST_CASE("four second images are apart, and each item has those that were sent then") {
    MaskScene scene{"{ return vec4(Texel(a, at).r, Texel(b, at).g, Texel(c, at).b * Texel(d, at).r, 1.0); }",
                    "uniform Image a, b; extern Image c; uniform sampler2D d;\nvec4 effect(vec4 color, Image "
                    "image, vec2 at, "
                    "vec2 pixel) "};
    const auto plain = [&](const std::string& name, PackedColor color) {
        return scene.add_image("assets/" + name + ".png", 1, 1, {color});
    };
    const AssetHandle red = plain("red", pack_color(255, 0, 0)),
                      green = plain("green", pack_color(0, 255, 0)),
                      blue = plain("blue", pack_color(0, 0, 255)), dim = plain("dim", pack_color(51, 0, 0));
    const Picture picture = scene.shown([&](Painter& painter) {
        scene.send(green, "a");
        scene.show(painter, 0, 0, 8);
        scene.send(red, "a");
        scene.send(blue, "b");
        scene.show(painter, 16, 0, 8);
        scene.send(green, "b");
        scene.send(blue, "c");
        scene.send(dim, "d");
        scene.show(painter, 0, 16, 8);
    });
    CHECK(pixel(picture, 4, 4) == 0x00FFFF);
    CHECK(pixel(picture, 20, 4) == 0xFF00FF);
    CHECK(pixel(picture, 4, 20) == 0xFFFF33);
}

TEST_CASE("shapes, texts, masks and layers are drawn with the second images of their shader") {
    MaskScene scene{kMask};
    scene.send(scene.mask);
    const Picture shape = scene.shown([](Painter& painter) { painter.rectangle(true, 0, 0, 32, 32); });
    CHECK(pixel(shape, 9, 9) == 0x555555);
    CHECK(pixel(shape, 28, 9) == 0xFFFFFF);
    const Picture mesh = scene.shown([](Painter& painter) {
        const Point points[] = {{0, 0}, {32, 0}, {32, 32}, {0, 32}};
        painter.polygon(true, points);
    });
    CHECK(pixel(mesh, 17, 9) == 0xAAAAAA);

    scene.list.clear();
    LayerLook look;
    look.layer = look.first = 3;
    look.effect = scene.id;
    look.is_screen = true;
    scene.list.set_layers({&look, 1});
    scene.list.add_immediate({.w = 4, .h = 4, .flags = kDrawScreen}, 3);
    scene.list.use_effects(scene.shaders);
    scene.list.sort(scene.images);
    const Picture layer = scene.with_gl();
    CHECK(pixel(layer, 9, 20) == 0x555555);
    CHECK(pixel(layer, 28, 9) == 0xFFFFFF);
}

TEST_CASE("second images are there again after a reset of the driver, and when their file is saved") {
    MaskScene scene{kMask};
    scene.send(scene.mask);
    const Picture before = scene.shown();
    scene.renew_gl();
    CHECK(count_different(scene.shown(), before) == 0);
    scene.folder.write("assets/mask.png", test::png_of(1, 1, std::vector<PackedColor>{pack_color(1, 2, 3)}));
    scene.reload_gl();
    CHECK(pixel(scene.shown(), 5, 5) == 0x010203);
}

TEST_CASE("a second image that is broken is the placeholder alone") {
    MaskScene scene{kMask};
    scene.folder.write("assets/mask.png", "no image");
    scene.send(scene.mask);
    scene.list.clear();
    Painter painter;
    painter.begin_frame(scene.list, scene.images, &scene.shaders);
    painter.is_screen = true;
    painter.shader = scene.id;
    scene.show(painter);
    painter.end_frame();
    scene.list.sort(scene.images);
    const Picture picture = scene.with_gl();
    CHECK(scene.gl_reports().size() == 1);
    CHECK(pixel(picture, 4, 4) == 0xFF00FF);
    CHECK(pixel(picture, 28, 4) == 0);
    CHECK(pixel(picture, 28, 28) == 0xFF00FF);
}

TEST_CASE("a noise image dissolves another: what is brighter than the amount stays") {
    MaskScene scene{
        R"({
    float noise = Texel(mask, at).r;
    vec4 own = Texel(image, at) * color;
    if (noise < amount) own.a = 0.0;
    return own;
})",
        "extern Image mask;\nextern number amount;\nvec4 effect(vec4 color, Image image, vec2 at, vec2 "
        "pixel) "};
    std::vector<PackedColor> noise(16 * 16);
    for (std::size_t i = 0; i < noise.size(); ++i) {
        const auto grey = static_cast<std::uint8_t>((i * 2654435761U) >> 13U);
        noise[i] = pack_color(grey, grey, grey);
    }
    scene.send(scene.add_image("assets/noise.png", 16, 16, noise));
    for (const float amount : {0.0F, 0.3F, 0.7F, 1.5F}) {
        REQUIRE(scene.shaders.send(scene.id, "amount", std::span{&amount, 1}).ok());
        const Picture picture = scene.shown();
        int wrong = 0;
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) {
                const PackedColor grey = noise[static_cast<std::size_t>(y / 2 * 16 + x / 2)] & 0xFFU;
                const std::uint32_t colors[] = {0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF};
                const bool is_there = static_cast<float>(grey) / 255.0F >= amount;
                const std::uint32_t expected = is_there ? colors[x / 16 + y / 16 * 2] : 0;
                wrong += pixel(picture, x, y) != expected ? 1 : 0;
            }
        CAPTURE(amount);
        CHECK(wrong == 0);
    }
}

TEST_CASE("arrays and matrices reach a shader with rows as they were sent") {
    MaskScene scene{
        "{ return vec4(weights[2], points[1].y, (turn * vec2(1.0, 0.0)).y + (kept * vec3(0.0, 0.0, "
        "0.2)).z, 1.0); }",
        "uniform float weights[3];\nuniform vec2 points[2];\nuniform mat2 turn;\nuniform mat3 "
        "kept;\nvec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) "};
    CHECK(pixel(scene.shown(), 5, 5) == 0x000033);  // zeros; a matrix is 1 on its diagonal
    const auto send = [&](std::string_view name, std::vector<float> values) {
        REQUIRE(scene.shaders.send(scene.id, name, values).ok());
    };
    send("weights", {0, 0, 0.4F});
    send("points", {0, 0, 0, 0.6F});
    send("turn", {0, 0, 0.8F, 0});  // the second row
    CHECK(pixel(scene.shown(), 5, 5) == 0x6699FF);
}
