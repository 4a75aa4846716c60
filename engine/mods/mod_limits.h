// The limits of a mod: the defaults, the limits it requests in mod.json, and what the player allows.
//
//   the player's setting, else the request up to kMaxRequestFactor times the default, else the default
//
// Invariant: without the player's setting no mod gets more than kMaxRequestFactor times the default. The
// player's setting always applies, lower or higher. Not here: the counting (scripting/base/script_limits.h).
#pragma once

#include "engine/mods/mod_manifest.h"
#include "engine/mods/player_settings.h"
#include "scripting/base/script_limits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

/// A request is granted automatically up to this many times the default.
inline constexpr double kMaxRequestFactor = 4;

struct GrantedLimits {
    ScriptLimits limits;
    std::uint64_t save_bytes = 0;    ///< of its save data (engine/modules/save_module.h)
    bool may_use_app = false;        ///< the player's permission; the game itself needs none
    bool may_use_shaders = false;    ///< the same for shaders of its own
    std::vector<std::string> notes;  ///< for the log: requests that are granted only in part
    /// The player's settings that can affect the game, in one line: " storms.instructions=5000". Empty for
    /// none.
    std::string choices;
};

/// The limits of all mods together. A limit that the player raised for one mod is added to the default, so
/// that it is not at the expense of others.
LimitsOfAllMods limits_of_all(const PlayerSettings& player);

GrantedLimits granted_limits(const ModManifest& manifest, const PlayerSettings& player);

}  // namespace perigee
