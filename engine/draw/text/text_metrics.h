// The width of texts, computed without a font library, so that layout is the same with and without a window.
//
// Invariant: widths depend on the text and the size alone. They are the advance widths of DejaVu Sans, the
// font of the back ends; a back end without it draws other glyphs at the same widths. There is no kerning
// anywhere. A character missing from the font is a box; control characters have no width. See
// docs/decisions/0030.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace perigee {

/// From the top of a line to its base line, in em. Source: table 'hhea' of DejaVuSans.ttf 2.37.
inline constexpr float kTextAscent = 1901.0F / 2048.0F;

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

/// A tab is as wide as this many spaces, wherever it is.
inline constexpr unsigned kTabSpaces = 4;

/// Advance of one character, by which a back end must move the pen; 0 for combining marks.
float glyph_advance(char32_t character, float font_size) noexcept;

/// The advances of the characters from kFirstLatin to kLastLatin, of which most text is, for loops over them:
/// in units of which an em has 2048. glyph_advance is their product with the size, divided by 2048.
inline constexpr unsigned char kFirstLatin = 0x20;
inline constexpr unsigned char kLastLatin = 0x7E;
std::span<const std::uint16_t, kLastLatin - kFirstLatin + 1> latin_advances() noexcept;

/// True if the character has a glyph, or a box for a missing one. False for control characters.
bool is_drawn(char32_t character) noexcept;

/// False: back ends draw a box.
bool has_picture(char32_t character) noexcept;

/// Removes the first character from `utf8`; U+FFFD for a malformed byte. Expects: not empty.
char32_t next_character(std::string_view& utf8) noexcept;

/// Removes the next line from `utf8`: up to "\n", and up to the last space that fits into `box_width` (0 = no
/// limit; a single word that is too wide stays whole). Expects: not empty.
std::string_view next_line(std::string_view& utf8, float font_size, float box_width) noexcept;

}  // namespace perigee
