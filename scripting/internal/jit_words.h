// LuaJIT's numbers for why it could not compile something, as LuaJIT's own words.
// The words stand in jit/vmdef.lua, which comes with each LuaJIT and fits that one only: compiled in where
// the LuaJIT is, else the file of the system. It is read once per process, when something is first not
// compiled. Without it the numbers are told.
#pragma once

#include <string>

struct lua_State;

namespace perigee::internal {

/// Arguments 5 and 6 of an abort event: the reason and what it is about, a bytecode or a function.
/// Expects: both indices are absolute.
std::string jit_reason(lua_State* lua, int reason, int about);

}  // namespace perigee::internal
