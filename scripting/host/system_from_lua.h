// A system declaration that scripts/runtime/systems/system.lua has checked -> SystemDesc.
//
// Invariant: the shape is trusted; names of other systems are as the author wrote them, and the schedule
// resolves them. Not here: the run function (script_system.h).
#pragma once

#include "ecs/schedule/system.h"

struct lua_State;

namespace perigee {

namespace internal {
struct ScriptMod;
}

/// Reads { terms = { { id =, write =, optional = } }, any = { id }, without = { id }, changed = { id },
/// shared = { { id =, bytes = } }, related = { { id =, target = } }, order_by = { id =, field =, descending =
/// }, include_disabled = } at `index`. Missing entries are empty.
QueryDesc query_from_lua(lua_State* lua, int index);

/// Reads { name =, group =, every =, after = {}, before = {}, read = { { id = } }, write = { { id = } } } and
/// what query_from_lua reads at `index`.
SystemDesc system_from_lua(lua_State* lua, int index, internal::ScriptMod& mod);

}  // namespace perigee
