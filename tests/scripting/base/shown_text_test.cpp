// What reaches a terminal, byte by byte.
#include "scripting/base/shown_text.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;

TEST_CASE("text of any language is shown as it is") {
    for (const char* const text : {"", "plain", "tab\tand\nlines\n", "Grüße, 世界 🚀", "\u00A0", "\U0010FFFF"})
        CHECK(shown_text(text) == text);
}

TEST_CASE("control characters are shown as their bytes") {
    CHECK(shown_text("\x1B[2J") == "\\x1B[2J");
    CHECK(shown_text("a\rb\x7F\x01") == "a\\x0Db\\x7F\\x01");
    CHECK(shown_text(std::string("\0", 1)) == "\\x00");
    // U+009B is "ESC [" for terminals that know C1.
    CHECK(shown_text("\xC2\x9B"
                     "2J") == "\\xC2\\x9B2J");
}

TEST_CASE("bytes that are not UTF-8 are shown as bytes, and the text after them as text") {
    CHECK(shown_text("\x9B\xFFz") == "\\x9B\\xFFz");
    CHECK(shown_text("\xE4\xB8") == "\\xE4\\xB8");                    // cut off
    CHECK(shown_text("\xC0\xAF") == "\\xC0\\xAF");                    // overlong
    CHECK(shown_text("\xE0\x80\xAF") == "\\xE0\\x80\\xAF");           // overlong
    CHECK(shown_text("\xF0\x80\x80\xAF") == "\\xF0\\x80\\x80\\xAF");  // overlong
    CHECK(shown_text("\xED\xA0\x80") == "\\xED\\xA0\\x80");           // half of a pair
    CHECK(shown_text("\xF4\x90\x80\x80") == "\\xF4\\x90\\x80\\x80");  // beyond the last character
    CHECK(shown_text("\xC3ü") == "\\xC3ü");
}

TEST_CASE("the result never has a control byte or a broken character, for any input") {
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            const std::string bytes{static_cast<char>(first), static_cast<char>(second)};
            const std::string shown = shown_text(bytes);
            for (const char c : shown) {
                const auto byte = static_cast<unsigned char>(c);
                CHECK_FALSE(((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F));
            }
            REQUIRE(shown_text(shown) == shown);
        }
    }
}

TEST_CASE("a name is shown in one line") { CHECK(shown_word("a\n\tb\x1B ü") == "a\\x0A\\x09b\\x1B ü"); }
