// Finding the game that is to be played.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <vector>

namespace perigee {

/// The trees that may hold scripts/games: share/perigee of the prefix where the program is installed, the
/// source around its build directory, and the source that it was built from, if it is still where it was
/// built. Empty: the running program.
std::vector<std::filesystem::path> source_trees(std::filesystem::path program = {});

/// The folder or archive to play: `named`, or the demo when that is empty, from the first tree that has it.
/// Errors: nothing there; a folder without main.lua, or with one that is a directory. An archive is opened by
/// the engine, which says what it lacks.
Result<std::filesystem::path> find_game(const std::filesystem::path& named,
                                        const std::vector<std::filesystem::path>& trees);

}  // namespace perigee
