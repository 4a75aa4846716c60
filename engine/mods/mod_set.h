// The mods of a game: their locations, manifests and load order.
//
// Invariant: finding changes nothing and runs nothing. Mods are the folders and zip archives in the game's
// mods/ and in the player's mod folders; symbolic links among them are not followed. An unusable mod is a
// problem in the list, never a failure of the whole.
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/assets.h"
#include "engine/mods/mod_order.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// The mount of the game's own files.
inline constexpr MountId kGame = 0;

/// The location of a mod's files.
struct ModSource {
    std::filesystem::path path;  ///< a folder or archive of the file system; empty: in the game itself
    std::string folder;          ///< then: "mods/storms"
};

struct ModSet {
    ModManifest game;
    std::vector<ModCandidate> mods;  ///< in the order found: the game's by name, then those of each folder
    std::vector<ModSource> sources;  ///< of mods
    ModOrder order;
};

/// The manifest of the game mounted as kGame, and everything that is wrong with it; an unsupported
/// interface version is a mistake too.
ParsedManifest parse_game_manifest(const AssetStore& assets, const std::filesystem::path& game);
/// The manifest of the game mounted as kGame.
/// Errors: the file cannot be read; its mistakes, one per line.
Result<ModManifest> read_game_manifest(const AssetStore& assets, const std::filesystem::path& game);

/// `left_out`: ids of mods that are treated as if they did not exist, with those that depend on them.
/// Errors: a missing folder in `folders`; no mod with an id in `left_out`.
Result<ModSet> find_mods(const AssetStore& assets, const std::filesystem::path& game, ModManifest manifest,
                         std::span<const std::filesystem::path> folders,
                         std::span<const std::string> left_out = {});
/// The same for a game that is not open.
/// Errors: also those of the game.
Result<ModSet> find_mods(const std::filesystem::path& game, std::span<const std::filesystem::path> folders,
                         std::span<const std::string> left_out = {});

/// What `perigee mods` prints: the order with its reasons, and what was left out and why.
std::string text_of(const ModSet& set);

}  // namespace perigee
