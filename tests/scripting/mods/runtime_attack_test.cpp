// What a hostile mod tries against the world; the scripts are tests/scripts/attacks/.
#include "ecs/inspect/world_hash.h"
#include "ecs/world/objects.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

#include <algorithm>
#include <chrono>

namespace perigee {
namespace {

TEST_CASE("wrong arguments in any place do no damage and reveal no internals") {
    run_world_script("attacks/arguments.lua", 1);
}

TEST_CASE("infinite bounds of a field are no bounds") {
    ScriptWorld game;
    REQUIRE(game.load(R"(
        require("ecs").component("Range", {
          { "up", "f32", min = -math.huge, max = math.huge }, { "strict", "f64", min = 0, max = math.huge, range = "refuse" },
        }))",
                      R"(
        local ecs = require "ecs"
        local world, Range = ecs.world, ecs.components.Range
        local row = world:get(world:spawn(Range { up = -5, strict = 5 }), Range)
        row.up = row.up * 2
        assert(row.up == -10 and row.strict == 5)
        assert(not pcall(function() row.strict = -1 end)))") == "");
}

TEST_CASE("a mod that uses up the types of its state gets an error at its line") {
    ScriptWorld game;
    game.limits.seconds_per_load = 100;
    // Each prefab whose new rows are lent needs a type of its own; far fewer systems than this exhaust the
    // rest.
    REQUIRE(game.load("", R"(
        local ecs = require "ecs"
        ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
        local C = ecs.components
        local p = ecs.prefab("p", { C.Position })
        ecs.system("spawner", { run = function(_, ctx)
          ctx.commands:spawn_many(p, 3, function(chunk) chunk.Position.x[1] = 1 end)
        end })
        local ok, message
        for i = 1, 30000 do
          ok, message = pcall(ecs.system, "s" .. i, { group = "initialization", every = 1e6, run = function() end })
          if not ok then break end
        end
        assert(not ok, "there was room for everything")
        assert(tostring(message):find("table overflow", 1, true), message))") == "");
    const std::string errors = game.step();
    CHECK(errors.find("system 'spawner': ") != std::string::npos);
    CHECK(errors.find("table overflow") != std::string::npos);
    CHECK(game.world.entity_count() == 0);
}

TEST_CASE("a message of a mod cannot flood the log, cover the screen or control a terminal") {
    ScriptWorld game;
    REQUIRE(game.load("", R"(
        local ecs = require "ecs"
        ecs.system("lines", { run = function() error("\27[31m\0" .. ("line\n"):rep(20000)) end })
        ecs.system("long", { run = function() error(("x"):rep(1e6)) end })
        ecs.system("named", { run = function(_, ctx) return ctx.nothing.at_all end }))") == "");
    const std::string errors = game.step();
    CHECK(errors.size() < 10000);
    CHECK(std::count(errors.begin(), errors.end(), '\n') < 20);
    CHECK(errors.find('\x1B') == std::string::npos);
    CHECK(errors.find('\0') == std::string::npos);
    CHECK(errors.find("system 'named': ctx has no field 'nothing'") != std::string::npos);
}

TEST_CASE("a path for finding an entity has at most 64 names") {
    ScriptWorld game;
    REQUIRE(game.load("", "function update() end") == "");
    CHECK(game.run("assert(require('ecs').world:find(('a/'):rep(63) .. 'a') == nil)") == "");
    CHECK(game.run("require('ecs').world:find(('a/'):rep(64) .. 'a')")
              .find("ecs.world:find: a path has at most 64 names, this one has 65") != std::string::npos);
}

TEST_CASE("a hash function creates no texts or assets: hashes have no side effects") {
    ScriptWorld game;
    REQUIRE(game.load("local ecs = require 'ecs' local C = ecs.components "
                      "ecs.component('Label', { { 'text', 'text' }, { 'image', 'asset' } }) "
                      "ecs.component('Brain', { kind = 'object', hash = function() "
                      "print((select(2, pcall(C.Label, { text = 'new' })))) "
                      "print((select(2, pcall(C.Label, { image = 'assets/a.png' })))) return 1 end })",
                      "local ecs = require 'ecs' local C = ecs.components "
                      "ecs.world:set_object(ecs.world:spawn(C.Brain), C.Brain, {})") == "");
    static_cast<void>(world_hash(game.world));
    REQUIRE(game.log.size() == 2);
    for (const std::string& line : game.log) {
        INFO(line);
        CHECK(line.find("not inside a hash function") != std::string::npos);
    }
    CHECK(game.assets.empty());
}

TEST_CASE("a text with a very long number is refused at once") {
    ScriptWorld game;
    REQUIRE(game.load("", "function update() end") == "");
    ScriptState& state = *game.runtime->state("game");
    lua_State* const lua = state.lua();
    const std::string digits(65536, '1');
    for (const std::string& text :
         {"{" + digits + "a}", "{" + digits + "." + digits + "}", "{-" + digits + "e" + digits + "x}",
          "{[" + digits + "a]=1}", "{" + std::string(65536, 'a') + "}", "{\"" + digits}) {
        const auto begun = std::chrono::steady_clock::now();
        state.push_runtime("serialise", "to_table");
        lua_pushlstring(lua, text.data(), text.size());
        REQUIRE_FALSE(state.call(1, 1));
        CHECK(lua_isnil(lua, -1));
        lua_pop(lua, 1);
        CHECK(std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(500));
    }
}

}  // namespace
}  // namespace perigee
