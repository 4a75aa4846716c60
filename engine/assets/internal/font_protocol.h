// The protocol between the game and the process that serves a font: plain structures over a socket.
//
//   process -> game   FontHead, then FontCharacter for each character, then the kerning of pairs
//   game -> process   FontRequest, then the code points of its text, if any
//   process -> game   FontReply, then its bytes: coverage of a glyph, levels, or PositionedGlyphs
//
// Invariant: requests are answered one by one. Lengths are in units of the font. The game trusts none of it:
// counts are checked against the limits below,
// and texts against FontProcess::kMaxTextLength.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee::decoding {

inline constexpr std::uint32_t kFontMagic = 0x46475250;
inline constexpr std::uint32_t kMaxCharacters = 0x11'0000;
inline constexpr std::uint32_t kMaxGlyphSide = 4096;  ///< in pixels, of a picture

/// Characters whose pairs are kerned: ASCII and the letters of Latin-1.
inline constexpr std::uint32_t kKernedCharacters = 95 + 64;
/// Its number among them, from 0; kKernedCharacters for others.
constexpr std::uint32_t kerned_number(char32_t character) noexcept {
    if (character >= 0x20 && character < 0x7F) return character - 0x20;
    if (character >= 0xC0 && character <= 0xFF) return 95 + (character - 0xC0);
    return kKernedCharacters;
}

struct FontHead {
    std::uint32_t magic = kFontMagic;
    std::uint32_t units_per_em = 0;  ///< 0: it is no font that can be read
    std::int32_t ascent = 0;
    std::int32_t descent = 0;  ///< below the base line, positive
    std::int32_t line_gap = 0;
    std::uint32_t character_count = 0;
    std::uint32_t kerning_count = 0;  ///< 0, or the square of kKernedCharacters
    std::uint32_t is_sandboxed = 0;
};

struct FontCharacter {
    std::uint32_t code = 0;
    std::uint32_t glyph = 0;
    std::int32_t advance = 0;
};

enum class FontAsk : std::uint32_t { glyph = 1, levels = 2, shape = 3 };

struct FontRequest {
    std::uint32_t magic = kFontMagic;
    FontAsk ask = FontAsk::glyph;
    std::uint32_t glyph = 0;
    std::uint32_t pixel_size = 0;
    std::uint32_t text_length = 0;  ///< code points that follow
    std::uint32_t first = 0;        ///< of the part that is shaped
    std::uint32_t count = 0;
    std::uint32_t is_right_to_left = 0;
};

struct FontReply {
    std::uint32_t magic = kFontMagic;
    std::uint32_t bytes = 0;  ///< that follow
    std::int32_t width = 0;   ///< of a glyph's picture, in pixels
    std::int32_t height = 0;
    std::int32_t left = 0;  ///< from the pen to the left edge
    std::int32_t top = 0;   ///< from the base line to the top edge, negative = above
};

}  // namespace perigee::decoding
