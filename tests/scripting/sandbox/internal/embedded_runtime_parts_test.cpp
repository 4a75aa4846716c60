// The tools of the Lua library: parts.lua, which loads its files, over made-up files; and template.lua, which
// fills templates of generated code.
#include "scripting/sandbox/internal/embedded_runtime.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace perigee {
namespace {

// In the script, `files` is a table of sources by name, and `parts` is what parts.lua returns for them.
constexpr std::string_view kSetUp = R"lua(
files, runs = {}, {}
parts = load_parts(function(name)
  if not files[name] then return nil end
  runs[name] = (runs[name] or 0) + 1
  return assert(loadstring(files[name], "=perigee/" .. name))
end)
need = parts.need
parts.provide("parts", parts)
fill = load_template(need).fill
function message_of(f, ...)
  local done, message = pcall(f, ...)
  assert(not done)
  return message
end
)lua";

void set_file(lua_State* lua, std::string_view name, const char* global) {
    const auto file = std::ranges::find(embedded_runtime(), name, &EmbeddedFile::name);
    REQUIRE(file != embedded_runtime().end());
    REQUIRE(luaL_loadbuffer(lua, file->text.data(), file->text.size(), "=perigee/file") == 0);
    lua_setglobal(lua, global);
}

/// The error of the script, or "".
std::string run(std::string_view script) {
    const std::unique_ptr<lua_State, decltype(&lua_close)> state(luaL_newstate(), lua_close);
    lua_State* const lua = state.get();
    luaL_openlibs(lua);
    set_file(lua, "parts.lua", "load_parts");
    set_file(lua, "sandbox/template.lua", "load_template");
    const std::string text = std::string(kSetUp) + std::string(script);
    if (luaL_loadbuffer(lua, text.data(), text.size(), "=script") == 0 && lua_pcall(lua, 0, 0, 0) == 0)
        return "";
    return lua_tostring(lua, -1);
}

TEST_CASE("a part that is needed is loaded once") {
    CHECK(run(R"lua(
      files.a = 'local need = ...; return { b = need "b" }'
      files.b = 'return { name = "b" }'
      assert(need("a").b == need("b") and need("b").name == "b")
      assert(runs.a == 1 and runs.b == 1)
    )lua") == "");
}

TEST_CASE("a part that does not exist is an error with both names") {
    CHECK(run(R"lua(
      files.a = 'local need = ...; local b = need "b"; return {}'
      assert(message_of(need, "a") == "part 'a' needs 'b', and the library has no such file")
      assert(message_of(need, "c") == "part 'boot' needs 'c', and the library has no such file")
    )lua") == "");
}

TEST_CASE("parts that need each other in a cycle are an error with the names") {
    CHECK(run(R"lua(
      files.a = 'local need = ...; local b = need "b"; return {}'
      files.b = 'local need = ...; local c = need "c"; return {}'
      files.c = 'local need = ...; local b = need "b"; return {}'
      local expected = "parts need each other in a cycle: b -> c -> b"
      assert(message_of(need, "a") == expected)
      assert(message_of(need, "a") == expected)  -- a failed file is not taken for a running one
      files.c = 'return {}'
      need "a"
    )lua") == "");
}

TEST_CASE("a part that loads on first use is found in cycles when it is used too early") {
    CHECK(run(R"lua(
      files.a = 'local need = ...; local b = need "b"; return { x = b.x }'
      files.b = 'local need = ...; local a = need "a"; return { x = a.x }'
      parts.load_on_use("a")
      parts.load_on_use("b")
      assert(message_of(function() return need("a").x end) == "parts need each other in a cycle: a -> b -> a")
    )lua") == "");
}

TEST_CASE("parts.later loads a part when it is used") {
    CHECK(run(R"lua(
      files.a = 'local need = ...; local b = need "parts".later("b"); return { f = function() return b.x end }'
      files.b = 'local need = ...; local a = need "a"; return { x = 5 }'
      local a = need "a"
      assert(not runs.b and a.f() == 5 and runs.b == 1 and a.f() == 5 and runs.b == 1)
      assert(parts.later("b") == need "b")
    )lua") == "");
}

TEST_CASE("a part for the files of a mod is unloaded after them, and loads again") {
    CHECK(run(R"lua(
      files.a = 'return { x = 5 }'
      parts.load_for_files("a")
      local a = need "a"
      assert(not runs.a and a.x == 5 and runs.a == 1)
      parts.forget()
      assert(rawget(a, "x") == nil and a.x == 5 and runs.a == 2)
      parts.forget()
      parts.prepare_load()
      assert(rawget(a, "x") == 5 and runs.a == 3)
    )lua") == "");
}

TEST_CASE("a table grows by functions and files until the entry is there") {
    CHECK(run(R"lua(
      files.more = 'local need = ...; need("a").y = 2'
      files.a = 'local need = ...; return need "parts".grow({ x = 1 }, function(t) t.z = 3 end, "more")'
      local a = need "a"
      assert(a.x == 1 and rawget(a, "z") == nil and a.z == 3)
      assert(not runs.more and a.y == 2 and a.none == nil and runs.more == 1)
    )lua") == "");
}

TEST_CASE("parts.again replaces a part") {
    CHECK(run(R"lua(
      files.a = 'return {}'
      local first = need "a"
      local second = parts.again("a")
      assert(first ~= second and need "a" == second)
    )lua") == "");
}

TEST_CASE("a template is filled by the names of its slots") {
    CHECK(run(R"lua(
      assert(fill("k < $count and $a_b[$count]$a_b", { count = 5, a_b = "$count" }) == "k < 5 and $count[5]$count")
      assert(fill("no slot, 5 % of it", {}) == "no slot, 5 % of it")
      for i = 1, 2 do assert(fill("$i %s", { i = i }) == i .. " %s") end
      parts.forget()
      assert(fill("$i %s", { i = 3 }) == "3 %s")
    )lua") == "");
}

TEST_CASE("a slot without a value and a value without a slot are errors with the name") {
    CHECK(run(R"lua(
      assert(message_of(fill, "k < $count", {}):find("no value for $count in the template 'k < $count'", 1, true))
      assert(message_of(fill, "k < $counts", { counts = 1, count = 1 }):find("no slot $count in the template", 1, true))
    )lua") == "");
}

}  // namespace
}  // namespace perigee
