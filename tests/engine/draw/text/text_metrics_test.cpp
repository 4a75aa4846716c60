// Known widths, random bytes, and wrapped lines in their box.
#include "engine/draw/text/text_metrics.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>

using namespace perigee;

TEST_CASE("widths are the advances of DejaVu Sans") {
    CHECK(text_width("A", 2048) == 1401);
    CHECK(text_width("Ag", 2048) == 1401 + 1300);
    CHECK(text_width("é", 2048) == 1260);
    CHECK(text_width("П…", 2048) == 1540 + 2048);
    CHECK(glyph_advance(U'~', 1024) == 858);
    CHECK(line_height(2048) == 2384);
}

TEST_CASE(
    "a mark adds no width, a missing character is as wide as a box, and control characters have no width") {
    CHECK(text_width("e\u0301", 2048) == text_width("e", 2048));
    CHECK(is_drawn(0x0301));
    CHECK(text_width("\t", 16) == 4 * text_width(" ", 16));
    CHECK_FALSE(is_drawn(U'\t'));
    CHECK(text_width("日", 2048) == 1229);
    CHECK(is_drawn(U'日'));
    CHECK_FALSE(has_picture(U'日'));
    for (const char32_t control : {char32_t{0}, U'\r', char32_t{0x7F}, char32_t{0x80}, char32_t{0x9F}}) {
        CHECK(glyph_advance(control, 16) == 0);
        CHECK_FALSE(is_drawn(control));
    }
}

TEST_CASE("a text is as wide as its widest line and as high as its lines") {
    const TextSize size = text_size("a\nlonger\nb", 20);
    CHECK(size.width == text_width("longer", 20));
    CHECK(size.height == 3 * line_height(20));
    CHECK(text_size("", 20).height == 0);
}

TEST_CASE("any bytes have a width, and reading them terminates") {
    std::mt19937 random{5};
    for (int i = 0; i < 2000; ++i) {
        std::string bytes(random() % 12, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random());
        std::string_view rest = bytes;
        std::size_t characters = 0;
        while (!rest.empty()) {
            const std::size_t before = rest.size();
            next_character(rest);
            REQUIRE(rest.size() < before);
            ++characters;
        }
        CHECK(characters <= bytes.size());
        CHECK(text_width(bytes, 16) >= 0);
    }
}

TEST_CASE("malformed bytes count as one replacement character each") {
    std::string_view text = "\xC3(\xE2\x82";
    CHECK(next_character(text) == 0xFFFD);
    CHECK(next_character(text) == U'(');
    CHECK(next_character(text) == 0xFFFD);
    CHECK(next_character(text) == 0xFFFD);
    CHECK(text.empty());
}

TEST_CASE("wrapped lines fit their box, lose only spaces, and a long word stays whole") {
    std::mt19937 random{6};
    for (int i = 0; i < 300; ++i) {
        std::string text;
        std::string letters;
        for (unsigned words = 1 + random() % 12; words > 0; --words) {
            std::string word(1 + random() % 9, static_cast<char>('a' + random() % 26));
            letters += word;
            text += word + (words > 1 ? " " : "");
        }
        const float box = 20 + static_cast<float>(random() % 100);
        std::string_view rest = text;
        std::string seen;
        while (!rest.empty()) {
            const std::string_view line = next_line(rest, 16, box);
            CHECK((text_width(line, 16) <= box || line.find(' ') == std::string_view::npos));
            for (const char c : line)
                if (c != ' ') seen += c;
        }
        CHECK(seen == letters);
    }
}

TEST_CASE("without a box only a newline ends a line") {
    std::string_view text = "one two\n\nthree";
    CHECK(next_line(text, 16, 0) == "one two");
    CHECK(next_line(text, 16, 0).empty());
    CHECK(next_line(text, 16, 0) == "three");
    CHECK(text.empty());
}

TEST_CASE("the advances of Latin letters are those of single characters, at any size") {
    for (unsigned char letter = kFirstLatin; letter <= kLastLatin; ++letter)
        for (const float size : {1.0F, 7.3F, 16.0F, 333.3F})
            CHECK(static_cast<float>(latin_advances()[letter - kFirstLatin]) * (size / 2048.0F) ==
                  glyph_advance(letter, size));
}
