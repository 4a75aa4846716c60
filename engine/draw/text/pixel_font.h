// The font of last resort: letters of five by seven dots, drawn in the source, for machines without fonts.
//
// Invariant: a glyph's ink is within the advance that engine/draw/text/text_metrics.h gives the character, so
// a text takes the same room as with the usual font. It has Latin-1 and the commonest signs of typesetting;
// all else that is drawn at all is a box.
#pragma once

#include <cstdint>
#include <vector>

namespace perigee {

/// The bitmap of one character. Units: pixels.
struct GlyphBitmap {
    int width = 0;  ///< 0: nothing to draw (a space)
    int height = 0;
    int left = 0;                          ///< from the pen to the left edge
    int top = 0;                           ///< from the base line to the top edge, negative = above
    std::vector<std::uint8_t> coverage{};  ///< width * height, row by row; 255: all of the pixel is ink
};

/// Cost: a pass over its pixels. Expects: pixel_size > 0.
GlyphBitmap pixel_font_glyph(char32_t character, int pixel_size);

}  // namespace perigee
