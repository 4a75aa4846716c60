// The table alone; tests/engine/sdl/glyphs/glyph_source_test.cpp compares it with the font.
#include "engine/draw/text/internal/font_advances.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("the table has the scripts of the font, and no others") {
    CHECK(font_advance(U'A') == 1401);
    CHECK(font_advance(U'é') == 1260);
    CHECK(font_advance(U'П') == 1540);
    CHECK(font_advance(U'Ω') == 1565);
    CHECK(font_advance(U'…') == 2048);
    CHECK(font_advance(0x0301) == 0);
    for (const char32_t character : {U'日', U'한', char32_t{0x1F600 - 0x1000}, char32_t{0x10FFFF}})
        CHECK(font_advance(character) == -1);
}

TEST_CASE("control characters and numbers beyond Unicode have no advance") {
    for (char32_t character = 0; character < 0x20; ++character) CHECK(font_advance(character) == -1);
    for (char32_t character = 0x7F; character < 0xA0; ++character) CHECK(font_advance(character) == -1);
    CHECK(font_advance(0x110000) == -1);
    CHECK(font_advance(0xFFFFFFFF) == -1);
}
