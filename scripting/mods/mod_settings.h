// The values of require "settings": set when a mod is loaded, and changeable while it runs.
#pragma once

#include "scripting/mods/mod_config.h"

#include <string_view>

struct lua_State;

namespace perigee {

class ScriptRuntime;

/// Sets the values that require "settings" returns in this mod; files that copied a value update it when they
/// are reloaded. Does nothing for an unknown mod. Expects: no system is running.
void set_settings(ScriptRuntime& scripts, std::string_view mod, ModSettings settings);

/// Pushes a table of the settings.
void push_settings(lua_State* lua, const ModSettings& settings);

}  // namespace perigee
