// Finding the game that is to be played.
#pragma once

#include "ecs/result.h"

#include <filesystem>

namespace perigee {

/// The folder or archive to play: `named`, or the demo when that is empty. The demo is looked for beside the
/// executable's build tree and in the source tree that the executable was built from.
/// Errors: nothing there; a folder without main.lua, or with one that is a directory. An archive is opened by
/// the engine, which says what it lacks.
Result<std::filesystem::path> find_game(const std::filesystem::path& named);

}  // namespace perigee
