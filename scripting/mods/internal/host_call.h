// What the functions that Lua calls share: the owner and the results of Lua C functions, and the arguments of
// those called through the FFI, which are void* and numbers. Not here: the functions (scripting/host).
#pragma once

#include "ecs/schema/component.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/script_system.h"
#include "scripting/sandbox/bind.h"

#include <lua.hpp>

#include <cstdint>
#include <string_view>

namespace perigee::internal {

inline World& world_at(void* world) noexcept { return *static_cast<World*>(world); }
inline ScriptSystem& system_at(void* system) noexcept { return *static_cast<ScriptSystem*>(system); }
inline ComponentId component_at(std::uint32_t number) noexcept {
    return ComponentId{static_cast<std::uint16_t>(number)};
}

/// The mod of the running function: its upvalue 1.
inline ScriptMod& mod_of(lua_State* lua) {
    return *static_cast<ScriptMod*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

/// Sets a field of the table on top to a function with this owner as upvalue 1.
template <int (*Function)(lua_State*)> void set_function(lua_State* lua, const char* name, void* owner) {
    lua_pushlightuserdata(lua, owner);
    lua_pushcclosure(lua, bound<Function>, 1);
    lua_setfield(lua, -2, name);
}

/// Calls fn() with table[key][1], [2], … on top of the stack; nothing when there is no such list.
/// Expects: `table` is an absolute index.
template <typename Function> void each_entry(lua_State* lua, int table, const char* key, Function fn) {
    lua_getfield(lua, table, key);
    const int list = lua_gettop(lua);
    const int count = lua_istable(lua, list) ? static_cast<int>(lua_objlen(lua, list)) : 0;
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(lua, list, i);
        fn();
        lua_settop(lua, list);
    }
    lua_pop(lua, 1);
}

/// The result of a failed function.
inline int nil_and_message(lua_State* lua, std::string_view message) {
    lua_pushnil(lua);
    push_text(lua, message);
    return 2;
}

}  // namespace perigee::internal
