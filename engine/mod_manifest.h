// The manifest of a game or mod: the file mod.json, all of it optional.
//
// Invariant: a parsed manifest is complete: what the file leaves out, or says wrongly, has its default. Every
// mistake is found in one reading, each with its place in the file; unknown keys are mistakes with the
// nearest known one, so that a typo does not silently do nothing. What mods are there, and whether they fit
// together, is engine/mod_set.h.
//
//   { "id": "swarm", "title": "Swarm", "version": "1.0.0", "native": ["swarm"], "width": 1280, "height": 720
//   } { "id": "storms", "version": "1.2.0", "api": "1", "depends": { "swarm": "^1.0" } }
#pragma once

#include "engine/mod_setting.h"
#include "engine/semantic_version.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// The version of what scripts see: a mod's "api" is a range that must contain it.
inline constexpr char kScriptApi[] = "1.0.0";

/// Another mod, and which versions of it.
struct ModReference {
    std::string id;
    VersionRange range;
};

/// What a mod would like to have beyond the defaults. The player decides whether it gets that.
struct ModPermissions {
    std::optional<std::uint32_t> memory_mb;
    std::optional<std::uint64_t> instructions;  ///< fuel of one run of a system
    std::optional<std::uint32_t> log_lines;     ///< per step
    std::optional<std::uint32_t> save_mb;       ///< of what it keeps for the player
    std::optional<bool> app;                    ///< to end the run and change the window; of mods
};

struct ModManifest {
    std::string id = "game";  ///< letters, digits, '_' and '-'; names it in logs, replays, messages and Lua
    std::string title;        ///< of the window; the id if empty
    SemanticVersion version;
    std::string author;
    std::string license;
    std::string description;
    VersionRange api;
    std::vector<ModReference> depends;    ///< by id, like all three
    std::vector<ModReference> optional;   ///< used when it is there
    std::vector<ModReference> conflicts;  ///< never together with these
    std::vector<std::string> load_after;  ///< when they are there
    std::vector<std::string> load_before;
    std::vector<ModSetting> settings;  ///< by name
    ModPermissions permissions;

    // of games alone
    std::vector<std::string> native;  ///< C++ systems by their name in NativeSystems, or files of plugins
    std::uint16_t width = 1280;       ///< logical size: what the game draws on, whatever the window's size
    std::uint16_t height = 720;
};

struct ParsedManifest {
    ModManifest manifest;
    /// All that is wrong: no JSON (with line and column), not an object, unknown keys, values of a wrong type
    /// or range, each with its path: "mod.json: 'settings.speed.min': expected a number, got true".
    std::vector<std::string> mistakes;
};

/// Reads mod.json. `default_id` (the folder's name) is made into an id when the file gives none.
ParsedManifest parse_manifest(std::string_view json, std::string_view default_id);

/// The manifest of a game or mod without mod.json.
ModManifest default_manifest(std::string_view folder_name);

}  // namespace perigee
