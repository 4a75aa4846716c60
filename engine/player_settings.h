// What the player chose for the mods of a game, and what comes of it.
//
// Invariant: a mod gets a value that its mod.json accepts for each setting that stands there, whatever the
// file says.
//
//   { "storms": { "settings": { "power": 3, "at night": true }, "permissions": { "memory_mb": 512 } },
//     "*": { "permissions": { "memory_mb": 2048, "load_seconds": 60 } } }
#pragma once

#include "ecs/result.h"
#include "engine/mod_manifest.h"
#include "scripting/runtime.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// "*": what all mods may use together.
struct PermissionsOfAllMods {
    std::optional<std::uint32_t> memory_mb;
    std::optional<std::uint32_t> load_seconds;
};

struct PlayerSettings {
    std::map<std::string, std::map<std::string, SettingValue>> mods;
    std::map<std::string, ModPermissions> permissions;  ///< what each mod may use (engine/mod_limits.h)
    PermissionsOfAllMods permissions_of_all;
    std::vector<std::string> named;  ///< all mods that the file speaks of
    std::string file;                ///< its name and its text, for messages
    std::string json;

    /// "my.json:4" for a key, "storms.settings.power".
    std::string place(std::string_view path) const;
};

/// Errors: no JSON; another shape than above; unknown keys; a value that is neither a truth, a number nor a
/// text; a permission out of its range. All of them at once, a line each: a choice that is not understood
/// might be one that forbids something. `name` is for messages.
Result<PlayerSettings> parse_player_settings(std::string_view json, std::string_view name);
/// Errors: also no such file.
Result<PlayerSettings> read_player_settings(const std::filesystem::path& file);

/// By name. What the player chose wrongly stands in `mistakes`, and the mod's own value holds.
ModSettings chosen_settings(const ModManifest& manifest, const PlayerSettings& player,
                            std::vector<std::string>& mistakes);

/// What the file says of mods that are not among `mods`, the ids of all that there are; a line each.
std::vector<std::string> choices_of_no_mod(const PlayerSettings& player, std::span<const std::string> mods);

/// The values that are not the mod's own, in one line: " storms.power=3". Empty for none.
std::string text_of_choices(const ModManifest& manifest, const ModSettings& settings);

}  // namespace perigee
