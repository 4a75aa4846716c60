// Hostile systems beside an honest mod: each ends in an error of its system, leaves nothing behind, and the
// world goes on.
#include "ecs/inspect/world_memory.h"
#include "ecs/storage/resource_store.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/hostile_lua.h"
#include "tests/scripting/hostile_systems.h"
#include "tests/scripting/script_world.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace perigee {
namespace {

const std::string kHonestSchema = R"(
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Velocity", { { "x", "f32" } })
ecs.resource("Score", { { "value", "f64" } })
ecs.event("Hit", { { "target", "entity" } }))";

const std::string kHonest = R"(
local ecs = require "ecs"
local C = ecs.components
for i = 1, 3 do ecs.world:spawn(C.Position { x = i }, C.Velocity) end
ecs.system("honest", { query = { read = { C.Position } }, access = { write = { C.Score } }, run = function(chunk, ctx)
  ctx:resource(C.Score).value = ctx:resource(C.Score).value + chunk.count
end }))";

// On one line: the text that follows is line 2.
const std::string kStashes =
    "local ecs = require 'ecs' local C = ecs.components stash = { prefab = ecs.prefab('P', { C.Position }) } "
    "ecs.system('stashes', { query = { write = { C.Position } }, run = function(chunk, ctx) "
    "stash.chunk, stash.column, stash.row, stash.ctx = chunk, chunk.Position.x, chunk.Position[1], ctx "
    "stash.commands, stash.random, stash.entity = ctx.commands, ctx.random, chunk.entity[1] "
    "stash.coroutine = coroutine.wrap(function() coroutine.yield() chunk.Position.x[1] = 1 end) "
    "stash.coroutine() end }) "
    "ecs.system('hostile', { after = 'stashes', query = { write = { C.Position } }, "
    "access = { write = { C.Shout } }, run = function(chunk, ctx) ctx.commands:spawn(C.Position) local x\n";

std::string hostile_main(const std::string& body) { return kStashes + body + "\nend })"; }

double score(ScriptWorld& game) {
    double value = 0;
    std::memcpy(&value, game.world.resources().data(*game.world.registry().find("Score")), sizeof(value));
    return value;
}

// One world with one hostile system: it fails in its own name, the honest one does not notice.
void check_one(const std::string& body) {
    INFO(body);
    ScriptWorld game;
    REQUIRE(game.load(kHonestSchema, kHonest) == "");
    game.limits.fuel_per_run = 100'000;
    game.limits.seconds_per_run = 20;  // fuel ends them, however busy the machine is
    game.limits.memory_soft = std::size_t{8} << 20U;
    game.limits.memory_hard = std::size_t{256} << 20U;
    game.limits.memory_per_run = std::size_t{512} << 20U;
    game.limits.log_lines = 10;
    REQUIRE(game.load("require('ecs').event('Shout', { { 'loud', 'f32' } })", hostile_main(body), "evil") ==
            "");

    const std::string errors = game.step();
    CHECK(errors.find("evil/") == 0);  // main.lua, or what it loaded
    CHECK(errors.find("system 'evil:hostile': ") != std::string::npos);
    CHECK(errors.find("honest") == std::string::npos);
    CHECK(game.world.entity_count() == 3);
    CHECK(game.step() == "");
    CHECK(game.world.entity_count() == 3);
    CHECK(score(game) == 6);
    ScriptState& evil = *game.runtime->state("evil");
    CHECK(evil.memory_bytes() < std::size_t{300} << 20U);
    evil.collect();
    CHECK(ScriptWorld::text_of(game.runtime->run("evil", "local n = 0 for i = 1, 1000 do n = n + i end")) ==
          "");
}

TEST_CASE("hostile systems fail under their own name, leave nothing behind, and the world goes on") {
    REQUIRE(kHostileBodies.size() >= 100);
    for (const char* const body : kHostileBodies) check_one(body);
}

TEST_CASE("code that is hostile elsewhere is also hostile in systems") {
    for (std::size_t i = 0; i < kEndless.size(); i += 7) check_one("do " + std::string(kEndless[i]) + " end");
    for (std::size_t i = 0; i < kFailing.size(); i += 7) check_one("do " + std::string(kFailing[i]) + " end");
}

// Beside an honest mod that makes and destroys as well: one that makes the world grow, a little each time.
void check_growing(const std::string& body) {
    INFO(body);
    ScriptWorld game;
    REQUIRE(game.load(kHonestSchema, kHonest) == "");
    constexpr std::size_t kShare = std::size_t{16} << 20U;
    game.limits.fuel_per_run = 400'000;
    game.limits.memory_soft = kShare / 4;
    const std::string wide =
        "{ 'text', 'string(1000)' }, { 'b', 'string(1000)' }, { 'c', 'string(1000)' }, { 'd', 'string(1000)' "
        "}";
    const std::string schema =
        "local ecs = require 'ecs' ecs.component('Wide', { " + wide +
        " }) ecs.component('Path', { kind = 'buffer', capacity = 4, { 'x', 'f32' }, { 'y', 'f32' } }) "
        "ecs.component('Note', { { 'text', 'text' } }) ecs.event('Cry', { " +
        wide + " })";
    const std::string main =
        "local ecs = require 'ecs' local C = ecs.components stash = { list = {}, "
        "wide = ecs.prefab('wide', { C.Wide }), all = ecs.query { read = { C.Position } } } "
        "stash.subtree = ecs.prefab('subtree', { C.Wide, children = { { stash.wide, name = 'a' } } }) "
        "for i = 1, 5000 do stash.list[i] = { x = i } end "
        "ecs.world:spawn(C.Position, C.Path, C.Wide) "
        "ecs.system('hostile', { query = { read = { C.Position }, write = { C.Path } }, "
        "access = { write = { C.Cry } }, run = function(chunk, ctx)\n" +
        body + "\nend })";
    REQUIRE(game.load(schema, main, "evil") == "");
    const std::size_t before = world_memory(game.world).sum();
    std::string errors;
    int steps = 0;
    for (; steps < 5000 && errors.empty(); ++steps) errors = game.step();
    CHECK(errors.find("system 'evil:hostile': ") != std::string::npos);
    const bool by_bytes = errors.find("this mod uses ") != std::string::npos &&
                          errors.find(" MB of its 16.0 MB of world memory") != std::string::npos;
    const bool by_count = errors.find(" of the 500000 live entities that it may") != std::string::npos;
    CHECK((by_bytes || by_count));
    CHECK(errors.find("honest") == std::string::npos);
    CHECK(world_memory(game.world).sum() <= before + kShare + (std::size_t{64} << 10U));
    // The others have room.
    CHECK(game.run("local ecs = require 'ecs' local C = ecs.components "
                   "for i = 1, 100000 do ecs.world:spawn(C.Position, C.Velocity) end") == "");
    CHECK(game.step() == "");
}

TEST_CASE("systems that grow the world without end stop at their quota") {
    for (const char* const body : kGrowingBodies) check_growing(body);
}

TEST_CASE("the line that requests too much of the world is named, and saving the file clears the charges") {
    ScriptWorld game;
    game.limits.memory_soft = std::size_t{2} << 20U;
    REQUIRE(game.load("require('ecs').component('Wide', { { 'text', 'string(1000)' } })",
                      "local ecs = require 'ecs' local C = ecs.components\n"
                      "ecs.system('floods', { run = function(_, ctx)\n"
                      "for i = 1, 5000 do ctx.commands:spawn(C.Wide) end end })") == "");
    CHECK(game.step() == "");
    const std::string refused = game.step();
    CHECK(refused.find("game/main.lua:3: system 'floods': commands:spawn: this mod uses ") == 0);
    CHECK(refused.find(" MB of its 8.0 MB of world memory, and there is no room for more chunks") !=
          std::string::npos);
    CHECK(game.step() == "");
    CHECK(game.world.entity_count() == 5000);
    CHECK(game.runtime->reload("game").is_ok());
    CHECK(game.step() == "");
    CHECK(game.world.entity_count() == 10000);
}

TEST_CASE("a mod that creates too much while it loads does not load") {
    ScriptWorld game;
    game.limits.memory_soft = std::size_t{2} << 20U;
    const std::string errors =
        game.load("require('ecs').component('Wide', { { 'text', 'string(1000)' } })",
                  "local ecs = require 'ecs'\nwhile true do ecs.world:spawn(ecs.components.Wide) end");
    CHECK(errors.find("game/main.lua:2: ecs.world:spawn: this mod uses ") == 0);
}

TEST_CASE("a mod that creates and destroys for ever stays within its quota") {
    ScriptWorld game;
    game.limits.memory_soft = std::size_t{2} << 20U;
    REQUIRE(
        game.load("require('ecs').component('Wide', { { 'text', 'text' }, { 'more', 'string(100)' } })",
                  "local ecs = require 'ecs' local C, n = ecs.components, 0\n"
                  "local P = ecs.prefab('P', { C.Wide })\n"
                  "ecs.system('makes', { run = function(_, ctx) n = n + 1\n"
                  "ctx.commands:spawn_many(P, 1000, function(chunk) chunk.Wide.text[1] = 'a' .. n end) end })"
                  "ecs.system('ends', { query = { read = { C.Wide } }, run = function(chunk, ctx)\n"
                  "for i = 1, chunk.count do ctx.commands:destroy(chunk.entity[i]) end end })") == "");
    for (int i = 0; i < 200; ++i) REQUIRE(game.step() == "");
}

TEST_CASE("a mod cannot take all names of components and prefabs") {
    ScriptWorld game;
    const std::string types = game.load(
        "local ecs = require 'ecs' for i = 1, 5000 do ecs.event('E' .. i, { { 'x', 'f32' } }) end", "");
    CHECK(types.find("a mod may have 4096 components, resources and events; this one would have more") !=
          std::string::npos);
    ScriptWorld other;
    CHECK(other.load("", "local ecs = require 'ecs' for i = 1, 1e5 do ecs.prefab('P' .. i, {}) end")
              .find("a mod may have 10000 prefabs; this one would have more") != std::string::npos);
}

TEST_CASE("a well-behaved system passes the checks for hostile ones") {
    ScriptWorld game;
    REQUIRE(game.load(kHonestSchema, kHonest) == "");
    REQUIRE(game.load("require('ecs').event('Shout', { { 'loud', 'f32' } })",
                      hostile_main("chunk.Position.x[1] = 2 ctx:send(C.Shout { loud = 1 })"), "evil") == "");
    CHECK(game.step() == "");
    CHECK(game.world.entity_count() == 4);
}

TEST_CASE("random hostile systems beside a well-behaved one, for a given time", "[.long][hostile]") {
    const char* const wanted = std::getenv("PERIGEE_HOSTILE_MINUTES");
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::seconds(wanted != nullptr ? 30 * std::atoi(wanted) : 5);
    const char* const start = std::getenv("PERIGEE_HOSTILE_SEED");
    std::mt19937 random(start != nullptr ? static_cast<std::uint32_t>(std::atoll(start)) : 1);
    const auto any = [&](const auto& list) { return std::string(list[random() % list.size()]); };
    int rounds = 0;
    for (; std::chrono::steady_clock::now() < end; ++rounds) {
        std::string body;
        for (std::uint32_t i = random() % 3; i > 0; --i)
            body +=
                "pcall(function() " + (random() % 3 == 0 ? any(kFailing) : any(kHostileBodies)) + "\nend) ";
        const std::string last = random() % 3 == 0 ? any(kEndless) : any(kHostileBodies);
        body += "local function f() " + last + "\nend do " + any(kAround) + " end error('the end')";
        check_one(body);
    }
    CHECK(rounds > 0);
}

}  // namespace
}  // namespace perigee
