// Text from right to left: its order, and the forms of letters that join, for fonts without a shaper.
//
// Invariant: the result depends on the characters alone, by the tables of FriBidi. Texts may come from
// anyone. Not here: shaping in fonts that have files, where HarfBuzz joins letters
// (engine/decoding/font_server.h), and the order of the parts of a line (engine/draw/shaped_lines.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// Whether a character of the text may run from right to left. Cost: a few ns for text without such.
bool runs_right_to_left(std::string_view utf8) noexcept;

/// The level of each character of a paragraph by the Unicode bidirectional algorithm: odd is from right to
/// left. Marks of embeddings, overrides and isolates have no effect.
/// Source: UAX #9, https://www.unicode.org/reports/tr9.
void find_levels(std::span<const char32_t> paragraph, std::vector<std::uint8_t>& levels);

/// Stands for a character that is part of its neighbour's form: lam and alef are one letter.
inline constexpr char32_t kMergedLetter = 0xFEFF;

/// Replaces letters of Arabic by their forms for the place in a word (Unicode's presentation forms), and
/// brackets that run from right to left by their mirror images. Shape: one level for each character.
void join_letters(std::span<char32_t> paragraph, std::span<const std::uint8_t> levels);

}  // namespace perigee::internal
