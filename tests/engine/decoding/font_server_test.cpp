// Real fonts through the decoder program: what they have, what their glyphs look like, and how they shape.
#include "engine/decoding/font_server.h"

#include "engine/assets/decoder.h"
#include "engine/assets/internal/font_protocol.h"
#include "engine/draw/text/text_metrics.h"
#include "tests/support/damaged.h"
#include "tests/support/font_files.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace perigee;
using test::font_file;

namespace {

const FontProcess::Character* find(const FontProcess& font, char32_t code) {
    const auto& all = font.facts().characters;
    const auto found = std::ranges::find(all, code, &FontProcess::Character::code);
    return found != all.end() ? &*found : nullptr;
}

int width_of(const std::vector<FontProcess::PositionedGlyph>& glyphs) {
    return std::accumulate(glyphs.begin(), glyphs.end(), 0,
                           [](int sum, const auto& glyph) { return sum + glyph.advance; });
}

}  // namespace

TEST_CASE("a font has its characters, with the widths that the engine has of it") {
    Decoder decoder;
    Result<FontProcess> font = decoder.font(font_file("DejaVuSans.ttf"));
    REQUIRE(font);
    const FontProcess::Facts& facts = font.value().facts();
    CHECK(facts.is_sandboxed);
    CHECK(facts.units_per_em == 2048);
    CHECK(facts.ascent == 1901);
    CHECK(facts.descent == 483);
    CHECK(facts.characters.size() > 5000);
    int differing = 0;
    for (const FontProcess::Character& each : facts.characters)
        if (has_picture(each.code))
            differing +=
                std::abs(glyph_advance(each.code, 2048.0F) - static_cast<float>(each.advance)) > 0.5F;
    CHECK(differing == 0);
}

TEST_CASE("pairs of letters are kerned as a shaped text is") {
    Decoder decoder;
    FontProcess font = decoder.font(font_file("DejaVuSerif.ttf")).value();
    const std::vector<std::int16_t>& pairs = font.facts().kerning;
    REQUIRE(pairs.size() == decoding::kKernedCharacters * decoding::kKernedCharacters);
    const auto of = [&](char32_t left, char32_t right) {
        return pairs[decoding::kerned_number(left) * decoding::kKernedCharacters +
                     decoding::kerned_number(right)];
    };
    CHECK(of('A', 'V') < 0);
    CHECK(of('n', 'n') == 0);
    std::vector<FontProcess::PositionedGlyph> glyphs;
    REQUIRE(font.shape(U"AV", 0, 2, false, glyphs));
    CHECK(width_of(glyphs) == find(font, 'A')->advance + find(font, 'V')->advance + of('A', 'V'));
}

TEST_CASE("the picture of a glyph is within its size, and has ink") {
    Decoder decoder;
    FontProcess font = decoder.font(font_file("DejaVuSans.ttf")).value();
    const auto picture = font.draw(find(font, 'H')->glyph, 40);
    CHECK(picture.height >= 28);
    CHECK(picture.height <= 30);
    CHECK(picture.top == -picture.height);
    CHECK(picture.coverage.size() == static_cast<std::size_t>(picture.width) * picture.height);
    CHECK(std::ranges::count(picture.coverage, 255) > 100);
    CHECK(font.draw(find(font, ' ')->glyph, 40).width == 0);
    CHECK(font.draw(1'000'000, 40).width == 0);
    CHECK_FALSE(font.is_broken());
}

TEST_CASE("letters of Arabic join, and run from right to left") {
    Decoder decoder;
    FontProcess font = decoder.font(font_file("DejaVuSans.ttf")).value();
    const std::u32string text = U"abc سلام 12";
    std::vector<std::uint8_t> levels;
    REQUIRE(font.levels(text, levels));
    CHECK(levels == std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2});
    std::vector<FontProcess::PositionedGlyph> glyphs;
    REQUIRE(font.shape(text, 4, 4, true, glyphs));
    REQUIRE(glyphs.size() == 3);  // lam and alif are one
    CHECK(glyphs.front().cluster == 7);
    CHECK(glyphs.back().cluster == 4);
    CHECK(glyphs.back().glyph != find(font, U'س')->glyph);  // the form for the beginning of a word
}

TEST_CASE("what is no font, and fonts with damage, are errors or fonts") {
    Decoder decoder;
    for (const char* bytes : {"", "no font", "\x89PNG\r\n\x1a\n"}) {
        const Result<FontProcess> font = decoder.font(bytes);
        REQUIRE_FALSE(font);
        CHECK(font.error().message == "it is not a TrueType or OpenType font");
    }
    const std::string file = font_file("DejaVuSansMono.ttf");
    REQUIRE(file.size() > 100'000);
    for (const std::size_t size : {std::size_t{4}, std::size_t{100}, std::size_t{5000}, file.size() / 2}) {
        Result<FontProcess> font = decoder.font(std::string_view{file}.substr(0, size));
        if (font) font.value().draw(40, 30);
    }
    std::mt19937 random(5);
    for (int i = 0; i < 40; ++i) {
        std::string damaged = file;
        for (int n = 0; n < 200; ++n)
            damaged[random() % (i % 2 == 0 ? 4000 : damaged.size())] = static_cast<char>(random());
        Result<FontProcess> font = decoder.font(damaged);
        if (!font) continue;
        for (std::uint32_t glyph = 0; glyph < 60; ++glyph) font.value().draw(glyph, 30);
        std::vector<FontProcess::PositionedGlyph> glyphs;
        font.value().shape(U"office سلام", 0, 6, false, glyphs);
    }
    CHECK(decoder.font(file));  // whatever happened to the others
}
