// The C++ functions for the trusted Lua files of a new state: the `host` table of
// scripts/runtime/boot.lua.
//
//   host.mod, host.random              name of the mod; address of its random stream
//   host.native(name [, module])       C type and address of a function, for ffi.cast; nil if unknown
//   host.modules                       { name = address of its context }
//   host.runtime_file(name)            the compiled trusted file, or nil
//   host.constant(name [, module])     a limit, a kind or a list of C++; see constants.lua
//   host.compile(text, name, env)      function, or nil and a message; text only
//   host.read_file(path)               text, or nil and a reason
//   host.nearest(word, list)           what was probably meant, or ""
//   host.suggestion(word, list)        the end of a message: did_you_mean_or_all
//   host.unknown_key(table, known)     the first string key that is none of `known`, or nil
//   host.log(level, text)
// All of it is for trusted code; mods never get these functions.
#pragma once

#include "ecs/base/random.h"
#include "scripting/sandbox/state.h"

namespace perigee::internal {

/// Pushes the compiled file <name>.lua of any folder in scripts/runtime. Raises a Lua error without one.
void push_runtime_file(lua_State* lua, const char* name);

/// Pushes the host table, which refers to both for as long as the state lives.
void push_host(lua_State* lua, const ScriptStateConfig& config, Random* random);

}  // namespace perigee::internal
