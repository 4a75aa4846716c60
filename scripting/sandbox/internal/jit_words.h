// Converts LuaJIT's numeric reasons for not compiling into LuaJIT's own words.
// The words are in jit/vmdef.lua, which fits only the LuaJIT that it comes with: it is compiled in if LuaJIT
// is, else the system's file is used. It is read once per process, when the first abort occurs. Without it
// the numbers are reported.
#pragma once

#include <string>

struct lua_State;

namespace perigee::internal {

/// Arguments 5 and 6 of an abort event: the reason and its subject, a bytecode or a function. Expects: both
/// indices are absolute.
std::string jit_reason(lua_State* lua, int reason, int about);

}  // namespace perigee::internal
