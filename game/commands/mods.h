// `perigee mods`: lists which mods of a game would load, in what order and why. Runs nothing.
#pragma once

#include <filesystem>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// perigee mods: what a game would load.
struct ModsOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
};

void add_mods_options(CLI::App& command, ModsOptions& options);

/// Prints the list to standard output. Exit status: 0 all load, 1 some are left out, or the game or a folder
/// cannot be read (standard error says why).
int list_mods(const ModsOptions& options);

}  // namespace perigee
