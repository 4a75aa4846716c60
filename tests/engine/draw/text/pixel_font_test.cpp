// Each glyph compared with its advance, and with the other glyphs.
#include "engine/draw/text/pixel_font.h"

#include "engine/draw/text/text_metrics.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <vector>

using namespace perigee;

namespace {

std::vector<char32_t> latin() {
    std::vector<char32_t> characters;
    for (char32_t character = 0x20; character <= 0xFF; ++character)
        if (is_drawn(character)) characters.push_back(character);
    return characters;
}

bool has_ink(const GlyphBitmap& bitmap) {
    return std::ranges::any_of(bitmap.coverage, [](std::uint8_t coverage) { return coverage != 0; });
}

}  // namespace

TEST_CASE("the ink of every glyph lies within its advance and its line, at every size") {
    std::vector<char32_t> characters = latin();
    for (const char32_t other : {U'П', U'日', U'…', U'€'}) characters.push_back(other);
    for (const char32_t character : characters)
        for (const int size : {1, 2, 5, 8, 13, 16, 40, 96, 200}) {
            const GlyphBitmap bitmap = pixel_font_glyph(character, size);
            CAPTURE(static_cast<unsigned>(character), size);
            REQUIRE(bitmap.coverage.size() ==
                    static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height));
            if (bitmap.width == 0) continue;
            const float em = static_cast<float>(size);
            REQUIRE(bitmap.left >= 0);
            REQUIRE(static_cast<float>(bitmap.left + bitmap.width) < glyph_advance(character, em) + 1);
            REQUIRE(static_cast<float>(bitmap.top) > -0.9283F * em - 1);
            REQUIRE(static_cast<float>(bitmap.top + bitmap.height) < 0.2359F * em + 1);
        }
}

TEST_CASE("every Latin-1 character has its own glyph, and only blanks have none") {
    std::map<std::vector<std::uint8_t>, char32_t> seen;
    const GlyphBitmap box = pixel_font_glyph(U'日', 64);
    for (const char32_t character : latin()) {
        const GlyphBitmap bitmap = pixel_font_glyph(character, 64);
        CAPTURE(static_cast<unsigned>(character));
        CHECK(has_ink(bitmap) == (character != U' ' && character != 0xA0));
        if (!has_ink(bitmap) || character == 0xAD) continue;  // a soft hyphen looks like a hyphen
        std::vector<std::uint8_t> what{static_cast<std::uint8_t>(bitmap.width),
                                       static_cast<std::uint8_t>(-bitmap.top)};
        what.insert(what.end(), bitmap.coverage.begin(), bitmap.coverage.end());
        CHECK(seen.emplace(what, character).second);
        CHECK(bitmap.coverage != box.coverage);
    }
}

TEST_CASE("a letter with a mark is the plain letter with ink above or below it") {
    const GlyphBitmap plain = pixel_font_glyph(U'E', 100);
    const GlyphBitmap marked = pixel_font_glyph(U'É', 100);
    REQUIRE(plain.width == marked.width);
    REQUIRE(plain.top == marked.top);
    int more = 0;
    for (std::size_t i = 0; i < plain.coverage.size(); ++i) {
        CHECK(marked.coverage[i] >= plain.coverage[i]);
        if (marked.coverage[i] > plain.coverage[i]) {
            ++more;
            CHECK(static_cast<int>(i) / plain.width < 30);  // above
        }
    }
    CHECK(more > 50);
}

TEST_CASE("a character that the pixel font lacks is a box, and a control character is empty") {
    const GlyphBitmap box = pixel_font_glyph(U'日', 100);
    CHECK(has_ink(box));
    CHECK(box.coverage[static_cast<std::size_t>(box.height / 2 * box.width + box.width / 2)] == 0);
    CHECK(pixel_font_glyph(0x0301, 100).width == 0);
    CHECK(pixel_font_glyph(U'\n', 100).width == 0);
}
