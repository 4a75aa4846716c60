// Data files loaded by scripts: results, errors, and the names of each mod.
#include "ecs/relations/names.h"
#include "ecs/world/world.h"
#include "engine/session/game_session.h"
#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr const char* kSchema = R"(local ecs = require "ecs"
ecs.component("Health", { { "current", "i32", 100 }, { "max", "i32", 100 } })
ecs.component("Path", { kind = "buffer", capacity = 2, { "x", "f32" } })
ecs.component("Link", { { "target", "entity" } })
ecs.component("Look", { { "image", "asset" } }))";

constexpr const char* kPrefabs = R"({ "prefabs": [
  { "name": "Ship", "components": { "Health": { "current": 40 }, "Path": [ { "x": 1 }, { "x": 2 }, { "x": 3 } ] },
    "children": [ { "name": "turret", "components": { "Health": true } } ] } ] })";

constexpr const char* kLevel = R"({ "entities": [
  { "name": "boss", "prefab": "Ship" },
  { "name": "eye", "components": { "Link": { "target": "boss/turret" }, "Look": { "image": "assets/eye.png" } } } ] })";

TEST_CASE("scripts load prefabs and entities from files of their mod [C6]") {
    GameFolder game(R"(local ecs = require "ecs"
local C, world = ecs.components, ecs.world
local ships = ecs.load_prefabs("data/ships.json")
local one = world:spawn(ships.Ship, C.Link)
assert(world:get(one, C.Health).current == 40)
assert(world:buffer(one, C.Path).x[3] == 3)
assert(#world:children(one) == 1)
local entities, prefabs = world:load("data/level.json")
assert(#entities == 2 and next(prefabs) == nil)
assert(world:name(entities[1]) == "boss")
assert(world:get(entities[2], C.Link).target == world:find("boss/turret"))
assert(world:get(entities[2], C.Look).image == "assets/eye.png")
local Fast = ecs.prefab("Fast", { base = ships.Ship, { C.Health, max = 7 } })
assert(world:get(world:spawn(Fast), C.Health).max == 7)
for path, message in pairs {
  ["../other.json"] = "paths never leave the game's folder", ["/etc/passwd"] = "/etc/passwd",
  ["data/none.json"] = "does not exist", ["data/bad.json"] = "data/bad.json:1: entities[0].prefab",
} do
  local count = world:stats().entities
  local ok, text = pcall(world.load, world, path)
  assert(not ok and text:find(message, 1, true), tostring(text))
  assert(world:stats().entities == count)
end
local ok, text = pcall(ecs.load_prefabs, "data/ships.json")
assert(not ok and text:find("prefab 'Ship' exists already", 1, true), text)
ecs.system("spawns", { run = function(_, ctx) ctx.commands:spawn(ships.Ship) end })
ecs.system("loads", { run = function() world:load("data/level.json") end })
)",
                    kSchema);
    game.write("data/ships.json", kPrefabs);
    game.write("data/level.json", kLevel);
    game.write("data/bad.json", R"({ "entities": [ { "prefab": 5 } ] })");
    game.write("assets/eye.png", png_head(8, 8));
    const std::unique_ptr<Engine> engine = game.play();
    INFO(game.log);
    REQUIRE(engine->error_count() == 0);
    const std::size_t before = engine->session().world().entity_count();
    run(*engine, 3);
    INFO(game.log);
    CHECK(engine->session().world().entity_count() == before + 3 * 2);
    CHECK(engine->error_count() == 1);
    CHECK(contains(game.log, "system 'loads': ecs.world:load: not inside a system"));
}

TEST_CASE("a command loads a file completely at playback, or reports what is wrong with it [C6] [C1]") {
    GameFolder game(R"(local ecs = require "ecs"
local C = ecs.components
ecs.load_prefabs("data/ships.json")
ecs.system("loads", { run = function(_, ctx)
  if ctx.tick == 0 then
    ctx.commands:spawn(C.Health { current = 1 })
    ctx.commands:load("data/level.json")
    ctx.commands:spawn(C.Health { current = 2 })
    for path, message in pairs {
      ["../other.json"] = "paths never leave the game's folder", ["data/none.json"] = "does not exist",
    } do
      local ok, text = pcall(ctx.commands.load, ctx.commands, path)
      assert(not ok and text:find(message, 1, true), tostring(text))
    end
    local ok, text = pcall(ctx.commands.load, ctx.commands, 5)
    assert(not ok and text:find("commands:load: expected a path, got 5", 1, true), tostring(text))
  elseif ctx.tick == 1 then
    ctx.commands:load("data/bad.json")
    ctx.commands:load("data/broken.json")
    ctx.commands:spawn(C.Health { current = 3 })
  elseif ctx.tick == 2 then
    ctx.commands:load("data/level.json")
    error("dropped with all its commands")
  end
end })
)",
                    kSchema);
    game.write("data/ships.json", kPrefabs);
    game.write("data/level.json", kLevel);
    game.write("data/bad.json",
               R"({ "entities": [ { "prefab": "Ship" }, { "prefab": 5 }, { "parent": 7 } ] })");
    game.write("data/broken.json", "{ \"entities\": ");
    game.write("assets/eye.png", png_head(8, 8));
    const std::unique_ptr<Engine> engine = game.play();
    INFO(game.log);
    REQUIRE(engine->error_count() == 0);
    World& world = engine->session().world();
    run(*engine, 1);
    INFO(game.log);
    REQUIRE(engine->error_count() == 0);
    CHECK(world.entity_count() == 2 + 3);
    CHECK(find_named(world, "boss/turret"));
    run(*engine, 1);
    CHECK(world.entity_count() == 2 + 3 + 1);  // the commands around the bad ones
    CHECK(engine->error_count() == 2);
    CHECK(contains(game.log, "system 'loads': commands:load: data/bad.json:1: entities[1].prefab"));
    CHECK(contains(game.log, "data/bad.json:1: entities[2].parent"));
    CHECK(contains(game.log, "commands:load: data/broken.json:1:"));
    run(*engine, 1);
    CHECK(world.entity_count() == 2 + 3 + 1);
}

TEST_CASE("loading a file costs fuel for its contents, inside and outside systems") {
    GameFolder game(R"(local ecs = require "ecs"
ecs.system("loads", { run = function(_, ctx) ctx.commands:load("data/many.json") end })
)",
                    kSchema);
    std::string many = "{\"entities\":[{}";
    for (int i = 1; i < 90'000; ++i) many += ",{}";
    game.write("data/many.json", many + "]}");
    const std::unique_ptr<Engine> engine = game.play();
    REQUIRE(engine->error_count() == 0);
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->session().world().entity_count() == 0);
    CHECK(
        contains(game.log, "commands:load: data/many.json: the steps of work that are left are enough for"));

#if !defined(__SANITIZE_THREAD__)  // where the limit of time ends the run first
    // The loop uses most of the fuel of a file, in little time.
    GameFolder loading(R"(local ecs = require "ecs"
for i = 1, 1.5e8 do end
for i = 1, 20 do ecs.world:load("data/many.json") end
)",
                       kSchema);
    loading.write("data/many.json", many + "]}");
    const std::unique_ptr<Engine> other = loading.play();
    INFO(loading.log);
    CHECK(other->error_count() == 1);
    CHECK(contains(loading.log, "the steps of work that are left"));
#endif
}

}  // namespace
