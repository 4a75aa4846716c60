// Side worlds, as scripts/runtime/world/side_world.lua asks for them: the table `host`.
//
// Invariant: a side world is a number here, and 0 is the maker of the side world whose state asks. Each
// function that can fail answers nil and a message. Not here: what happens (scripting/mods/side_world.h).
#pragma once

struct lua_State;

namespace perigee::internal {

struct ScriptMod;

/// Adds the functions to the host table on top of the stack.
void extend_host_with_side_worlds(lua_State* lua, ScriptMod& mod);

}  // namespace perigee::internal
