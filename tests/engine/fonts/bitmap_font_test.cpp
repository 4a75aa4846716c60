// Files of BMFont and strips of glyphs: what they say, and what is wrong with them.
#include "engine/fonts/bitmap_font.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

const std::string kFile =
    "info face=\"Small Font\" size=-12 bold=0\r\n"
    "common lineHeight=14 base=11 scaleW=32 scaleH=16 pages=2 packed=0\n"
    "page id=0 file=\"small font.png\"\n"
    "page id=1 file=more.png\n"
    "chars count=2\n"
    "char id=66 x=10 y=0 width=8 height=12 xoffset=-1 yoffset=2 xadvance=9 page=1 chnl=15\n"
    "char id=65   x=0    y=0    width=8    height=12   xoffset=0    yoffset=0    xadvance=9    page=0\n"
    "char id=-1 x=0 y=0 width=1 height=1 xoffset=0 yoffset=0 xadvance=1 page=0\n"
    "kernings count=1\n"
    "kerning first=65 second=66 amount=-3\n";

std::string why(const std::string& file) {
    const Result<BitmapFont> font = parse_bmfont(file);
    return font ? "good" : font.error().message;
}

}  // namespace

TEST_CASE("a file of BMFont has pages, characters by rising code, and pairs") {
    const BitmapFont font = parse_bmfont(kFile).value();
    CHECK(font.size == 12);
    CHECK(font.line_height == 14);
    CHECK(font.base == 11);
    CHECK(font.pages == std::vector<std::string>{"small font.png", "more.png"});
    REQUIRE(font.glyphs.size() == 2);
    CHECK(font.glyphs[0].code == U'A');
    CHECK(font.glyphs[1].code == U'B');
    CHECK(font.glyphs[1].page == 1);
    CHECK(font.glyphs[1].left == -1);
    CHECK(font.glyphs[1].top == 2);
    CHECK(font.glyphs[1].advance == 9);
    REQUIRE(font.pairs.size() == 1);
    CHECK(font.pairs[0].more == -3);
}

TEST_CASE("a file of BMFont that cannot be read is an error that names its line") {
    CHECK(why("BMF\x03") == "only the text format of BMFont can be read; export it as text");
    CHECK(why("<?xml version=\"1.0\"?>") ==
          "only the text format of BMFont can be read, not XML; export it as text");
    CHECK(why("") == "it has no line 'char'");
    CHECK(why("info size=1\ncommon base=3\n") == "line 2: 'common' needs a whole number, lineHeight=…");
    CHECK(why("page id=0 file=\"\"") == "line 1: page 0 has no file, or is not below 64");
    CHECK(why("page id=64 file=\"a.png\"") == "line 1: page 64 has no file, or is not below 64");
    CHECK(why("page file=\"a.png\"") == "line 1: 'page' needs a whole number, id=…");
    CHECK(why("page id=0 file=a.png\nchar id=x") == "line 2: 'char' needs a whole number, id=…");
    CHECK(why("char id=1 x=0 y=0 width=9 height=9 xoffset=0 yoffset=0 xadvance=99999999") ==
          "line 1: 'char' needs a whole number, xadvance=…");
    CHECK(why("char id=1 x=0 y=0 width=9 height=9 xoffset=0 yoffset=0 xadvance=9") ==
          "page 0 has no file, or is not below 64");
    CHECK(why("kerning first=1 second=2") == "line 1: 'kerning' needs a whole number, amount=…");
    std::string many = "page id=0 file=a.png\n";
    for (std::size_t i = 0; i <= BitmapFont::kMaxGlyphs; ++i)
        many += "char id=5 x=0 y=0 width=9 height=9 xoffset=0 yoffset=0 xadvance=9\n";
    CHECK(why(many) == "line 65538: it has more than 65536 characters or pairs");
}

TEST_CASE("a strip has a glyph between two columns of the colour of its first pixel") {
    // | A A | B |
    const std::vector<std::uint8_t> line{9, 9, 9, 9, 1, 1, 1, 1, 2, 2, 2, 2,
                                         9, 9, 9, 9, 3, 3, 3, 3, 9, 9, 9, 9};
    std::vector<std::uint8_t> pixels = line;
    pixels.insert(pixels.end(), line.begin(), line.end());
    const BitmapFont font = read_glyph_strip(pixels, 6, 2, U"ba", 1).value();
    REQUIRE(font.glyphs.size() == 2);
    CHECK(font.glyphs[0].code == U'a');
    CHECK(font.glyphs[0].x == 4);
    CHECK(font.glyphs[0].width == 1);
    CHECK(font.glyphs[1].x == 1);
    CHECK(font.glyphs[1].width == 2);
    CHECK(font.glyphs[1].height == 2);
    CHECK(font.glyphs[1].advance == 3);
    CHECK(font.size == 2);
    CHECK(read_glyph_strip(pixels, 6, 2, U"abc", 0).error().message ==
          "its picture has 2 glyphs, separated by the colour of its first pixel, and the list has 3");
    CHECK(read_glyph_strip(pixels, 600, 2, U"abc", 0).error().message == "the image cannot be read");
}
