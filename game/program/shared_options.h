// Options that several commands have, each declared once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// GAME_DIR and --mods.
void add_game(CLI::App& command, std::filesystem::path& game,
              std::vector<std::filesystem::path>& mod_folders);
/// --without.
void add_left_out(CLI::App& command, std::vector<std::string>& mods);
/// --accept-risk, for commands that run scripts.
void add_risk(CLI::App& command, bool& accepts_risk);
/// --jit.
void add_compiler(CLI::App& command, bool& is_interpreted);

}  // namespace perigee
