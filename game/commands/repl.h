// perigee repl: runs lines of Lua from the terminal or a pipe in a game without a window.
//
// Invariant: time advances only with ":step N". In a terminal, tab completes and the arrow keys edit; from a
// pipe, each line is one command, and ":complete TEXT" prints the completions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// perigee repl: lines of Lua for a game without a window.
struct ReplOptions {
    std::filesystem::path game;
    std::vector<std::filesystem::path> mod_folders;
    std::string mod;  ///< the mod selected at first; empty: the game
    std::uint64_t seed = 0;
    bool records_writes = false;  ///< for ":why"
    bool accepts_risk = false;    ///< see RunOptions
};

void add_repl_options(CLI::App& command, ReplOptions& options);

/// Ends with the input, or with :quit. Returns the exit status: 1 if the game could not be opened.
int repl(const ReplOptions& options);

}  // namespace perigee
