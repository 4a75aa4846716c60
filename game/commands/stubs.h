// perigee stubs: writes annotations for editors, for the engine and all declarations of a game and its mods.
//
// Invariant: it writes only their folder, GAME/.perigee/stubs by default, and a .luarc.json next to the
// game's main.lua if there is none. Declarations are found by loading the game, without running any step.
#pragma once

#include <filesystem>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// perigee stubs: annotations for editors.
struct StubsOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    std::filesystem::path folder;  ///< empty: GAME/.perigee/stubs
    bool accepts_risk = false;     ///< see RunOptions
};

void add_stubs_options(CLI::App& command, StubsOptions& options);

/// Writes the files and prints their location. Returns the exit status: 0, or 1 with a message.
int write_stubs(const StubsOptions& options);

}  // namespace perigee
