// Finding the game that is to be played.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <vector>

namespace perigee {

/// The trees that may hold scripts/games: that of the executable, then the one it was built from.
std::vector<std::filesystem::path> source_trees();

/// The folder or archive to play: `named`, or the demo when that is empty, from the first tree that has it.
/// Errors: nothing there; a folder without main.lua, or with one that is a directory. An archive is opened by
/// the engine, which says what it lacks.
Result<std::filesystem::path> find_game(const std::filesystem::path& named,
                                        const std::vector<std::filesystem::path>& trees);

}  // namespace perigee
