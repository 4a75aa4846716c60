// Functions of the table `host` that switch systems and groups, ask for their state, and run groups, and that
// carry out at the end of the step what running systems declare.
//
// Invariant: a mod switches and runs only its own systems and groups, the game all but the engine's groups.
// Inside a system both are commands, so a failing system has switched nothing, and a replay repeats them. Not
// here: the checks of arguments (scripts/runtime/systems/switches.lua).
#pragma once

struct lua_State;

namespace perigee::internal {

struct ScriptMod;

/// Adds the functions to the table on top.
void extend_host_with_switches(lua_State* lua, ScriptMod& mod);

}  // namespace perigee::internal
