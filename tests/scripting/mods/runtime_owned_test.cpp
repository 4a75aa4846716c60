// Buffers and objects as scripts use them, and the lifetime of Lua values that entities refer to.
#include "ecs/inspect/world_hash.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/world_config.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

namespace perigee {
namespace {

const std::string kHead = "local ecs = require 'ecs'\nlocal C, world = ecs.components, ecs.world\n";
const std::string kBrain = R"(local ecs = require "ecs"
ecs.component("Brain", { kind = "object", hash = function(v) return v.mood end }))";

// As a list of Lua numbers.
std::string entities_with(World& world, std::string_view component) {
    std::string text;
    QueryDesc desc;
    desc.terms = {QueryTerm{*world.registry().find(component)}};
    world.each_chunk(*world.query(desc).value(), [&](const ChunkView& view) {
        for (const Entity entity : view.entities()) {
            text += text.empty() ? "" : ", ";
            text += std::to_string(static_cast<std::uint64_t>(number_from_entity(entity)));
        }
    });
    return text;
}

TEST_CASE("[K6] [C1] scripts fill, read and change buffers of rows, entities and commands") {
    run_world_script("data/buffers.lua", 4);
}

TEST_CASE("[K3] scripts keep any Lua value with an entity") { run_world_script("data/objects.lua", 4); }

TEST_CASE("[Q1] [K3] [K6] ordered queries show buffers and objects, and writes to them are kept") {
    run_world_script("data/ordered_kinds.lua", 4);
}

TEST_CASE("[K6] [C1] values given with an entity fill its buffers and disable its components") {
    run_world_script("data/initial_values.lua", 3);
}

TEST_CASE(
    "[K6] where there is no memory for all elements of a value, nothing of it and of its entity is made") {
    WorldConfig config;
    config.max_buffer_bytes = 4096;
    ScriptWorld game(config);
    REQUIRE(game.load("require('ecs').component('Steps', { kind = 'buffer', { 'n', 'f64' } })\n"
                      "require('ecs').component('Other', { { 'x', 'f32' } })",
                      kHead + R"(
        local long, short = {}, {}
        for i = 1, 5000 do long[i] = { n = i } end
        for i = 1, 20 do short[i] = { n = i } end
        local function fails(where, call)
          local ok, message = pcall(call)
          assert(not ok and message:find(where .. ": there is no memory for all elements of 'Steps'", 1, true), message)
        end
        local e, bare = world:spawn(C.Steps(short)), world:spawn()
        fails("ecs.world:spawn", function() world:spawn(C.Other, C.Steps(long)) end)
        fails("ecs.world:add", function() world:add(e, C.Steps(long)) end)
        fails("ecs.world:add", function() world:add(bare, C.Steps(long)) end)
        fails("ecs.world:set", function() world:set(e, C.Steps(long)) end)
        assert(not world:has(bare, C.Steps) and world:buffer(e, C.Steps).n[20] == 20)
        assert(world:entity_count() == 2)
        ecs.system("tries", { run = function(_, ctx)
          if ctx.tick > 0 then return end
          fails("commands:spawn", function() ctx.commands:spawn(C.Other, C.Steps(long)) end)
          fails("commands:add", function() ctx.commands:add(bare, C.Steps(long)) end)
          fails("commands:set", function() ctx.commands:set(e, C.Steps(long)) end)
        end })
        function check() assert(world:entity_count() == 2 and world:buffer(e, C.Steps).count == 20 and not world:has(bare, C.Steps)) end
    )") == "");
    CHECK(game.step() == "");
    CHECK(game.run("check()") == "");
}

TEST_CASE("[K6] buffers of scripts leak no memory") {
    ScriptWorld game({.shape = {.unit_bytes = 4096, .max_rows = 4}});
    REQUIRE(game.load_script("data/buffers.lua") == "");
    for (int i = 0; i < 4; ++i) REQUIRE(game.step() == "");
    CHECK(game.world.buffers().stats().blocks_in_use > 0);
    game.world.clear();
    CHECK(game.world.buffers().stats().bytes_in_use == 0);
}

TEST_CASE("[K3] Lua values end with their entities, and memory use stays the same") {
    ScriptWorld game;
    REQUIRE(game.load(kBrain, kHead + R"(
        weak = setmetatable({}, { __mode = "v" })
        function make()
          list = {}
          for i = 1, 500 do
            local value = { mood = i, ("x"):rep(1000) .. i }  -- weak[i] alone would not keep it until set_object
            weak[i] = value
            list[i] = world:spawn(C.Brain)
            world:set_object(list[i], C.Brain, value)
          end
        end
        function alive()
          local n = 0
          for i = 1, 500 do n = n + (weak[i] and 1 or 0) end
          return n
        end
    )") == "");
    lua_State* const lua = game.runtime->state("game")->lua();
    // Unreferenced values are released at the next run, and collected after it.
    const auto kilobytes = [&] {
        REQUIRE(game.run("") == "");
        lua_gc(lua, LUA_GCCOLLECT, 0);
        return lua_gc(lua, LUA_GCCOUNT, 0);
    };
    REQUIRE(game.run("make()") == "");
    static_cast<void>(kilobytes());
    REQUIRE(game.run("assert(alive() == 500, alive())") == "");
    REQUIRE(game.run("for i = 1, 400 do require('ecs').world:destroy(list[i]) end") == "");
    CHECK(game.world.objects().slots_in_use() == 100);
    static_cast<void>(kilobytes());
    CHECK(game.run("assert(alive() == 100, alive())") == "");
    game.world.clear();
    const int before = kilobytes();
    CHECK(game.run("assert(alive() == 0, alive())") == "");
    for (int i = 0; i < 4; ++i) {
        REQUIRE(game.run("make()") == "");
        CHECK(kilobytes() > before + 450);
        game.world.clear();
    }
    CHECK(kilobytes() < before + 50);
}

TEST_CASE(
    "[K3] other mods read plain values, and nil of everything else; a mod that goes takes its own along") {
    World world;
    Schedule schedule(world, 1);
    auto runtime = std::make_unique<ScriptRuntime>(world, schedule);
    MemorySource game(MemorySource::Files{{"schema.lua", kBrain}, {"main.lua", kHead + R"(
        table_like = world:spawn(C.Brain)  number = world:spawn(C.Brain)
        text = world:spawn(C.Brain)  yes = world:spawn(C.Brain)
        world:set_object(table_like, C.Brain, { mood = 1, run = print })
        world:set_object(number, C.Brain, 4.5)
        world:set_object(text, C.Brain, "a\0b")
        world:set_object(yes, C.Brain, true))"}});
    MemorySource mod(MemorySource::Files{{"main.lua", kHead + R"(
        local B = C["game:Brain"]
        function check(a, b, c, d)
          assert(world:object(a, B) == nil)
          assert(world:object(b, B) == 4.5)
          assert(world:object(c, B) == "a\0b")
          assert(world:object(d, B) == true)
          world:set_object(b, B, { mine = true })
          assert(world:object(b, B).mine)
        end)"}});
    ModConfig config;
    config.files = &game;
    REQUIRE(ScriptWorld::text_of(runtime->load(config)) == "");
    config.name = "mod";
    config.files = &mod;
    REQUIRE(ScriptWorld::text_of(runtime->load(config)) == "");
    const std::string entities = entities_with(world, "Brain");
    CHECK(ScriptWorld::text_of(runtime->run("mod", "check(" + entities + ")")) == "");
    CHECK(ScriptWorld::text_of(runtime->run(
              "game",
              "assert(require('ecs').world:object(number, require('ecs').components.Brain) == nil)")) == "");
    CHECK(world.objects().slots_in_use() == 4);
    runtime.reset();
    for (ObjectSlot slot = 1; slot <= 4; ++slot) CHECK(world.objects().get(slot) == nullptr);
    static_cast<void>(world_hash(world));
}

TEST_CASE("[K3] the hash function of a schema decides how a value counts in the world hash") {
    ScriptWorld game;
    REQUIRE(game.load(kBrain, kHead + "e = world:spawn(C.Brain)") == "");
    const auto hash_with = [&](const std::string& value) {
        REQUIRE(game.run("local ecs = require 'ecs' ecs.world:set_object(e, ecs.components.Brain, " + value +
                         ")") == "");
        return world_hash(game.world);
    };
    const std::uint64_t one = hash_with("{ mood = 1, other = {} }");
    CHECK(hash_with("{ mood = 2 }") != one);
    CHECK(hash_with("{ mood = 1, think = print }") == one);
    CHECK(game.runtime->recent_errors().empty());
    static_cast<void>(hash_with("{ mood = 'sad' }"));
    REQUIRE(game.runtime->recent_errors().size() == 1);
    CHECK_THAT(game.runtime->recent_errors().front().message,
               Catch::Contains("component 'Brain': expected a number from its hash function, got 'sad'"));
}

TEST_CASE("[K3] a hash on another kind, or one that is not a function, is an error") {
    ScriptWorld game;
    const std::string mistakes = game.load(R"(local ecs = require "ecs"
ecs.component("A", { { "x", "f32" }, hash = print })
ecs.component("B", { kind = "object", hash = 5 }))",
                                           "");
    CHECK_THAT(mistakes, Catch::Contains("'hash' is for objects; this is a component"));
    CHECK_THAT(mistakes, Catch::Contains("expected a function(value) for 'hash', got 5"));
}

}  // namespace
}  // namespace perigee
