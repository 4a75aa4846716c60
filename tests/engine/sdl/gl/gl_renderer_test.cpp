// Known draw lists and their pixels, with OpenGL; and the same lists with SDL's software renderer.
#include "engine/sdl/gl/gl_renderer.h"

#include "tests/engine/sdl/canvas.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr std::uint32_t kRed = 0xFF0000;
constexpr PackedColor kRedPaint = pack_color(255, 0, 0);

PackedColor random_color(std::mt19937& random) {
    const auto channel = [&] { return static_cast<std::uint8_t>(random()); };
    const std::uint8_t red = channel(), green = channel(), blue = channel();
    return pack_color(red, green, blue);
}

// Red pixels of a picture, in which the share of the edge pixels counts.
double red_area(const Picture& picture) {
    double area = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3) area += picture.rgb[i] / 255.0;
    return area;
}

}  // namespace

TEST_CASE(
    "OpenGL and the software renderer paint the same pixels where nothing is turned, blended or round") {
    PictureScene scene{{128, 96}};
    std::mt19937 random{7};
    const auto whole = [&](unsigned below) { return static_cast<float>(random() % below); };
    for (int program = 0; program < 20; ++program) {
        scene.paint([&](Painter& painter) {
            painter.set_camera({64 + whole(9), 48 + whole(9), 1.0F + whole(3)});
            for (int i = 0; i < 60; ++i) {
                painter.color = random_color(random);
                painter.layer = static_cast<std::int16_t>(random() % 3);
                painter.is_screen = random() % 2 == 0;
                if (random() % 2 == 0)
                    painter.rectangle(true, whole(120), whole(90), 1 + whole(40), 1 + whole(40));
                else
                    painter.image(scene.images.frame_of(random() % 3 == 0 ? 0 : scene.four, 0), whole(120),
                                  whole(90), {.scale_x = random() % 2 == 0 ? 4.0F : -4.0F, .scale_y = 8.0F});
            }
        });
        REQUIRE(count_different(scene.with_gl(), scene.with_software()) == 0);
    }
}

TEST_CASE("level lines and outlines lie on whole pixels") {
    PictureScene scene{{64, 64}};
    scene.paint([](Painter& painter) {
        painter.is_screen = true;
        painter.color = kRedPaint;
        painter.line(10, 20, 30, 20);
        painter.line(40, 5, 40, 25);
        painter.line_width = 2;
        painter.rectangle(false, 4, 36, 20, 18);
    });
    const Picture picture = scene.with_gl();
    int red = 0;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const std::uint32_t color = pixel(picture, x, y);
            REQUIRE((color == 0 || color == kRed));
            red += color == kRed ? 1 : 0;
        }
    CHECK(red == 20 + 20 + (20 * 18 - 16 * 14));
    CHECK(count_other_than(picture, 0, 6, 38, 22, 52) == 0);
}

TEST_CASE("what replaces the colours behind it has hard edges, in their place and not between them") {
    PictureScene scene{{64, 64}};
    scene.paint([](Painter& painter) {
        painter.is_screen = true;
        painter.color = pack_color(255, 255, 255);
        painter.rectangle(true, 0, 0, 64, 64);
        painter.blend = BlendMode::replace;
        painter.color = kRedPaint;
        painter.circle(true, 20.3F, 20.6F, 13.4F);
        painter.line(40, 5, 60, 30);
    });
    for (const Picture& picture : {scene.with_gl(), scene.with_software()}) {
        int red = 0;
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x) {
                const std::uint32_t color = pixel(picture, x, y);
                REQUIRE((color == 0xFFFFFF || color == kRed));
                red += color == kRed ? 1 : 0;
            }
        CHECK(red > 550);
    }
}

TEST_CASE("shapes have the area that geometry gives them, with soft edges") {
    constexpr float kPi = std::numbers::pi_v<float>;
    PictureScene scene{{200, 200}};
    const auto area_of = [&](const DrawItem& item) {
        scene.add([&](DrawList& list) {
            DrawItem red = item;
            red.color = kRedPaint;
            red.flags |= kDrawScreen;
            list.add_immediate(red, 0);
        });
        return red_area(scene.with_gl());
    };
    const auto turns = [](double from, double to) {
        return static_cast<std::uint32_t>(from * 65536) | static_cast<std::uint32_t>(to * 65536) << 16U;
    };
    const auto circle = [](float w, float h, std::uint16_t angle = 0, std::uint16_t stroke = 0) {
        return DrawItem{
            .x = 100, .y = 100, .w = w, .h = h, .angle = angle, .stroke = stroke, .kind = DrawKind::circle};
    };
    const auto near = [](double area) { return Approx(area).epsilon(0.01); };
    CHECK(area_of(circle(60, 60)) == near(kPi * 3600));
    CHECK(area_of(circle(80, 30)) == near(kPi * 2400));
    CHECK(area_of(circle(80, 30, 7000)) == near(kPi * 2400));
    CHECK(area_of(circle(60, 60, 0, 10 * 16)) == near(kPi * (3600 - 2500)));
    const auto rectangle = [](std::uint32_t corners, std::uint16_t angle, std::uint16_t stroke = 0) {
        return DrawItem{.x = 100,
                        .y = 100,
                        .w = 90,
                        .h = 60,
                        .ref = corners,
                        .angle = angle,
                        .stroke = stroke,
                        .origin_x = 64,
                        .origin_y = 64};
    };
    CHECK(area_of(rectangle(0, 5000)) == near(5400));
    CHECK(area_of(rectangle(20 * 1024, 0)) == near(5400 - (4 - kPi) * 400));
    CHECK(area_of(rectangle(20 * 1024, 3000)) == near(5400 - (4 - kPi) * 400));
    CHECK(area_of(rectangle(0, 3000, 5 * 16)) == near(5400 - 80 * 50));
    const auto line = [](LineCap cap) {
        return DrawItem{.x = 50,
                        .y = 60,
                        .w = 110,
                        .h = 140,
                        .stroke = 20 * 16,
                        .origin_x = static_cast<std::uint8_t>(cap),
                        .kind = DrawKind::line};
    };
    CHECK(area_of(line(LineCap::butt)) == near(2000));
    CHECK(area_of(line(LineCap::round)) == near(2000 + kPi * 100));
    CHECK(area_of(line(LineCap::square)) == near(2400));
    const auto arc = [&](double from, double to, ArcShape shape, std::uint16_t stroke = 0,
                         LineCap cap = LineCap::butt) {
        return DrawItem{.x = 100,
                        .y = 100,
                        .w = 80,
                        .h = 80,
                        .ref = turns(from, to),
                        .stroke = stroke,
                        .origin_x = static_cast<std::uint8_t>(shape),
                        .origin_y = static_cast<std::uint8_t>(cap),
                        .kind = DrawKind::arc};
    };
    CHECK(area_of(arc(0.1, 0.35, ArcShape::pie)) == near(kPi * 6400 / 4));
    CHECK(area_of(arc(0.1, 0.85, ArcShape::pie)) == near(kPi * 6400 * 3 / 4));
    CHECK(area_of(arc(0.9, 0.15, ArcShape::pie)) == near(kPi * 6400 / 4));
    CHECK(area_of(arc(0.1, 0.35, ArcShape::closed)) == near(kPi * 1600 - 3200));
    CHECK(area_of(arc(0.2, 0.95, ArcShape::closed)) == near(kPi * 4800 + 3200));
    // A quarter and three quarters of a ring, with ends of each kind.
    CHECK(area_of(arc(0.1, 0.35, ArcShape::open, 10 * 16)) == near(kPi * 160 * 10 / 4));
    CHECK(area_of(arc(0.1, 0.85, ArcShape::open, 10 * 16)) == near(kPi * 160 * 10 * 3 / 4));
    CHECK(area_of(arc(0.1, 0.35, ArcShape::open, 10 * 16, LineCap::round)) ==
          near(kPi * 160 * 10 / 4 + kPi * 25));
}

TEST_CASE("an arc goes clockwise from its first angle") {
    PictureScene scene{{100, 100}};
    scene.add([](DrawList& list) {
        list.add_immediate({.x = 50,
                            .y = 50,
                            .w = 40,
                            .h = 40,
                            .color = kRedPaint,
                            .ref = 0x4000'0000,
                            .kind = DrawKind::arc,
                            .flags = kDrawScreen},
                           0);
    });
    const Picture picture = scene.with_gl();
    CHECK(pixel(picture, 70, 70) == kRed);  // right and down
    CHECK(pixel(picture, 30, 70) == 0);
    CHECK(pixel(picture, 70, 30) == 0);
    CHECK(pixel(picture, 30, 30) == 0);
}

TEST_CASE("a clip lets nothing through outside of it, and matrices apply before the camera") {
    PictureScene scene{{64, 64}};
    scene.add([](DrawList& list) {
        DrawItem item{.w = 10, .h = 10, .color = kRedPaint};
        list.set_state({.camera = {0, 0, 2}, .matrix = {1, 0, 3, 0, 1, 4}, .clip = {}});
        list.add_immediate(item, 0);
        list.set_state({.camera = {}, .matrix = {}, .clip = {5, 6, 7, 8}});
        item.flags = kDrawScreen;
        item.w = item.h = 64;
        list.add_immediate(item, 0);
        list.set_state({.camera = {}, .matrix = {}, .clip = {5, 6, 0, 8}});
        list.add_immediate(item, 0);
    });
    const Picture picture = scene.with_gl();
    CHECK(count_other_than(picture, kRed, 32 + 6, 32 + 8, 32 + 26, 32 + 28) == 0);
    CHECK(count_other_than(picture, kRed, 5, 6, 12, 14) == 0);
    CHECK(count_other_than(picture, 0, 0, 0, 64, 64) == 20 * 20 + 7 * 8);
}

TEST_CASE("a sheared circle is an ellipse of the same area, and a sheared rectangle a parallelogram") {
    PictureScene scene{{128, 128}};
    const DrawMatrix sheared{1, 0.5F, 0, 0, 1, 0};
    for (const DrawKind kind : {DrawKind::circle, DrawKind::rectangle}) {
        scene.add([&](DrawList& list) {
            list.set_state({.camera = {0, 0, 1}, .matrix = sheared, .clip = {}});
            list.add_immediate(
                {.w = 40, .h = 40, .color = kRedPaint, .origin_x = 64, .origin_y = 64, .kind = kind}, 0);
        });
        const double area = kind == DrawKind::circle ? std::numbers::pi * 1600 : 1600;
        CHECK(red_area(scene.with_gl()) == Approx(area).epsilon(0.015));
    }
}

TEST_CASE("blend modes mix as they are named") {
    PictureScene scene{{8, 8}};
    const auto mixed = [&](BlendMode mode, PackedColor color) {
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            painter.color = pack_color(100, 200, 50);
            painter.rectangle(true, 0, 0, 8, 8);
            painter.blend = mode;
            painter.color = color;
            painter.rectangle(true, 0, 0, 8, 8);
        });
        const std::uint32_t color_there = pixel(scene.with_gl(), 4, 4);
        return std::vector<int>{static_cast<int>(color_there >> 16U),
                                static_cast<int>(color_there >> 8U & 0xFFU),
                                static_cast<int>(color_there & 0xFFU)};
    };
    const auto near = [](const std::vector<int>& is, std::vector<int> expected) {
        for (std::size_t i = 0; i < 3; ++i)
            if (std::abs(is[i] - expected[i]) > 1) return false;
        return true;
    };
    const PackedColor opaque = pack_color(200, 100, 255);
    const PackedColor half = pack_color(200, 100, 255, 128);
    CHECK(near(mixed(BlendMode::alpha, half), {150, 150, 153}));
    CHECK(near(mixed(BlendMode::add, opaque), {255, 255, 255}));
    CHECK(near(mixed(BlendMode::add, pack_color(40, 20, 200, 128)), {120, 210, 150}));
    CHECK(near(mixed(BlendMode::multiply, opaque), {78, 78, 50}));
    CHECK(near(mixed(BlendMode::multiply, half), {89, 139, 50}));
    CHECK(near(mixed(BlendMode::screen, opaque), {222, 222, 255}));
    CHECK(near(mixed(BlendMode::subtract, opaque), {0, 100, 0}));
    CHECK(near(mixed(BlendMode::replace, opaque), {200, 100, 255}));
    CHECK(near(mixed(BlendMode::darken, opaque), {100, 100, 50}));
    CHECK(near(mixed(BlendMode::lighten, opaque), {200, 200, 255}));
    // What is invisible changes nothing.
    for (const BlendMode mode : {BlendMode::alpha, BlendMode::add, BlendMode::multiply, BlendMode::screen,
                                 BlendMode::subtract, BlendMode::darken, BlendMode::lighten})
        CHECK(near(mixed(mode, pack_color(200, 100, 255, 0)), {100, 200, 50}));
}

TEST_CASE("a mesh shows its colours, and its part of an image") {
    PictureScene scene{{16, 16}};
    scene.add([&](DrawList& list) {
        const auto square = [](float x) {
            return std::vector<MeshPoint>{{x, 0, 0, 0}, {x + 8, 0, 1, 0}, {x + 8, 8, 1, 1},
                                          {x, 0, 0, 0}, {x + 8, 8, 1, 1}, {x, 8, 0, 1}};
        };
        DrawItem item{.kind = DrawKind::mesh, .flags = kDrawScreen};
        item.ref = list.add_mesh(square(0), scene.four);
        list.add_immediate(item, 0, scene.four);
        item.ref = list.add_mesh(square(8));
        item.color = kRedPaint;
        list.add_immediate(item, 0);
    });
    const Picture picture = scene.with_gl();
    CHECK(count_other_than(picture, kRed, 0, 0, 4, 4) == 0);
    CHECK(count_other_than(picture, 0x00FF00, 4, 0, 8, 4) == 0);
    CHECK(count_other_than(picture, 0x0000FF, 0, 4, 4, 8) == 0);
    CHECK(count_other_than(picture, 0xFFFFFF, 4, 4, 8, 8) == 0);
    CHECK(count_other_than(picture, kRed, 8, 0, 16, 8) == 0);
    CHECK(count_other_than(picture, 0, 0, 8, 16, 16) == 0);
}

TEST_CASE("text is as in the software renderer, and turns with its angle") {
    PictureScene scene{{160, 160}};
    scene.paint([](Painter& painter) {
        painter.is_screen = true;
        painter.text("Perigee, 18 px", 5, 5, {.size = 18, .width = 150});
    });
    const auto gl = scene.with_gl();
    CHECK(count_other_than(gl, 0, 0, 0, 160, 40) > 200);
    CHECK(count_different(gl, scene.with_software(), 2) == 0);

    const auto turned = [&](std::uint16_t angle) {
        scene.add([&](DrawList& list) {
            list.add_immediate({.x = 80,
                                .y = 80,
                                .h = 20,
                                .color = kRedPaint,
                                .ref = list.add_text("turning"),
                                .angle = angle,
                                .kind = DrawKind::text,
                                .flags = kDrawScreen},
                               0);
        });
        return scene.with_gl();
    };
    const Picture level = turned(0), half = turned(32768), tilted = turned(8192);
    CHECK(count_other_than(level, 0, 0, 0, 160, 80) == 0);
    CHECK(count_other_than(half, 0, 0, 82, 160, 160) == 0);
    CHECK(red_area(half) == Approx(red_area(level)).epsilon(0.05));
    CHECK(red_area(tilted) == Approx(red_area(level)).epsilon(0.05));
}

TEST_CASE("texts that need more glyphs than the atlas has room for are complete") {
    PictureScene scene{{512, 512}};
    const auto paint = [&](int lines) {
        scene.paint([=](Painter& painter) {
            painter.rectangle(true, 500, 500, 4, 4);
            for (int i = 0; i < lines; ++i) {
                std::string text;
                for (int c = 0; c < 14; ++c) {
                    const int character = 0x400 + (i * 14 + c) % 0x60;
                    text += {static_cast<char>(0xC0 | character >> 6),
                             static_cast<char>(0x80 | (character & 0x3F))};
                }
                painter.text(text, 0, static_cast<float>(i * 36), {.size = 120.0F + static_cast<float>(i)});
            }
        });
    };
    paint(14);
    const Picture picture = scene.with_gl();
    CHECK(scene.gl_calls() > 2);
    CHECK(count_different(picture, scene.with_software(), 2) == 0);
}

TEST_CASE("images that share a page are one draw call, and so are all shapes") {
    PictureScene scene{{64, 64}};
    std::vector<AssetHandle> handles;
    for (int i = 0; i < 20; ++i) {
        const std::string name = "assets/" + std::to_string(i) + ".png";
        scene.folder.write(name, test::png_of(1, 1, {pack_color(static_cast<std::uint8_t>(i * 10), 0, 0)}));
        handles.push_back(scene.assets.intern(0, name).value());
        scene.images.add(handles.back(), 1, 1);
    }
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        for (std::size_t i = 0; i < handles.size(); ++i)
            painter.image(scene.images.frame_of(handles[i], 0), static_cast<float>(i), 0);
    });
    const Picture picture = scene.with_gl();
    CHECK(scene.gl_calls() == 1);
    for (int i = 0; i < 20; ++i) CHECK(pixel(picture, i, 0) >> 16U == static_cast<unsigned>(i * 10));
    scene.paint([](Painter& painter) {
        for (int i = 0; i < 100; ++i) {
            painter.circle(i % 2 == 0, 5, 5, 3);
            painter.rectangle(i % 2 == 0, 5, 5, 3, 3, static_cast<float>(i));
            painter.line(1, 1, 5, 9);
        }
    });
    scene.with_gl();
    CHECK(scene.gl_calls() == 1);
}

TEST_CASE("frames that are added later are shown") {
    PictureScene scene{{8, 8}};
    const auto shown = [&](FrameId frame) {
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            painter.image(frame, 0, 0, {.scale_x = 4, .scale_y = 4});
        });
        return pixel(scene.with_gl(), 2, 2);
    };
    CHECK(shown(scene.images.frame_of(scene.four, 0)) == kRed);
    CHECK(shown(scene.images.add_rectangle(scene.four, 1, 0, 1, 1)) == 0x00FF00);
    for (int i = 0; i < 3000; ++i) scene.images.add(scene.four, 2, 2);
    CHECK(shown(scene.images.frame_of(scene.four, 0)) == kRed);
    CHECK(scene.images.set_grid(scene.four, 1, 1));
    CHECK(shown(scene.images.frame_of(scene.four, 2)) == 0x0000FF);
}

TEST_CASE("a context that was lost is made again, with the same picture") {
    PictureScene scene{{64, 64}};
    scene.paint([&](Painter& painter) {
        painter.image(scene.images.frame_of(scene.four, 0), 5, 5, {.scale_x = 10, .scale_y = 10});
        painter.text("again", 5, 40);
        painter.circle(false, 40, 20, 10);
    });
    const Picture before = scene.with_gl();
    scene.renew_gl();
    CHECK(count_different(before, scene.with_gl()) == 0);
}

TEST_CASE("two windows draw in turn, each with its own context") {
    PictureScene one{{16, 16}}, other{{24, 24}};
    one.paint([](Painter& painter) { painter.rectangle(true, 0, 0, 4, 4); });
    other.paint([&](Painter& painter) {
        painter.image(other.images.frame_of(other.four, 0), 0, 0, {.scale_x = 4, .scale_y = 4});
    });
    for (int frame = 0; frame < 4; ++frame) {
        CHECK(count_different(one.with_gl(), one.with_software()) == 0);
        CHECK(count_different(other.with_gl(), other.with_software()) == 0);
    }
}

TEST_CASE("large lists and lists of one frame do not overwrite each other") {
    PictureScene scene{{128, 128}};
    const auto paint = [&](int count) {
        scene.paint([=](Painter& painter) {
            painter.is_screen = true;
            for (int i = 0; i < count; ++i) {
                painter.color =
                    pack_color(static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8), 9);
                painter.rectangle(true, static_cast<float>(i % 128), static_cast<float>(i / 128 % 128), 1, 1);
            }
        });
    };
    for (const int count : {10, 40'000, 100, 20'000}) {
        paint(count);
        CHECK(count_different(scene.with_gl(), scene.with_software()) == 0);
    }
}
