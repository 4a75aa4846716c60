// A Lua value as text that is equal only for equal values: numbers by their bits.
#pragma once

#include "scripting/sandbox/bind.h"

#include <lua.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace perigee::test {

/// Scripts cannot distinguish NaNs, except as text, which counts as text.
inline std::string shown_value(lua_State* lua, int index) {
    switch (lua_type(lua, index)) {
        case LUA_TNUMBER: {
            const double number = lua_tonumber(lua, index);
            if (std::isnan(number)) return "NaN";
            char text[64];
            std::snprintf(text, sizeof text, "%a", number);
            return text;
        }
        case LUA_TSTRING:
            return "'" + std::string(text_at(lua, index)) + "'";
        case LUA_TBOOLEAN:
            return lua_toboolean(lua, index) != 0 ? "true" : "false";
        default:
            return lua_typename(lua, lua_type(lua, index));
    }
}

}  // namespace perigee::test
