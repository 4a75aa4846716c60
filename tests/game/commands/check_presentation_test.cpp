// What `perigee check` finds in the code of presentation systems, and what `perigee test` and a run report.
#include "game/commands/check.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;

namespace {

ProgramRun check_of(const std::string& main, const std::string& module = "return {}") {
    const test::TemporaryFolder folder;
    folder.write("lib.lua", module);
    folder.write("main.lua", "local ecs = require 'ecs'\nlocal lib = require 'lib'\n" + main);
    return run_program("check " + test::quoted(folder.path()));
}

std::string changed(const std::string& what, const std::string& by, const std::string& reader) {
    return what + " is changed by presentation " + by + ", and simulation " + reader +
           " reads it: the frame rate would change the game\n";
}

}  // namespace

TEST_CASE("check finds variables that presentation writes and simulation reads, with the line that writes") {
    const ProgramRun run = check_of(
        "local score, state = 0, { hp = 1, list = {} }\n"
        "total = 0\n"
        "ecs.system('move', { run = function()\n"
        "  local s, t, h, n = score, total, state.hp, #state.list\n"
        "end })\n"
        "ecs.system('hud', { group = 'presentation', run = function()\n"
        "  score = score + 1\n"
        "  total = 2\n"
        "  if false then state.hp = 3 end\n"
        "  table.insert(state.list, 1)\n"
        "end })\n");
    CAPTURE(run.out);
    CHECK(run.status == 1);
    CHECK_THAT(run.out,
               Contains("main.lua:9: warning: " + changed("local 'score'", "system 'hud'", "system 'move'")));
    CHECK_THAT(run.out, Contains("main.lua:10: warning: " +
                                 changed("global 'total'", "system 'hud'", "system 'move'")));
    CHECK_THAT(run.out,
               Contains("main.lua:11: warning: " + changed("'state.hp'", "system 'hud'", "system 'move'")));
    CHECK_THAT(run.out, Contains("main.lua:12: warning: " +
                                 changed("'state.list[…]'", "system 'hud'", "system 'move'")));
    CHECK_THAT(run.out, Contains("4 warnings"));
}

TEST_CASE("check follows calls, other files, aliases, methods and sketches") {
    const std::string counter =
        "local last, M = 0, { x = 0 }\nfunction M.next() last = last + 1 return last end\n"
        "function M.move() return M.x end\nfunction M.draw() M.x = 1 end\nreturn M";
    CHECK_THAT(
        check_of(
            "ecs.system('move', { run = function() lib.next() end })\n"
            "ecs.system('hud', { group = 'presentation', run = function() local f = lib.next f() end })\n",
            counter)
            .out,
        Contains("lib.lua:2: warning: " + changed("local 'last'", "system 'hud'", "system 'move'")));
    CHECK_THAT(check_of("ecs.system('move', { run = function() lib.move() end })\n"
                        "ecs.system('hud', { group = 'presentation', run = function() lib.draw() end })\n",
                        counter)
                   .out,
               Contains("lib.lua:4: warning: " + changed("'M.x'", "system 'hud'", "system 'move'")));
    CHECK_THAT(check_of("local x = 0\nfunction update() x = x + 1 end\nfunction draw() x = 0 end\n").out,
               Contains("main.lua:5: warning: " + changed("local 'x'", "system 'draw'", "system 'update'")));
    CHECK_THAT(
        check_of(
            "local Unit = {} Unit.__index = Unit\nlocal hits = 0\n"
            "function Unit:hit() hits = hits + 1 end\nlocal units = { setmetatable({}, Unit) }\n"
            "ecs.system('move', { run = function() for _, unit in ipairs(units) do unit:hit() end end })\n"
            "ecs.system('hud', { group = 'presentation', run = function()\n"
            "  for _, unit in ipairs(units) do unit:hit() end\nend })\n")
            .out,
        Contains("main.lua:5: warning: " + changed("local 'hits'", "system 'hud'", "system 'move'")));
}

TEST_CASE("check reports drawing that changes state, and variables that update changes outside of it") {
    CHECK_THAT(
        check_of("state.x = state.x or 0\nfunction draw() state.x = state.x + 1 end\n").out,
        Contains("main.lua:4: warning: " + changed("'state.x'", "system 'draw'", "system 'keep state'")));
    const auto note = [](const std::string& name) {
        return "note: '" + name +
               "' is reset when a file is saved, and is not in the world hash; keep it in the table 'state': "
               "state." +
               name + "\n";
    };
    const ProgramRun run = check_of(
        "local x, hero, seen = 0, { hp = 1 }, {}\n"
        "state.list, state.deep = state.list or {}, { {} }\n"
        "local list, deep = state.list, state.deep\n"
        "function update(dt)\n"
        "  x = x + dt\n"
        "  if x > 3 then hero.hp = hero.hp - 1 x = 0 end\n"
        "  local own = { n = 1 } own.n = own.n + x\n"
        "  list[#list + 1] = x deep[1].y = 2 state.score = 3\n"
        "  table.insert(list, own.n) count = 5\n"
        "end\n"
        "function draw() gfx.print(x .. #seen .. count, hero.hp, 1) seen[1] = 2 end\n");
    CAPTURE(run.out);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Contains("main.lua:7: " + note("x")));
    CHECK_THAT(run.out, Contains("main.lua:8: " + note("hero")));
    CHECK_THAT(run.out, Contains("main.lua:11: " + note("count")));
    CHECK_THAT(run.out, Contains("0 errors, 0 warnings, 3 notes"));
}

TEST_CASE("check follows tables into the functions that they are passed to, and into their methods") {
    const auto note = [](const std::string& place, const std::string& name) {
        return Contains(place + ": note: '" + name + "' keeps state outside of the world");
    };
    const ProgramRun run = check_of(
        "local passed, counter, deep, unused, list = {}, { n = 0 }, { part = {} }, {}, {}\n"
        "local function visit(t) t.n = (t.n or 0) + 1 end\n"
        "function counter:add() self.n = self.n + 1 end\n"
        "local function through(a, t) visit(t.part) end\n"
        "local function only_reads(t) return t.n end\n"
        "local function grow(t) table.insert(t, 1) return #t end\n"
        "local function forever(t) t.x = (t.x or 0) + 1 forever(t) end\n"
        "ecs.system('count', { run = function()\n"
        "  visit(passed) counter:add() through(1, deep) only_reads(unused) grow(list) visit({})\n"
        "end })\n");
    CAPTURE(run.out);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, note("main.lua:4", "passed"));
    CHECK_THAT(run.out, note("main.lua:5", "counter"));
    CHECK_THAT(run.out, note("main.lua:4", "deep"));
    CHECK_THAT(run.out, note("main.lua:8", "list"));
    CHECK_THAT(run.out, !Contains("unused"));
}

TEST_CASE(
    "check reports variables in which simulation systems keep state, each at the first line that writes") {
    const auto note = [](const std::string& place, const std::string& name) {
        return Contains(
            place + ": note: '" + name +
            "' keeps state outside of the world: a saved world and the world hash do not have it; "
            "keep it in a component or a resource\n");
    };
    const ProgramRun run = check_of(
        "local n, mode, seen, score, wait = 0, 'calm', {}, { points = 0 }, 0\n"
        "total = 0\n"
        "local function add(points) score.points = score.points + points end\n"
        "ecs.system('count', { run = function()\n"
        "  n = n + 1\n"
        "  if n > 3 then mode = 'angry' end\n"
        "  if mode == 'angry' then add(1) end\n"
        "  for i = 1, 3 do seen[i] = (seen[i] or 0) + 1 end\n"
        "  repeat wait = wait + 1 until wait > 3\n"
        "  total = lib.next() + total\n"
        "end })\n",
        "local last, M = 0, { t = 0 }\nfunction M.tick() M.t = M.t + 1 end\n"
        "function M.next() last = last + 1 M.tick() return last end\nreturn M");
    CAPTURE(run.out);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, note("main.lua:5", "score") && note("main.lua:7", "n") &&
                            note("main.lua:8", "mode") && note("main.lua:10", "seen") &&
                            note("main.lua:11", "wait") && note("main.lua:12", "total"));
    CHECK_THAT(run.out, note("lib.lua:3", "last") && note("lib.lua:2", "M"));
    CHECK_THAT(run.out, Contains("0 errors, 0 warnings, 8 notes"));
}

TEST_CASE("check does not take for state what a step sets before it reads it, or what only set-up changes") {
    const ProgramRun run = check_of(
        "local sum, list, limit, shown, starts, kept, sink = 0, {}, 10, 0, 0, { best = 0 }, {}\n"
        "largest = 0\n"
        "ecs.resource('Wave', { { 'number', 'u32' } })\n"
        "ecs.system('scratch', { access = { write = { ecs.components.Wave } }, on_start = function()\n"
        "  starts = starts + 1\n"
        "end, run = function(_, ctx)\n"
        "  sum, list = 0, {}\n"
        "  kept.best = 0\n"
        "  largest = 0\n"
        "  for i = 1, limit do\n"
        "    sum = sum + i\n"
        "    list[#list + 1] = sum\n"
        "    kept.best = math.max(kept.best, sum)\n"
        "    largest = math.max(largest, kept.best)\n"
        "  end\n"
        "  local own = { n = starts }\n"
        "  own.n = own.n + #list\n"
        "  sink.last = own.n\n"
        "  local wave = ctx:resource(ecs.components.Wave)\n"
        "  wave.number = wave.number + 1\n"
        "end })\n"
        "ecs.system('hud', { group = 'presentation', run = function() shown = shown + 1 end })\n");
    CAPTURE(run.out);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Contains("0 errors, 0 warnings, 0 notes"));
}

TEST_CASE("check does not report variables that only presentation uses") {
    const ProgramRun run = check_of(
        "local page, state = 1, { score = 0 }\nlocal M = { x = 0, shake = 0 }\n"
        "function M.update() M.x = M.x + 1 end\nfunction M.draw() M.shake = M.shake + 1 end\n"
        "ecs.system('move', { run = function() state.score = state.score + 1 M.update() end })\n"
        "ecs.system('hud', { group = 'presentation', run = function() page = page + state.score M.draw() end "
        "})\n");
    CAPTURE(run.out);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Contains("0 errors, 0 warnings"));
}

TEST_CASE(
    "a test fails, and a run with --check-presentation says so, when presentation changes the simulation") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", "local n = 0\nfunction update() n = n + 1 end\nfunction draw() n = n + 1 end\n");
    folder.write("tests/a.lua",
                 "local test = require 'test'\ntest.it('runs', function() local game = test.game() "
                 "game:step(3) end)\n");
    const std::string game = test::quoted(folder.path());
    const std::string message =
        "local 'n' was changed by presentation system 'draw', and simulation system 'update' reads it";
    const ProgramRun tested = run_program("test " + game);
    CAPTURE(tested.out, tested.err);
    CHECK(tested.status == 1);
    CHECK_THAT(tested.out, Contains(message));
    CHECK_THAT(run_program("run " + game + " --headless --frames 3 --check-presentation").err,
               Contains(message));
    CHECK_THAT(run_program("run " + game + " --headless --frames 3").err, !Contains(message));
}
