// The values behind require "settings": given when a mod is loaded, and changed while it lives.
#pragma once

#include "scripting/runtime.h"

#include <string_view>

struct lua_State;

namespace perigee {

/// From now on require "settings" of this mod gives these; files that copied a value do so again when they
/// are reloaded. Nothing for a mod that is not there. Expects: no system is running.
void set_settings(ScriptRuntime& scripts, std::string_view mod, ModSettings settings);

/// Pushes a table of them.
void push_settings(lua_State* lua, const ModSettings& settings);

}  // namespace perigee
