// LuaJIT's numbers for why it could not compile something, as LuaJIT's own words.
// The words stand in jit/vmdef.lua, which comes with each LuaJIT and fits that one only; it is read once per
// process, when something is first not compiled. Without the file the numbers are told.
#pragma once

#include <string>

struct lua_State;

namespace perigee::internal {

/// Arguments 5 and 6 of an abort event: the reason and what it is about, a bytecode or a function.
/// Expects: both indices are absolute.
std::string jit_reason(lua_State* lua, int reason, int about);

}  // namespace perigee::internal
