// The limits of the LuaJIT under test, measured: other versions have other limits.
#pragma once

#include <lua.hpp>

#include <string>

namespace perigee::test {

/// Source text of a function that uses this many variables of the file.
inline std::string with_upvalues(int count) {
    std::string names;
    std::string sum = "0";
    for (int i = 0; i < count; ++i) {
        names += "local u" + std::to_string(i) + " = 1\n";
        sum += " + u" + std::to_string(i);
    }
    return names + "function f() return " + sum + " end";
}

/// The most of them that a function may have.
inline int max_upvalues() {
    lua_State* lua = luaL_newstate();
    int count = 0;
    while (luaL_loadstring(lua, with_upvalues(count + 1).c_str()) == 0) {
        lua_pop(lua, 1);
        ++count;
    }
    lua_close(lua);
    return count;
}

}  // namespace perigee::test
