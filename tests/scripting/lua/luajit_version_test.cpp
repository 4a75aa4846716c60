// Versions of LuaJIT, read from their names, and the one under these tests.
#include "scripting/lua/luajit_version.h"

#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <lua.hpp>

#include <string>

namespace perigee {
namespace {

TEST_CASE("a LuaJIT from 2024 or later is recognised by the seconds in its version") {
    CHECK(luajit_version_from("LuaJIT 2.1.1761786044").released == 1761786044);
    CHECK(is_trustworthy(luajit_version_from("LuaJIT 2.1.1761786044")));
    CHECK(is_trustworthy(luajit_version_from("LuaJIT 2.1.1704067200")));
    CHECK_FALSE(is_trustworthy(luajit_version_from("LuaJIT 2.1.1704067199")));
}

TEST_CASE("versions without a date are old") {
    for (const char* name : {"", "LuaJIT 2.1.0-beta3", "LuaJIT 2.1.ROLLING", "LuaJIT 2.1.", "LuaJIT 2.0.5",
                             "LuaJIT 2.1.3", "LuaJIT 2.1.-1761786044", "LuaJIT 2.1.1761786044-x",
                             "LuaJIT 2.1.99999999999999999999", "Lua 5.1"}) {
        INFO(name);
        const LuaJitVersion version = luajit_version_from(name);
        CHECK(version.released == 0);
        CHECK(version.text == name);
        CHECK_FALSE(is_trustworthy(version));
        CHECK(text_of(version) == name);
    }
}

TEST_CASE("the shown version has the release date") {
    CHECK(text_of(luajit_version_from("LuaJIT 2.1.1761786044")) == "LuaJIT 2.1.1761786044 (2025-10-30)");
}

TEST_CASE("the LuaJIT that ./test builds keeps the numbers whose bits it takes") {
    if (luajit_version().released < 1735689600) return;  // the system's, which is as it is
    CHECK(keeps_numbers_of_bits());
}

TEST_CASE("the version is that of the LuaJIT that is linked") {
    lua_State* lua = luaL_newstate();
    luaL_openlibs(lua);
    REQUIRE(luaL_dostring(lua, "return jit.version") == 0);
    CHECK(luajit_version().text == lua_tostring(lua, -1));
    lua_close(lua);
}

TEST_CASE("C modules of trusted games find the functions of the LuaJIT that is linked") {
    CHECK(dlsym(RTLD_DEFAULT, "lua_pushnumber") == reinterpret_cast<void*>(&lua_pushnumber));
    CHECK(dlsym(RTLD_DEFAULT, "luaL_checknumber") == reinterpret_cast<void*>(&luaL_checknumber));
}

}  // namespace
}  // namespace perigee
