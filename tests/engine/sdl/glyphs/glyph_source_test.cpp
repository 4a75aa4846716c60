// The table of widths compared with the font, and glyphs without the font.
#include "engine/sdl/glyphs/glyph_source.h"

#include "engine/draw/text/internal/font_advances.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/sdl/glyphs/font_file.h"
#include "tests/support/temporary_folder.h"

#include <SDL_ttf.h>
#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace perigee;

namespace {

struct FontCloser {
    void operator()(TTF_Font* font) const noexcept {
        TTF_CloseFont(font);
        TTF_Quit();
    }
};
using FontHandle = std::unique_ptr<TTF_Font, FontCloser>;

FontHandle open_font(int size) {
    TTF_Init();
    FontHandle font{TTF_OpenFont(default_font_file().c_str(), size)};
    REQUIRE(font);
    TTF_SetFontHinting(font.get(), TTF_HINTING_NONE);
    return font;
}

bool is_same(const GlyphBitmap& a, const GlyphBitmap& b) {
    return a.width == b.width && a.height == b.height && a.left == b.left && a.top == b.top &&
           a.coverage == b.coverage;
}

}  // namespace

TEST_CASE("the table of advances has the characters of the font, with its widths") {
    const FontHandle font = open_font(kFontUnitsPerEm);  // a pixel is a unit
    std::size_t count = 0;
    for (char32_t character = 0x20; character < 0x20000; ++character) {
        if (!is_drawn(character)) continue;
        const bool is_there = TTF_GlyphIsProvided32(font.get(), character) != 0;
        if (is_there != has_picture(character)) FAIL_CHECK("character " << static_cast<unsigned>(character));
        if (!is_there) continue;
        ++count;
        int advance = 0;
        int left = 0;
        int right = 0;
        int above = 0;
        int below = 0;
        REQUIRE(TTF_GlyphMetrics32(font.get(), character, &left, &right, &below, &above, &advance) == 0);
        if (advance != font_advance(character)) FAIL_CHECK("character " << static_cast<unsigned>(character));
        // What TextSetter relies on when it leaves out what cannot be seen.
        CHECK((left >= -2 * kFontUnitsPerEm && right <= 4 * kFontUnitsPerEm));
        CHECK((below >= -kFontUnitsPerEm && above <= 2 * kFontUnitsPerEm));
    }
    CHECK(count > 5800);
    int advance = 0;
    TTF_GlyphMetrics32(font.get(), 0x10FFFF, nullptr, nullptr, nullptr, nullptr, &advance);
    CHECK(advance == kMissingAdvance);
    CHECK(TTF_FontAscent(font.get()) - TTF_FontDescent(font.get()) >= line_height(kFontUnitsPerEm));
}

TEST_CASE("a character that the font lacks is a box, at any size and in any order of sizes") {
    GlyphSource source{default_font_file()};
    REQUIRE(source.has_font());
    for (const int size : {8, 16, 100, 16}) {
        const GlyphBitmap box = source.rasterise(U'日', size);
        CHECK(box.width > size / 4);
        CHECK(is_same(source.rasterise(U'한', size), box));
        CHECK_FALSE(is_same(source.rasterise(U'П', size), box));
        CHECK_FALSE(is_same(source.rasterise(U'…', size), box));
        CHECK(source.rasterise(U'\n', size).width == 0);
        CHECK(source.rasterise(U' ', size).width == 0);
    }
}

TEST_CASE("the ink of a mark is to the left of the pen, over the previous character") {
    GlyphSource source{default_font_file()};
    const GlyphBitmap acute = source.rasterise(0x0301, 64);
    CHECK(acute.width > 0);
    CHECK(acute.left < 0);
    CHECK(acute.left + acute.width <= 2);
}

TEST_CASE("without DejaVu Sans the source uses the pixel font") {
    const test::TemporaryFolder folder;
    folder.write("font.ttf", "no font at all");
    folder.write("empty.ttf", "");
    std::string bold = default_font_file();
    bold.replace(bold.find("Sans.ttf"), 8, "Sans-Bold.ttf");
    for (const std::string& file :
         {std::string{}, std::string{"/nowhere/font.ttf"}, (folder.path() / "font.ttf").string(),
          (folder.path() / "empty.ttf").string(), folder.path().string(), bold}) {
        CAPTURE(file);
        GlyphSource source{file};
        CHECK_FALSE(source.has_font());
        CHECK(is_same(source.rasterise(U'H', 16), pixel_font_glyph(U'H', 16)));
        CHECK(source.rasterise(U'日', 16).width > 0);
    }
}
