// Calls from one mod's Lua state into another's: values are passed as bytes, so the states share nothing.
//
// Invariant: only nil, booleans, numbers, texts and plain tables of those can cross, within limits; a table
// arrives as a copy. The two states are never inside each other's Lua API.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

struct lua_State;

namespace perigee::internal {

struct ScriptMod;

inline constexpr std::size_t kMaxCopyBytes = std::size_t{1} << 20U;

/// The values at `first` .. `last` of a stack. Errors: a type that cannot cross, a metatable, a limit.
Result<std::string> bytes_from_values(lua_State* lua, int first, int last);
/// Pushes the values and returns their number. Raises when the state is out of memory.
int push_values(lua_State* lua, std::string_view bytes);

/// Calls the function in a registry slot of the mod. Expects: none of the mod's Lua is running. Errors: those
/// of the function, with file and line; results that cannot cross.
Result<std::string> serve(ScriptMod& mod, std::string_view service, int slot, std::string_view arguments);

}  // namespace perigee::internal
