// The constants that every state needs, and how a constant is pushed.
// Not here: those of a world and its types (scripting/host/internal/world_constants.h).
#pragma once

#include "scripting/base/script_constant.h"

#include <span>
#include <string_view>

struct lua_State;

namespace perigee::internal {

std::span<const ScriptConstant> library_constants();

/// Pushes a number, a text or a new table. False, and nothing is pushed, when the list has no such constant.
bool push_constant(lua_State* lua, std::span<const ScriptConstant> constants, std::string_view name);

}  // namespace perigee::internal
