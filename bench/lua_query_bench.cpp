// A Lua system that nests loops over two queries, against the same pairs in C++ and in a system with one
// query.
//
// Invariant: all sides compare each of 100 rows with each of the others and change those that are near;
// figures are per pair.
#include "bench/support/harness.h"
#include "bench/support/lua_game.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kTowers = 100, kEnemies = 10'000, kPairs = kTowers * kEnemies;

// The groups run one form each.
constexpr const char* kMain = R"(
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
local seed = 1
local function place()
  seed = seed * 48271 % 2147483647
  return seed % 1000
end
for _ = 1, 100 do world:spawn(C.Position { x = place(), y = place() }, C.Tower) end
for _ = 1, 10000 do world:spawn(C.Position { x = place(), y = place() }, C.Health) end

ecs.system("nested", {
  group = "simulation",
  queries = {
    towers = { read = { C.Position, C.Tower } }, enemies = { read = { C.Position }, write = { C.Health } },
  },
  run = function(_, ctx)
    local towers, enemies = ctx.queries.towers, ctx.queries.enemies
    for tower in towers:chunks() do
      local at, reach = tower.Position, tower.Tower.reach
      for i = 1, tower.count do
        local x, y, r = at.x[i], at.y[i], reach[i]
        for enemy in enemies:chunks() do
          local there, health = enemy.Position, enemy.Health
          for j = 1, enemy.count do
            local dx, dy = there.x[j] - x, there.y[j] - y
            if dx * dx + dy * dy < r * r then health.current[j] = health.current[j] - 1 end
          end
        end
      end
    end
  end,
})

local count, xs, ys, reaches = 0, {}, {}, {}
ecs.system("copy", {
  group = "initialization", query = { read = { C.Position, C.Tower } },
  run = function(chunk)
    if chunk.index == 1 then count = 0 end
    local at, reach = chunk.Position, chunk.Tower.reach
    for i = 1, chunk.count do
      count = count + 1
      xs[count], ys[count], reaches[count] = at.x[i], at.y[i], reach[i]
    end
  end,
})
ecs.system("single", {
  group = "initialization", after = "copy", query = { read = { C.Position }, write = { C.Health } },
  run = function(chunk)
    local there, health = chunk.Position, chunk.Health
    for k = 1, count do
      local x, y, r = xs[k], ys[k], reaches[k]
      for j = 1, chunk.count do
        local dx, dy = there.x[j] - x, there.y[j] - y
        if dx * dx + dy * dy < r * r then health.current[j] = health.current[j] - 1 end
      end
    end
  end,
})
)";

Sample in_lua(std::string_view group) {
    auto game = std::make_shared<LuaGame>(true, MemorySource::Files{{"schema.lua", R"(
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Tower", { { "reach", "f32", 40 } })
ecs.component("Health", { { "current", "f32", 100 } })
)"},
                                                                    {"main.lua", kMain}});
    return [=](const Effort& effort) { return time_loop(effort, kPairs, [&] { game->step(group); }); };
}

struct Plain {
    struct At {
        float x, y;
    };
    std::vector<At> towers, enemies;
    std::vector<float> reach = std::vector<float>(kTowers, 40), health = std::vector<float>(kEnemies, 100);

    Plain() {
        std::uint64_t seed = 1;
        const auto place = [&seed] {
            seed = seed * 48271 % 2147483647;
            return static_cast<float>(seed % 1000);
        };
        for (std::size_t i = 0; i < kTowers; ++i) towers.push_back({place(), place()});
        for (std::size_t i = 0; i < kEnemies; ++i) enemies.push_back({place(), place()});
    }
    void compare() {
        for (std::size_t i = 0; i < kTowers; ++i) {
            const float x = towers[i].x, y = towers[i].y, r = reach[i];
            for (std::size_t j = 0; j < kEnemies; ++j) {
                const float dx = enemies[j].x - x, dy = enemies[j].y - y;
                if (dx * dx + dy * dy < r * r) health[j] -= 1;
            }
            keep(health.front());
        }
    }
};

Sample in_cpp() {
    auto plain = std::make_shared<Plain>();
    return [=](const Effort& effort) { return time_loop(effort, kPairs, [&] { plain->compare(); }); };
}

}  // namespace

std::vector<Case> lua_query_cases() {
    constexpr const char* kRow = "Lua loops over two queries, nested";
    std::vector<Case> cases;
    cases.push_back(Case{kRow, kPairs, "lua", "the same loops in C++ over plain arrays", [] {
                             return Sides{in_lua(kSimulation), in_cpp()};
                         }});
    cases.push_back(
        Case{kRow, kPairs, "lua", "a Lua system with one query, and a table of the other rows", [] {
                 return Sides{in_lua(kSimulation), in_lua(kInitialization)};
             }});
    return cases;
}

}  // namespace perigee::bench
