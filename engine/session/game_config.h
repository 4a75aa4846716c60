// What a host chooses for a game: its files, its mods, native code, and how its scripts run.
//
// Invariant: plain data, part of EngineConfig and of GameSessionConfig. Not here: seed, recordings and clock
// (engine/engine.h), and what one session gets from its engine (session_config.h).
#pragma once

#include "scripting/base/log.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perigee {

class Decoder;
class NativeSystems;

struct GameConfig {
    std::filesystem::path game;             ///< folder or zip archive
    const NativeSystems* native = nullptr;  ///< must outlive the game; may be null
    Decoder* decoder = nullptr;  ///< reads fonts; must outlive the game; null: the game has its own
    std::vector<std::filesystem::path> mod_folders;  ///< contain mods besides the game's own mods/
    std::vector<std::string> left_out_mods;          ///< ids; mods that depend on them are left out, too
    std::filesystem::path settings_file;  ///< the player's choices for mods (engine/mods/player_settings.h)
    bool watches_compiler = false;        ///< the usage of mods reports what LuaJIT cannot compile
    /// The clock, besides fuel, may postpone systems of a mod (ScriptRuntimeConfig). Never in a replay.
    bool puts_off_by_clock = true;
    bool is_interpreted = false;       ///< LuaJIT compiles nothing; slower, same results
    bool checks_presentation = false;  ///< see ScriptRuntimeConfig: for development
    bool trusts_game = false;          ///< the game, not its mods, may use all of Lua: io, os, ffi…
    std::vector<std::filesystem::path> plugins;  ///< additional native code to load (engine/plugin/plugin.h)
    bool allows_native_code = false;             ///< the game may name plugins in its mod.json
    LogSink log;                                 ///< may be empty
};

}  // namespace perigee
