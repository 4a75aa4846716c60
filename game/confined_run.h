// Which runs are confined, and to what.
//
// A game or mod that comes in an archive comes from elsewhere: whoever makes a game works on its folder. So a
// run in which an archive takes part is confined unless the player says otherwise. Two steps, since what
// shows pictures and plays sound must be opened before everything is closed:
//
//   close_to_system_folders   before the window: the system's folders and the game's, so that also the
//   threads that
//                             belong to the display and the sound hold to it
//   close_to_game             after it, before any code of the game: the game's files, and folders of what it
//   writes
//
// It decides nothing about Lua: the sandbox holds with and without it.
#pragma once

#include "game/command_line.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perigee {

/// Expects: options.game is the folder or archive that runs.
bool is_confined_run(const RunOptions& options);

/// `saves`: what games keep for the player, of all games; empty: nowhere.
void close_to_system_folders(const RunOptions& options, const std::filesystem::path& saves);

/// `saves`: as above, of this game. One sentence for each part that this system cannot hold.
std::vector<std::string> close_to_game(const RunOptions& options, const std::filesystem::path& saves);

}  // namespace perigee
