// Calls from one mod's Lua state into another's: values go over as bytes, so the states share nothing.
//
// Invariant: what crosses is nil, booleans, numbers, texts and plain tables of those, within limits; a table
// arrives as a new one. The two states are never inside each other's Lua API.
#pragma once

#include "ecs/result.h"

#include <cstddef>
#include <string>
#include <string_view>

struct lua_State;

namespace perigee::internal {

struct ScriptMod;

inline constexpr int kMostCopyDepth = 16;
inline constexpr std::size_t kMostCopyBytes = std::size_t{1} << 20U;

/// The values at `first` .. `last` of a stack. Errors: a type that cannot cross, a metatable, a limit.
Result<std::string> bytes_from_values(lua_State* lua, int first, int last);
/// Pushes them, and returns how many. Raises when the state has no memory.
int push_values(lua_State* lua, std::string_view bytes);

/// Calls the function in a registry slot of the mod. Expects: none of the mod's Lua is running.
/// Errors: of the function, with file and line; results that cannot cross.
Result<std::string> serve(ScriptMod& mod, std::string_view service, int slot, std::string_view arguments);

}  // namespace perigee::internal
