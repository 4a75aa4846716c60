// What a LuaJIT that cannot be trusted means for a program that runs games: one line at each start, and no
// scripts of strangers.
//
// Strangers are all mods, those in the game's own mods/ included, and a game that comes as an archive. A game
// in a folder is taken for the user's own. A LuaJIT from 2024 or later runs them all (docs/security.md). Not
// here: what scripts may do on any LuaJIT; that is the sandbox.
#pragma once

#include "ecs/result.h"
#include "game/command_line.h"
#include "scripting/luajit_version.h"

#include <filesystem>
#include <span>
#include <string>

namespace perigee {

/// What to say before the game starts; empty when there is nothing to say.
/// Errors: the game or its mods come from strangers, and the user did not accept the risk.
Result<std::string> check_strangers(const LuaJitVersion& version, const std::filesystem::path& game,
                                    std::span<const std::filesystem::path> mod_folders, bool accepts_risk);

/// The same for a command line that runs scripts; for others there is nothing to say.
Result<std::string> check_strangers(const CommandLine& command);

}  // namespace perigee
