// Lines of shaped texts, their order from left to right, and pictures in them.
#include "engine/draw/shaped_lines.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;

namespace {

// Each letter is one em wide; capitals run from right to left, '\n' ends a line, '#' is a picture.
ShapedText text_of(std::string_view letters) {
    ShapedText text;
    text.ascent = 0.75F;
    text.line_height = 1.25F;
    for (const char letter : letters) {
        ShapedGlyph glyph{.advance = 1.0F};
        glyph.number = text.length++;
        glyph.glyph = static_cast<unsigned char>(letter);
        glyph.kind = letter == ' ' ? GlyphKind::none : GlyphKind::character;
        if (letter == ' ') glyph.flags = kGlyphSpace;
        if (letter == '|') glyph.flags = kGlyphMayWrap;
        if (letter == '\n') glyph.flags = kGlyphNewLine;
        if (letter >= 'A' && letter <= 'Z') glyph.level = 1;
        text.has_right_to_left = text.has_right_to_left || glyph.level != 0;
        if (letter == '#') {
            glyph.kind = GlyphKind::picture;
            glyph.glyph = static_cast<std::uint32_t>(text.pictures.size());
            text.pictures.push_back({.frame = 5, .left = 0.0F, .top = -0.5F, .width = 1.0F, .height = 0.5F});
        }
        text.glyphs.push_back(glyph);
    }
    return text;
}

std::string lines_of(std::string_view letters, float limit) {
    const ShapedText text = text_of(letters);
    std::string lines;
    std::uint32_t next = 0;
    for (TextLine line; next_line(text, next, limit, line);)
        lines += "[" + std::string{letters.substr(line.first, line.end - line.first)} + "]";
    return lines;
}

// Letters by rising x.
std::string shown(std::string_view letters, std::uint32_t revealed = 99) {
    const ShapedText text = text_of(letters);
    const DrawItem item{.h = 10};
    std::string found(letters.size(), '.');
    each_glyph(text, item, revealed, [&](const ShapedGlyph& glyph, float x, float y) {
        CHECK(y == 7.5F);
        found[static_cast<std::size_t>(x / 10.0F + 0.5F)] = static_cast<char>(glyph.glyph);
    });
    return found;
}

}  // namespace

TEST_CASE("a line ends at the last space that fits; a word that is too wide stays whole") {
    CHECK(lines_of("ab cd ef", 0) == "[ab cd ef]");
    CHECK(lines_of("ab cd ef", 5) == "[ab cd][ef]");
    CHECK(lines_of("ab cd ef", 4) == "[ab][cd][ef]");
    CHECK(lines_of("abcdef gh", 4) == "[abcdef][gh]");
    CHECK(lines_of("a\nb c", 0) == "[a][b c]");
    CHECK(lines_of("a\n\nb", 0) == "[a][][b]");
    CHECK(lines_of("a\n", 0) == "[a]");
    CHECK(lines_of("", 0).empty());
    CHECK(lines_of("ab|cd|ef", 4) == "[ab][|cd][|ef]");
}

TEST_CASE("the size of a text is that of its widest line and all lines") {
    const TextSize size = text_size(text_of("ab cde"), 10, 40);
    CHECK(size.width == 30);
    CHECK(size.height == 25);
    CHECK(text_size(text_of("ab cde"), 10, 0).width == 60);
}

TEST_CASE("a justified line is as wide as its box, and the last one of a paragraph is not") {
    const auto places = [](std::string_view letters) {
        const ShapedText text = text_of(letters);
        DrawItem item{.w = 70, .h = 10, .kind = DrawKind::text};
        item.flags = static_cast<std::uint8_t>(static_cast<unsigned>(TextAlign::justify) << kDrawAlignShift);
        std::string found;
        each_glyph(text, item, 99, [&](const ShapedGlyph& glyph, float x, float) {
            found += static_cast<char>(glyph.glyph);
            found += std::to_string(static_cast<int>(x)) + " ";
        });
        return found;
    };
    CHECK(places("ab cd efg") == "a0 b10 c50 d60 e0 f10 g20 ");
    CHECK(places("a b c defg") == "a0 b30 c60 d0 e10 f20 g30 ");
    CHECK(places("a b\nc d efgh") == "a0 b20 c0 d60 e0 f10 g20 h30 ");
    CHECK(places("AB CD efg") == "B0 A10 D50 C60 e0 f10 g20 ");
    CHECK(places("abc|de") == "a0 b10 c20 |30 d40 e50 ");
    CHECK(places("abcdefgh i") == "a0 b10 c20 d30 e40 f50 g60 h70 i0 ");  // wider than the box
}

TEST_CASE("what runs from right to left is reversed in its line") {
    CHECK(shown("abc") == "abc");
    CHECK(shown("abXYZc") == "abZYXc");
    CHECK(shown("XYZ") == "ZYX");
}

TEST_CASE("characters that are not revealed take their room") {
    CHECK(shown("abcd", 2) == "ab..");
    CHECK(shown("XYZ", 1) == "..X");
}

TEST_CASE("pictures have a shadow and an outline if they are letters, and icons have none") {
    ShapedText text = text_of("a#");
    const DrawItem item{.x = 100, .y = 50, .h = 10, .color = 0x8000'00FF, .kind = DrawKind::text};
    TextLook look;
    look.outline = 0.1F;
    look.shadow_x = 0.2F;
    look.shadow_color = 0xFF00'0000;
    std::vector<DrawItem> sprites;
    const auto add = [&](const DrawItem& sprite) { sprites.push_back(sprite); };
    each_picture(text, item, look, add);
    REQUIRE(sprites.size() == 1);
    CHECK(sprites[0].x == 110);
    CHECK(sprites[0].y == 52.5F);
    CHECK(sprites[0].w == 10);
    CHECK(sprites[0].ref == 5);
    CHECK(sprites[0].color == 0x80FF'FFFF);  // as transparent as the text
    sprites.clear();
    text.pictures[0].is_tinted = true;
    each_picture(text, item, look, add);
    REQUIRE(sprites.size() == 10);
    CHECK(sprites[0].x == 112);
    CHECK(sprites[0].color == 0x8000'0000);
    CHECK(sprites.back().color == 0x8000'00FF);
}

TEST_CASE("a glyph with a colour of its own is as transparent as the text") {
    ShapedGlyph glyph;
    CHECK(color_of(glyph, 0x8012'3456) == 0x8012'3456);
    glyph.flags = kGlyphColored;
    glyph.color = 0xFF00'00FF;
    CHECK(color_of(glyph, 0x8012'3456) == 0x8000'00FF);
}
