// How wide a text is, known without a font library, so that layout is the same with a window and without one.
//
// Invariant: widths depend on the text and the size alone. They are the advance widths of DejaVu Sans, the
// font that the back ends draw with; a back end without it puts other pictures into the same room. There is
// no kerning, here or there. A character that the font does not have is a box, control characters are
// nothing. See docs/decisions/0030.
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

/// Advance of one character. What a back end must move the pen by; 0 for marks that stand over the character
/// before them.
float glyph_advance(char32_t character, float font_size) noexcept;

/// What has a picture, or a box for one that is missing. False for control characters.
bool is_drawn(char32_t character) noexcept;

/// False: back ends draw a box.
bool has_picture(char32_t character) noexcept;

/// Takes the first character off `utf8`; U+FFFD for a malformed byte. Expects: not empty.
char32_t next_character(std::string_view& utf8) noexcept;

/// Takes the next line off `utf8`: up to "\n", and up to the last space that fits into `box_width` (0 = no
/// limit; a single word that is too wide stays whole). Expects: not empty.
std::string_view next_line(std::string_view& utf8, float font_size, float box_width) noexcept;

}  // namespace perigee
