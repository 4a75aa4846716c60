// A game in Lua for the Lua rows. The usual one has a system over chunk views, and functions that change
// entities one by one.
//
// Invariant: the state lives as long as the row, so that compiled traces are warm as in a running game.
#pragma once

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "scripting/base/file_source.h"
#include "scripting/mods/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace perigee::bench {

class LuaGame {
public:
    explicit LuaGame(bool counts_fuel = true, MemorySource::Files files = usual_files())
        : files_(std::move(files)), schedule_(world_, 1), runtime_(world_, schedule_, ScriptRuntimeConfig{}) {
        ModConfig config;
        config.limits.counts_fuel = counts_fuel;
        config.limits.fuel_per_run = 1e12;
        config.files = &files_;
        check(runtime_.load(std::move(config)));
    }

    World& world() noexcept { return world_; }

    /// Runs a piece of Lua outside systems.
    void run(std::string_view code) { check(runtime_.run("game", code)); }

    /// One fixed step of the simulation group.
    void step(std::string_view group = kSimulation) {
        const Result<void> ran = schedule_.run_group(group, TickTime{});
        if (!ran || !runtime_.recent_errors().empty()) {
            check({runtime_.recent_errors().begin(), runtime_.recent_errors().end()});
        }
    }

    static MemorySource::Files usual_files() {
        return {{"schema.lua", R"(
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Velocity", { { "x", "f32", 1 }, { "y", "f32", 2 } })
ecs.component("Mass", { { "value", "f32", 1 }, { "inverse", "f32", 1 } })
)"},
                {"main.lua", R"(
local ecs = require "ecs"
local C, world = ecs.components, ecs.world

ecs.system("move", {
  group = "simulation",
  query = { write = { C.Position }, read = { C.Velocity } },
  run = function(chunk, ctx)
    local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt
    for i = 1, chunk.count do
      pos.x[i] = pos.x[i] + vel.x[i] * dt
      pos.y[i] = pos.y[i] + vel.y[i] * dt
    end
  end,
})

local list, count = {}, 0

ecs.system("add by command", {
  group = "initialization",
  run = function(_, ctx)
    for i = 1, count do ctx.commands:add(list[i], C.Mass) end
  end,
})

local Thing = ecs.prefab("Thing", { C.Position, C.Velocity })

function spawn_all(n)
  for i = 1, n do list[i] = world:spawn(Thing) end
  count = n
end
function destroy_all()
  for i = 1, count do world:destroy(list[i]) end
  count = 0
end
function shuffle_all()
  local state = 1
  for i = count, 2, -1 do
    state = state * 48271 % 2147483647
    local j = state % i + 1
    list[i], list[j] = list[j], list[i]
  end
end
function add_all() for i = 1, count do world:add(list[i], C.Mass) end end
function remove_all() for i = 1, count do world:remove(list[i], C.Mass) end end
function get_all()
  local sum = 0
  for i = 1, count do sum = sum + world:get(list[i], C.Position).x end
  return sum
end
function set_all()
  for i = 1, count do world:get(list[i], C.Position).x = i end
end
)"}};
    }

private:
    // A benchmark of a failing script would be wrong.
    static void check(const std::vector<ScriptError>& errors) {
        if (errors.empty()) return;
        for (const ScriptError& error : errors) std::fprintf(stderr, "bench: %s\n", error.text().c_str());
        std::abort();
    }

    MemorySource files_;
    World world_;
    Schedule schedule_;
    ScriptRuntime runtime_;
};

}  // namespace perigee::bench
