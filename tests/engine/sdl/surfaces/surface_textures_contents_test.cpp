// Canvases with several contents in a frame, as pictures of all back ends: random programs against a model
// that draws at once, and what the model does not have.
#include "engine/sdl/surfaces/surface_textures.h"
#include "engine/surfaces/canvas_drawing.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr PackedColor kRed = pack_color(255, 0, 0), kGreen = pack_color(0, 255, 0),
                      kBlue = pack_color(0, 0, 255);
constexpr PixelSize kScreen{64, 48};
enum class BackEnd { gl, software, gles };

class TurnScene : public PictureScene {
public:
    explicit TurnScene(std::size_t count = 2, SurfaceDesc desc = {16, 12}) : PictureScene{kScreen} {
        for (std::size_t i = 0; i < count; ++i) canvases.push_back(surfaces.make_canvas(desc, images));
    }
    void frame(const std::function<void(Painter&)>& draw) {
        surfaces.begin_frame(images);
        paint([&](Painter& painter) {
            painter.is_screen = true;
            draw(painter);
        });
        surfaces.end_frame(images);
    }
    void into(Painter& painter, std::size_t canvas) {
        REQUIRE(CanvasDrawing{painter, surfaces, images}.draw_into(canvases[canvas], 0));
        painter.is_screen = false;
    }
    void screen(Painter& painter) {
        CanvasDrawing{painter, surfaces, images}.leave();
        painter.is_screen = true;
    }
    void clear(Painter& painter, std::size_t canvas, PackedColor color = 0) {
        REQUIRE(CanvasDrawing{painter, surfaces, images}.clear(canvases[canvas], color));
    }
    std::uint32_t shown(Painter& painter, std::size_t canvas) {
        return CanvasDrawing{painter, surfaces, images}.show(canvases[canvas]).value().image;
    }
    void show(Painter& painter, std::size_t canvas, float x, float y) {
        const FrameId frame = images.frame_of(shown(painter, canvas), 0);
        painter.color = kWhite;
        painter.image(frame, x, y);
    }
    Picture drawn(BackEnd back_end) {
        if (back_end == BackEnd::gl) return with_gl();
        return back_end == BackEnd::software ? with_software() : with_sdl_gles();
    }

    std::vector<std::uint32_t> canvases;
};

void box(Painter& painter, PackedColor color, float x, float y, float width, float height) {
    painter.color = color;
    painter.rectangle(true, x, y, width, height);
}

// Pixels that are changed at once.
struct Model {
    int width = 0, height = 0;
    std::vector<PackedColor> pixels;

    Model(int w, int h, PackedColor color) : width(w), height(h) {
        pixels.assign(static_cast<std::size_t>(w * h), color);
    }
    PackedColor* at(int x, int y) {
        const bool is_inside = x >= 0 && y >= 0 && x < width && y < height;
        return is_inside ? &pixels[static_cast<std::size_t>(y * width + x)] : nullptr;
    }
    // Colours are opaque or nothing.
    void set(int x, int y, PackedColor color, BlendMode blend) {
        PackedColor* const to = at(x, y);
        if (to != nullptr && (color != 0 || blend == BlendMode::replace)) *to = color;
    }
    void draw(const Model& image, int x, int y, BlendMode blend) {
        for (int row = 0; row < image.height; ++row)
            for (int column = 0; column < image.width; ++column)
                set(x + column, y + row, image.pixels[static_cast<std::size_t>(row * image.width + column)],
                    blend);
    }
};

// A random program for three canvases and the screen, of several frames.
class Program {
public:
    Program(unsigned seed, SurfaceDesc desc)
        : random_(seed), scene_(3, desc), models_(3, Model(desc.width, desc.height, 0)) {
        for (std::size_t i = 0; i < 3; ++i)
            copies_.push_back(scene_.surfaces.make_pixels({desc.width, desc.height}, scene_.images));
    }

    void check_frame(BackEnd back_end) {
        Model screen(kScreen.width, kScreen.height, 0);
        scene_.frame([&](Painter& painter) {
            std::size_t target = 3;
            for (unsigned steps = 4 + random_() % 30; steps > 0; --steps) step(painter, target, screen);
            for (std::size_t i = 0; i < 3; ++i) scene_.surfaces.read_canvas(scene_.canvases[i], copies_[i]);
        });
        const Picture picture = scene_.drawn(back_end);
        int different = 0;
        for (int y = 0; y < kScreen.height; ++y)
            for (int x = 0; x < kScreen.width; ++x) {
                const PackedColor color = *screen.at(x, y);
                const std::uint32_t rgb = (color & 0xFFU) << 16U | (color & 0xFF00U) | (color >> 16U & 0xFFU);
                different += pixel(picture, x, y) != rgb ? 1 : 0;
            }
        REQUIRE(different == 0);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto read = scene_.surfaces.find(copies_[i])->pixels->pixels();
            REQUIRE(std::vector<PackedColor>(read.begin(), read.end()) == models_[i].pixels);
        }
    }

private:
    int whole(int from, int to) {
        return from + static_cast<int>(random_() % static_cast<unsigned>(to - from + 1));
    }
    PackedColor color() {
        const auto channel = [this] { return static_cast<std::uint8_t>(random_() % 256); };
        const std::uint8_t red = channel(), green = channel();
        return pack_color(red, green, channel());
    }

    void step(Painter& painter, std::size_t& target, Model& screen) {
        Model& to = target < 3 ? models_[target] : screen;
        const std::size_t other = random_() % 3;
        painter.blend = random_() % 3 == 0 ? BlendMode::replace : BlendMode::alpha;
        const int x = whole(-6, to.width - 2), y = whole(-6, to.height - 2);
        switch (random_() % 8) {
            case 0:
            case 1:
                target = random_() % 4;
                if (target < 3)
                    scene_.into(painter, target);
                else
                    scene_.screen(painter);
                break;
            case 2: {
                const PackedColor with = random_() % 2 == 0 ? color() : 0;
                scene_.clear(painter, other, with);
                models_[other] = Model(to_width(other), models_[other].height, with);
                break;
            }
            case 3:
            case 4: {
                const int width = whole(1, 9), height = whole(1, 9);
                const PackedColor with = color();
                box(painter, with, static_cast<float>(x), static_cast<float>(y), static_cast<float>(width),
                    static_cast<float>(height));
                to.draw(Model(width, height, with), x, y, painter.blend);
                break;
            }
            default:
                if (other == target) break;
                scene_.show(painter, other, static_cast<float>(x), static_cast<float>(y));
                to.draw(Model(models_[other]), x, y, painter.blend);
        }
    }
    int to_width(std::size_t canvas) const { return models_[canvas].width; }

    std::mt19937 random_;
    TurnScene scene_;
    std::vector<Model> models_;
    std::vector<std::uint32_t> copies_;
};

}  // namespace

TEST_CASE("random programs draw into canvases and show them as if all was drawn at once") {
    const auto [back_end, programs] =
        GENERATE(table<BackEnd, unsigned>({{BackEnd::gl, 60}, {BackEnd::software, 60}, {BackEnd::gles, 10}}));
    for (unsigned seed = 1; seed <= programs; ++seed) {
        Program program{seed, {14, 11, 0, back_end == BackEnd::gl && seed % 3 == 0}};
        for (int frame = 0; frame < 4; ++frame) {
            CAPTURE(static_cast<int>(back_end), seed, frame);
            program.check_frame(back_end);
        }
    }
}

TEST_CASE("a blur of two passes from a canvas to another and back is that of three canvases") {
    const auto back_end = GENERATE(BackEnd::gl, BackEnd::software);
    const auto blurred = [back_end](std::size_t last) {
        TurnScene scene{3};
        scene.frame([&](Painter& painter) {
            const auto smear = [&](std::size_t from, std::size_t to, float dx, float dy) {
                scene.into(painter, to);
                scene.clear(painter, to);
                const FrameId frame = scene.images.frame_of(scene.shown(painter, from), 0);
                painter.color = pack_color(255, 255, 255, 90);
                for (const float step : {-1.0F, 0.0F, 1.0F}) painter.image(frame, dx * step, dy * step);
            };
            scene.into(painter, 0);
            box(painter, kRed, 4, 4, 6, 5);
            smear(0, 1, 1, 0);
            smear(1, last, 0, 1);
            scene.screen(painter);
            scene.show(painter, last, 5, 5);
        });
        return scene.drawn(back_end);
    };
    const Picture there_and_back = blurred(0);
    CHECK(count_different(there_and_back, blurred(2)) == 0);
    CHECK(count_other_than(there_and_back, 0, 0, 0, 64, 48) > 40);
}

TEST_CASE("one canvas that is shown three times shows three contents, also when the frame is drawn again") {
    const auto back_end = GENERATE(BackEnd::gl, BackEnd::software);
    TurnScene scene{1};
    const auto draw = [&](Painter& painter) {
        float x = 0;
        for (const PackedColor color : {kRed, kGreen, kBlue}) {
            scene.into(painter, 0);
            scene.clear(painter, 0);
            box(painter, color, 0, 0, 10, 10);
            scene.screen(painter);
            scene.show(painter, 0, x, 0);
            x += 20;
        }
    };
    scene.frame(draw);
    for (int again = 0; again < 3; ++again) {
        const Picture picture = scene.drawn(back_end);
        CHECK(count_other_than(picture, 0xFF0000, 0, 0, 10, 10) == 0);
        CHECK(count_other_than(picture, 0x00FF00, 20, 0, 30, 10) == 0);
        CHECK(count_other_than(picture, 0x0000FF, 40, 0, 50, 10) == 0);
    }
    // The last one is the content of the next frame.
    scene.frame([&](Painter& painter) { scene.show(painter, 0, 0, 0); });
    CHECK(count_other_than(scene.drawn(back_end), 0x0000FF, 0, 0, 10, 10) == 0);
    scene.frame([&](Painter& painter) { scene.show(painter, 0, 0, 0); });
    CHECK(count_other_than(scene.drawn(back_end), 0x0000FF, 0, 0, 10, 10) == 0);
}

TEST_CASE("a smooth edge stays the same when the canvas goes on after it was shown") {
    const auto drawn = [](bool is_shown_between) {
        TurnScene scene{1, {40, 30, 0, true}};
        scene.frame([&](Painter& painter) {
            scene.into(painter, 0);
            painter.color = kWhite;
            painter.circle(true, 15, 15, 9);
            if (is_shown_between) {
                scene.screen(painter);
                painter.layer = -1;
                scene.show(painter, 0, 0, 0);
                painter.layer = 0;
                scene.into(painter, 0);
            }
            box(painter, kRed, 15, 15, 20, 2);
            scene.screen(painter);
            box(painter, pack_color(0, 0, 0), 0, 0, 64, 48);
            scene.show(painter, 0, 0, 0);
        });
        return scene.with_gl();
    };
    CHECK(count_different(drawn(true), drawn(false)) == 0);
}

TEST_CASE("a mask of a canvas holds in its next pass, and shows what it showed") {
    const auto back_end = GENERATE(BackEnd::gl, BackEnd::software);
    TurnScene scene{3, {30, 20}};
    scene.frame([&](Painter& painter) {
        scene.into(painter, 1);
        box(painter, kWhite, 0, 0, 10, 10);
        scene.into(painter, 0);
        REQUIRE(painter.begin_mask(false, false) == Painter::MaskStart::begun);
        scene.show(painter, 1, 5, 5);
        painter.end_mask();
        box(painter, kRed, 0, 0, 30, 10);
        scene.into(painter, 1);  // the mask stays as it is
        scene.clear(painter, 1);
        painter.clear_mask();
        scene.into(painter, 2);
        box(painter, kGreen, 0, 0, 30, 20);
        scene.screen(painter);
        box(painter, kBlue, 0, 0, 64, 48);
        scene.show(painter, 0, 0, 0);
    });
    const Picture picture = scene.drawn(back_end);
    CHECK(count_other_than(picture, 0xFF0000, 5, 5, 15, 10) == 0);
    CHECK(count_other_than(picture, 0x0000FF, 0, 10, 64, 48) == 0);
    CHECK(count_other_than(picture, 0x0000FF, 15, 0, 64, 48) == 0);
}
