// What presentation systems do does not affect simulation, at any frame rate. And what is reported where they
// change variables that simulation reads.
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

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
