// What the layout of text needs to know about characters.
//
// Invariant: constants of Unicode 15, in ranges: whole blocks, so that the tables stay short. Not here:
// shaping and the order of characters, for which the process of a font has libraries.
#pragma once

namespace perigee::internal {

/// Its glyph depends on its neighbours, or it is not drawn from left to right: the text has to be shaped.
bool needs_shaping(char32_t character) noexcept;

/// A letter, digit or mark of a writing system that runs from right to left, or a mark that changes the
/// order.
bool may_run_right_to_left(char32_t character) noexcept;

/// It belongs to the character before it: marks, joiners, selectors of variants.
bool joins_previous(char32_t character) noexcept;

/// A line may end between these two characters, although there is no space: Chinese, Japanese, …
bool may_wrap_between(char32_t before, char32_t after) noexcept;

}  // namespace perigee::internal
