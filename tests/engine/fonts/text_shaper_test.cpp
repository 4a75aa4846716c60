// Writing systems: order, joined letters, marks, and what stands where in a text of several fonts.
#include "engine/fonts/text_shaper.h"

#include "engine/assets/decoder.h"
#include "engine/draw/shaped_lines.h"
#include "engine/draw/text/text_metrics.h"
#include "tests/support/font_files.h"

#include <catch2/catch.hpp>

using namespace perigee;
using namespace perigee::internal;

namespace {

struct Shaping {
    Decoder decoder;
    std::vector<std::shared_ptr<FontFace>> faces;
    TextShaper shaper;
    explicit Shaping(std::initializer_list<const char*> files) {
        for (const char* file : files)
            faces.push_back(std::make_shared<FontFace>(decoder.font(test::font_file(file)).value()));
    }
    ShapedText shape(std::string_view utf8) {
        std::vector<TextUnit> units;
        read_plain(utf8, units);
        ShapedText text;
        shaper.shape(
            units, [this](std::size_t i) { return i < faces.size() ? faces[i] : nullptr; },
            [](std::uint32_t, float, float) { return IconPicture{}; }, 1.0F, text);
        return text;
    }
};

// The numbers of the characters, from left to right.
std::vector<std::uint32_t> order_of(const ShapedText& text) {
    std::vector<std::uint32_t> numbers;
    each_glyph(text, DrawItem{.h = 10}, 99,
               [&](const ShapedGlyph& glyph, float, float) { numbers.push_back(glyph.number); });
    return numbers;
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("Hebrew runs from right to left, and numbers in it from left to right") {
    Shaping shaping{"DejaVuSans.ttf"};
    CHECK(order_of(shaping.shape("abc")) == Numbers{0, 1, 2});
    CHECK(order_of(shaping.shape("אבג")) == Numbers{2, 1, 0});
    CHECK(order_of(shaping.shape("ab אב")) == Numbers{0, 1, 4, 3});
    CHECK(order_of(shaping.shape("אב 12")) == Numbers{3, 4, 1, 0});
    CHECK(order_of(shaping.shape("אב\nab")) == Numbers{1, 0, 3, 4});
}

TEST_CASE("letters of Arabic are joined, and take the room of their forms") {
    Shaping shaping{"DejaVuSans.ttf"};
    const ShapedText word = shaping.shape("سلام");
    CHECK(word.glyphs.size() == 3);
    CHECK(word.length == 4);
    float apart = 0;
    for (const char* letter : {"س", "ل", "ا", "م"}) apart += text_size(shaping.shape(letter), 10, 0).width;
    CHECK(text_size(word, 10, 0).width < apart - 1);
    CHECK(order_of(word) == Numbers{3, 1, 0});
}

TEST_CASE("a mark is over its letter, and takes no room") {
    Shaping shaping{"DejaVuSans.ttf"};
    const float letter = text_size(shaping.shape("x"), 10, 0).width;
    CHECK(text_size(shaping.shape("x\u0301"), 10, 0).width == Approx(letter));
    CHECK(text_size(shaping.shape("xx\u0301x"), 10, 0).width == Approx(3 * letter));
}

TEST_CASE("lines of a text from right to left are broken in the order in which it is read") {
    Shaping shaping{"DejaVuSans.ttf"};
    const ShapedText text = shaping.shape("אבג דהו");
    std::uint32_t next = 0;
    TextLine line;
    REQUIRE(next_line(text, next, 3.0F, line));
    CHECK(text.glyphs[line.first].number == 0);
    CHECK(text.glyphs[line.end - 1].number == 2);
    REQUIRE(next_line(text, next, 3.0F, line));
    CHECK(text.glyphs[line.first].number == 4);
}

TEST_CASE("each part of a text is shaped by the first font that has it") {
    Shaping shaping{"DejaVuSansMono.ttf", "DejaVuSans.ttf"};
    const ShapedText text = shaping.shape("ab אב漢");
    CHECK(text.faces.size() == 2);
    CHECK(text.glyphs.front().face == 0);
    bool has_second = false, has_default = false;
    for (const ShapedGlyph& glyph : text.glyphs) {
        has_second = has_second || (glyph.number == 3 && glyph.face == 1 && glyph.level == 1);
        has_default = has_default || (glyph.number == 5 && glyph.kind == GlyphKind::character);
    }
    CHECK(has_second);
    CHECK(has_default);
    CHECK(text.ascent == shaping.faces[0]->ascent());
}

TEST_CASE("without a font, characters are as wide as those of the default font") {
    Shaping shaping{};
    const ShapedText text = shaping.shape("Hello שלום\nnext");
    CHECK(text_size(text, 20, 0).width == Approx(text_width("Hello שלום", 20)));
    CHECK(text_size(text, 20, 0).height == Approx(2 * line_height(20)));
}

TEST_CASE("the default font orders and joins letters as HarfBuzz does in the file of the same font") {
    Shaping plain{}, shaped{"DejaVuSans.ttf"};
    for (const char* text : {"שלום עולם", "abc שלום 123 (א) def", "مرحبا بالعالم", "سلام", "السلام عليكم",
                             "العربية 2026, abc", "دار رزق", "שלום سلام"}) {
        INFO(text);
        const ShapedText ours = plain.shape(text), theirs = shaped.shape(text);
        CHECK(text_size(ours, 1000, 0).width == Approx(text_size(theirs, 1000, 0).width).epsilon(0.001));
        CHECK(ours.has_right_to_left);
        // A letter that is part of its neighbour is a glyph without a picture here, and no glyph there.
        Numbers visible;
        each_glyph(ours, DrawItem{.h = 10}, 99, [&](const ShapedGlyph& glyph, float, float) {
            if (glyph.advance > 0.0F) visible.push_back(glyph.number);
        });
        CHECK(visible.size() == order_of(theirs).size());
        if (visible.size() == ours.glyphs.size()) CHECK(visible == order_of(theirs));
    }
}

TEST_CASE("a mark of Hebrew begins where its letter does in the default font, and takes no room") {
    Shaping shaping{};
    const ShapedText text = shaping.shape("ש\u05B8ל");
    CHECK(order_of(text) == Numbers{2, 1, 0});
    CHECK(text_size(text, 100, 0).width == Approx(text_width("של", 100)));
}
