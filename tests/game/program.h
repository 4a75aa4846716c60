// The built program as a user starts it, and what it said.
#pragma once

#include "tests/support/temporary_folder.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace perigee::test {

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
inline ProgramRun run_program(const std::string& words) {
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    const std::string err = (folder.path() / "err").string();
    const std::string command = std::string{"env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER '"} +
                                PERIGEE_BINARY_DIR "/perigee' " + words + " >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, bytes_of(out), bytes_of(err)};
}

}  // namespace perigee::test
