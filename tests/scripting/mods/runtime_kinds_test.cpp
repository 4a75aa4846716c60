// Kinds of components from Lua, as far as it takes C++ to look: chunks of a certain size, and what the
// compiler does.
#include "ecs/world/world_config.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

namespace perigee {
namespace {

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
        game.limits.seconds_per_run = 300;  // sanitizers are slow
        INFO(rows << " rows a chunk");
        REQUIRE(game.load_script("world/world_model.lua") == "");
        REQUIRE(game.run("run_model(250000)") == "");
    }
}

}  // namespace
}  // namespace perigee
