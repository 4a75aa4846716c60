// ShapedText: a text as glyphs, in the order in which it is read, before it is broken into lines.
//
// Invariant: plain data that does not depend on the size in which it is drawn: all lengths are in em, y
// points down. A face is only named here; a back end asks it for pictures (engine/fonts/font_face.h). Not
// here: how a text becomes glyphs (engine/fonts/text_shaper.h), lines (shaped_lines.h).
#pragma once

#include "engine/assets/image_table.h"
#include "engine/draw/color.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perigee {

class FontFace;

/// What a glyph shows.
enum class GlyphKind : std::uint8_t {
    none,       ///< nothing, such as a space
    character,  ///< a character of the default font; `glyph` is its code
    glyph,      ///< a glyph of a face
    picture     ///< a part of an image; `glyph` is its index in ShapedText::pictures
};

struct ShapedGlyph {
    float advance = 0.0F;
    float dx = 0.0F;  ///< of what it shows, from the pen
    float dy = 0.0F;
    std::uint32_t glyph = 0;
    PackedColor color = kWhite;  ///< if it has one of its own
    std::uint32_t number = 0;    ///< of its character in the text, from 0
    std::uint8_t face = 0;       ///< index in ShapedText::faces
    std::uint8_t level = 0;      ///< odd: it runs from right to left
    GlyphKind kind = GlyphKind::none;
    std::uint8_t flags = 0;
};

// Bits of ShapedGlyph::flags.
inline constexpr std::uint8_t kGlyphSpace = 1;    ///< a line may end before it, and then drops it
inline constexpr std::uint8_t kGlyphNewLine = 2;  ///< ends the line; it is not drawn
inline constexpr std::uint8_t kGlyphMayWrap = 4;  ///< a line may begin with it
inline constexpr std::uint8_t kGlyphColored = 8;  ///< it has a colour of its own

/// A part of an image, placed relative to the pen on the base line.
struct TextPicture {
    FrameId frame = 0;
    float left = 0.0F;
    float top = 0.0F;  ///< negative = above the base line
    float width = 0.0F;
    float height = 0.0F;
    bool is_tinted = false;  ///< by the colour of the text: a glyph of a bitmap font, not an icon
};

struct ShapedText {
    std::string source;      ///< as it was written
    std::uint32_t font = 0;  ///< asset; 0: the default font
    std::vector<ShapedGlyph> glyphs;
    std::vector<TextPicture> pictures;
    std::vector<std::shared_ptr<FontFace>> faces;
    float ascent = 0.0F;             ///< from the top of a line to its base line
    float line_height = 0.0F;        ///< from one base line to the next
    std::uint32_t length = 0;        ///< in characters; an icon is one
    bool has_glyphs = false;         ///< that are no pictures
    bool has_right_to_left = false;  ///< any level is odd
};

}  // namespace perigee
