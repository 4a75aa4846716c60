// Makes text from scripts, files and file names safe to show in a terminal.
//
// Invariant: the result is valid UTF-8 without control characters, so it cannot move the cursor, change the
// terminal's state or hide other text. Printable text passes through unchanged. Not here: limits on lengths
// and lines (state.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perigee {

/// Bytes of the first character of `text`; 0 if it is a control character or not valid UTF-8.
std::size_t shown_bytes(std::string_view text) noexcept;

/// Each byte of a control character (C0 except line feed and tab, DEL, C1) and each byte that is not valid
/// UTF-8 becomes "\xNN". For text of several lines.
std::string shown_text(std::string_view text);

/// The same, and line feeds and tabs become "\x0A" and "\x09" too. For names within a line.
std::string shown_word(std::string_view text);

}  // namespace perigee
