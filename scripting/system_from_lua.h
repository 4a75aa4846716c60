// A system declaration that scripts/runtime/system.lua has checked -> SystemDesc.
//
// Invariant: the shape is trusted; names of other systems are still the author's words and are resolved by
// the schedule. The run function is not part of it; see script_system.h.
#pragma once

#include "ecs/system.h"

struct lua_State;

namespace perigee {

namespace internal {
struct ScriptMod;
}

/// Reads { name =, group =, every =, after = {}, before = {}, terms = { { id =, write =, optional = } }, any
/// = {}, without = {}, read = { { id = } }, write = { { id = } } } at `index`.
SystemDesc system_from_lua(lua_State* lua, int index, const internal::ScriptMod& mod);

}  // namespace perigee
