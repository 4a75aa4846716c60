// Types, prefabs, queries and systems that running systems declare: scripts/runtime/systems/late.lua.
#include "ecs/inspect/world_hash.h"
#include "ecs/save/save_file.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule_state.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

constexpr const char* kSchema = R"(local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" } })
ecs.resource("Wave", { { "number", "i32" } })
)";

constexpr const char* kHead = "local ecs = require 'ecs'\nlocal C, world = ecs.components, ecs.world\n";

// The body of a system that runs once, in the first step, from line 4 on.
std::string once(const std::string& body) {
    return std::string(kHead) +
           "local done ecs.system('asks', { run = function(_, ctx) if done then return end done = true\n" +
           body + "\nend })\n";
}

struct Late : ScriptWorld {
    explicit Late(const std::string& main) { REQUIRE(load(kSchema, main) == ""); }
};

std::string error_of(const std::string& body) { return Late(once(body)).step(); }

TEST_CASE(
    "[C2] a system declares a component, a prefab, a query and a system, which work from the next step on") {
    Late game(std::string(kHead) + R"(
local Burning, Fire, burning, step = nil, nil, nil, 0
ecs.system("asks", { run = function(_, ctx)
  step = step + 1
  if step == 1 then
    Burning = ecs.component("Burning", { { "heat", "f32", 5 }, { "name", ecs.string(8), "fire" } })
    Hot = ecs.resource("Hot", { { "sum", "f32" } })
  elseif step == 2 then
    Fire = ecs.prefab("Fire", { C.Position, Burning { heat = 7 } })
    burning = ecs.query { read = { Burning } }
    ecs.system("burn", { query = { write = { C.Burning }, read = { C.Position } }, access = { write = { Hot } },
      run = function(chunk, ctx)
        for i = 1, chunk.count do
          chunk.Burning.heat[i] = chunk.Burning.heat[i] + 1
          ctx:resource(Hot).sum = ctx:resource(Hot).sum + chunk.Burning.heat[i]
        end
      end })
  elseif step == 3 then
    ctx.commands:spawn(Fire)
    ctx.commands:spawn(C.Position, Burning)
  elseif step == 6 then
    print(ctx:entity_count(burning), tostring(Burning), tostring(Fire))
    ctx.commands:destroy_all(burning)
  end
end }))");
    for (int i = 0; i < 6; ++i) REQUIRE(game.step() == "");
    CHECK(game.log == std::vector<std::string>{"2\tcomponent Burning\tprefab Fire"});
    CHECK(game.world.entity_count() == 0);
    CHECK(game.run("local ecs = require 'ecs' print(ecs.world:resource(Hot).sum, ecs.components.Burning { "
                   "heat = 1 } ~= nil)") == "");
    // "asks" runs before "burn": 8 + 6 + 9 + 7 in steps 4 and 5, 10 + 8 in step 6, whose commands come after
    // it.
    CHECK(game.log.back() == "48\ttrue");
}

TEST_CASE("[C2] a handle names nothing until the step has ended") {
    const std::string not_yet =
        ": it exists from the next step on, since a system declares it; it never does if the system or the "
        "declaration fails";
    const std::string burning = "local Burning = ecs.component('Burning', { { 'heat', 'f32' } })\n";
    for (const char* use :
         {"Burning { heat = 1 }", "ctx.commands:spawn(Burning)", "ctx:has(1, Burning)",
          "ctx:try_get(1, Burning)", "ctx.commands:add(1, Burning)", "ctx.commands:remove(1, Burning)"}) {
        CAPTURE(use);
        CHECK_THAT(error_of(burning + use),
                   Contains("main.lua:5: system 'asks': ecs.component 'Burning'" + not_yet));
    }
    CHECK_THAT(error_of("local Fire = ecs.prefab('Fire', { C.Position })\nctx.commands:spawn(Fire)"),
               Contains("main.lua:5: system 'asks': ecs.prefab 'Fire'" + not_yet));
    CHECK_THAT(error_of("local all = ecs.query { read = { C.Position } }\nctx.commands:destroy_all(all)"),
               Contains("main.lua:5: system 'asks': ecs.query" + not_yet));
    CHECK_THAT(error_of("ecs.component('Burning', { { 'heat', 'f32' } })\nlocal _ = C.Burning"),
               Contains("unknown component 'Burning'"));
    // What is declared in one step can be named there, since all is declared in order.
    CHECK_THAT(error_of(burning + "ecs.prefab('Fire', { Burning })"), Equals(""));
    Late game(once(burning + "kept = Burning error 'no'"));
    CHECK_THAT(game.step(), Contains("main.lua:5: system 'asks': no"));
    CHECK_THAT(game.run("kept {}"), Contains(not_yet));
    CHECK_THAT(game.run("print(require('ecs').components.Burning)"), Contains("unknown component"));
    CHECK(game.run("assert(tostring(kept) == 'component of a later step')") == "");
}

TEST_CASE("[C2] errors of a declaration are those of the system, at its line, and nothing is half declared") {
    CHECK_THAT(error_of("\necs.component('Position', { { 'x', 'f32' } })"),
               Contains("main.lua:5:") &&
                   Contains("component 'Position' is declared twice, first at game/schema.lua:2"));
    CHECK_THAT(error_of("ecs.component('A', { { 'x', 'f23' } })"),
               Contains("main.lua:4:") && Contains("component 'A', field 'x'") && Contains("f23"));
    CHECK_THAT(error_of("ecs.component('other:A', { { 'x', 'f32' } })"), Contains("a name holds no ':'"));
    CHECK_THAT(error_of("ecs.system('asks', { run = print })"),
               Contains("main.lua:4: system 'asks': system 'asks'"));
    CHECK_THAT(error_of("ecs.system('a', { after = 'nobody', run = print })"),
               Contains("main.lua:4: system 'asks'") && Contains("nobody"));
    CHECK_THAT(error_of("ecs.prefab('P', { 5 })"),
               Contains("main.lua:4: system 'asks': prefab 'P', entry 1"));
    CHECK_THAT(error_of("ecs.query { raed = { C.Position } }"),
               Contains("main.lua:4: system 'asks': ecs.query") && Contains("raed"));
    CHECK_THAT(error_of("ecs.group('g', {})"),
               Contains("declare it while the file is loaded, not inside a system"));
    Late game(
        once("ecs.component('A', { { 'x', 'f32' } })\necs.system('b', { query = { read = { C.Nope } }, run = "
             "print })"));
    CHECK_THAT(game.step(), Contains("main.lua:5:") && Contains("unknown component 'Nope'"));
    CHECK(!game.world.registry().find("A"));  // the system failed while it ran
    Late twice(
        once("ecs.system('b', { run = print })\necs.system('b', { run = print })\necs.component('A', { { "
             "'x', 'f32' } })"));
    CHECK_THAT(twice.step(), Contains("main.lua:5: system 'asks'") && Contains("'b'"));
    CHECK(twice.schedule.find("b").has_value());
    CHECK(!twice.world.registry().find("A"));
    CHECK(twice.schedule.status(*twice.schedule.find("asks")).is_suspended);
    for (int i = 0; i < 2; ++i) CHECK(twice.step() == "");
}

TEST_CASE("[C2] presentation, draw() and run_if declare nothing") {
    Late game(std::string(kHead) + R"(
ecs.system("p", { group = "presentation", run = function() ecs.component("A", { { "x", "f32" } }) end })
ecs.system("r", { run_if = function() ecs.query { read = { C.Position } } return true end, run = print }))");
    const std::string errors = game.step();
    CHECK_THAT(errors, Contains("ecs.component: declare it while the file is loaded, not inside a system"));
    CHECK_THAT(errors, Contains("run_if decides whether a system runs and declares nothing; do it in 'run'"));
    Late sketch(std::string(kHead) + R"(
function update() end
function draw() ecs.component("B", { { "x", "f32" } }) end)");
    CHECK_THAT(sketch.step(), Contains("ecs.component: declare it while the file is loaded"));
}

TEST_CASE("[C2] update() of a sketch, reactions, exclusive systems and on_create declare too") {
    Late game(std::string(kHead) + R"(
local n, ex, re = 0, 0, 0
function update()
  n = n + 1
  if n == 1 then ecs.component("FromSketch", { { "x", "f32" } }) end
end
ecs.on_added(C.Position, function(_, ctx)
  re = re + 1
  if re == 1 then ecs.component("FromReaction", { { "x", "f32" } }) end
end)
ecs.system("ex", { exclusive = true, run = function()
  ex = ex + 1
  if ex == 1 then ecs.component("FromExclusive", { { "x", "f32" } }) world:spawn(C.Position) end
end })
ecs.system("made", { on_create = function() ecs.component("FromCreation", { { "x", "f32" } }) end, run = function() end }))");
    for (int i = 0; i < 2; ++i) REQUIRE(game.step() == "");
    for (const char* name : {"FromSketch", "FromReaction", "FromExclusive", "FromCreation"}) {
        CAPTURE(name);
        CHECK(game.world.registry().find(name).has_value());
    }
}

TEST_CASE("[C2] what on_create asks for is not declared if the mod then fails to load") {
    ScriptWorld game;
    CHECK_THAT(game.load(kSchema, std::string(kHead) + R"(
ecs.system("made", { run = function() end, on_create = function()
  ecs.component("Ghost", { { "x", "f32" } })
  ecs.system("ghost", { run = function() print "ghost" end })
end })
error "stop")"),
               Contains("stop"));
    for (int i = 0; i < 2; ++i) CHECK(game.step() == "");
    CHECK(!game.world.registry().find("Ghost"));
    CHECK(!game.schedule.find("ghost"));
    CHECK(game.log.empty());
}

TEST_CASE("[C2] declarations of several mods happen in the order of their systems, in every run") {
    std::vector<std::string> logs;
    for (int run = 0; run < 2; ++run) {
        ScriptWorld game;
        const auto mod = [](const std::string& word) {
            return "local ecs = require 'ecs'\nlocal done\necs.system('s', { run = function() if done then "
                   "return end done = true\n"
                   "ecs.component('" +
                   word +
                   "', { { 'x', 'f32' } })\n"
                   "ecs.system('" +
                   word + "', { run = function() print('" + word + "') end }) end })";
        };
        REQUIRE(game.load_all({{"game", mod("A")}, {"mod", mod("B")}, {"add", mod("C")}}) == "");
        for (int i = 0; i < 2; ++i) REQUIRE(game.step() == "");
        std::string text;
        for (std::uint16_t i = 0; i < game.world.registry().size(); ++i)
            text += game.world.registry().info(ComponentId{i}).schema.name + " ";
        for (const std::string& line : game.log) text += line + " ";
        logs.push_back(text);
    }
    CHECK_THAT(logs[0], Contains("add:C") && Contains("mod:B"));
    CHECK(logs[0] == logs[1]);
}

// Declares in step 4, by what the world says.
constexpr const char* kStory = R"(
ecs.system("teller", { access = { write = { C.Wave } }, run = function(_, ctx)
  local wave = ctx:resource(C.Wave)
  wave.number = wave.number + 1
  ctx.commands:spawn(C.Position { x = ctx.random:unit() })
  if wave.number == 4 then
    local Boss = ecs.component("Boss", { { "life", "f32", 50 } })
    ecs.prefab("Big", { C.Position, Boss, { Boss, life = 70 } })
    ecs.system("boss", { query = { write = { Boss } }, access = { read = { C.Wave } },
      on_create = function(ctx) ctx.commands:spawn(C.Position { x = 77 }) end,
      run = function(chunk, ctx)
        for i = 1, chunk.count do chunk.Boss.life[i] = chunk.Boss.life[i] - ctx.random:unit() end
      end })
  end
  if wave.number > 4 then ctx.commands:spawn(C.Boss { life = wave.number }) end
end }))";

TEST_CASE("[C2] a Lua game that goes back before a declaration goes on as it did the first time") {
    const std::string body = kStory;
    Late game(std::string(kHead) + body);
    std::map<std::uint64_t, std::uint64_t> hashes;
    std::vector<WorldSnapshot> snapshots;
    std::vector<ScheduleState> states;
    for (int i = 0; i < 10; ++i) {
        hashes[game.time.tick] = world_hash(game.world);
        snapshots.push_back(take_snapshot(game.world).value());
        states.push_back(game.schedule.state());
        REQUIRE(game.step() == "");
    }
    for (const std::size_t to : {2u, 7u, 0u, 4u, 3u, 1u}) {
        restore_snapshot(game.world, snapshots[to]).value();
        game.schedule.restore(states[to]);
        game.time.tick = to;
        for (std::uint64_t tick = to; tick < 10; ++tick) {
            CAPTURE(to, tick);
            REQUIRE(world_hash(game.world) == hashes[tick]);
            REQUIRE(game.step() == "");
        }
    }
    // Another game of the same code, loaded, declares what is missing as its own code says.
    const std::string bytes = world_to_bytes(game.world, {.schedule = &game.schedule}).value();
    Late other(std::string(kHead) + body);
    world_from_bytes(other.world, bytes, {.schedule = &other.schedule}).value();
    CHECK(world_hash(other.world) == world_hash(game.world));
}

TEST_CASE("[C2] after a reload a system that a system declared is gone until it is declared again") {
    ScriptWorld game;
    const std::string main = std::string(kHead) + R"(
ecs.system("asks", { access = { read = { C.Wave } }, run = function(_, ctx)
  if not pcall(ctx.system_state, ctx, "late") then
    Late = ecs.component("Late", { { "x", "f32" } })
    LatePrefab = ecs.prefab("LatePrefab", { C.Position, Late })
    ecs.system("late", { run = function() print("WORD") end })
  end
end }))";
    const auto with = [&](const std::string& word) {
        std::string text = main;
        text.replace(text.find("WORD"), 4, word);
        return text;
    };
    EditedFiles files;
    files["schema.lua"] = kSchema;
    files["main.lua"] = with("one");
    ModConfig config;
    config.files = &files;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    for (int i = 0; i < 2; ++i) REQUIRE(game.step() == "");
    CHECK(game.log == std::vector<std::string>{"one"});
    files["main.lua"] = with("two");
    CHECK(ScriptWorld::text_of(game.runtime->reload("game").errors) == "");
    CHECK(!game.schedule.find("late"));
    for (int i = 0; i < 2; ++i) REQUIRE(game.step() == "");
    CHECK(game.log == std::vector<std::string>{"one", "two"});
}

TEST_CASE("[C2] what on_create asked for is dropped without an error if the mod restarts before the step") {
    ScriptWorld game;
    EditedFiles files;
    files["schema.lua"] = kSchema;
    files["main.lua"] = std::string(kHead) + R"(
ecs.system("made", { run = function() end, on_create = function()
  ecs.system("late", { run = function() print "late" end })
end }))";
    ModConfig config;
    config.files = &files;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    REQUIRE(ScriptWorld::text_of(game.runtime->restart("game").errors) == "");
    for (int i = 0; i < 2; ++i) CHECK(game.step() == "");
    CHECK(!game.schedule.find("late"));
    CHECK(game.log.empty());
}

TEST_CASE("[C2] a mod's limits hold for what its systems declare") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, std::string(kHead) + R"(
local n = 0
ecs.system("asks", { run = function() for i = 1, 400 do n = n + 1 ecs.component("T" .. n, { { "x", "f32" } }) end end }))") ==
            "");
    std::string error;
    for (int i = 0; i < 40 && error.empty(); ++i) error = game.step();
    CHECK_THAT(error,
               Contains("main.lua:5: system 'asks': a mod may have 4096 components, resources and events"));
}

}  // namespace
}  // namespace perigee
