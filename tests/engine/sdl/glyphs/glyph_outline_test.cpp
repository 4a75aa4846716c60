// How wide an outline is, how soft its edge, and that it is the same in all directions.
#include "engine/sdl/glyphs/glyph_outline.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace perigee;

namespace {

GlyphBitmap dot() { return {1, 1, 3, -4, {255}}; }

int at(const GlyphBitmap& glyph, int x, int y) {
    return glyph.coverage[static_cast<std::size_t>(y * glyph.width + x)];
}

}  // namespace

TEST_CASE("the outline of a pixel is a disc") {
    const GlyphBitmap disc = spread_out(dot(), 4);
    CHECK(disc.width == 11);
    CHECK(disc.height == 11);
    CHECK(disc.left == 3 - 5);
    CHECK(disc.top == -4 - 5);
    for (int y = 0; y < 11; ++y)
        for (int x = 0; x < 11; ++x) {
            const double distance = std::hypot(x - 5, y - 5);
            if (distance < 3.4) CHECK(at(disc, x, y) == 255);
            if (distance > 4.6) CHECK(at(disc, x, y) == 0);
            CHECK(at(disc, x, y) == at(disc, y, x));
            CHECK(at(disc, x, y) == at(disc, 10 - x, y));
        }
    CHECK(at(disc, 9, 5) > 100);
    CHECK(at(disc, 9, 5) < 160);
}

TEST_CASE("an outline grows with its width, by fractions of a pixel too") {
    int before = 0;
    for (const float width : {0.25F, 0.5F, 1.0F, 1.25F, 2.0F, 9.0F}) {
        const GlyphBitmap disc = spread_out(dot(), width);
        int sum = 0;
        for (const std::uint8_t ink : disc.coverage) sum += ink;
        CHECK(sum > before);
        before = sum;
    }
}
