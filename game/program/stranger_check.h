// How the program handles an untrusted LuaJIT: a line at each start, and no scripts of strangers.
//
// Scripts of strangers are all mods, including those in the game's own mods/, and a game in an archive. A
// game in a folder is assumed to be the user's own. A LuaJIT from 2024 or later runs all of them
// (docs/security.md). Not here: the sandbox, which restricts scripts on any LuaJIT.
#pragma once

#include "ecs/base/result.h"
#include "scripting/lua/luajit_version.h"

#include <filesystem>
#include <span>
#include <string>

namespace perigee {

/// The message to print before the game starts; empty if there is none.
/// Errors: the game or its mods come from strangers, and the user did not accept the risk.
Result<std::string> check_strangers(const LuaJitVersion& version, const std::filesystem::path& game,
                                    std::span<const std::filesystem::path> mod_folders, bool accepts_risk);

/// The same for the options of a command, with this program's LuaJIT. Empty for commands that run no scripts:
/// those without accepts_risk.
Result<std::string> check_strangers(const std::filesystem::path& game,
                                    std::span<const std::filesystem::path> mod_folders, bool accepts_risk);
template <typename Options> Result<std::string> check_strangers(const Options& options) {
    if constexpr (requires { options.accepts_risk; })
        return check_strangers(options.game, options.mod_folders, options.accepts_risk);
    else
        return std::string();
}

}  // namespace perigee
