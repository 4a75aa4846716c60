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

/// Reads { terms = { { id =, write =, optional = } }, any = { id }, without = { id }, changed = { id },
/// shared = { { id =, bytes = } }, order_by = { id =, field =, descending = }, include_disabled = } at
/// `index`. What is missing is empty.
QueryDesc query_from_lua(lua_State* lua, int index);

/// Reads { name =, group =, every =, after = {}, before = {}, read = { { id = } }, write = { { id = } } } and
/// what query_from_lua reads at `index`.
SystemDesc system_from_lua(lua_State* lua, int index, const internal::ScriptMod& mod);

}  // namespace perigee
