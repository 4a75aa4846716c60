// The built program as a user starts it, and its output.
#pragma once

#include "game/program/error_codes.h"
#include "scripting/lua/luajit_version.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace perigee::test {

/// A small game whose squares move at random.
inline const std::string kMovers = PERIGEE_SOURCE_DIR "/tests/game/movers";

struct ProgramRun {
    int status = -1;
    std::string out;
    std::string err;

    std::string last_line() const {
        if (out.empty()) return "";
        const std::size_t end = out.back() == '\n' ? out.size() - 1 : out.size();
        const std::size_t begin = out.rfind('\n', end - 1);
        return out.substr(begin == std::string::npos ? 0 : begin + 1,
                          end - (begin == std::string::npos ? 0 : begin + 1));
    }
};

inline std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

/// A path as one word.
inline std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

/// Runs perigee with these words, as a shell splits them, where there is no display.
inline ProgramRun run_program_as_is(const std::string& words) {
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    const std::string err = (folder.path() / "err").string();
    const std::string command = std::string{"env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER '"} +
                                PERIGEE_BINARY_DIR "/perigee' " + words + " >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, bytes_of(out), bytes_of(err)};
}

/// Runs a shell script in which $PERIGEE is the program and $RISK accepts an old LuaJIT. Returns its
/// output.
inline ProgramRun run_shell(const std::string& script) {
    const TemporaryFolder folder;
    const std::string file = folder.write("script", script).string();
    const std::string risk = is_trustworthy(luajit_version()) ? "" : "--accept-risk";
    const std::string command = "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER RISK=" + risk +
                                " PERIGEE='" PERIGEE_BINARY_DIR "/perigee' sh " + file + " >" + file +
                                ".out 2>" + file + ".err </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, bytes_of(file + ".out"), bytes_of(file + ".err")};
}

/// The same on an old LuaJIT: the risk is accepted, and the line about it removed from the output.
inline ProgramRun run_program(const std::string& words) {
    if (is_trustworthy(luajit_version())) return run_program_as_is(words);
    const std::string command = words.substr(0, words.find(' '));
    const bool lists_mods = command == "mods" && !words.starts_with("mods bisect");
    const bool runs_no_scripts = lists_mods || command == "diff" || command == "new" || command == "pack" ||
                                 command == "-h" || command == "--help" || command == "--version";
    ProgramRun run = run_program_as_is(runs_no_scripts ? words : words + " --accept-risk");
    const std::string line =
        "perigee: " + fmt::format(game_errors::kOldLuaJit, text_of(luajit_version())) + "\n";
    if (const std::size_t at = run.err.find(line); at != std::string::npos) run.err.erase(at, line.size());
    return run;
}

/// Checks that the program ends with status 1, prints nothing to standard output, and prints this in one
/// line.
inline void refused(const std::string& words, const std::string& message) {
    const ProgramRun run = run_program(words);
    CAPTURE(words, run.err);
    CHECK(run.status == 1);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Catch::Matchers::Contains(message));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
}

}  // namespace perigee::test
