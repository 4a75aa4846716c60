// The head of the engine's log files: a few lines of text that say which run was recorded.
//
// Invariant: what header_text writes, take_line and take_header read back. What follows the head, which
// versions are known and how much more a reader forgives is the affair of each log.
//
//   "<magic><version>\n" "game <id>\n" "seed <decimal>\n" "rate <steps per second>\n" "luajit <version>\n"
//   "\n"
//
// The line of the LuaJIT is left out where it is not known; the first versions of the logs never had it.
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
    std::string luajit = {};  ///< that ran the scripts, as it names itself, one line; empty: not known

    friend bool operator==(const LogHeader&, const LogHeader&) = default;
};

/// Expects: the game's id and the LuaJIT's name are one line each.
std::string header_text(std::string_view magic, std::string_view version, const LogHeader& header);

/// What stands behind `key` in the first line of `text`, which is taken off. None, and nothing is taken, when
/// there is no whole line or it begins otherwise.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view key);

/// The lines behind that of the version. None when one is missing or holds no such number.
std::optional<LogHeader> take_header(std::string_view& text);

}  // namespace perigee
