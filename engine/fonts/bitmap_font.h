// Fonts that are pictures: what a file of BMFont says, and what a strip of glyphs shows.
//
// Invariant: parsed numbers are within the limits below; a damaged file is an error that names its line. No
// image is decoded here. Source of the formats:
// https://www.angelcode.com/products/bmfont/doc/file_format.html (as text), and love.graphics.newImageFont.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct BitmapFont {
    static constexpr std::size_t kMaxGlyphs = 65536;
    static constexpr std::size_t kMaxPages = 64;

    /// Units: pixels of the page.
    struct Glyph {
        char32_t code = 0;
        std::uint16_t page = 0;
        std::uint16_t x = 0;
        std::uint16_t y = 0;
        std::uint16_t width = 0;
        std::uint16_t height = 0;
        float left = 0.0F;  ///< from the pen
        float top = 0.0F;   ///< from the top of the line
        float advance = 0.0F;
    };
    struct Pair {
        char32_t left = 0;
        char32_t right = 0;
        float more = 0.0F;  ///< room between the two
    };

    float size = 0.0F;  ///< above 0
    float line_height = 0.0F;
    float base = 0.0F;               ///< from the top of a line to its base line
    std::vector<std::string> pages;  ///< files, beside the font
    std::vector<Glyph> glyphs;       ///< by rising code
    std::vector<Pair> pairs;         ///< by rising characters
};

/// Errors: a line that cannot be read, another format than text, no characters.
Result<BitmapFont> parse_bmfont(std::string_view file);

/// A row of glyphs, from left to right, with columns of the colour of the first pixel between them. `rgba`: 4
/// bytes a pixel, rows from the top. `spacing`: pixels after each glyph.
/// Errors: another number of glyphs.
Result<BitmapFont> read_glyph_strip(std::span<const std::uint8_t> rgba, std::uint16_t width,
                                    std::uint16_t height, std::u32string_view glyphs, float spacing);

}  // namespace perigee
