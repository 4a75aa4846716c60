// Known draw lists and their pixels, with SDL's software renderer.
#include "engine/sdl/draw/renderer.h"

#include "engine/draw/painter.h"
#include "engine/sdl/glyphs/font_file.h"
#include "engine/sdl/window/error_codes.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <set>

using namespace perigee;
using test::Canvas;

namespace {

constexpr PackedColor kBlack = pack_color(0, 0, 0);
constexpr PackedColor kRed = pack_color(255, 0, 0);
constexpr PackedColor kGreen = pack_color(0, 255, 0);
constexpr PackedColor kBlue = pack_color(0, 0, 255);
constexpr PackedColor kMagenta = pack_color(255, 0, 255);

// A game's side of a picture: one image of 2 x 2 pixels (red green / blue white) and a painter.
struct Scene {
    Scene() {
        folder.write("assets/four.png", test::png_of(2, 2, {kRed, kGreen, kBlue, kWhite}));
        folder.write("assets/broken.png", "no picture");
        assets.mount("game", folder.path()).value();
        four = assets.intern(0, "assets/four.png").value();
        images.add(four, 2, 2);
    }

    // Paints, sorts and draws on a canvas of the logical size times `scale`.
    void draw(Canvas& canvas, PixelSize logical, const std::function<void(Painter&)>& paint) {
        list.clear();
        Painter painter;
        painter.begin_frame(list, images);
        paint(painter);
        painter.end_frame();
        list.sort(images);
        if (!renderer) renderer.emplace(canvas.renderer(), default_font_file(), decoder);
        renderer->begin_frame(logical, list.background);
        renderer->draw(list, images, assets);
    }

    test::TemporaryFolder folder;
    AssetStore assets;
    ImageTable images;
    AssetHandle four = 0;
    DrawList list;
    Decoder decoder;
    std::optional<Renderer> renderer;
};

}  // namespace

TEST_CASE("a filled rectangle covers its pixels and no others") {
    Canvas canvas{32, 32};
    Scene scene;
    scene.draw(canvas, {32, 32}, [](Painter& painter) {
        painter.is_screen = true;
        painter.color = kRed;
        painter.rectangle(true, 4, 6, 10, 5);
    });
    CHECK(canvas.count_other_than(kRed, 4, 6, 14, 11) == 0);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 32, 32) == 10 * 5);
}

// SDL would scale the whole image, in memory of its own: 4 GB for 32,768 pixels, whose size has too many
// bits.
TEST_CASE("an image that is magnified far beyond the window costs no more than the window") {
    Canvas canvas{64, 48};
    Scene scene;
    for (const ImageFilter filter : {ImageFilter::nearest, ImageFilter::linear})
        for (const float side : {1000.0F, 32768.0F, 1e6F, 1e9F}) {
            scene.images.set_filter(scene.four, filter);
            for (int corner = 0; corner < 4; ++corner) {
                scene.draw(canvas, {64, 48}, [&](Painter& painter) {
                    painter.is_screen = true;
                    for (int i = 0; i < 20; ++i)
                        painter.image(scene.images.frame_of(scene.four, 0),
                                      corner % 2 == 0 ? -side / 8 : -side * 7 / 8,
                                      corner < 2 ? -side / 8 : -side * 7 / 8,
                                      {.scale_x = side / 2, .scale_y = side / 2});
                });
                constexpr PackedColor kColors[] = {kRed, kGreen, kBlue, kWhite};
                INFO(side << " " << corner);
                CHECK(canvas.count_other_than(kColors[corner], 0, 0, 64, 48) == 0);
            }
        }
}

TEST_CASE("an outline lies inside its rectangle and paints no pixel twice") {
    Canvas canvas{32, 32};
    Scene scene;
    scene.draw(canvas, {32, 32}, [](Painter& painter) {
        painter.is_screen = true;
        painter.color = pack_color(255, 255, 255, 128);
        painter.line_width = 2;
        painter.rectangle(false, 4, 6, 10, 8);
    });
    CHECK(canvas.count_other_than(kBlack, 0, 0, 32, 32) == 10 * 8 - 6 * 4);
    CHECK(canvas.count_other_than(kBlack, 6, 8, 12, 12) == 0);
    CHECK(canvas.count_other_than(canvas.pixel(4, 6), 4, 6, 14, 8) == 0);
}

TEST_CASE("a camera centres the world and zooms it, and the screen ignores it") {
    Canvas canvas{64, 64};
    Scene scene;
    scene.draw(canvas, {64, 64}, [](Painter& painter) {
        painter.set_camera({100, 200, 2});
        painter.color = kRed;
        painter.rectangle(true, 100, 200, 8, 8);
        painter.is_screen = true;
        painter.color = kBlue;
        painter.rectangle(true, 0, 0, 8, 8);
    });
    CHECK(canvas.count_other_than(kRed, 32, 32, 48, 48) == 0);
    CHECK(canvas.count_other_than(kBlue, 0, 0, 8, 8) == 0);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 64, 64) == 16 * 16 + 8 * 8);
}

TEST_CASE("[N11] setting a camera does not move what was drawn before") {
    Canvas canvas{64, 64};
    Scene scene;
    scene.draw(canvas, {64, 64}, [](Painter& painter) {
        painter.set_camera({32, 32, 1});
        painter.color = kRed;
        painter.rectangle(true, 0, 0, 8, 8);
        painter.set_camera({100, 200, 2});
        painter.color = kBlue;
        painter.rectangle(true, 100, 200, 8, 8);
    });
    CHECK(canvas.count_other_than(kRed, 0, 0, 8, 8) == 0);
    CHECK(canvas.count_other_than(kBlue, 32, 32, 48, 48) == 0);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 64, 64) == 16 * 16 + 8 * 8);
}

TEST_CASE("[P6] a slanted line has no gaps and one colour, thin or wide, opaque or not") {
    for (const float width : {1.0F, 5.0F})
        for (const int alpha : {255, 128}) {
            CAPTURE(width, alpha);
            Canvas canvas{200, 150};
            Scene scene;
            scene.draw(canvas, {200, 150}, [&](Painter& painter) {
                painter.is_screen = true;
                painter.color = pack_color(255, 0, 0, static_cast<std::uint8_t>(alpha));
                painter.line_width = width;
                painter.line(10, 20, 190, 140);
            });
            std::set<PackedColor> colors;
            int count = 0;
            for (int x = 12; x < 188; ++x) {
                int in_column = 0;
                for (int y = 0; y < 150; ++y) {
                    if (canvas.pixel(x, y) == kBlack) continue;
                    colors.insert(canvas.pixel(x, y));
                    ++in_column;
                    // Where a line from 10, 20 to 190, 140 is.
                    CHECK(std::abs(static_cast<float>(y) + 0.5F -
                                   (20 + (static_cast<float>(x) - 9.5F) * 2 / 3)) <= width / 2 * 1.21F + 1);
                }
                CHECK(in_column >= 1);
                count += in_column;
            }
            CHECK(colors.size() == 1);
            CHECK(count >= static_cast<int>(176 * width));
        }
}

TEST_CASE("opaque and translucent shapes keep their order") {
    Canvas canvas{16, 16};
    Scene scene;
    scene.draw(canvas, {16, 16}, [](Painter& painter) {
        painter.is_screen = true;
        painter.color = kRed;
        painter.rectangle(true, 0, 0, 16, 16);
        painter.color = pack_color(0, 0, 255, 128);
        painter.rectangle(true, 0, 0, 12, 16);
        painter.color = kGreen;
        painter.circle(true, 4, 8, 3);
        painter.color = pack_color(0, 0, 0, 0);
        painter.line(0, 0, 16, 16);
    });
    CHECK(canvas.pixel(14, 8) == kRed);
    CHECK(canvas.pixel(4, 8) == kGreen);
    const PackedColor mixed = canvas.pixel(10, 8);
    CHECK((mixed & 0xFFU) == Approx(127).margin(2));
    CHECK((mixed >> 16U & 0xFFU) == Approx(128).margin(2));
}

TEST_CASE("an image is magnified without blur, and negative scales mirror it about its origin") {
    Canvas canvas{32, 32};
    Scene scene;
    scene.draw(canvas, {32, 32}, [&](Painter& painter) {
        painter.is_screen = true;
        const FrameId frame = scene.images.frame_of(scene.four, 0);
        painter.image(frame, 0, 0, {.scale_x = 4, .scale_y = 4});
        painter.image(frame, 8, 0, {.scale_x = -4, .scale_y = 4, .origin_x = 1});
        painter.image(frame, 16, 0, {.scale_x = 4, .scale_y = -4, .origin_y = 1});
    });
    const auto quadrants = [&](int x, PackedColor a, PackedColor b, PackedColor c, PackedColor d) {
        CAPTURE(x);
        CHECK(canvas.count_other_than(a, x, 0, x + 4, 4) == 0);
        CHECK(canvas.count_other_than(b, x + 4, 0, x + 8, 4) == 0);
        CHECK(canvas.count_other_than(c, x, 4, x + 4, 8) == 0);
        CHECK(canvas.count_other_than(d, x + 4, 4, x + 8, 8) == 0);
    };
    quadrants(0, kRed, kGreen, kBlue, kWhite);
    quadrants(8, kGreen, kRed, kWhite, kBlue);
    quadrants(16, kBlue, kWhite, kRed, kGreen);
    CHECK(scene.renderer->call_count() == 1);
}

TEST_CASE("a quarter turn of an image is clockwise about its origin") {
    Canvas canvas{512, 32};
    Scene scene;
    std::vector<PackedColor> pixels(16 * 16);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
            pixels[static_cast<std::size_t>(y * 16 + x)] =
                y < 8 ? (x < 8 ? kRed : kGreen) : (x < 8 ? kBlue : kWhite);
    scene.folder.write("assets/large.png", test::png_of(16, 16, pixels));
    const AssetHandle large = scene.assets.intern(0, "assets/large.png").value();
    scene.images.add(large, 16, 16);
    // Far right, where float rounding would make the edges level.
    scene.draw(canvas, {512, 32}, [&](Painter& painter) {
        painter.is_screen = true;
        painter.image(scene.images.frame_of(large, 0), 496, 16,
                      {.rotation = 1.5707963F, .origin_x = 0.5F, .origin_y = 0.5F});
    });
    CHECK(canvas.pixel(492, 12) == kBlue);
    CHECK(canvas.pixel(500, 12) == kRed);
    CHECK(canvas.pixel(492, 20) == kWhite);
    CHECK(canvas.pixel(500, 20) == kGreen);
    const int painted = canvas.count_other_than(kBlack, 0, 0, 512, 32);
    CHECK(painted <= 16 * 16);
    CHECK(painted >= 16 * 16 - 1);
}

TEST_CASE("a colour tints an image, and blend modes mix as their names say") {
    Canvas canvas{32, 8};
    Scene scene;
    scene.draw(canvas, {32, 8}, [&](Painter& painter) {
        painter.is_screen = true;
        painter.color = pack_color(100, 100, 100);
        painter.rectangle(true, 0, 0, 32, 8);
        painter.color = pack_color(100, 50, 0);
        painter.blend = BlendMode::add;
        painter.rectangle(true, 0, 0, 8, 8);
        painter.blend = BlendMode::multiply;
        painter.color = pack_color(128, 255, 0);
        painter.rectangle(true, 8, 0, 8, 8);
        painter.blend = BlendMode::alpha;
        painter.color = pack_color(0, 0, 0, 128);
        painter.rectangle(true, 16, 0, 8, 8);
        painter.color = kGreen;
        painter.image(scene.images.add_rectangle(scene.four, 1, 1, 1, 1), 24, 0,
                      {.scale_x = 8, .scale_y = 8});
    });
    const auto near = [&](int x, int r, int g, int b) {
        const PackedColor color = canvas.pixel(x, 4);
        CAPTURE(x, color & 0xFFU, color >> 8U & 0xFFU, color >> 16U & 0xFFU);
        CHECK(std::abs(static_cast<int>(color & 0xFFU) - r) <= 2);
        CHECK(std::abs(static_cast<int>(color >> 8U & 0xFFU) - g) <= 2);
        CHECK(std::abs(static_cast<int>(color >> 16U & 0xFFU) - b) <= 2);
    };
    near(4, 200, 150, 100);
    near(12, 50, 100, 0);
    near(20, 50, 50, 50);
    near(28, 0, 255, 0);
}

TEST_CASE("circles and lines are where they should be") {
    Canvas canvas{64, 64};
    Scene scene;
    scene.draw(canvas, {64, 64}, [](Painter& painter) {
        painter.is_screen = true;
        painter.color = kRed;
        painter.circle(true, 16, 16, 10);
        painter.color = kGreen;
        painter.line_width = 2;
        painter.circle(false, 48, 16, 10);
        painter.color = kBlue;
        painter.line_width = 4;
        painter.line(4, 50, 60, 50);
    });
    CHECK(canvas.pixel(16, 16) == kRed);
    CHECK(canvas.pixel(8, 16) == kRed);
    CHECK(canvas.pixel(4, 16) == kBlack);
    CHECK(canvas.pixel(8, 8) == kBlack);
    CHECK(canvas.pixel(48, 16) == kBlack);
    CHECK(canvas.pixel(39, 16) == kGreen);
    CHECK(canvas.pixel(57, 15) == kGreen);
    CHECK(canvas.count_other_than(kBlue, 5, 48, 59, 52) == 0);
    CHECK(canvas.count_other_than(kBlack, 0, 54, 64, 64) == 0);
    const double disc = canvas.count_other_than(kBlack, 0, 0, 32, 32);
    CHECK(disc == Approx(314).margin(15));
}

TEST_CASE("the picture is scaled into the letterbox and nothing is drawn on the bars") {
    Canvas canvas{64, 32};
    Scene scene;
    scene.draw(canvas, {16, 16}, [](Painter& painter) {
        painter.is_screen = true;
        painter.color = kRed;
        painter.rectangle(true, -100, -100, 300, 300);
    });
    CHECK(canvas.count_other_than(kRed, 16, 0, 48, 32) == 0);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 16, 32) == 0);
    CHECK(canvas.count_other_than(kBlack, 48, 0, 64, 32) == 0);
}

TEST_CASE("the background fills the picture, not the bars") {
    Canvas canvas{64, 32};
    Scene scene;
    scene.list.background = kGreen;
    scene.draw(canvas, {16, 16}, [](Painter&) {});
    CHECK(canvas.count_other_than(kGreen, 16, 0, 48, 32) == 0);
    CHECK(canvas.pixel(0, 0) == kBlack);
}

TEST_CASE("text has ink at its place and nowhere else") {
    Canvas canvas{128, 64};
    Scene scene;
    scene.draw(canvas, {128, 64}, [](Painter& painter) {
        painter.is_screen = true;
        painter.text("Hij", 10, 8, {.size = 20});
        painter.text("\xC3\xA9", 100, 40, {.size = 16});
    });
    REQUIRE(scene.renderer->take_reports().empty());
    // "H" is a full stem of DejaVu Sans from the cap height to the base line.
    CHECK(canvas.count_other_than(kBlack, 10, 8, 26, 31) > 40);
    CHECK(canvas.count_other_than(kBlack, 100, 40, 112, 60) > 20);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 10, 64) == 0);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 128, 8) == 0);
    CHECK(canvas.count_other_than(kBlack, 10, 33, 99, 64) == 0);
    CHECK(scene.renderer->call_count() == 1);
}

TEST_CASE("centred and right-aligned text is inside its box, line below line") {
    Canvas canvas{128, 64};
    Scene scene;
    scene.draw(canvas, {128, 64}, [](Painter& painter) {
        painter.is_screen = true;
        painter.text("X\nX", 0, 0, {.size = 16, .width = 128, .align = TextAlign::center});
        painter.text("X", 0, 44, {.size = 16, .width = 128, .align = TextAlign::right});
    });
    CHECK(canvas.count_other_than(kBlack, 57, 0, 71, 18) > 20);
    CHECK(canvas.count_other_than(kBlack, 57, 19, 71, 38) > 20);
    CHECK(canvas.count_other_than(kBlack, 0, 0, 56, 64) == 0);
    CHECK(canvas.count_other_than(kBlack, 112, 44, 128, 64) > 20);
}

TEST_CASE("a full atlas is cleared, and the text is still drawn") {
    Canvas canvas{64, 128};
    Scene scene;
    const auto all_ink = [&] { return canvas.count_other_than(kBlack, 0, 0, 64, 128); };
    scene.draw(canvas, {64, 128}, [](Painter& painter) {
        painter.is_screen = true;
        painter.text("W", 0, 0, {.size = 60});
    });
    const int expected = all_ink();
    CHECK(expected > 200);
    scene.draw(canvas, {64, 128}, [](Painter& painter) {
        painter.is_screen = true;
        painter.text("W", 0, 0, {.size = 60});
        // Without colour, so only their place in the atlas counts.
        painter.color = pack_color(0, 0, 0, 0);
        for (float size = 90; size < 97; ++size)
            for (const char letter : std::string_view{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"})
                painter.text({&letter, 1}, 0, 0, {.size = size});
    });
    CHECK(all_ink() == expected);
    CHECK(scene.renderer->call_count() > 1);
}

TEST_CASE("missing and broken images are magenta squares, and broken ones are reported once") {
    Canvas canvas{64, 32};
    Scene scene;
    const AssetHandle missing = scene.assets.intern(0, "assets/missing.png").value();
    const AssetHandle broken = scene.assets.intern(0, "assets/broken.png").value();
    scene.images.add(missing, 0, 0);
    scene.images.add(broken, 16, 16);
    const auto paint = [&](Painter& painter) {
        painter.is_screen = true;
        painter.image(scene.images.frame_of(missing, 0), 0, 0);
        painter.image(scene.images.frame_of(broken, 0), 32, 0);
    };
    scene.draw(canvas, {64, 32}, paint);
    scene.draw(canvas, {64, 32}, paint);
    for (const int x : {0, 32}) {
        CAPTURE(x);
        CHECK(canvas.pixel(x, 0) == kMagenta);
        CHECK(canvas.pixel(x + 15, 15) == kMagenta);
        CHECK(canvas.pixel(x + 8, 0) == kBlack);
    }
    const std::vector<std::string> reports = scene.renderer->take_reports();
    REQUIRE(reports.size() == 1);
    CHECK_THAT(reports[0], Catch::Matchers::StartsWith("image 'assets/broken.png' cannot be shown"));
}

TEST_CASE("a changed file is seen after reload and not before") {
    Canvas canvas{8, 8};
    Scene scene;
    const auto paint = [&](Painter& painter) {
        painter.is_screen = true;
        painter.image(scene.images.frame_of(scene.four, 0), 0, 0);
    };
    scene.draw(canvas, {8, 8}, paint);
    CHECK(canvas.pixel(0, 0) == kRed);
    scene.folder.write("assets/four.png", test::png_of(2, 2, {kBlue, kBlue, kBlue, kBlue}));
    scene.draw(canvas, {8, 8}, paint);
    CHECK(canvas.pixel(0, 0) == kRed);
    scene.renderer->reload();
    scene.draw(canvas, {8, 8}, paint);
    CHECK(canvas.pixel(0, 0) == kBlue);
}

TEST_CASE("without a font text is drawn with the pixel font, and that is reported once") {
    Canvas canvas{32, 32};
    Scene scene;
    scene.renderer.emplace(canvas.renderer(), "", scene.decoder);
    scene.draw(canvas, {32, 32}, [](Painter& painter) {
        painter.is_screen = true;
        painter.text("X", 0, 0, {.size = 16});
    });
    CHECK(canvas.count_other_than(kBlack, 0, 0, 11, 19) > 20);
    CHECK(canvas.count_other_than(kBlack, 11, 0, 32, 32) == 0);
    CHECK(scene.renderer->take_reports() == std::vector<std::string>{sdl_errors::kNoFont});
    CHECK(scene.renderer->take_reports().empty());
}

TEST_CASE("items of one state are drawn in one call") {
    Canvas canvas{64, 64};
    Scene scene;
    scene.draw(canvas, {64, 64}, [&](Painter& painter) {
        for (int i = 0; i < 1000; ++i) painter.rectangle(i % 2 == 0, static_cast<float>(i % 64), 3, 5, 5);
        for (int i = 0; i < 1000; ++i)
            painter.image(scene.images.frame_of(scene.four, 0), static_cast<float>(i), 0);
    });
    CHECK(scene.renderer->call_count() == 2);
}
