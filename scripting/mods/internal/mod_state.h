// Makes the Lua state of a mod, with all C++ functions for trusted Lua.
//
// Defined in scripting/host, which is above this folder: it needs every file that adds functions for Lua.
#pragma once

#include "ecs/base/result.h"

namespace perigee::internal {

class SharedLimit;
struct ScriptMod;

/// Sets mod.state. Expects: the mod has its files, limits and modules. Errors: those of ScriptState::create.
/// Lifetime: `lua_memory`, shared by all mods but the root, must outlive the state.
Result<void> make_state(ScriptMod& mod, SharedLimit& lua_memory);

}  // namespace perigee::internal
