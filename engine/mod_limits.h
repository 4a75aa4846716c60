// How much a mod may use: the defaults, its wishes in mod.json, and the player's word.
//
//   default  ->  the wish, at most kMostWish times the default  ->  what the player's settings say, if they
//   do
//
// Invariant: no mod gets more than kMostWish times the default by itself; what the player wrote always holds,
// less as well as more. Not here: the counting (scripting/script_limits.h).
#pragma once

#include "engine/mod_manifest.h"
#include "engine/player_settings.h"
#include "scripting/script_limits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

/// A wish is granted up to so many times the default without asking anybody.
inline constexpr double kMostWish = 4;

struct GrantedLimits {
    ScriptLimits limits;
    std::uint64_t save_bytes = 0;    ///< of what it keeps for the player (engine/save_module.h)
    bool may_use_app = false;        ///< what the player said; the game itself is not asked
    std::vector<std::string> notes;  ///< for the log: wishes of which only a part is granted
    /// What the player decided that can change what happens in the game, in one line: "
    /// storms.instructions=5000". Empty for nothing.
    std::string choices;
};

/// What all mods may use together. What the player granted one of them is added to the default, so that a
/// mod does not have it at the cost of others.
LimitsOfAllMods limits_of_all(const PlayerSettings& player);

GrantedLimits granted_limits(const ModManifest& manifest, const PlayerSettings& player);

}  // namespace perigee
