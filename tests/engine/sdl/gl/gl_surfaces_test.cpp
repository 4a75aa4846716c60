// Canvases: what is drawn into them, and how that is shown, with both back ends.
#include "engine/sdl/gl/gl_surfaces.h"

#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr PackedColor kRed = pack_color(255, 0, 0);
constexpr PackedColor kGreen = pack_color(0, 255, 0);

// A frame of a scene: first what is drawn into the canvas, then onto the screen.
class CanvasScene : public PictureScene {
public:
    explicit CanvasScene(SurfaceDesc desc = {40, 30})
        : PictureScene{{64, 48}}, canvas(surfaces.make_canvas(desc, images)) {}

    void frame(const std::function<void(Painter&)>& into_canvas,
               const std::function<void(Painter&)>& onto_screen) {
        surfaces.begin_frame(images);
        paint([&](Painter& painter) {
            if (into_canvas) {
                painter.set_canvas(&surfaces.use_canvas(canvas), canvas, 0);
                into_canvas(painter);
                painter.set_canvas(nullptr, 0, 0);
            }
            onto_screen(painter);
        });
        surfaces.end_frame(images);
    }
    void show(Painter& painter) const {
        painter.is_screen = true;
        painter.color = kWhite;
        painter.blend = BlendMode::alpha;
        painter.image(images.frame_of(canvas, 0), 0, 0);
    }
    Picture drawn(bool is_gl) { return is_gl ? with_gl() : with_software(); }

    std::uint32_t canvas;
};

// Random shapes in whole pixels, which do not depend on how a back end treats edges.
void draw_boxes(Painter& painter, unsigned seed, int alpha) {
    std::mt19937 random{seed};
    const auto whole = [&](unsigned below) { return static_cast<float>(random() % below); };
    for (int i = 0; i < 12; ++i) {
        const auto channel = [&] { return static_cast<std::uint8_t>(random()); };
        const std::uint8_t red = channel(), green = channel(), blue = channel();
        painter.color =
            pack_color(red, green, blue, static_cast<std::uint8_t>(alpha >= 0 ? alpha : channel()));
        painter.rectangle(true, whole(40), whole(30), 1 + whole(30), 1 + whole(30));
    }
}

}  // namespace

TEST_CASE("translucent drawing into a canvas and then onto the screen looks like drawing directly") {
    for (const bool is_gl : {true, false}) {
        INFO((is_gl ? "OpenGL" : "software"));
        for (unsigned seed = 1; seed <= 12; ++seed) {
            INFO(seed);
            CanvasScene scene;
            scene.list.background = pack_color(30, 80, 200);
            const auto draw = [&](Painter& painter) {
                painter.is_screen = true;
                draw_boxes(painter, seed, seed % 3 == 0 ? 255 : -1);
                painter.color = pack_color(255, 255, 0, 100);
                painter.image(scene.images.frame_of(scene.four, 0), 3, 4, {.scale_x = 9, .scale_y = 9});
            };
            scene.frame(draw, [&](Painter& painter) { scene.show(painter); });
            const Picture by_canvas = scene.drawn(is_gl);
            scene.frame({}, draw);
            Picture direct = scene.drawn(is_gl);
            // The canvas ends there.
            for (int y = 0; y < 48; ++y)
                for (int x = 0; x < 64; ++x)
                    if (x >= 40 || y >= 30)
                        for (std::size_t c = 0; c < 3; ++c) {
                            const std::size_t at = static_cast<std::size_t>(y * 64 + x) * 3 + c;
                            direct.rgb[at] = by_canvas.rgb[at];
                        }
            CHECK(count_different(by_canvas, direct, is_gl ? 3 : 6) == 0);
        }
    }
}

TEST_CASE("soft edges of shapes in a canvas look like those drawn directly") {
    CanvasScene scene;
    scene.list.background = pack_color(200, 80, 30);
    const auto draw = [&](Painter& painter) {
        painter.is_screen = true;
        painter.color = pack_color(0, 200, 255, 200);
        painter.circle(true, 15, 14, 11.5F);
        painter.line_width = 3;
        painter.line(5, 25, 30, 3);
    };
    scene.frame(draw, [&](Painter& painter) { scene.show(painter); });
    const Picture by_canvas = scene.with_gl();
    scene.frame({}, draw);
    CHECK(count_different(by_canvas, scene.with_gl(), 2) == 0);
}

TEST_CASE("light that is added to a canvas is added to the screen") {
    CanvasScene scene;
    scene.list.background = pack_color(50, 50, 50);
    const auto draw = [&](Painter& painter) {
        painter.is_screen = true;
        painter.blend = BlendMode::add;
        painter.color = pack_color(100, 20, 0);
        painter.rectangle(true, 2, 2, 10, 10);
        painter.rectangle(true, 6, 6, 10, 10);
    };
    scene.frame(draw, [&](Painter& painter) { scene.show(painter); });
    const Picture picture = scene.with_gl();
    CHECK(pixel(picture, 3, 3) == 0x964632);
    CHECK(pixel(picture, 8, 8) == 0xFA5A32);
    CHECK(pixel(picture, 20, 20) == 0x323232);
}

TEST_CASE("a canvas has its own coordinates, upright, whatever the camera of the screen is") {
    for (const bool is_gl : {true, false}) {
        CanvasScene scene;
        scene.list.camera = {500, 500, 3};
        scene.frame(
            [](Painter& painter) {
                painter.color = kRed;
                painter.rectangle(true, 0, 0, 10, 5);
                painter.color = kGreen;
                painter.is_screen = true;
                painter.rectangle(true, 30, 25, 10, 5);
            },
            [&](Painter& painter) { scene.show(painter); });
        const Picture picture = scene.drawn(is_gl);
        INFO((is_gl ? "OpenGL" : "software"));
        CHECK(count_other_than(picture, 0xFF0000, 0, 0, 10, 5) == 0);
        CHECK(count_other_than(picture, 0x00FF00, 30, 25, 40, 30) == 0);
        CHECK(count_other_than(picture, 0, 10, 0, 64, 25) == 0);
        CHECK(count_other_than(picture, 0, 0, 30, 64, 48) == 0);
    }
}

TEST_CASE("what is in a canvas stays until it is cleared") {
    for (const bool is_gl : {true, false}) {
        INFO((is_gl ? "OpenGL" : "software"));
        CanvasScene scene;
        const auto show = [&](Painter& painter) { scene.show(painter); };
        const auto add_box = [](float x) {
            return [x](Painter& painter) {
                painter.color = kRed;
                painter.rectangle(true, x, 0, 5, 5);
            };
        };
        scene.frame(add_box(0), show);
        static_cast<void>(scene.drawn(is_gl));
        scene.frame(add_box(10), show);
        static_cast<void>(scene.drawn(is_gl));
        scene.frame({}, show);
        Picture picture = scene.drawn(is_gl);
        CHECK(pixel(picture, 2, 2) == 0xFF0000);
        CHECK(pixel(picture, 12, 2) == 0xFF0000);
        scene.frame(
            [&](Painter& painter) {
                add_box(20)(painter);
                scene.surfaces.clear_canvas(scene.canvas, pack_color(0, 255, 0, 128));
                add_box(30)(painter);
            },
            show);
        picture = scene.drawn(is_gl);
        CHECK(std::abs(int(pixel(picture, 2, 2) >> 8U) - 128) <= 1);
        CHECK(pixel(picture, 2, 2) == pixel(picture, 22, 2));
        CHECK(pixel(picture, 32, 2) == 0xFF0000);
        // The same frame once more changes nothing.
        CHECK(count_different(picture, scene.drawn(is_gl)) == 0);
    }
}

TEST_CASE("canvases are drawn in the order of their first use, and show others") {
    for (const bool is_gl : {true, false}) {
        INFO((is_gl ? "OpenGL" : "software"));
        CanvasScene scene;
        const std::uint32_t outer = scene.surfaces.make_canvas({40, 30}, scene.images);
        const auto frame_of = [&](std::uint32_t canvas) { return scene.images.frame_of(canvas, 0); };
        scene.surfaces.begin_frame(scene.images);
        scene.paint([&](Painter& painter) {
            painter.set_canvas(&scene.surfaces.use_canvas(scene.canvas), scene.canvas, 0);
            painter.set_canvas(&scene.surfaces.use_canvas(outer), outer, 0);
            painter.image(frame_of(scene.canvas), 8, 4);
            painter.set_canvas(&scene.surfaces.use_canvas(scene.canvas), scene.canvas, 0);
            painter.color = kRed;
            painter.rectangle(true, 1, 1, 6, 6);
            painter.set_canvas(nullptr, 0, 0);
            painter.is_screen = true;
            painter.color = kWhite;
            painter.image(frame_of(outer), 10, 10);
        });
        scene.surfaces.end_frame(scene.images);
        const Picture picture = scene.drawn(is_gl);
        CHECK(count_other_than(picture, 0xFF0000, 19, 15, 25, 21) == 0);
        CHECK(count_other_than(picture, 0, 0, 0, 64, 15) == 0);
    }
}

TEST_CASE("parts of a canvas, turned and mirrored, are those parts") {
    for (const bool is_gl : {true, false}) {
        INFO((is_gl ? "OpenGL" : "software"));
        CanvasScene scene;
        const FrameId part = scene.images.add_rectangle(scene.canvas, 0, 20, 20, 10);
        scene.frame(
            [](Painter& painter) {
                painter.color = kRed;
                painter.rectangle(true, 0, 20, 10, 5);
                painter.color = kGreen;
                painter.rectangle(true, 10, 25, 10, 5);
            },
            [&](Painter& painter) {
                painter.is_screen = true;
                painter.color = kWhite;
                painter.image(part, 0, 0);
                painter.image(part, 30, 0, {.scale_y = -1, .origin_y = 1});
            });
        const Picture picture = scene.drawn(is_gl);
        CHECK(count_other_than(picture, 0xFF0000, 0, 0, 10, 5) == 0);
        CHECK(count_other_than(picture, 0x00FF00, 10, 5, 20, 10) == 0);
        CHECK(count_other_than(picture, 0xFF0000, 30, 5, 40, 10) == 0);
        CHECK(count_other_than(picture, 0x00FF00, 40, 0, 50, 5) == 0);
    }
}

TEST_CASE("a multisampled canvas has smooth edges where a mesh has none by itself") {
    const auto shades = [](bool is_multisampled) {
        CanvasScene scene{{40, 30, 0, is_multisampled}};
        scene.surfaces.begin_frame(scene.images);
        DrawList& list = scene.surfaces.use_canvas(scene.canvas);
        const MeshPoint points[] = {{.x = 2, .y = 2}, {.x = 38, .y = 9}, {.x = 5, .y = 28}};
        list.add_immediate({.ref = list.add_mesh(points), .kind = DrawKind::mesh}, 0);
        scene.paint([&](Painter& painter) { scene.show(painter); });
        scene.surfaces.end_frame(scene.images);
        const Picture picture = scene.with_gl();
        CHECK(pixel(picture, 10, 10) == 0xFFFFFF);
        int between = 0;
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x) {
                const std::uint32_t color = pixel(picture, x, y);
                between += color != 0 && color != 0xFFFFFF ? 1 : 0;
            }
        return between;
    };
    CHECK(shades(false) == 0);
    CHECK(shades(true) > 20);
}

TEST_CASE("a canvas is empty after the driver lost everything, and can be drawn into again") {
    CanvasScene scene;
    const auto show = [&](Painter& painter) { scene.show(painter); };
    const auto box = [](Painter& painter) {
        painter.color = kRed;
        painter.rectangle(true, 0, 0, 5, 5);
    };
    scene.frame(box, show);
    CHECK(pixel(scene.with_gl(), 2, 2) == 0xFF0000);
    scene.renew_gl();
    scene.frame({}, show);
    CHECK(pixel(scene.with_gl(), 2, 2) == 0);
    scene.frame(box, show);
    CHECK(pixel(scene.with_gl(), 2, 2) == 0xFF0000);
}

TEST_CASE("a canvas is read as it is at the end of the frame, one frame later") {
    for (const bool is_gl : {true, false}) {
        INFO((is_gl ? "OpenGL" : "software"));
        CanvasScene scene;
        const std::uint32_t image = scene.surfaces.make_pixels({40, 30}, scene.images);
        const PixelBuffer& pixels = *scene.surfaces.find(image)->pixels;
        const auto at = [&](std::size_t x, std::size_t y) { return pixels.pixels()[y * 40 + x]; };
        bool is_read = false;
        const auto frame = [&](PackedColor color, float y) {
            scene.frame(
                [&](Painter& painter) {
                    painter.color = color;
                    painter.rectangle(true, 3, y, 5, 5);
                },
                [&](Painter& painter) {
                    is_read = scene.surfaces.read_canvas(scene.canvas, image);
                    painter.is_screen = true;
                    painter.color = kGreen;
                    painter.rectangle(true, 0, 0, 64, 48);
                });
            // Reading changes nothing of the screen.
            CHECK(count_other_than(scene.drawn(is_gl), 0x00FF00, 0, 0, 64, 48) == 0);
        };
        frame(kRed, 2);
        CHECK_FALSE(is_read);
        frame(pack_color(255, 0, 0, 128), 20);
        CHECK(is_read);
        CHECK(at(3, 2) == kRed);
        CHECK(at(2, 2) == 0);
        CHECK(at(7, 6) == kRed);
        CHECK(at(4, 22) == pack_color(255, 0, 0, 128));
        // A frame that does not ask ends it.
        scene.frame({}, [](Painter&) {});
        static_cast<void>(scene.drawn(is_gl));
        frame(kRed, 10);
        CHECK_FALSE(is_read);
    }
}
