// The string library of mods against LuaJIT's own, and that what it does costs fuel.
#include "scripting/sandbox/internal/pattern_api.h"

#include "scripting/sandbox/bind.h"
#include "tests/scripting/lua_test.h"

#include <lua.hpp>

#include <random>
#include <string>

namespace perigee::internal {
namespace {

// Runs in a stock state and in a sandbox: must print the same lines.
constexpr const char* kCalls = R"lua(
local subjects = { "", "a", "hello world", "key = value", "  x  ", "a,b,,c", "f(a(b)c)d", "THE (quick) fox", "aaaaab", "1.5e3", "\0a\0" }
local patterns = { "", ".", "%w+", "%s*", "(%w+) = (%w+)", "^%s*(.-)%s*$", "[^,]*", "%b()", "%f[%a]%a+", "a-b", "()", "(a*)(b?)", "%d+%.?%d*", "x*",
  "^a", "$", "l", "lo w", "%", "(", "[a", "%1", "(%w)%1", "%z", "^", "^$", "a^", "()a()" }
local replacements = { "", "<%0>", "%1", "x", "%%", "%2%1", "%a", "%", 5, print, { a = "1", x = true }, function(a, b) return b or a end,
  function() return nil end, function() return false end, function() return {} end, { ["key"] = {} } }
local function show(ok, ...)
  local line = tostring(ok)
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    local text = tostring(value):gsub("^.-:%d+: ", "", 1)
    line = line .. "|" .. text
  end
  return line
end
for _, s in ipairs(subjects) do
  for _, p in ipairs(patterns) do
    for _, init in ipairs { 1, 2, -1, 100 } do
      out(show(pcall(string.find, s, p, init)))
      out(show(pcall(string.match, s, p, init)))
      out(show(pcall(string.find, s, p, init, true)))
    end
    out(show(pcall(function()
      local line = ""
      for a, b in s:gmatch(p) do line = line .. tostring(a) .. "," .. tostring(b) .. ";" end
      return line
    end)))
    for _, replacement in ipairs(replacements) do
      if replacement ~= print then
        out(show(pcall(string.gsub, s, p, replacement)))
        out(show(pcall(string.gsub, s, p, replacement, 1)))
        out(show(pcall(string.gsub, s, p, replacement, 0)))
      end
    end
  end
end
)lua";

TEST_CASE("find, match, gmatch and gsub give LuaJIT's results and messages") {
    lua_State* const lua = luaL_newstate();
    luaL_openlibs(lua);
    REQUIRE(luaL_dostring(lua, "lines = {} function out(s) lines[#lines + 1] = s end") == 0);
    if (luaL_dostring(lua, kCalls) != 0) FAIL(text_at(lua, -1));
    LuaTest test;
    REQUIRE(test.run("lines = {} function out(s) lines[#lines + 1] = s end") == "");
    REQUIRE(test.run(kCalls) == "");
    lua_getglobal(lua, "lines");
    const int count = static_cast<int>(lua_objlen(lua, -1));
    CHECK(count > 10'000);
    REQUIRE(test.run("print(#lines)") == "");
    CHECK(test.log.back() == std::to_string(count));
    test.state->push_environment();
    lua_State* const mod = test.state->lua();
    lua_getfield(mod, -1, "lines");
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(lua, -1, i);
        lua_rawgeti(mod, -1, i);
        if (text_at(lua, -1) != text_at(mod, -1)) {
            INFO("line " << i);
            CHECK(std::string(text_at(mod, -1)) == std::string(text_at(lua, -1)));
        }
        lua_pop(lua, 1);
        lua_pop(mod, 1);
    }
    lua_pop(mod, 2);
    lua_close(lua);
}

TEST_CASE("long work of the library is charged, and ends when the fuel ends") {
    ScriptLimits limits;
    limits.fuel_per_load = 200'000;
    for (const char* const code :
         {"('a'):rep(30000):find(('.-'):rep(8) .. 'b')",
          "('a'):rep(30000):find('.-b')",
          "('a'):rep(1000):match('.-.-b')",
          "('a'):rep(30000):gsub('.-b', '')",
          "for _ in ('a'):rep(30000):gmatch('.-b') do end",
          "('x'):rep(4e8)",
          "local t = {} for i = 1, 4000 do t[i] = i end while true do table.remove(t, 1) t[4000] = 1 end",
          "local t = {} for i = 1, 4000 do t[i] = 1 end while true do table.concat(t) end",
          "local t = {} for i = 1, 4000 do t[i] = -i end while true do table.sort(t) end",
          "local t = {} for i = 1, 4000 do t[i] = 1 end while true do table.insert(t, 1, 1) end",
          "local s = ('x'):rep(1e6) while true do s:upper() end",
          "local s = ('x'):rep(1e6) while true do s:lower() end",
          "local s = ('x'):rep(1e6) while true do s:reverse() end",
          "while true do unpack({}, 1, 7000) end",
          "while true do table.move({}, 1, 1e6, 2) end",
          "local s = ('x'):rep(1e6) while true do s:sub(2) end",
          "local s = (' '):rep(1e6) .. 1 while true do tonumber(s) end",
          "local s = ('z'):rep(1e6) while true do tonumber(s, 36) end",
          "local s = ('a'):rep(1e5) for i = 1, 2000 do s:find(('a'):rep(1000) .. 'b', 1, true) end",
          "('a'):rep(1e5):gsub('a', ('b'):rep(1000))"}) {
        LuaTest test(1, limits);
        INFO(code);
        CHECK(test.run(code).find("200000 steps of fuel") != std::string::npos);
        CHECK(test.run("assert(('abc'):match('b(.)') == 'c')") == "");
    }
}

TEST_CASE("an error in a pattern is reported at the mod's line") {
    LuaTest test;
    CHECK(test.run("\nlocal x = ('a'):find('%')") == "test/inline.lua:2: malformed pattern (ends with '%')");
    CHECK(test.run("\nlocal x = ('a'):gsub('a', '%2')") == "test/inline.lua:2: invalid capture index");
    CHECK(test.run("\nlocal x = ('a'):gsub('a', function() return {} end)") ==
          "test/inline.lua:2: invalid replacement value (a table)");
}

}  // namespace
}  // namespace perigee::internal
