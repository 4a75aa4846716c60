// The header of the engine's log files: a few lines of text that identify the recorded run.
//
// Invariant: take_line and take_header read what header_text writes. Not here: the content after the header,
// known versions and the tolerance of readers, which differ per log.
//
//   "<magic><version>\n" "game <id>\n" "seed <decimal>\n" "rate <steps per second>\n" "luajit <version>\n"
//   "\n"
//
// The LuaJIT line is omitted if unknown; the first versions of the logs never had it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

struct LogHeader {
    std::string game;  ///< id of the root game, one line
    std::uint64_t seed = 0;
    std::uint32_t steps_per_second = 60;
    std::string luajit = {};  ///< version text of the LuaJIT that ran the scripts, one line; empty: unknown

    friend bool operator==(const LogHeader&, const LogHeader&) = default;
};

/// Expects: the game's id and the LuaJIT's name are one line each.
std::string header_text(std::string_view magic, std::string_view version, const LogHeader& header);

/// Removes the first line of `text` and returns the part after `key`. None, and nothing is removed, if there
/// is no complete line or it does not begin with `key`.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view key);

/// Reads the lines after the version. None when one is missing or has no valid number.
std::optional<LogHeader> take_header(std::string_view& text);

}  // namespace perigee
