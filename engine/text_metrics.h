// How wide a text is, known without a font library, so that layout is the same with a window and without one.
//
// Invariant: widths depend on the text and the size alone. They are the advance widths of DejaVu Sans, the
// font that the back ends draw with; kerning is ignored there too. Characters beyond Latin-1 count as one
// average width. Source of the numbers: table 'hmtx' of DejaVuSans.ttf 2.37 (units of 1/2048 em).
#pragma once

#include <string_view>

namespace perigee {

/// Units: logical pixels.
struct TextSize {
    float width = 0.0F;
    float height = 0.0F;
};

/// Distance from one base line to the next.
float line_height(float font_size) noexcept;

/// Width of the widest line; "\n" starts a new line. Malformed UTF-8 counts one character per stray byte.
float text_width(std::string_view utf8, float font_size) noexcept;

TextSize text_size(std::string_view utf8, float font_size) noexcept;

/// Advance of one character. What a back end must move the pen by.
float glyph_advance(char32_t character, float font_size) noexcept;

/// Takes the first character off `utf8`; U+FFFD for a malformed byte. Expects: not empty.
char32_t next_character(std::string_view& utf8) noexcept;

/// Takes the next line off `utf8`: up to "\n", and up to the last space that fits into `box_width` (0 = no
/// limit; a single word that is too wide stays whole). Expects: not empty.
std::string_view next_line(std::string_view& utf8, float font_size, float box_width) noexcept;

}  // namespace perigee
