// Folders that the program uses: the game to play, and where screenshots go.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <vector>

namespace perigee {

inline constexpr char kScreenshotFolder[] = "screenshots";  ///< in the working directory

/// The trees that may contain scripts/games: share/perigee of the prefix where the program is installed, the
/// source around its build directory, and the source that it was built from, if it still exists. Empty: the
/// running program.
std::vector<std::filesystem::path> source_trees(std::filesystem::path program = {});

/// The folder or archive to play: `named`, or the demo when that is empty, from the first tree that has it.
/// Errors: not found; a folder without main.lua, or with a directory of that name. The engine opens archives
/// and reports what is missing in them.
Result<std::filesystem::path> find_game(const std::filesystem::path& named,
                                        const std::vector<std::filesystem::path>& trees);

}  // namespace perigee
