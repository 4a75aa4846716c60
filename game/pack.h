// perigee pack: a game or mod as one zip archive, which `perigee run` and mods/ take as they take the folder.
//
// Invariant: the same files give the same archive, byte for byte: entries are sorted, times and owners are
// left out. Hidden files, recordings and screenshots stay behind. An archive that could not be written as a
// whole is not there at all.
#pragma once

#include "ecs/result.h"
#include "game/command_line.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perigee {

/// The files that go into the archive, by their path below the folder, sorted.
/// Errors: no folder, or no main.lua in it.
Result<std::vector<std::string>> files_to_pack(const std::filesystem::path& folder);

/// Writes the archive and prints its name. Returns the exit status: 0, or 1 with a message.
int pack(const PackOptions& options);

}  // namespace perigee
