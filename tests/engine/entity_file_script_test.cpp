// Files of data as scripts load them: what they get, what is refused, and mods with names of their own.
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
  ["data/none.json"] = "does not exist", ["data/bad.json"] = "data/bad.json: entities[0].prefab",
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

}  // namespace
