// Kinds of components from Lua, as far as it takes C++ to look: chunks of a certain size, what the compiler
// does, and relations.
#include "ecs/world/world_config.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

#include <string>

namespace perigee {
namespace {

TEST_CASE("a chunk that a new entity starts has the entity's values, in whatever order they are given [K7]") {
    run_world_script("data/chunk_spawns.lua", 3);
}

TEST_CASE(
    "scripts see rows packed, in the order of chunks, and moved with what they have "
    "[S1] [S5] [S6] [S7] [S8] [S10] [Q6]") {
    ScriptWorld game({.shape = {.unit_bytes = 4096, .max_rows = 2}});
    REQUIRE(game.load_script("data/storage.lua") == "");
    for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(finished)") == "");
}

TEST_CASE("changed filters of scripts work when the version passes 32 bits") {
    WorldConfig config{.shape = {.unit_bytes = 4096, .max_rows = 2}};
    config.first_change_version = 0xFFFF'FFE0;
    ScriptWorld game(config);
    REQUIRE(game.load(R"(
        local ecs = require "ecs"
        ecs.component("Position", { { "x", "f32" } })
    )",
                      R"(
        local ecs = require "ecs"
        local C = ecs.components
        local all, wanted, step = {}, 40, 0
        for i = 1, 40 do all[i] = ecs.world:spawn(C.Position) end
        ecs.system("write", { access = { write = { C.Position } }, run = function(_, ctx)
          step = step + 1
          if step > 1 then wanted = 0 end
          if step % 3 == 0 then
            ctx:try_get(all[step % 40 + 1], C.Position).x = step
            wanted = 2
          end
        end })
        local rows = 0
        ecs.system("read", { after = { "write" }, query = { read = { C.Position }, changed = { C.Position } },
          run = function(chunk) rows = rows + chunk.count end })
        ecs.system("tell", { after = { "read" }, access = { read = { C.Position } }, run = function()
          assert(rows == wanted, ("step %d: %d rows, wanted %d"):format(step, rows, wanted))
          rows, done = 0, step
        end })
    )") == "");
    for (int i = 0; i < 100; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(done == 100)") == "");
    CHECK(game.world.change_version() > ChangeVersion{1} << 32);
}

// Counts finished and aborted traces of the mod in the global `traces` and `aborts`.
void watch_compiler(ScriptWorld& game) {
    ScriptState& state = *game.runtime->state("game");
    lua_State* lua = state.lua();
    REQUIRE(luaL_loadstring(lua, R"(
        local jit, env = ...
        env.traces, env.aborts = 0, 0
        jit.attach(function(what)
            if what == "stop" then env.traces = env.traces + 1 end
            if what == "abort" then env.aborts = env.aborts + 1 end
        end, "trace")
    )") == 0);
    lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(lua, -1, "jit");
    lua_remove(lua, -2);
    state.push_environment();
    REQUIRE(lua_pcall(lua, 2, 0, 0) == 0);
}

TEST_CASE("loops over runs and rows of enabled components stay compiled") {
    ScriptWorld game;
    REQUIRE(game.load(R"(
        local ecs = require "ecs"
        ecs.component("Position", { { "x", "f32" } })
        ecs.component("Shield", { kind = "enableable", { "power", "f32", 1 } })
        ecs.component("Team", { kind = "shared", { "speed", "f32", 2 } })
        ecs.component("Bounds", { kind = "chunk", { "high", "f32" } })
    )",
                      R"(
        local ecs = require "ecs"
        local C = ecs.components
        for i = 1, 2000 do
          local e = ecs.world:spawn(C.Position, C.Shield, C.Team, C.Bounds)
          if (i * 7919) % 13 < 6 then ecs.world:enable(e, C.Shield, false) end
        end
        ecs.system("runs", { query = { write = { C.Position }, read = { C.Shield, C.Team }, runs = true },
          run = function(chunk)
            local x, power = chunk.Position.x, chunk.Shield.power
            for first, last in chunk:runs() do
              for i = first, last do x[i] = x[i] + power[i] * chunk.Team.speed end
            end
          end })
        ecs.system("rows", { query = { write = { C.Position, C.Bounds }, read = { C.Shield }, runs = true },
          run = function(chunk)
            local x, enabled = chunk.Position.x, chunk.Shield.enabled
            for i in chunk:rows() do
              if enabled[i] then x[i] = x[i] + 1 end
              if x[i] > chunk.Bounds.high then chunk.Bounds.high = x[i] end
            end
          end })
    )") == "");
    watch_compiler(game);
    for (int i = 0; i < 40; ++i) REQUIRE(game.step() == "");
    INFO(game.run("error(traces .. ' traces, ' .. aborts .. ' aborts')"));
    // A nested loop is tried in more than one way before it fits, and how often depends on where functions
    // lie in memory; what matters is that it ends compiled, for good.
    CHECK(game.run("assert(traces >= 4 and aborts < 20)\nlast = traces + aborts") == "");
    for (int i = 0; i < 20; ++i) REQUIRE(game.step() == "");
    CHECK(game.run("assert(traces + aborts - last < 6)") == "");
    CHECK(game.run(R"(
        local ecs = require "ecs"
        local q = ecs.query { read = { ecs.components.Position } }
        assert(ecs.world:entity_count(q) == 2000)
    )") == "");
}

TEST_CASE(
    "a million random operations from Lua agree with a model in Lua "
    "[S4] [S5] [S6] [S7] [K1] [K2] [K3] [K4] [K5] [K6] [K7]") {
    for (const std::uint32_t rows : {2u, 7u, 64u, kMaxChunkRows}) {
        ScriptWorld game({.shape = {.unit_bytes = 16384, .max_rows = rows}}, rows);
        game.limits.seconds_per_load = 300;  // of run(), too; sanitizers are slow
        INFO(rows << " rows a chunk");
        REQUIRE(game.load_script("world/world_model.lua") == "");
        REQUIRE(game.run("run_model(250000)") == "");
    }
}

// ---- relations

using Catch::Contains;

constexpr const char* kRelations = R"lua(
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" } })
ecs.component("Likes", { { "strength", "f32", 1 }, { "target", "entity" }, index = true })
ecs.component("Guards", { { "target", "entity" }, index = true, on_target_destroyed = "destroy" })
ecs.component("Knows", { { "whom", "entity" } })
)lua";
const std::string kRelationsStart = R"lua(
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
function names(list) local t = {} for i, e in ipairs(list) do t[i] = tostring(e) end return table.concat(t, " ") end
function same(list, ...) local a, b = names(list), names { ... } assert(a == b, a .. " instead of " .. b) end
)lua";

TEST_CASE("scripts find the entities that point at one, however the relation was written") {
    ScriptWorld game({.shape = {.unit_bytes = 4096, .max_rows = 4}});
    REQUIRE(game.load(kRelations, kRelationsStart + R"lua(
local bob, eve = world:spawn(C.Position), world:spawn(C.Position)
local a = world:spawn(C.Likes { target = bob })
local b = world:spawn(C.Likes { target = bob }, C.Position)
same(world:sources(bob, C.Likes), a, b)
same(world:sources(nil, C.Likes))
same(world:sources(eve, C.Likes))
local row = world:get(a, C.Likes)
row.target = eve                                     -- through a row that is kept
same(world:sources(bob, C.Likes), b)
same(world:sources(eve, C.Likes), a)
row.target = bob
same(world:sources(bob, C.Likes), a, b)
row.target = nil
same(world:sources(bob, C.Likes), b)
world:set(a, C.Likes { target = bob })
local copy = world:clone(b)
same(world:sources(bob, C.Likes), a, b, copy)
world:remove(b, C.Likes)
same(world:sources(bob, C.Likes), a, copy)
world:destroy(copy)
same(world:sources(bob, C.Likes), a)

local step = 0
ecs.system("write", { query = { write = { C.Likes } }, run = function(chunk, ctx)
  step = step + 1
  for i = 1, chunk.count do
    chunk.Likes.target[i] = eve
    assert(#ctx:sources(eve, C.Likes) == i and #ctx:sources(bob, C.Likes) == chunk.count - i)
  end
end })
ecs.system("read", { after = "write", access = { read = { C.Likes } }, run = function(_, ctx)
  same(ctx:sources(eve, C.Likes), a)
  same(ctx:sources(nil, C.Likes))
end })
function check() assert(step == 2) same(world:sources(eve, C.Likes), a) end
)lua") == "");
    REQUIRE(game.step() == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("check()") == "");
}

TEST_CASE("a query with a filter by relation shows a script only the rows that point at the entity") {
    ScriptWorld game({.shape = {.unit_bytes = 4096, .max_rows = 4}});
    REQUIRE(game.load(kRelations, kRelationsStart + R"lua(
local bob, eve = world:spawn(), world:spawn()
local wanted, all = 0, {}
for i = 1, 20 do
  all[i] = world:spawn(C.Position { x = i }, C.Likes { target = i % 3 == 0 and bob or eve })
  if i % 3 == 0 then wanted = wanted + i end
end
local of_bob = ecs.query { read = { C.Position }, related = { C.Likes, bob } }
local of_eve = ecs.query { related = { { C.Likes, eve } } }
assert(world:entity_count(of_bob) == 6 and world:entity_count(of_eve) == 14)
local sum, rows = 0, 0
ecs.system("sum", { query = { read = { C.Position }, related = { { C.Likes, bob } } }, run = function(chunk, ctx)
  for i = 1, chunk.count do sum, rows = sum + chunk.Position.x[i], rows + 1 end
  assert(ctx:entity_count() == 6)
end })
ecs.system("change", { after = "sum", run = function(_, ctx)
  if ctx.tick == 0 then ctx.commands:set_all(of_bob, C.Position { x = 100 }) end
  if ctx.tick == 1 then ctx.commands:destroy_all(of_bob) end
end })
function check(s, r) assert(sum == s and rows == r, sum .. " " .. rows) sum, rows = 0, 0 end
function total() return wanted end
)lua") == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("check(total(), 6)") == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("check(600, 6)") == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("check(0, 0)") == "");
}

TEST_CASE("when a target dies, scripts see that its sources have forgotten it or died") {
    ScriptWorld game;
    REQUIRE(game.load(kRelations, kRelationsStart + R"lua(
local function family()
  local target = world:spawn()
  return target, world:spawn(C.Likes { strength = 3, target = target }), world:spawn(C.Guards { target = target })
end
local function check(target, fan, guard)
  assert(not world:is_alive(target) and not world:is_alive(guard))
  local likes = world:get(fan, C.Likes)
  assert(likes.target == nil and likes.strength == 3)
  same(world:sources(target, C.Likes))
end
local target, fan, guard = family()
assert(world:destroy(target))
check(target, fan, guard)

local changed, destroyed = 0, 0
ecs.on_changed(C.Likes, {}, function(batch) changed = changed + batch.count end)
ecs.on_destroyed(C.Guards, {}, function(batch) destroyed = destroyed + batch.count end)
target, fan, guard = family()
ecs.system("kill", { run = function(_, ctx) if ctx.tick == 1 then ctx.commands:destroy(target) end end })
function check_kill() check(target, fan, guard) assert(changed == 1 and destroyed == 1, changed .. destroyed) end
)lua") == "");
    for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    CHECK(game.run("check_kill()") == "");
}

TEST_CASE("mistakes with relations are refused where they are made") {
    const auto schema_error = [](const std::string& line) {
        ScriptWorld game;
        return game.load("local ecs = require 'ecs'\n" + line, "");
    };
    CHECK_THAT(schema_error("ecs.component('A', { { 'x', 'f32' }, index = true })"),
               Contains("schema.lua:2: ") &&
                   Contains("a relation has one field of type entity, its target; this one has 0"));
    CHECK_THAT(schema_error("ecs.component('A', { { 'x', 'entity' }, index = 1 })"),
               Contains("component 'A': expected true or false for 'index', got 1"));
    CHECK_THAT(
        schema_error("ecs.component('A', { { 'x', 'entity' }, index = true, on_target_destroyed = 'kill' })"),
        Contains("component 'A': expected 'clear' or 'destroy' for 'on_target_destroyed', got 'kill'"));
    CHECK_THAT(schema_error("ecs.component('A', { { 'x', 'entity' }, on_target_destroyed = 'clear' })"),
               Contains("component 'A': 'on_target_destroyed' is for relations, which have 'index = true'"));
    CHECK_THAT(schema_error("ecs.component('A', { kind = 'shared', { 'x', 'entity' }, index = true })"),
               Contains("index makes no sense for kind 'shared'"));

    const auto error_of = [](const std::string& body) {
        ScriptWorld game;
        const std::string failed =
            game.load(kRelations, kRelationsStart + "local e = world:spawn()\n" + body);
        return failed.empty() ? game.step() : failed;
    };
    CHECK_THAT(error_of("world:sources(e, C.Knows)"),
               Contains("ecs.world:sources: 'Knows' is not a relation; declare it with index = true"));
    CHECK_THAT(error_of("world:sources('x', C.Likes)"), Contains("ecs.world:sources: expected an entity"));
    CHECK_THAT(error_of("ecs.query { related = { C.Knows, e } }"),
               Contains("ecs.query, query.related, entry 1: 'Knows' is not a relation"));
    CHECK_THAT(error_of("ecs.query { related = { { C.Likes } } }"),
               Contains("expected a relation and an entity, got nil in place 2"));
    CHECK_THAT(error_of("ecs.query { related = { { C.Likes, e }, { C.Likes, e } } }"),
               Contains("a query names 'Likes' twice"));
    CHECK_THAT(error_of("ecs.query { related = { 5 } }"), Contains("expected { C.Relation, entity }, got 5"));
    CHECK_THAT(error_of("ecs.system('s', { run = function(_, ctx) ctx:sources(e, C.Likes) end })"),
               Contains("'Likes'") && Contains("not declared"));
    CHECK_THAT(error_of("ecs.system('s', { access = { read = { C.Knows } }, run = function(_, ctx)\n"
                        "ctx:sources(e, C.Knows) end })"),
               Contains("ctx:sources: 'Knows' is not a relation"));
    CHECK_THAT(error_of("local q = ecs.query { related = { C.Likes, e } }\n"
                        "ecs.system('s', { run = function(_, ctx) ctx:entity_count(q) end })"),
               Contains("which rows are enabled or what changed"));
}

}  // namespace
}  // namespace perigee
