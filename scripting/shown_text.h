// Text from scripts, files and file names as a terminal may show it.
//
// Invariant: what comes out is valid UTF-8 without control characters, so it cannot move a cursor, change a
// terminal's state or hide what stands beside it. Printable text passes through unchanged. Not here: lengths
// and lines, which the log limits (state.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perigee {

/// Bytes of the character that `text` begins with; 0 when they are no valid UTF-8 or a control character.
std::size_t shown_bytes(std::string_view text) noexcept;

/// Each byte of a control character (C0 but for line feed and tab, DEL, C1) and each byte that is no valid
/// UTF-8 becomes "\xNN". For text of several lines.
std::string shown_text(std::string_view text);

/// The same, and line feeds and tabs become "\x0A" and "\x09" too. For names that stand within a line.
std::string shown_word(std::string_view text);

}  // namespace perigee
