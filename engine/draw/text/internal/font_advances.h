// The advance width of each character of DejaVu Sans, as numbers, without the font.
//
// Invariant: a table, so widths are the same on every machine, whatever fonts it has. Control characters are
// not in it. Not here: measuring texts (engine/draw/text/text_metrics.h).
#pragma once

namespace perigee {

inline constexpr int kFontUnitsPerEm = 2048;
inline constexpr int kMissingAdvance = 1229;  ///< of the box for a character without a glyph

/// Units: 1 / kFontUnitsPerEm em. -1 for a character that the font does not have.
int font_advance(char32_t character) noexcept;

}  // namespace perigee
