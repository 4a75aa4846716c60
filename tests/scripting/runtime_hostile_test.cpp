// Hostile systems beside an honest mod: each ends in an error of its system, leaves nothing behind, and the
// world goes on.
#include "scripting/runtime.h"
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

// On one line: what comes is line 2.
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

TEST_CASE("hostile systems fail in their own name, leave nothing behind, and the world goes on") {
    REQUIRE(kHostileBodies.size() >= 100);
    for (const char* const body : kHostileBodies) check_one(body);
}

TEST_CASE("what is hostile anywhere is so in systems") {
    for (std::size_t i = 0; i < kEndless.size(); i += 7) check_one("do " + std::string(kEndless[i]) + " end");
    for (std::size_t i = 0; i < kFailing.size(); i += 7) check_one("do " + std::string(kFailing[i]) + " end");
}

TEST_CASE("an honest system is no hostile one") {
    ScriptWorld game;
    REQUIRE(game.load(kHonestSchema, kHonest) == "");
    REQUIRE(game.load("require('ecs').event('Shout', { { 'loud', 'f32' } })",
                      hostile_main("chunk.Position.x[1] = 2 ctx:send(C.Shout { loud = 1 })"), "evil") == "");
    CHECK(game.step() == "");
    CHECK(game.world.entity_count() == 4);
}

TEST_CASE("random hostile systems beside an honest one, for as long as wanted", "[.long][hostile]") {
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
