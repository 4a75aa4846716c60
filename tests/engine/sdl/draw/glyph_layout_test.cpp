// Texts with a look, with every back end: fonts of games, outlines, shadows, colours and icons.
#include "engine/sdl/draw/glyph_layout.h"

#include "engine/assets/image_loader.h"
#include "engine/fonts/font_table.h"
#include "tests/engine/sdl/picture_scene.h"
#include "tests/support/font_files.h"

#include <catch2/catch.hpp>

#include <initializer_list>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr std::uint32_t kBlue = 0x0000FF, kGreen = 0x00FF00, kRed = 0xFF0000;

struct TextScene : PictureScene {
    ImageLoader loader{assets, images};
    FontTable fonts{assets, images, loader};
    AssetHandle serif = 0;

    TextScene() : PictureScene({320, 120}) {
        folder.write("assets/serif.ttf", test::font_file("DejaVuSerif.ttf"));
        serif = assets.intern(0, "assets/serif.ttf").value();
        REQUIRE(fonts.define_icon("four", images.frame_of(four, 0), 1.0F));
    }
    TextLook look(std::string_view text, bool has_markup = false) {
        return {.text = fonts.shape(text, serif, has_markup)};
    }
};

int count_of(const Picture& picture, std::uint32_t color) {
    return picture.size.width * picture.size.height -
           count_other_than(picture, color, 0, 0, picture.size.width, picture.size.height);
}

}  // namespace

TEST_CASE("a text in the font of a game has the same pixels with every back end [N17]") {
    TextScene scene;
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.text("", scene.look("Serif AVA fi ÄÖ 123"), 4, 4, {.size = 24});
        painter.text("", scene.look("wrapped words in a narrow box"), 4, 40,
                     {.size = 14, .width = 100, .align = TextAlign::right});
        painter.text("", scene.look("letters"), 160, 60, {.size = 40});
    });
    const Picture picture = scene.with_gl();
    CHECK(count_of(picture, 0xFFFFFF) > 500);
    CHECK(count_different(picture, scene.with_software(), 2) == 0);
    CHECK(count_different(picture, scene.with_sdl_gles(), 2) == 0);
}

TEST_CASE("a shadow is behind the outline, and the outline behind the letters") {
    TextScene scene;
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        TextLook look = scene.look("HHH");
        look.outline = 0.06F;
        look.outline_color = pack_color(0, 0, 255);
        look.shadow_x = look.shadow_y = 0.3F;
        look.shadow_color = pack_color(255, 0, 0);
        painter.color = pack_color(0, 255, 0);
        painter.text("", look, 20, 10, {.size = 60});
    });
    for (const Picture& picture : {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()}) {
        CHECK(count_of(picture, kGreen) > 500);
        CHECK(count_of(picture, kBlue) > 500);
        CHECK(count_of(picture, kRed) > 200);
    }
    const Picture picture = scene.with_gl();
    // From the left into the first letter: nothing, the outline, the letter.
    int x = 0;
    while (pixel(picture, x, 40) == 0) ++x;
    while (pixel(picture, x, 40) != kBlue) ++x;
    while (pixel(picture, x, 40) == kBlue) ++x;
    while (pixel(picture, x, 40) != kGreen && x < 60) ++x;
    CHECK(pixel(picture, x, 40) == kGreen);
}

TEST_CASE("a plain text of the default font can have an outline too") {
    TextScene scene;
    TextLook look;
    look.outline = 0.1F;
    look.outline_color = pack_color(0, 0, 255);
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.text("Hello", look, 20, 10, {.size = 40});
    });
    for (const Picture& picture : {scene.with_gl(), scene.with_software()}) {
        CHECK(count_of(picture, 0xFFFFFF) > 200);
        CHECK(count_of(picture, kBlue) > 200);
    }
}

TEST_CASE("markup colours letters, and icons stand in the line") {
    TextScene scene;
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.text("", scene.look("{#0000ff}HH{/}HH{icon:four}", true), 10, 10, {.size = 50});
    });
    for (const Picture& picture : {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()}) {
        CHECK(count_of(picture, kBlue) > 300);
        CHECK(count_of(picture, 0xFFFFFF) > 300);
        CHECK(count_of(picture, kRed) == 25 * 25);
        CHECK(count_of(picture, kGreen) == 25 * 25);
    }
}

TEST_CASE("what is not revealed is not drawn, and nothing else moves") {
    TextScene scene;
    const auto draw = [&](std::uint32_t revealed) {
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            TextLook look = scene.look("abc");
            look.revealed = revealed;
            painter.text("", look, 10, 10, {.size = 40, .width = 200, .align = TextAlign::center});
        });
        return scene.with_gl();
    };
    const Picture none = draw(0), one = draw(1), all = draw(3);
    CHECK(count_of(none, 0) == 320 * 120);
    int differing = 0;
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 320; ++x)
            if (pixel(one, x, y) != 0) differing += pixel(one, x, y) != pixel(all, x, y);
    CHECK(differing == 0);
    CHECK(count_of(one, 0) > count_of(all, 0));
}

TEST_CASE("blend modes that premultiply colours draw outlines and spans in them") {
    TextScene scene;
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.blend = BlendMode::screen;
        TextLook look = scene.look("{#00ff00}HH{/}", true);
        look.outline = 0.1F;
        look.outline_color = pack_color(0, 0, 255, 128);
        painter.text("", look, 20, 10, {.size = 50});
    });
    CHECK(count_different(scene.with_gl(), scene.with_sdl_gles(), 8) == 0);
}
