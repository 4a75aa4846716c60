// The manifest of a game or mod: the file mod.json, all of it optional.
//
// Invariant: a parsed manifest is complete: missing or invalid values have their defaults. All errors are
// found in one pass, each with its place in the file. Unknown keys are errors that suggest the nearest known
// key, so that a typo is not silently ignored. Not here: finding mods and checking their compatibility
// (engine/mods/mod_set.h).
//
//   { "id": "swarm", "title": "Swarm", "version": "1.0.0", "native": ["swarm"], "width": 1280 }
//   { "id": "storms", "version": "1.2.0", "api": "1", "depends": { "swarm": "^1.0" } }
#pragma once

#include "engine/base/screen.h"
#include "engine/mods/mod_setting.h"
#include "engine/mods/semantic_version.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// The version of the script API: a mod's "api" is a range that must contain it.
inline constexpr char kScriptApi[] = "1.0.0";

/// Another mod, and its allowed versions.
struct ModReference {
    std::string id;
    VersionRange range;
};

/// Limits that a mod requests beyond the defaults; the player decides.
struct ModPermissions {
    std::optional<std::uint32_t> memory_mb;
    std::optional<std::uint64_t> instructions;  ///< fuel of one run of a system
    std::optional<std::uint32_t> log_lines;     ///< per step
    std::optional<std::uint32_t> save_mb;       ///< of its save data
    std::optional<std::uint32_t> entities;      ///< living ones at a time
    std::optional<bool> app;                    ///< may end the run and change the window; for mods
    std::optional<bool> shaders;                ///< may bring shaders; for mods
};

struct ModManifest {
    std::string id = "game";  ///< letters, digits, '_' and '-'; names it in logs, replays, messages and Lua
    std::string title;        ///< window title; the id if empty
    SemanticVersion version;
    std::string author;
    std::string license;
    std::string description;
    VersionRange api;
    std::vector<ModReference> depends;    ///< by id, like all three
    std::vector<ModReference> optional;   ///< used if present
    std::vector<ModReference> conflicts;  ///< never together with these
    std::vector<std::string> load_after;  ///< if present
    std::vector<std::string> load_before;
    std::vector<ModSetting> settings;  ///< by name
    ModPermissions permissions;

    // for games only
    std::vector<std::string> native;  ///< C++ systems by their name in NativeSystems, or files of plugins
    std::uint16_t width = 1280;       ///< logical size that the game draws in, independent of the window's
                                      ///< size
    std::uint16_t height = 720;
    ScreenFit fit = ScreenFit::letterbox;  ///< of that size in the window
    bool is_pixel_art = false;             ///< drawn at that size, and scaled as a picture

    ScreenSize screen() const noexcept { return {width, height}; }
};

inline constexpr std::string_view kManifestFile = "mod.json";

/// A mistake of a mod.json, or of the files around it.
struct ManifestMistake {
    std::string text;       ///< "mod.json: 'settings.speed.min': expected a number, got true"
    std::string path = {};  ///< of the value in the file, "settings.speed.min"; empty for the whole file
    std::size_t place_bytes = 0;  ///< of "mod.json" or "mod.json:3:5" in front of the text; 0: it names none

    std::string_view place() const noexcept { return std::string_view(text).substr(0, place_bytes); }
    /// The text behind the place.
    std::string_view message() const noexcept {
        return std::string_view(text).substr(place_bytes == 0 ? 0 : place_bytes + 2);
    }
};

struct ParsedManifest {
    ModManifest manifest;
    /// All errors: invalid JSON (with line and column), not an object, unknown keys, values of a wrong type
    /// or range.
    std::vector<ManifestMistake> mistakes;
};

/// Reads mod.json. `default_id` (the folder's name) is converted to an id if the file gives none.
ParsedManifest parse_manifest(std::string_view json, std::string_view default_id);

/// The manifest of a game or mod without mod.json.
ModManifest default_manifest(std::string_view folder_name);

}  // namespace perigee
