// Fonts and texts of a game: what they measure, what stands in for what is missing, and what is kept.
#include "engine/fonts/font_table.h"

#include "engine/assets/decoder.h"
#include "engine/draw/painter.h"
#include "engine/draw/shaped_lines.h"
#include "tests/support/failing_memory.h"
#include "tests/support/font_files.h"
#include "tests/support/png_files.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;
using test::font_file;

namespace {

constexpr char kSmall[] =
    "info size=10\ncommon lineHeight=12 base=9\npage id=0 file=\"page.png\"\n"
    "char id=65 x=0 y=0 width=6 height=8 xoffset=1 yoffset=2 xadvance=7 page=0\n"
    "char id=66 x=8 y=0 width=6 height=8 xoffset=0 yoffset=2 xadvance=7 page=0\n"
    "char id=32 x=0 y=0 width=0 height=0 xoffset=0 yoffset=0 xadvance=4 page=0\n"
    "kerning first=65 second=66 amount=-2\n";

std::string image(std::uint32_t width, std::uint32_t height) {
    return test::png_file(width, height, [](std::uint32_t, std::uint32_t) { return test::Rgba{}; });
}

struct Game {
    test::TemporaryFolder folder;
    AssetStore assets;
    ImageTable images;
    ImageLoader loader{assets, images};
    FontTable fonts{assets, images, loader};

    Game() {
        folder.write("assets/page.png", image(16, 16));
        folder.write("assets/mana.png", image(32, 16));
        folder.write("assets/small.fnt", kSmall);
        folder.write("assets/serif.ttf", font_file("DejaVuSerif.ttf"));
        folder.write("assets/sans.ttf", font_file("DejaVuSans.ttf"));
        folder.write("assets/broken.ttf", "no font");
        folder.write("assets/broken.fnt", "info");
        REQUIRE(assets.mount("game", folder.path()));
        loader.update();
    }
    AssetHandle at(const char* path) { return assets.intern(0, path).value(); }
    TextSize size_of(std::string_view text, const char* font, float size = 10) {
        return text_size(*fonts.shape(text, at(font), false), size, 0);
    }
};

}  // namespace

TEST_CASE("a text is as wide as the characters of its font, with kerning [N17]") {
    Game game;
    CHECK(game.size_of("A", "assets/small.fnt").width == Approx(7));
    CHECK(game.size_of("BA", "assets/small.fnt").width == Approx(14));
    CHECK(game.size_of("AB", "assets/small.fnt").width == Approx(12));
    CHECK(game.size_of("A B", "assets/small.fnt", 20).width == Approx(36));
    CHECK(game.size_of("A\nB", "assets/small.fnt").height == Approx(24));
    CHECK(game.fonts.own_size(game.at("assets/small.fnt")) == 10);

    const float apart =
        game.size_of("A", "assets/serif.ttf").width + game.size_of("V", "assets/serif.ttf").width;
    CHECK(game.size_of("AV", "assets/serif.ttf").width < apart - 0.3F);
    CHECK(game.size_of("iii", "assets/serif.ttf").width < game.size_of("WWW", "assets/serif.ttf").width / 2);
    CHECK(game.fonts.own_size(game.at("assets/serif.ttf")) == 0);
    CHECK(game.fonts.metrics(game.at("assets/serif.ttf")).line_height == Approx(2384 / 2048.0));
    CHECK(game.fonts.take_reports().empty());
}

TEST_CASE("the letters of a bitmap font are parts of its pages") {
    Game game;
    const auto text = game.fonts.shape("A", game.at("assets/small.fnt"), false);
    REQUIRE(text->pictures.size() == 1);
    CHECK_FALSE(text->has_glyphs);
    const TextPicture& picture = text->pictures[0];
    CHECK(picture.is_tinted);
    CHECK(picture.left == Approx(0.1));
    CHECK(picture.top == Approx(-0.7));
    CHECK(game.images[picture.frame] == ImageFrame{game.at("assets/page.png"), 0, 0, 6, 8});
}

TEST_CASE("a character that a font lacks comes from its fallback, then from the default font") {
    Game game;
    FontDescription with_fallback;
    with_fallback.fallback = {game.at("assets/broken.ttf"), game.at("assets/serif.ttf")};
    game.fonts.describe(game.at("assets/small.fnt"), with_fallback);
    const auto text = game.fonts.shape("AxB漢", game.at("assets/small.fnt"), false);
    REQUIRE(text->glyphs.size() == 4);
    CHECK(text->faces.size() == 2);
    CHECK(text->glyphs[0].kind == GlyphKind::picture);
    CHECK(text->glyphs[1].kind == GlyphKind::glyph);
    CHECK(text->glyphs[1].face == 1);
    CHECK(text->glyphs[2].kind == GlyphKind::picture);
    CHECK(text->glyphs[3].kind == GlyphKind::character);
    CHECK(text->glyphs[3].advance == glyph_advance(U'漢', 1));
}

TEST_CASE("a font that cannot be used is reported once, and the default font stands in") {
    Game game;
    const auto broken = [&](const char* path) {
        CHECK(game.size_of("hello", path).width == text_width("hello", 10));
        game.size_of("again", path);
        const std::vector<std::string> reports = game.fonts.take_reports();
        return reports.size() == 1 ? reports[0] : "";
    };
    CHECK(
        broken("assets/broken.ttf") ==
        "font 'assets/broken.ttf' cannot be used: it is not a TrueType or OpenType font; the default font is "
        "used");
    CHECK(broken("assets/broken.fnt") ==
          "font 'assets/broken.fnt' cannot be used: it has no line 'char'; the default font is used");
    CHECK(broken("assets/mana.png") ==
          "font 'assets/mana.png' cannot be used: gfx.font has not said which glyphs it has, as in "
          "gfx.font(path, { glyphs = \"ABC\" }); the default font is used");
    CHECK(broken("notes.txt").empty());  // the store reports what is missing
    CHECK(FontTable::is_font_path("a.otf"));
    CHECK_FALSE(FontTable::is_font_path("a.woff"));
}

TEST_CASE("a font that is saved again is read again") {
    Game game;
    CHECK(game.size_of("A", "assets/small.fnt").width == Approx(7));
    std::string wider = kSmall;
    wider.replace(wider.find("xadvance=7"), 10, "xadvance=9");
    game.folder.write("assets/small.fnt", wider);
    game.fonts.reload(game.at("assets/small.fnt"));
    CHECK(game.size_of("A", "assets/small.fnt").width == Approx(9));
    game.folder.write("assets/broken.ttf", font_file("DejaVuSans.ttf"));
    game.size_of("x", "assets/broken.ttf");
    CHECK(game.fonts.take_reports().empty());
}

TEST_CASE("a strip of glyphs is a font once its characters are known") {
    Game game;
    game.folder.write(
        "assets/strip.png", test::png_file(6, 1, [](std::uint32_t x, std::uint32_t) {
            return x % 3 == 0 || x == 5 ? test::Rgba{255, 0, 255, 255} : test::Rgba{9, 9, 9, 255};
        }));
    const AssetHandle strip = game.at("assets/strip.png");
    game.loader.update(strip);
    FontDescription letters;
    letters.glyphs = U"ab";
    letters.spacing = 1;
    game.fonts.describe(strip, letters);
    CHECK(game.size_of("ab", "assets/strip.png", 1).width == Approx(5));
    CHECK(game.fonts.own_size(strip) == 1);
    letters.glyphs = U"abc";
    game.fonts.describe(strip, letters);
    game.size_of("ab", "assets/strip.png", 1);
    CHECK(game.fonts.take_reports() ==
          std::vector<std::string>{
              "font 'assets/strip.png' cannot be used: its picture has 2 glyphs, separated "
              "by the colour of its first pixel, and the list has 3; the default font is "
              "used"});
}

TEST_CASE("an icon is as high as the text, and as wide as its image") {
    Game game;
    const FrameId frame = game.images.frame_of(game.at("assets/mana.png"), 0);
    REQUIRE(game.fonts.define_icon("mana", frame, 1));
    const auto text = game.fonts.shape("{icon:mana}", 0, true);
    REQUIRE(text->glyphs.size() == 1);
    CHECK(text->length == 1);
    CHECK(text->glyphs[0].advance == 2);
    CHECK(text->pictures[0].frame == frame);
    CHECK_FALSE(text->pictures[0].is_tinted);
    CHECK(game.fonts.markup_mistake("{icon:mana} {icon:mena}") ==
          "no icon 'mena' is defined; did you mean 'mana'?; gfx.icon(name, path) defines one");
    CHECK(game.fonts.markup_mistake("{icon:mana}").empty());
    REQUIRE(game.fonts.define_icon("mana", frame, 2));
    CHECK(game.fonts.shape("{icon:mana}", 0, true)->glyphs[0].advance == 4);
    for (std::size_t i = 1; i < FontTable::kMaxIcons; ++i)
        REQUIRE(game.fonts.define_icon("i" + std::to_string(i), frame, 1));
    CHECK(game.fonts.define_icon("last", frame, 1).error().message ==
          "the game and its mods can define 4096 icons");
}

TEST_CASE("a text is shaped once, and many texts are kept within limits") {
    Game game;
    const auto text = game.fonts.shape("hello", 0, true);
    CHECK(game.fonts.shape("hello", 0, true) == text);
    CHECK(game.fonts.shape("hello", 0, false) != text);
    for (std::size_t i = 0; i < 3 * FontTable::kMaxTexts; ++i) {
        game.fonts.shape("text " + std::to_string(i), 0, true);
        if (i % 100 == 0) CHECK(game.fonts.shape("hello", 0, true) == text);  // it is in use
    }
}

TEST_CASE("a text that is drawn again takes no memory") {
    Game game;
    REQUIRE(game.fonts.define_icon("mana", game.images.frame_of(game.at("assets/mana.png"), 0), 1));
    DrawList list;
    Painter painter;
    const AssetHandle sans = game.at("assets/sans.ttf");
    const auto frame = [&] {
        list.clear();
        painter.begin_frame(list, game.images);
        for (const std::string_view text : {"{red}fire{/} costs {icon:mana} 5", "שלום abc سلام", "plain"}) {
            TextLook look{.text = game.fonts.shape(text, sans, true)};
            look.outline = 0.1F;
            look.revealed = 12;
            painter.text(text, look, 10, 20, {.size = 20, .width = 100});
        }
        painter.end_frame();
        list.sort(game.images);
    };
    for (int i = 0; i < 3; ++i) frame();
    {
        const RefusedMemory counting{RefusedMemory::kNever};
        frame();
    }
    CHECK(RefusedMemory::requests() == 0);
    CHECK(list.items().size() == 4);
}

TEST_CASE("the game and each mod have a share of all fonts") {
    Game game;
    game.fonts.set_owners(2);
    std::size_t usable = 0;
    for (std::size_t i = 0; i < FontTable::kMaxFonts + 1; ++i) {
        const std::string path = "f" + std::to_string(i) + ".fnt";
        game.folder.write(path, kSmall);
        game.folder.write("page.png", image(16, 16));
        usable += game.fonts.own_size(game.at(path.c_str())) > 0;
    }
    CHECK(usable < FontTable::kMaxFonts);
    CHECK(usable >= FontTable::kMaxFonts / 2);
    CHECK(
        game.fonts.take_reports().back() ==
        "font 'f256.fnt' cannot be used: there are too many fonts: all together can be 256, with a share for "
        "the game and each mod; the default font is used");
}
