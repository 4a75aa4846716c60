// Decides which runs are confined, and confines them.
//
// A game or mod in an archive comes from elsewhere: authors work on the folder of a game. So a run with an
// archive is confined unless the player says otherwise. There are two steps, since display and sound must be
// opened before access is closed:
//
//   close_to_system_folders   before the window: only the system's and the game's folders, so that it also
//                             applies to the threads of the display and the sound
//   close_to_game             after it, before any code of the game: only the game's files, and the folders
//                             that it writes
//
// The Lua sandbox does not depend on it.
#pragma once

#include "game/program/run_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perigee {

/// Expects: options.game is the folder or archive that runs.
bool is_confined_run(const RunOptions& options);

/// `saves`: the folder with the save data of all games; empty: none.
void close_to_system_folders(const RunOptions& options, const std::filesystem::path& saves);

/// `saves`: as above, for this game. Returns a sentence for each restriction that this system
/// cannot enforce.
std::vector<std::string> close_to_game(const RunOptions& options, const std::filesystem::path& saves);

}  // namespace perigee
