// The files of a game and its mods: their assets, manifests and folders, and what the player chose for them.
//
// Invariant: the game is mount kGame; a mod has a mount when its code is about to load. Nothing of the game
// runs here. Not here: what the files mean for a running session (saved_files.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_loader.h"
#include "engine/assets/image_table.h"
#include "engine/fonts/font_table.h"
#include "engine/mods/mod_set.h"
#include "engine/mods/player_settings.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class SessionLog;
struct GameConfig;

/// The location of a mod's files.
struct ModRoot {
    std::string mod;
    std::filesystem::path path;
    MountId mount;
    bool is_archive = false;
};

/// The path from a root to a file, with '/'; nothing if the file is not below the root.
std::optional<std::string> path_below(const std::filesystem::path& root, const std::filesystem::path& file);

class GameFiles {
public:
    /// Reads the manifests and the player's settings. Called once, before everything else.
    /// Errors: the game cannot be read; its mod.json or the settings are invalid.
    Result<void> open(const GameConfig& config, const SessionLog& log);

    /// Makes the files of the game, or of a mod in the load order, known as roots.
    void add_game_root();
    Result<MountId> mount(const ModPlace& place);

    const ModManifest& manifest() const noexcept { return mods_.game; }
    const ModSet& mods() const noexcept { return mods_; }
    const PlayerSettings& settings() const noexcept { return settings_; }
    AssetStore& assets() noexcept { return assets_; }
    const AssetStore& assets() const noexcept { return assets_; }
    ImageTable& images() noexcept { return images_; }
    const ImageTable& images() const noexcept { return images_; }
    ImageLoader& loader() noexcept { return loader_; }
    FontTable& fonts() noexcept { return fonts_; }

    /// The mount of a mod, by the name that scripts use; the game's for an unknown one.
    MountId mount_of(std::string_view mod) const;
    /// The manifest to replace when a mod's mod.json was saved; null for an unknown mod.
    ModManifest* find_manifest(std::string_view mod) noexcept;

    /// The mods whose files are known: those of the load order, then the game.
    const std::vector<ModRoot>& mod_roots() const noexcept { return roots_; }
    /// The innermost mod that contains a file; null for none.
    const ModRoot* root_of(const std::filesystem::path& file) const;
    /// The folders and archives to watch for changes.
    std::vector<std::filesystem::path> watched() const;

    /// Reads new images, and returns messages about missing and unusable files since the last call.
    std::vector<std::string> take_reports();

private:
    std::filesystem::path game_;
    ModSet mods_;
    AssetStore assets_;
    ImageTable images_;
    ImageLoader loader_{assets_, images_};
    FontTable fonts_{assets_, images_, loader_};
    PlayerSettings settings_;
    std::vector<ModRoot> roots_;
};

}  // namespace perigee
