// What a host gives a runtime for each mod: its files, modules, limits and settings.
//
// Invariant: plain data; the runtime takes it over. Not here: what it gives for all mods (runtime_config.h).
#pragma once

#include "scripting/base/native_module.h"
#include "scripting/base/script_limits.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perigee {

class FileSource;

/// A mod that another mod may access with ecs.import.
struct ModUse {
    std::string mod;
    bool is_needed = true;  ///< the other mod does not load without it
};

/// Values chosen by the player, or the mod's defaults.
using ModSettings = std::vector<std::pair<std::string, std::variant<bool, double, std::string>>>;

struct ModConfig {
    std::string name = "game";  ///< prefix of its components and systems, unless it is the first mod
    std::string root{};  ///< the mod whose names have no prefix, if that one does not load; empty: the first
    const FileSource* files = nullptr;  ///< must outlive the runtime
    std::vector<NativeModule> modules;  ///< for require; the wrapper is scripts/runtime/modules/<name>.lua
    ScriptLimits limits;                ///< what its scripts may use
    bool is_trusted = false;            ///< may use all of Lua; only the root mod can be
    std::string schema_file = "schema.lua";  ///< optional
    std::string main_file = "main.lua";      ///< required
    std::vector<ModUse> uses;                ///< besides the root mod, which every mod may use
    ModSettings settings;                    ///< the result of require "settings"
};

}  // namespace perigee
