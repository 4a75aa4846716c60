// The baseline of Lua rows: plain LuaJIT without sandbox, fuel or world.
#pragma once

#include "ecs/query/chunk_view.h"

#include <lua.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace perigee::bench {

/// A state of plain LuaJIT with the libraries that it comes with.
class PlainLua {
public:
    explicit PlainLua(const std::string& code) : lua_(luaL_newstate()) {
        luaL_openlibs(lua_);
        if (luaL_loadstring(lua_, code.c_str()) != 0) fail();
        call(0);
    }
    ~PlainLua() { lua_close(lua_); }
    PlainLua(const PlainLua&) = delete;
    PlainLua& operator=(const PlainLua&) = delete;

    void add_chunk(const ChunkView& chunk) {
        lua_getglobal(lua_, "add_chunk");
        lua_pushlightuserdata(lua_, chunk.column_data(0));
        lua_pushlightuserdata(lua_, chunk.column_data(1));
        lua_pushinteger(lua_, chunk.row_count());
        call(3);
    }
    void work() {
        lua_getglobal(lua_, "work");
        lua_pushnumber(lua_, 1.0 / 60);
        call(1);
    }
    /// Calls a global function without arguments.
    void call(const char* function) {
        lua_getglobal(lua_, function);
        call(0);
    }

private:
    void call(int arguments) {
        if (lua_pcall(lua_, arguments, 0, 0) != 0) fail();
    }
    [[noreturn]] void fail() {
        std::fprintf(stderr, "bench: %s\n", lua_tostring(lua_, -1));
        std::abort();
    }

    lua_State* lua_;
};

}  // namespace perigee::bench
