// What runs from right to left, and the forms of letters there.
#include "engine/fonts/text_direction.h"

#include <catch2/catch.hpp>
#include <fribidi.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace perigee::internal;

namespace {

using Levels = std::vector<std::uint8_t>;

Levels levels_of(std::u32string_view text) {
    Levels levels;
    find_levels(text, levels);
    return levels;
}

std::u32string joined(std::u32string text) {
    join_letters(text, levels_of(text));
    return text;
}

}  // namespace

TEST_CASE("a text that has no letter from right to left is plain") {
    for (const char* text : {"", "abc", "Zażółć", "漢字", "привет", "€ 5", "ก", "😀", "\xD6", "\xFF\xFF"})
        CHECK_FALSE(runs_right_to_left(text));
    for (const char* text : {"א", "abc ש", "12 سلام", "\u200F", "😀 م"}) CHECK(runs_right_to_left(text));
}

TEST_CASE("a letter from right to left is found at any place of a text") {
    for (std::size_t length = 0; length < 40; ++length) {
        for (std::size_t at = 0; at <= length; ++at) {
            std::string text(length, 'x');
            CHECK_FALSE(runs_right_to_left(text.substr(0, at) + "\u00E4" + text.substr(at)));
            CHECK(runs_right_to_left(text.substr(0, at) + "\u05D0" + text.substr(at)));
        }
    }
}

TEST_CASE("words of Hebrew run from right to left in a text from left to right, and numbers in them do not") {
    CHECK(levels_of(U"abc סלם 12") == Levels{0, 0, 0, 0, 1, 1, 1, 1, 2, 2});
    CHECK(levels_of(U"שלום!") == Levels{1, 1, 1, 1, 1});
    CHECK(levels_of(U"") == Levels{});
}

TEST_CASE("letters of Arabic get the forms of their places, and lam with alef is one letter") {
    // The first, a middle and the last form; and a letter that joins nothing after it.
    CHECK(joined(U"بنت") == U"\uFE91\uFEE8\uFE96");
    CHECK(joined(U"دب") == U"\uFEA9\uFE8F");
    std::u32string merged = joined(U"لا");
    std::erase(merged, kMergedLetter);
    CHECK(merged == U"\uFEFB");
    CHECK(joined(U"abc") == U"abc");
}

TEST_CASE("brackets are mirrored where they run from right to left") {
    CHECK(joined(U"(א)") == U")א(");
    CHECK(joined(U"(a) א") == U"(a) א");
}

TEST_CASE("brackets run as the letters between them do, unless one of these runs as the paragraph") {
    CHECK(levels_of(U"abc (א) def") == Levels{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
    CHECK(levels_of(U"abc א(ב) def") == Levels{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0});
    CHECK(levels_of(U"abc א(ב c) def") == Levels{0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(levels_of(U"א (b)") == Levels{1, 1, 1, 2, 1});
    CHECK(levels_of(U"א b(c)") == Levels{1, 1, 2, 2, 2, 2});
    // Pairs that cross have no effect, and a mark over a bracket goes with it.
    CHECK(levels_of(U"aא(ב]ג") == Levels{0, 1, 1, 1, 1, 1});
    CHECK(levels_of(U"aא(ב)\u05B4c") == Levels{0, 1, 1, 1, 1, 1, 0});
}

TEST_CASE("a tab, and spaces before it, have the direction of the paragraph") {
    CHECK(levels_of(U"aא \tב") == Levels{0, 1, 0, 0, 1});
    CHECK(levels_of(U"אa \tb") == Levels{1, 2, 1, 1, 2});
}

TEST_CASE("levels agree with FriBidi in any text without marks of embeddings") {
    std::mt19937 random(8);
    // FriBidi does not take a mark over a bracket with it, so no text has both.
    const std::u32string letters = U"aZ1 2.,:+-/%$#!&\tאבגשسلامبت\u0661\u0662\u200F\u200E漢";
    const std::u32string with_marks = letters + U"\u064B\u05B4";
    const std::u32string with_brackets = letters + U"()[]{}";
    for (int round = 0; round < 6000; ++round) {
        const std::u32string& own = round % 2 == 0 ? with_marks : with_brackets;
        std::u32string text(1 + random() % 30, U' ');
        for (char32_t& letter : text) letter = own[random() % own.size()];
        const std::vector<FriBidiChar> characters(text.begin(), text.end());
        const auto length = static_cast<FriBidiStrIndex>(text.size());
        std::vector<FriBidiCharType> types(text.size());
        std::vector<FriBidiBracketType> brackets(text.size());
        std::vector<FriBidiLevel> found(text.size());
        fribidi_get_bidi_types(characters.data(), length, types.data());
        fribidi_get_bracket_types(characters.data(), length, types.data(), brackets.data());
        FriBidiParType direction = FRIBIDI_PAR_ON;
        REQUIRE(fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), length, &direction,
                                                    found.data()) != 0);
        REQUIRE(levels_of(text) == Levels(found.begin(), found.end()));
    }
}

TEST_CASE("brackets that are nested deeper than the standard asks for are like other signs") {
    std::u32string text = U"aא" + std::u32string(200, U'(') + U"ב" + std::u32string(200, U')');
    Levels expected(text.size(), 1);
    expected[0] = 0;
    std::fill(expected.end() - 200, expected.end(), std::uint8_t{0});
    CHECK(levels_of(text) == expected);
}

TEST_CASE("any characters have one level each, and keep their number") {
    std::mt19937 random(3);
    const std::u32string letters = U"aZ1 .()אבגשسلامبت\u064B\u05B4\u200F\u202B\u202C\u2067\u2069\n\t漢\uFEFF";
    for (int round = 0; round < 2000; ++round) {
        std::u32string text(random() % 40, U' ');
        for (char32_t& letter : text)
            letter = random() % 20 == 0 ? random() % 0x11'0000 : letters[random() % letters.size()];
        const Levels levels = levels_of(text);
        REQUIRE(levels.size() == text.size());
        CHECK(std::ranges::all_of(levels, [](std::uint8_t level) { return level <= 127; }));
        CHECK(joined(text).size() == text.size());
    }
}
