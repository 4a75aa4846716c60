// The player's choices for the mods of a game, and the resulting settings.
//
// Invariant: for each setting in its mod.json a mod gets a valid value, whatever the file contains.
//
//   { "storms": { "settings": { "power": 3, "at night": true }, "permissions": { "memory_mb": 512 } },
//     "*": { "permissions": { "memory_mb": 2048, "load_seconds": 60 } } }
#pragma once

#include "ecs/base/result.h"
#include "engine/mods/mod_manifest.h"
#include "scripting/mods/mod_config.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// "*": limits of all mods together.
struct PermissionsOfAllMods {
    std::optional<std::uint32_t> memory_mb;
    std::optional<std::uint32_t> load_seconds;
    std::optional<std::uint32_t> entities;
};

struct PlayerSettings {
    std::map<std::string, std::map<std::string, SettingValue>> mods;
    std::map<std::string, ModPermissions> permissions;  ///< limits of each mod (engine/mods/mod_limits.h)
    PermissionsOfAllMods permissions_of_all;
    std::vector<std::string> named;  ///< all mods named in the file
    std::string file;                ///< its name and its text, for messages
    std::string json;

    /// "my.json:4" for a key, "storms.settings.power".
    std::string place(std::string_view path) const;
};

/// Errors: invalid JSON; a structure other than above; unknown keys; a value that is not a boolean, a number
/// or a text; a permission out of range. All are reported at once, one per line, and are fatal: a choice that
/// is not understood might be a prohibition. `name` is for messages.
Result<PlayerSettings> parse_player_settings(std::string_view json, std::string_view name);
/// Errors: also a missing file.
Result<PlayerSettings> read_player_settings(const std::filesystem::path& file);

/// The settings of a mod by name. Invalid choices are added to `mistakes`, and the mod's default is used.
ModSettings chosen_settings(const ModManifest& manifest, const PlayerSettings& player,
                            std::vector<std::string>& mistakes);

/// The file's entries for mods that are not in `mods`, the ids of all existing mods; one per line.
std::vector<std::string> choices_of_no_mod(const PlayerSettings& player, std::span<const std::string> mods);

/// The values that differ from the mod's defaults, in one line: " storms.power=3". Empty for none.
std::string text_of_choices(const ModManifest& manifest, const ModSettings& settings);

}  // namespace perigee
