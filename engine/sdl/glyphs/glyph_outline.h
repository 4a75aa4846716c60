// The outline of a glyph: its picture, wider in all directions.
//
// Invariant: the edge is as soft as that of the glyph. The distance to the ink is computed in two passes over
// the picture, whatever the width. Source: Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled
// Functions", 2012; the offset by the coverage of edge pixels is that of tiny-sdf.
#pragma once

#include "engine/draw/text/pixel_font.h"

namespace perigee {

/// Expects: pixels > 0, the glyph has ink.
GlyphBitmap spread_out(const GlyphBitmap& glyph, float pixels);

}  // namespace perigee
