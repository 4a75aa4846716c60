// The mods of a game: where they are, what their manifests say, and the order in which they load.
//
// Invariant: finding changes nothing and runs nothing. Mods are the folders and zip archives in the game's
// mods/ and in the folders that the player named; symbolic links among them are not followed. A mod that
// cannot be used is a problem in the list, never a failure of the whole.
#pragma once

#include "ecs/result.h"
#include "engine/assets.h"
#include "engine/mod_order.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// Where a mod's files are.
struct ModSource {
    std::filesystem::path path;  ///< a folder or archive of the file system; empty: in the game itself
    std::string folder;          ///< then: "mods/storms"
};

struct ModSet {
    ModManifest game;
    std::vector<ModCandidate> mods;  ///< as found: the game's by name, then those of each folder
    std::vector<ModSource> sources;  ///< of mods
    ModOrder order;
};

/// The manifest of a game that is mounted as 0.
/// Errors: the file cannot be read, or all that is wrong with it, a line each; an interface that this is not.
Result<ModManifest> read_game_manifest(const AssetStore& assets, const std::filesystem::path& game);

/// Errors: a folder of `folders` that is not there.
Result<ModSet> find_mods(const AssetStore& assets, const std::filesystem::path& game, ModManifest manifest,
                         std::span<const std::filesystem::path> folders);
/// The same for a game that nobody has opened yet.
/// Errors: also the game's.
Result<ModSet> find_mods(const std::filesystem::path& game, std::span<const std::filesystem::path> folders);

/// What `perigee mods` prints: the order with its reasons, and what was left out and why.
std::string text_of(const ModSet& set);

}  // namespace perigee
