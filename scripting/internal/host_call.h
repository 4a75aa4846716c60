// What the Lua C functions of the host have in common: whose they are, and how they answer.
#pragma once

#include "scripting/internal/script_mod.h"

#include <lua.hpp>

#include <string_view>

namespace perigee::internal {

/// The mod behind the running function: its upvalue 1.
inline ScriptMod& mod_of(lua_State* lua) {
    return *static_cast<ScriptMod*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

inline void push_text(lua_State* lua, std::string_view text) {
    lua_pushlstring(lua, text.data(), text.size());
}

/// The answer of a function that failed.
inline int nil_and_message(lua_State* lua, std::string_view message) {
    lua_pushnil(lua);
    push_text(lua, message);
    return 2;
}

}  // namespace perigee::internal
