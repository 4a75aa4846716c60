// Shaders of games by their pixels, and the messages of the driver's compiler.
#include "engine/sdl/gl/effect_programs.h"

#include "engine/draw/shapes/vertex_mesh.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/sdl/window/error_codes.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <memory>
#include <span>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

const std::string kHead = "vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)";

// The image of four pixels in the middle of 32 x 32, each pixel 8 x 8.
class EffectScene : public PictureScene {
public:
    explicit EffectScene(const std::string& source = "") : PictureScene{{32, 32}} {
        folder.write("a.glsl", source);
        file = assets.intern(0, "a.glsl").value();
        id = shaders.of_file(file, assets, 0).value();
    }
    void save(const std::string& source) {
        folder.write("a.glsl", source);
        shaders.reload(assets);
    }
    void send(std::string_view name, std::initializer_list<float> values) {
        REQUIRE(shaders.send(id, name, std::span{values.begin(), values.size()}).ok());
    }
    void paint_with(const std::function<void(Painter&)>& draw) {
        list.clear();
        Painter painter;
        painter.begin_frame(list, images, &shaders);
        painter.is_screen = true;
        painter.shader = id;
        draw(painter);
        painter.end_frame();
        list.sort(images);
    }
    void show(Painter& painter) const {
        painter.image(images.frame_of(four, 0), 8, 8, {.scale_x = 8, .scale_y = 8});
    }
    Picture shown() {
        paint_with([this](Painter& painter) { show(painter); });
        return with_gl();
    }

    ShaderTable shaders;
    AssetHandle file = 0;
    ShaderId id = 0;
};

}  // namespace

TEST_CASE("a shader sees the image, the colour, and places in the frame and on the screen") {
    EffectScene scene{kHead + "{ return Texel(image, at) * color; }"};
    const auto dimmed = [&](Painter& painter) {
        painter.color = pack_color(255, 128, 255, 200);
        scene.show(painter);
    };
    scene.paint_with(dimmed);
    const Picture with = scene.with_gl();
    scene.id = 0;
    scene.paint_with(dimmed);
    CHECK(count_different(with, scene.with_gl(), 1) == 0);
    CHECK(pixel(with, 12, 12) != 0);

    EffectScene places{kHead + "{ return vec4(at, pixel.x / screen_size.x, 1.0); }"};
    const Picture picture = places.shown();
    CHECK(pixel(picture, 8, 8) == 0x080844);  // half a pixel from the corner, of 16
    CHECK(pixel(picture, 23, 8) == 0xF708BB);
    CHECK(pixel(picture, 8, 23) == 0x08F744);
    CHECK(count_other_than(picture, 0, 0, 0, 8, 32) == 0);

    EffectScene texels{kHead + "{ return vec4(texel, time * 0.1, 1.0); }"};
    texels.shaders.time = 5;
    CHECK(pixel(texels.shown(), 10, 10) == 0x808080);
}

TEST_CASE("a shader of LÖVE declares the time and sends it, and knows the size of the screen") {
    EffectScene scene{"extern number time;\n" + kHead +
                      "{ return vec4(time * 0.1, love_ScreenSize.y / 64.0, 0.0, 1.0); }"};
    scene.shaders.time = 5;
    CHECK(pixel(scene.shown(), 10, 10) == 0x808000);  // until it is sent
    scene.send("time", {10});
    CHECK(pixel(scene.shown(), 10, 10) == 0xFF8000);
    scene.save("uniform vec2 screen_size;\n" + kHead +
               "{ return vec4(screen_size / 64.0, time * 0.1, 1.0); }");
    CHECK(pixel(scene.shown(), 10, 10) == 0x808080);
    scene.send("screen_size", {64, 0});
    CHECK(pixel(scene.shown(), 10, 10) == 0xFF0080);
}

TEST_CASE("Texel stays in the frame of the image, whatever is beside it on the page") {
    const std::string function = GENERATE("Texel", "texture", "texture2D");
    EffectScene scene{kHead + "{ return " + function + "(image, at * 3.0 - 1.0); }"};
    const Picture picture = scene.shown();
    CHECK(pixel(picture, 8, 8) == 0xFF0000);
    CHECK(pixel(picture, 14, 8) == 0xFF0000);
    CHECK(pixel(picture, 23, 8) == 0x00FF00);
    CHECK(pixel(picture, 8, 23) == 0x0000FF);
    CHECK(pixel(picture, 23, 23) == 0xFFFFFF);
}

TEST_CASE("each image is drawn with the values that its shader had then") {
    EffectScene scene{"uniform vec3 tint = vec3(0.0, 0.0, 1.0); uniform float a, b;\n" + kHead +
                      "{ return vec4(tint + vec3(a, b, 0.0), 1.0); }"};
    scene.paint_with([&](Painter& painter) {
        const auto box = [&](float x) {
            painter.image(scene.images.frame_of(scene.four, 0), x, 0, {.scale_x = 4, .scale_y = 16});
        };
        box(0);
        scene.send("tint", {1, 0, 0});
        box(8);
        scene.send("b", {1});
        box(16);
        painter.shader = 0;
        box(24);
    });
    const Picture picture = scene.with_gl();
    CHECK(pixel(picture, 4, 4) == 0x0000FF);
    CHECK(pixel(picture, 12, 4) == 0xFF0000);
    CHECK(pixel(picture, 20, 4) == 0xFFFF00);
    CHECK(pixel(picture, 28, 4) == 0x00FF00);
    CHECK(scene.gl_calls() == 4);
}

TEST_CASE("whole numbers and booleans reach the shader as they are sent") {
    EffectScene scene{
        "uniform int n = 2, list[2]; uniform bool is_red;\n" + kHead +
        "{ int sum = n + list[0] + list[1];\n"
        "  return vec4(is_red ? 1.0 : 0.0, sum == 2 ? 1.0 : 0.0, sum == -5 ? 1.0 : 0.0, 1.0); }"};
    scene.paint_with([&](Painter& painter) {
        const auto box = [&](float x) {
            painter.image(scene.images.frame_of(scene.four, 0), x, 0, {.scale_x = 4, .scale_y = 16});
        };
        box(0);
        scene.send("n", {3});
        scene.send("list", {-7, -1});
        box(8);
        scene.send("is_red", {1});
        box(16);
    });
    const Picture picture = scene.with_gl();
    CHECK(pixel(picture, 4, 4) == 0x00FF00);
    CHECK(pixel(picture, 12, 4) == 0x0000FF);
    CHECK(pixel(picture, 20, 4) == 0xFF00FF);
}

TEST_CASE("a canvas is read with straight colours and drawn the right way up") {
    EffectScene scene{kHead + "{ vec4 c = Texel(image, at); return vec4(c.rgb, 1.0); }"};
    const std::uint32_t canvas = scene.surfaces.make_canvas({16, 16}, scene.images);
    scene.surfaces.begin_frame(scene.images);
    scene.paint_with([&](Painter& painter) {
        painter.set_canvas(&scene.surfaces.use_canvas(canvas), canvas, 0);
        painter.shader = 0;
        painter.color = pack_color(255, 0, 0, 128);
        painter.rectangle(true, 0, 0, 16, 4);
        painter.color = kWhite;
        painter.set_canvas(nullptr, 0, 0);
        painter.shader = scene.id;
        painter.image(scene.images.frame_of(canvas, 0), 8, 8);
    });
    scene.surfaces.end_frame(scene.images);
    const Picture picture = scene.with_gl();
    CHECK(pixel(picture, 10, 9) == 0xFF0000);
    CHECK(pixel(picture, 10, 20) == 0);
}

TEST_CASE("a shader of shapes sees their rectangle from 0 to 1, their colour, and white for an image") {
    EffectScene scene{kHead + "{ return vec4(at, Texel(image, at).b * color.b, 1.0); }"};
    const auto shown = [&](const std::function<void(Painter&)>& draw) {
        scene.paint_with([&](Painter& painter) {
            painter.color = pack_color(9, 9, 128);
            draw(painter);
        });
        return scene.with_gl();
    };
    // The colour of a place, in 1/16 of the rectangle.
    const auto is_place = [](std::uint32_t color, double x, double y) {
        const auto near = [](std::uint32_t byte, double part) {
            return std::abs(static_cast<double>(byte & 0xFFU) - 255.0 * part) < 16.0;
        };
        return near(color >> 16U, x) && near(color >> 8U, y) && near(color, 0.5);
    };
    const auto of_rectangle = [&](const Picture& picture, int left, int top, int right, int bottom) {
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) {
                const std::uint32_t color = pixel(picture, x, y);
                if (color == 0) continue;
                INFO(x << " " << y << " " << std::hex << color);
                CHECK(is_place(color, (x + 0.5 - left) / (right - left), (y + 0.5 - top) / (bottom - top)));
            }
    };
    of_rectangle(shown([](Painter& p) { p.rectangle(true, 4, 8, 20, 12); }), 4, 8, 24, 20);
    of_rectangle(shown([](Painter& p) { p.rectangle(false, 4, 8, 20, 12); }), 4, 8, 24, 20);
    const Picture disc = shown([](Painter& p) { p.circle(true, 16, 16, 12); });
    CHECK(is_place(pixel(disc, 16, 16), 0.52, 0.52));
    CHECK(is_place(pixel(disc, 7, 16), 0.15, 0.52));
    CHECK(is_place(pixel(disc, 16, 25), 0.52, 0.9));
    CHECK(pixel(disc, 5, 5) == 0);
    const Picture pie = shown([](Painter& p) { p.arc(true, ArcShape::pie, 16, 16, 12, 0.2F, 2.0F); });
    CHECK(is_place(pixel(pie, 20, 22), 0.69, 0.77));
    CHECK(pixel(pie, 8, 12) == 0);
    const Picture polygon = shown([](Painter& p) {
        const Point points[] = {{4, 4}, {28, 4}, {28, 28}, {4, 28}, {12, 16}};
        p.polygon(true, points);
    });
    CHECK(is_place(pixel(polygon, 16, 6), 0.52, 0.1));
    CHECK(is_place(pixel(polygon, 26, 16), 0.94, 0.52));
    CHECK(pixel(polygon, 6, 16) == 0);
    // Of a line, from its start to its end.
    for (const bool is_level : {true, false}) {
        const Picture line = shown([&](Painter& p) {
            p.line_width = 6;
            if (is_level)
                p.line(28, 16, 4, 16);
            else
                p.line(16, 28, 16, 4);
        });
        const auto along = [&](int place) {
            return pixel(line, is_level ? place : 16, is_level ? 16 : place) >> 16U;
        };
        CHECK(along(27) < 16);
        CHECK(along(4) > 239);
    }
}

TEST_CASE("what a shader makes of shapes, texts and polygons keeps their smooth edges") {
    const auto draw = [](Painter& painter) {
        painter.color = pack_color(0, 200, 100);
        painter.circle(true, 8.3F, 8.7F, 6.2F);
        painter.circle(false, 22, 9, 6);
        painter.line(3, 20, 29, 27);
        painter.text("Ag", 14, 14, {.size = 16});
        const Point points[] = {{2, 30}, {9, 19}, {12, 31}};
        painter.polygon(true, points);
        const Point path[] = {{20, 30}, {25, 26}, {30, 30}};
        painter.polyline(path, false);
    };
    for (const std::string code :
         {"{ return color; }", "{ return vec4(0.0, 200.0 / 255.0, 100.0 / 255.0, 1.0); }",
          "{ return Texel(image, at) * color; }"}) {
        EffectScene scene{kHead + code};
        scene.paint_with(draw);
        const Picture with = scene.with_gl();
        scene.id = 0;
        scene.paint_with(draw);
        CAPTURE(code);
        CHECK(count_different(with, scene.with_gl(), 1) == 0);
        CHECK(scene.gl_reports().empty());
    }
}

TEST_CASE("a shader of a text sees places in all of it, whatever its matrix") {
    EffectScene scene{kHead + "{ return vec4(at, 0.5, 1.0); }"};
    const auto draw = [](Painter& painter) { painter.text("HH\nHH", 2, 1, {.size = 12}); };
    const double width = text_size("HH", 12).width, height = 2 * line_height(12);
    // At a pixel of a glyph; smooth edges have less of each, so blue tells how much.
    const auto check_all = [](const Picture& picture, const auto& x_of, const auto& y_of) {
        int count = 0;
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) {
                const std::uint32_t color = pixel(picture, x, y);
                const double coverage = (color & 0xFFU) / 127.5;
                if (coverage < 0.4) continue;
                ++count;
                CHECK((color >> 16U) / 255.0 / coverage == Approx(x_of(x + 0.5)).margin(0.03));
                CHECK((color >> 8U & 0xFFU) / 255.0 / coverage == Approx(y_of(y + 0.5)).margin(0.03));
            }
        CHECK(count > 30);
    };
    scene.paint_with(draw);
    check_all(
        scene.with_gl(), [&](double x) { return (x - 2) / width; },
        [&](double y) { return (y - 1) / height; });
    scene.paint_with([&](Painter& painter) {
        painter.matrix = DrawMatrix{-1, 0, 32, 0, -1, 32};  // upside down
        draw(painter);
    });
    check_all(
        scene.with_gl(), [&](double x) { return (30 - x) / width; },
        [&](double y) { return (31 - y) / height; });
}

TEST_CASE("a shader of a mesh sees its image and the places of its corners") {
    EffectScene scene{kHead +
                      "{ vec4 own = Texel(image, at); return vec4(own.r, at.x, own.b * color.b, 1.0); }"};
    const MeshPoint corners[] = {{0, 0, 0, 0}, {32, 0, 1, 0}, {32, 32, 1, 1}, {0, 32, 0, 1}};
    const auto mesh = std::make_shared<VertexMesh>(4, MeshMode::fan, std::span<const std::uint32_t>{});
    std::memcpy(static_cast<char*>(mesh->memory()) + 8, corners, sizeof corners);
    mesh->image = scene.four;
    scene.paint_with([&](Painter& painter) { painter.mesh(mesh, 0, 0); });
    const Picture picture = scene.with_gl();
    CHECK((pixel(picture, 4, 4) >> 16U) == 0xFF);    // red
    CHECK((pixel(picture, 4, 28) & 0xFFU) == 0xFF);  // blue
    CHECK((pixel(picture, 28, 4) >> 8U & 0xFFU) == Approx(255 * 28.5 / 32).margin(2));
}

TEST_CASE("what the driver refuses is reported once per version, and the last version stays") {
    EffectScene scene{"// a line\n" + kHead + "{ return wrong; }"};
    const auto is_plain = [&] {
        const Picture picture = scene.shown();
        return pixel(picture, 10, 10) == 0xFF0000 && pixel(picture, 20, 10) == 0x00FF00;
    };
    CHECK(is_plain());
    CHECK(is_plain());
    std::vector<std::string> reports = scene.gl_reports();
    REQUIRE(reports.size() == 1);
    INFO(reports[0]);
    CHECK(reports[0].find("the graphics driver refuses a shader, all is drawn without it: a.glsl:2: ") == 0);
    CHECK(reports[0].find("wrong") != std::string::npos);

    scene.save("uniform float red;\n" + kHead + "{ return vec4(red, 0.0, 1.0, 1.0); }");
    scene.send("red", {1});
    CHECK(pixel(scene.shown(), 10, 10) == 0xFF00FF);
    CHECK(scene.gl_reports().empty());

    // Its values are those of the version that works, as far as there are any.
    scene.save("uniform vec2 other;\nuniform float red;\n" + kHead + "{ return 1; }");
    CHECK(pixel(scene.shown(), 10, 10) == 0xFF00FF);
    CHECK(pixel(scene.shown(), 10, 10) == 0xFF00FF);
    reports = scene.gl_reports();
    REQUIRE(reports.size() == 1);
    INFO(reports[0]);
    CHECK(reports[0].find("the graphics driver refuses a shader, its last version stays: a.glsl:3: ") == 0);

    scene.save(kHead + "{ return vec4(0.0, 1.0, 0.0, 1.0); }");
    CHECK(pixel(scene.shown(), 10, 10) == 0x00FF00);
    scene.renew_gl();
    CHECK(pixel(scene.shown(), 10, 10) == 0x00FF00);
}

TEST_CASE("messages of compilers name the file instead of a number") {
    const auto message = [](const char* log) { return gl::message_of_shader("a.glsl", log); };
    CHECK(message("1:3(12): error: `x' undeclared") == "a.glsl:3: error: `x' undeclared");
    CHECK(message("1(3) : error C1008: undefined variable") == "a.glsl:3: error C1008: undefined variable");
    CHECK(message("ERROR: 1:3: 'x' : undeclared") == "a.glsl:3: 'x' : undeclared");
    // Mesa says 0 for some; lines of the wrapper have high numbers.
    CHECK(message("0:3(12): error: `x' undeclared") == "a.glsl:3: error: `x' undeclared");
    CHECK(message("0:100002(1): error: no function") == "a.glsl: 0:100002(1): error: no function");
}

TEST_CASE("the software renderer says once that it has no shaders, and draws images as they are") {
    EffectScene scene{kHead + "{ return vec4(0.0, 1.0, 1.0, 1.0); }"};
    static_cast<void>(scene.shown());
    for (int frame = 0; frame < 2; ++frame) CHECK(pixel(scene.with_software(), 10, 10) == 0xFF0000);
    CHECK(scene.software_reports() == std::vector<std::string>{sdl_errors::kNoShaders});
}

TEST_CASE("each effect of the engine compiles for whatever is drawn") {
    EffectScene scene;
    for (const std::string_view name : effect_names()) {
        INFO(name);
        scene.id = scene.shaders.of_effect(name, 0).value();
        scene.paint_with([](Painter& painter) {
            painter.rectangle(true, 1, 1, 10, 10);
            painter.text("text", 0, 12, {.size = 12});
            const Point points[] = {{12, 2}, {30, 2}, {20, 9}};
            painter.polygon(true, points);
        });
        scene.with_gl();
        CHECK(scene.gl_calls() == 3);
    }
    CHECK(scene.gl_reports().empty());
}

TEST_CASE("each effect of the engine compiles and changes the picture") {
    EffectScene scene{kHead + "{ return color; }"};
    const ShaderId none = 0;
    scene.id = none;
    const Picture plain = scene.shown();
    for (const std::string_view name : effect_names()) {
        INFO(name);
        scene.id = scene.shaders.of_effect(name, 0).value();
        scene.shaders.time = 0.3;
        if (name == "palette") {
            scene.send("from1", {1, 0, 0});
            scene.send("to1", {1, 1, 0});
        }
        if (name == "outline") scene.send("width", {0});
        const Picture picture = scene.shown();
        if (name == "palette") {
            CHECK(pixel(picture, 10, 10) == 0xFFFF00);
            CHECK(pixel(picture, 20, 10) == 0x00FF00);
        }
        // The image has no transparent part, so it has no outline.
        if (name == "outline")
            CHECK(count_different(picture, plain) == 0);
        else
            CHECK(count_different(picture, plain) > 20);
    }
    CHECK(scene.gl_reports().empty());
}
