// perigee pack: packs a game or mod into one zip archive, to use in place of the folder.
//
// Invariant: the same files give the same archive, byte for byte: entries are sorted, times and owners are
// omitted. Hidden files, recordings and screenshots are excluded. If writing fails, no archive is left.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// perigee pack: a folder as one archive.
struct PackOptions {
    std::filesystem::path folder;
    std::filesystem::path archive;  ///< empty: named after the id and version, in the working directory
};

void add_pack_options(CLI::App& command, PackOptions& options);

/// The files for the archive, as sorted paths relative to the folder.
/// Errors: no folder, or no main.lua in it.
Result<std::vector<std::string>> files_to_pack(const std::filesystem::path& folder);

/// Writes the archive and prints its name. Returns the exit status: 0, or 1 with a message.
int pack(const PackOptions& options);

}  // namespace perigee
