// What presentation systems do does not affect simulation, at any frame rate. And what is reported where they
// change variables that simulation reads. And presentation data, which they write.
#include "ecs/inspect/world_hash.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

constexpr char kTexts[] =
    "local ecs = require 'ecs'\n"
    "ecs.component('Name', { { 'text', 'text' }, { 'image', 'asset' } })\n";

// What simulation logs in some steps, with so many pictures after each. `shared` runs as the file loads.
std::vector<std::string> log_of(const std::string& shared, const std::string& simulation,
                                const std::string& presentation, int pictures) {
    ScriptWorld game;
    game.sources.push_back(std::make_unique<MemorySource>(MemorySource::Files{
        {"schema.lua", kTexts},
        {"late.lua", "print('late', math.random()) return { value = math.random() }"},
        {"main.lua", "local ecs = require 'ecs'\nlocal C = ecs.components\n" + shared +
                         "\necs.system('simulates', { run = function(_, ctx)\n" + simulation +
                         "\nend })\necs.system('shows', { group = 'presentation', run = function(_, ctx)\n" +
                         presentation + "\nend })"}}));
    ModConfig config;
    config.files = game.sources.back().get();
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    for (int step = 0; step < 6; ++step) {
        for (const std::string_view group : {kInitialization, kSimulation})
            REQUIRE(game.schedule.run_group(group, game.time).ok());
        ++game.time.tick;
        for (int i = 0; i < pictures; ++i) REQUIRE(game.schedule.run_group(kPresentation, game.time).ok());
    }
    const auto& errors = game.runtime->recent_errors();
    CHECK(ScriptWorld::text_of({errors.begin(), errors.end()}) == "");
    return game.log;
}

struct CheckedWorld : ScriptWorld {
    CheckedWorld() {
        runtime.reset();
        ScriptRuntimeConfig config;
        config.seed = 1;
        config.puts_off_by_clock = false;
        config.checks_presentation = true;
        runtime = std::make_unique<ScriptRuntime>(world, schedule, std::move(config));
    }
};

// What the steps of a game report.
std::string reports_of(const std::string& main, int steps = 3) {
    CheckedWorld game;
    REQUIRE(game.load("", "local ecs = require 'ecs'\n" + main) == "");
    std::string reports;
    for (int i = 0; i < steps; ++i) {
        const std::string report = game.step();
        reports += report.empty() ? "" : report + "\n";
    }
    return reports;
}

std::string change_of(const std::string& what, const std::string& reader = "system 'move'") {
    return what + " was changed by presentation system 'hud', and simulation " + reader +
           " reads it: the frame rate changes the game\n";
}

}  // namespace

TEST_CASE("simulation is the same at any frame rate, whatever presentation does") {
    struct Program {
        const char* shared;
        const char* simulation;
        const char* presentation;
    };
    const Program programs[] = {
        {"", "print(math.random(), math.random(6), ctx.random:unit())",
         "math.random() math.random(3) ctx.random:unit()"},
        {"", "print(math.random())", "math.randomseed(5)"},
        {"", "print({}, function() end)", "tostring({}) tostring(print) string.format('%s', {})"},
        {"local shared = {}", "if ctx.tick > 2 then print({}, shared) end", "tostring(shared) tostring({})"},
        {"local t = { a = 1, c = 3, e = 5 } local at",
         "if ctx.tick == 2 then t.b = 2 end at = next(t, at) print(at)",
         "local k repeat k = next(t, k) until k == 'c' or k == nil"},
        {"", "if ctx.tick > 2 then print(require('late').value) end print(math.random())",
         "assert(pcall(require, 'late') == (ctx.tick > 3))"},
        {"", "print(pcall(require, 'none'))", "pcall(require, 'none')"},
        {"local co = coroutine.wrap(function() while true do coroutine.yield(math.random()) end end)",
         "print(co())", "coroutine.wrap(function() math.random() end)()"},
        {"", "print(#ecs.components.Name {}.text)",
         "assert(not pcall(function() return C.Name { text = 'x' } end))\n"
         "assert(not pcall(function() return C.Name { image = 'assets/y.png' } end))"},
    };
    for (const Program& program : programs) {
        CAPTURE(program.simulation, program.presentation);
        const std::string simulation = program.simulation;
        const bool asks_text = simulation.find(".text") != std::string::npos;
        const std::string code = asks_text ? "print(ctx.tick)" : simulation;
        const std::vector<std::string> none = log_of(program.shared, code, program.presentation, 0);
        CHECK(none.size() >= 3);
        for (const int pictures : {1, 3})
            CHECK(log_of(program.shared, code, program.presentation, pictures) == none);
    }
}

TEST_CASE("objects printed only by presentation are numbered separately") {
    ScriptWorld game;
    REQUIRE(
        game.load("",
                  "local ecs = require 'ecs'\nlocal a, b = {}, {}\n"
                  "ecs.system('s', { run = function() print(a) end })\n"
                  "ecs.system('p', { group = 'presentation', run = function() print(a, b, {}, b) end })") ==
        "");
    REQUIRE(game.step() == "");
    CHECK(game.log == std::vector<std::string>{"table: 1", "table: 1\ttable: p1\ttable: p2\ttable: p1"});
}

TEST_CASE("a presentation system is not the first to load a file") {
    ScriptWorld game;
    game.sources.push_back(std::make_unique<MemorySource>(
        MemorySource::Files{{"early.lua", "return 1"},
                            {"late.lua", "return 2"},
                            {"main.lua",
                             "local ecs = require 'ecs'\nrequire 'early'\n"
                             "ecs.system('p', { group = 'presentation', run = function()\n"
                             "  assert(require('early') == 1) require('ecs')\n  require 'late'\nend })"}}));
    ModConfig config;
    config.files = game.sources.back().get();
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    CHECK_THAT(
        game.step(),
        Contains("main.lua:5: ") &&
            Contains("file 'game/late.lua' is not loaded yet, and a presentation system may not be the "
                     "first to load it: require it where main.lua runs"));
}

TEST_CASE("a presentation system creates no texts or assets in the world") {
    const auto error_of = [](const std::string& value) {
        ScriptWorld game;
        REQUIRE(game.load(kTexts,
                          "local ecs = require 'ecs'\nlocal C = ecs.components\n"
                          "ecs.system('p', { group = 'presentation', run = function() return C.Name { " +
                              value + " } end })") == "");
        return game.step();
    };
    CHECK_THAT(error_of("text = 'x'"),
               Contains("texts belong to the world, and a presentation system cannot create any"));
    CHECK_THAT(error_of("image = 'assets/new.png'"),
               Contains("a presentation system cannot write assets into values: they belong to the world"));
}

TEST_CASE("failing presentation systems do not switch their mod off") {
    ScriptWorld game;
    REQUIRE(game.load("", "") == "");
    std::string main = "local ecs = require 'ecs'\necs.system('s', { run = function() end })\n";
    for (const char* const name : {"a", "b", "c", "d"})
        main += std::string("ecs.system('") + name +
                "', { group = 'presentation', run = function() error('no') end })\n";
    REQUIRE(game.load("", main, "mod") == "");
    CHECK_THAT(game.step(), Contains("no"));
    CHECK(game.runtime->switch_off_failing().empty());
}

TEST_CASE("a variable that presentation changes and simulation reads is reported once") {
    CHECK(
        reports_of("local score = 0\n"
                   "ecs.system('move', { run = function() local s = score end })\n"
                   "ecs.system('hud', { group = 'presentation', run = function() score = score + 1 end })") ==
        "game/main.lua: system 'hud': " + change_of("local 'score'"));
    CHECK_THAT(
        reports_of("total = 0\n"
                   "ecs.system('move', { run = function() local s = total end })\n"
                   "ecs.system('hud', { group = 'presentation', run = function() total = total + 1 end })"),
        Contains(change_of("global 'total'")));
}

TEST_CASE(
    "fields, lists, nested tables and metatables that presentation changes are reported by their paths") {
    const auto report = [](const std::string& variables, const std::string& simulation,
                           const std::string& hud) {
        return reports_of(variables + "\necs.system('move', { run = function(_, ctx) " + simulation +
                          " end })\necs.system('hud', { group = 'presentation', run = function(_, ctx) " +
                          hud + " end })");
    };
    CHECK_THAT(
        report("local state = { score = 0 }", "local s = state.score", "state.score = state.score + 1"),
        Contains(change_of("'state.score'")));
    CHECK_THAT(report("local state = { deep = { list = {} } }", "for i = 1, #state.deep.list do end",
                      "table.insert(state.deep.list, 1)"),
               Contains(change_of("'state.deep.list[1]'")));
    CHECK_THAT(
        report("local state = { a = 1 }", "for k in pairs(state) do end", "state[tostring(ctx.tick)] = 1"),
        Contains(change_of("'state[1]'")) || Contains(change_of("'state[\"1\"]'")) || Contains("'state["));
    CHECK_THAT(report("local state = { a = 1 }", "for k in pairs(state) do end", "state.a = nil"),
               Contains(change_of("'state.a'")));
    CHECK_THAT(
        report("local state = {}", "local s = state.x", "setmetatable(state, { __index = { x = 1 } })"),
        Contains(change_of("metatable of 'state'")));
    CHECK_THAT(
        report(
            "local co = coroutine.wrap(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end "
            "end)",
            "co()", "co()"),
        Contains(change_of("coroutine 'co'")));
    // Through functions, by alias, through methods.
    CHECK_THAT(report("local last = 0 local function next_id() last = last + 1 return last end", "next_id()",
                      "next_id()"),
               Contains(change_of("local 'last'")));
    CHECK_THAT(report("local state = { p = { x = 0 } }", "local p = state.p local x = p.x",
                      "local q = state.p q.x = q.x + 1"),
               Contains(change_of("'state.p.x'")));
    CHECK_THAT(report("local Unit = {} Unit.__index = Unit function Unit:look() return self.hp end\n"
                      "local unit = setmetatable({ hp = 1 }, Unit)",
                      "unit:look()", "unit.hp = unit.hp + 1"),
               Contains(change_of("'unit.hp'")));
    CHECK_THAT(report("local level local function start() level = { hp = 1 } end",
                      "if not level then start() end local h = level.hp", "level.hp = level.hp + 1"),
               Contains(change_of("'level.hp'")));
}

TEST_CASE("a sketch whose draw changes what update reads is reported") {
    CHECK_THAT(
        reports_of("local x = 0\nfunction update() x = x + 1 end\nfunction draw() x = x + 1 end"),
        Contains(
            "local 'x' was changed by presentation system 'draw', and simulation system 'update' reads it"));
}

TEST_CASE("variables that only presentation uses are not reported") {
    CHECK(reports_of("local page, state, ui = 1, { score = 0 }, { open = false, list = {} }\n"
                     "shown = 0\n"
                     "ecs.system('move', { run = function(_, ctx) state.score = state.score + 1 end })\n"
                     "ecs.system('hud', { group = 'presentation', run = function(_, ctx)\n"
                     "  page = page + state.score  shown = shown + 1  ui.open = not ui.open\n"
                     "  ui.list[#ui.list + 1] = state  state.shown_at = ctx.tick\n"
                     "  local text = tostring({}) .. math.random()\n"
                     "end })") == "");
    CHECK(reports_of("local M = { x = 0, shake = 0 }\n"
                     "function M.update() M.x = M.x + 1 end\n"
                     "function M.draw() M.shake = M.shake + math.random() end\n"
                     "ecs.system('move', { run = function() M.update() end })\n"
                     "ecs.system('hud', { group = 'presentation', run = function() M.draw() end })") == "");
}

// ---- presentation data: systems of `presentation` and draw() write it, the simulation does not see it ----

namespace {

constexpr const char* kSchema = R"(local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" } })
ecs.component("Glow", { { "strength", "f32", 0.5 }, presentation = true })
ecs.resource("Camera", { { "shake", "f32", 2 }, presentation = true })
)";

constexpr const char* kHead = "local ecs = require 'ecs'\nlocal C, world = ecs.components, ecs.world\n";

std::string error_of(const std::string& main) {
    ScriptWorld game;
    const std::string loaded = game.load(kSchema, kHead + main);
    return loaded.empty() ? game.step() : loaded;
}

std::string schema_error(const std::string& options) {
    ScriptWorld game;
    return game.load("local ecs = require 'ecs'\n" + options, "");
}

// A game whose frames write, with so many frames after each step: the hashes, and what the frames have
// written.
struct Shown {
    explicit Shown(int frames) {
        REQUIRE(game.load(kSchema, std::string(kHead) + R"(
local Spark = ecs.prefab("Spark", { C.Position, C.Glow { strength = 4 } })
ecs.system("spawn", { query = { write = { C.Position }, without = { C.Glow } }, run = function(chunk, ctx)
  for i = 1, chunk.count do
    chunk.Position.x[i] = chunk.Position.x[i] + 1
    ctx.commands:spawn(Spark, C.Position { x = ctx.random:unit() })
    if ctx.random:unit() < 0.2 then ctx.commands:add(chunk.entity[i], C.Glow { strength = 9 }) end
  end
end })
ecs.system("hit", { query = { read = { C.Position } }, run = function(chunk, ctx)
  for i = 1, chunk.count do
    if ctx.random:unit() < 0.1 then ctx.commands:set(chunk.entity[i], C.Glow { strength = 3 }) end
    if ctx.random:unit() < 0.1 then ctx.commands:remove(chunk.entity[i], C.Glow) end
  end
end })
ecs.system("fade", { group = "presentation", query = { write = { C.Glow }, read = { C.Position } },
  access = { write = { C.Camera } }, run = function(chunk, ctx)
    local glow, camera = chunk.Glow, ctx:resource(C.Camera)
    for i = 1, chunk.count do
      glow.strength[i] = glow.strength[i] * 0.9
      camera.shake = camera.shake + glow.strength[i]
    end
end })
ecs.system("look", { group = "presentation", after = "fade", access = { write = { C.Glow } },
  query = { read = { C.Position }, changed = { C.Glow } }, run = function(chunk, ctx)
    for i = 1, chunk.count do
      local glow = ctx:try_get(chunk.entity[i], C.Glow)
      if glow then glow.strength = glow.strength + 0.01 end
    end
end })
for i = 1, 3 do world:spawn(C.Position { x = i }) end)") == "");
        for (int step = 0; step < 20; ++step) {
            REQUIRE(game.schedule.run_step(game.time).ok());
            ++game.time.tick;
            for (int i = 0; i < frames; ++i) REQUIRE(game.schedule.run_group(kPresentation, game.time).ok());
            hashes.push_back(world_hash(game.world));
        }
        const auto& errors = game.runtime->recent_errors();
        CHECK(ScriptWorld::text_of({errors.begin(), errors.end()}) == "");
        REQUIRE(game.run("print(require('ecs').world:resource(require('ecs').components.Camera).shake)") ==
                "");
        shake = game.log.back();
    }
    ScriptWorld game;
    std::vector<std::uint64_t> hashes;
    std::string shake;
};

}  // namespace

TEST_CASE("[Q7] a Lua game has the same hashes with 0, 1 and 3 frames after each step, and frames do write") {
    const Shown none(0), one(1), three(3);
    CHECK(one.hashes == none.hashes);
    CHECK(three.hashes == none.hashes);
    CHECK(none.shake == "2");
    CHECK(one.shake != none.shake);
    CHECK(three.shake != one.shake);
}

TEST_CASE(
    "[Q7] in Lua the simulation neither reads nor writes presentation data, and does not see it change") {
    const std::string why = "'Glow' is presentation data, whose values depend on the frame rate";
    CHECK_THAT(error_of("ecs.system('s', { query = { read = { C.Glow } }, run = print })"),
               Contains("main.lua:3: system 's': " + why + ", but it is declared as read"));
    CHECK_THAT(error_of("ecs.system('s', { query = { write = { C.Glow } }, run = print })"),
               Contains(why + ", but it is declared as written"));
    CHECK_THAT(error_of("ecs.system('s', { query = { optional = { C.Glow } }, run = print })"),
               Contains(why));
    CHECK_THAT(error_of("ecs.system('s', { access = { read = { C.Camera } }, run = print })"),
               Contains("'Camera' is presentation data"));
    CHECK_THAT(error_of("ecs.system('s', { queries = { a = { read = { C.Glow } } }, run = print })"),
               Contains(why));
    CHECK_THAT(
        error_of("ecs.system('s', { query = { read = { C.Position }, changed = { C.Glow } }, run = print })"),
        Contains(why + ", but it is named in 'changed'"));
    CHECK_THAT(error_of("ecs.system('s', { exclusive = true, access = { read = { C.Glow } }, run = print })"),
               Contains(why));
    CHECK_THAT(error_of("ecs.query { read = { C.Position }, changed = { C.Glow } }"),
               Contains("main.lua:3: ecs.query: " + why + "; 'changed' and 'order_by' name it only"));
    CHECK_THAT(error_of("ecs.query { read = { C.Glow }, order_by = { C.Glow, 'strength' } }"), Contains(why));
    CHECK_THAT(error_of("ecs.on_changed(C.Glow, print)"),
               Contains("it is presentation data, whose values depend on the frame rate"));
    CHECK_THAT(error_of("ecs.on_added(C.Position, { access = { read = { C.Glow } } }, print)"),
               Contains(why));
    CHECK_THAT(error_of("world:spawn(C.Position)\n"
                        "ecs.system('s', { query = { read = { C.Position }, without = { C.Glow } },\n"
                        "  run = function(chunk) chunk:changed(C.Glow) end })"),
               Contains("chunk:changed: 'Glow' is not declared"));
    CHECK(error_of("ecs.on_added(C.Glow, print)\n"
                   "ecs.system('s', { queries = { a = { read = { C.Position }, without = { C.Glow } } }, run "
                   "= print })") == "");
}

TEST_CASE("[Q7] ecs.world shows presentation data outside of the simulation only") {
    const std::string why =
        "is presentation data, whose values depend on the frame rate; read it in a presentation "
        "system or in draw()";
    CHECK_THAT(error_of("local e = world:spawn(C.Glow)\nassert(world:get(e, C.Glow).strength == 0.5)\n"
                        "ecs.system('s', { exclusive = true, run = function() world:get(e, C.Glow) end })"),
               Contains("main.lua:5: system 's': ecs.world:get: 'Glow' " + why));
    CHECK_THAT(
        error_of("ecs.system('s', { exclusive = true, run = function() world:resource(C.Camera) end })"),
        Contains("ecs.world:resource: 'Camera' " + why));
    CHECK_THAT(error_of("local e = world:spawn(C.Glow)\nfunction update() world:get(e, C.Glow) end"),
               Contains("ecs.world:get: 'Glow' " + why));
    CHECK(error_of(
              "local e = world:spawn(C.Glow)\nfunction update() world:set(e, C.Glow { strength = 1 }) end") ==
          "");
}

TEST_CASE("[Q7] draw() of a sketch writes presentation data, and nothing else") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, std::string(kHead) + R"(
e = world:spawn(C.Position, C.Glow)
function update() end
function draw()
  world:get(e, C.Glow).strength = world:get(e, C.Glow).strength + 1
  world:resource(C.Camera).shake = 7
  if stray then world:get(e, C.Position).x = 1 end
end)") == "");
    const std::uint64_t hash = world_hash(game.world);
    CHECK(game.step() == "");
    CHECK(game.step() == "");
    CHECK(world_hash(game.world) == hash);
    CHECK(game.run("local ecs = require 'ecs' local C, world = ecs.components, ecs.world\n"
                   "assert(world:get(e, C.Glow).strength == 2.5 and world:resource(C.Camera).shake == 7)") ==
          "");
    CHECK(game.run("stray = true") == "");
    CHECK_THAT(game.step(), Contains("read-only"));
}

TEST_CASE("[Q7] mistakes with the option presentation name the component and the line") {
    CHECK_THAT(schema_error("ecs.component('A', { { 'x', 'f32' }, presentation = 1 })"),
               Contains("schema.lua:2: component 'A': expected true or false for 'presentation', got 1"));
    CHECK_THAT(schema_error("ecs.component('A', { { 'x', 'f32' }, kind = 'buffer', presentation = true })"),
               Contains("presentation makes no sense for kind 'buffer'"));
    CHECK_THAT(schema_error("ecs.component('A', { presentation = true })"),
               Contains("presentation makes no sense for kind 'tag'"));
    CHECK_THAT(schema_error("ecs.component('A', { { 'name', 'text' }, presentation = true })"),
               Contains("cannot have a field of type text"));
    CHECK_THAT(
        error_of(
            "ecs.system('s', { group = 'presentation', query = { write = { C.Position } }, run = print })"),
        Contains(
            "may not write 'Position'; move the writing to group 'simulation', or declare 'Position' with "
            "presentation = true if only the picture depends on it"));
}
