// Tests that pass, tests that fail, what each says, and the pages and games that have tests.
#include "game/testing/run_tests.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace perigee;
using Catch::Matchers::Contains;
using test::bytes_of;
using test::ProgramRun;
using test::quoted;
using test::run_program;
using test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

void write_game(const TemporaryFolder& folder) {
    folder.write("mod.json", R"({"id": "demo", "width": 64, "height": 32})");
    folder.write("schema.lua", R"(local ecs = require "ecs"
        ecs.component("Stone", { { "y", "f32" }, { "at", "vec2" }, { "names", ecs.array("text", 2) } })
        ecs.component("Trail", { kind = "buffer", { "y", "f32" } })
        ecs.component("Mark", { kind = "tag" })
        ecs.resource("Clock", { { "pressed", "u32" }, { "mouse", "f32" }, { "wheel", "f32" },
          { "line", "text" } }))");
    folder.write("main.lua", R"(local ecs, gfx, input = require "ecs", require "gfx", require "input"
        local C = ecs.components
        input.action("hold", { keys = { "space" } })
        ecs.world:spawn(C.Stone { names = { "a", "b" } }, C.Trail { { y = 1 }, { y = 2 } })
        ecs.world:spawn(C.Stone, C.Mark)
        ecs.system("fall", { query = { write = { C.Stone } }, run = function(chunk, ctx)
          for i = 1, chunk.count do chunk.Stone.y[i] = chunk.Stone.y[i] + ctx.random:range(1, 1.5) end
        end })
        ecs.system("hold", { access = { write = { C.Clock } }, run = function(_, ctx)
          local clock = ctx:resource(C.Clock)
          if input.down("hold") then clock.pressed = clock.pressed + 1 end
          clock.mouse = input.mouse()
          clock.wheel = clock.wheel + input.wheel()
          for _, event in ipairs(input.events()) do
            if event.type == "text" then clock.line = clock.line .. event.text end
            if event.type == "down" and event.control == "backspace" then clock.line = clock.line:sub(1, -2) end
            if event.type == "down" and event.is_repeat then clock.line = clock.line .. "+" end
          end
          if clock.pressed > 90 then error("pressed too long") end
        end })
        ecs.system("show", { group = "presentation", query = { read = { C.Stone } }, run = function(chunk)
          gfx.rectangle("fill", 0, 0, chunk.Stone.y[1], 5, "red")
        end }))");
}

constexpr char kHead[] = "local t = require 'test' local C = t.components\n";

// Of one test in line 2 and after.
ProgramRun run_test(const TemporaryFolder& folder, const std::string& body, const std::string& words = "") {
    folder.write("tests/a.lua", kHead + std::string("t.it('works', function() ") + body + " end)");
    return run_program("test " + quoted(folder.path()) + " " + words);
}

void passes(const TemporaryFolder& folder, const std::string& body, const std::string& words = "") {
    const ProgramRun run = run_test(folder, body, words);
    INFO(body << "\n" << run.out << run.err);
    CHECK(run.status == 0);
    CHECK(run.out == "ok   demo: tests/a.lua: works\n1 passed, 0 failed\n");
}

void fails(const TemporaryFolder& folder, const std::string& body, const std::string& message) {
    const ProgramRun run = run_test(folder, body);
    INFO(body);
    CHECK(run.status == 1);
    CHECK_THAT(run.out, Contains("FAIL demo: tests/a.lua: works\n  " +
                                 (folder.path() / "tests/a.lua").string() + ":2: " + message));
    CHECK_THAT(run.out, Contains("0 passed, 1 failed\n"));
}

}  // namespace

TEST_CASE("values that differ are reported") {
    const TemporaryFolder folder;
    write_game(folder);
    passes(folder, "t.equal({ a = { 1, 2 } }, { a = { 1, 2 } }) t.equal(0/0, 0/0) t.equal('a', 'a')");
    fails(folder, "t.equal(1, 2)", "expected 2, got 1\n");
    fails(folder, "t.equal({ a = 1, 'x' }, { a = 2, 'x' }, 'it')",
          "it: expected { \"x\", a = 2 }, got { \"x\", a = 1 }\n");
    fails(folder, "t.equal({ 1 }, {})", "expected {}, got { 1 }\n");
    fails(folder, "t.equal({}, { 1 })", "expected { 1 }, got {}\n");
    passes(folder, "t.near({ 1.01, 2 }, { 1, 2 }, 0.1)");
    fails(folder, "t.near(1.2, 1, 0.1)", "expected 1 within 0.1, got 1.2\n");
    passes(folder, "t.equal(t.errors(function() error('oh no', 0) end, 'no'), 'oh no')");
    fails(folder, "t.errors(function() end)", "expected an error, and there was none\n");
    fails(folder, "t.errors(function() error('x', 0) end, 'y')", "expected an error with \"y\", got \"x\"\n");
    fails(folder, "error 'plain'", "plain\n");
    fails(folder, "t.eqal(1, 1)",
          "test has no entry \"eqal\"; there are compiled, components, describe, equal");
    fails(folder, "t.x = 1", "test cannot be changed\n");
    fails(folder, "t.it(1)", "t.it: expected a name and a function\n");
    fails(folder, "t.describe(1)", "t.describe: expected a name and a function\n");
}

TEST_CASE("a test steps a game, reads it and gives it input") {
    const TemporaryFolder folder;
    write_game(folder);
    passes(folder,
           "local game = t.game() t.equal(game:count(C.Stone), 2) t.equal(game:count('Stone', C.Mark), 1)");
    passes(folder, R"(local game = t.game { seed = 3 }
        local stone = game:find { C.Stone, C.Trail }[1]
        t.equal(game:get(stone, C.Stone), { y = 0, at = { x = 0, y = 0 }, names = { 'a', 'b' } })
        t.equal(game:get(stone, C.Trail), { { y = 1 }, { y = 2 } })
        t.equal(game:get(stone, C.Mark), nil)
        t.equal(game:get(game:find(C.Mark)[1], C.Mark), true)
        t.equal(game:get(12345, C.Stone), nil)
        game:step(60)
        t.near(game:get(stone, C.Stone).y, 75, 10))");
    passes(folder, R"(local game = t.game()
        local function pressed() return game:resource(C.Clock).pressed end
        game:press('hold') game:step(3) t.equal(pressed(), 3)
        game:release('hold') game:step(3) t.equal(pressed(), 3)
        game:tap('space') t.equal(pressed(), 4) game:step() t.equal(pressed(), 4)
        game:press('pad_a') game:press('mouse_left') game:mouse(12, 3) game:step()
        t.equal(game:resource(C.Clock).mouse, 12)
        game:tap('mouse_wheel_up') game:press('mouse_wheel_up', 3) game:step(2)
        t.equal(game:resource(C.Clock).wheel, 4)
        game:tap('mouse_wheel_down') t.equal(game:resource(C.Clock).wheel, 3))");
    passes(folder, R"(local game = t.game()
        game:type('ab') game:press('backspace') game:type('c') game:step()
        t.equal(game:resource(C.Clock).line, 'ac')
        t.errors(function() game:type(5) end, 'game:type: expected a text, got 5'))");
    passes(folder, R"(local game = t.game()
        game:press('a') game:press('a') game:step() game:press('a') game:step()
        t.equal(game:resource(C.Clock).line, '++')
        game:release('a') game:press('a') game:press('pad_a') game:press('pad_a') game:step()
        t.equal(game:resource(C.Clock).line, '++'))");
    passes(folder, R"(local one, two, three = t.game { seed = 1 }, t.game { seed = 1 }, t.game { seed = 2 }
        one:step(30) two:step(10) two:step(20) three:step(30)
        t.equal(one:hash(), two:hash()) t.equal(#one:hash(), 16) t.equal(one:hash() == three:hash(), false))");
    passes(folder, R"(local game = t.game()
        game:run([[local ecs = require 'ecs' ecs.world:spawn(ecs.components.Mark)]])
        t.equal(game:count(C.Mark), 2) t.healthy(game))");
    passes(folder,
           "t.equal(tostring(C.Stone), 'component Stone') t.equal(t.errors(function() C.Stone = 1 end) ~= "
           "nil, true)");
}

TEST_CASE("a test sees that a game has quit, and no more steps run") {
    const TemporaryFolder folder;
    write_game(folder);
    passes(folder, R"(local game = t.game() game:step(2) t.equal(game:has_quit(), false)
        game:run('app.quit()') t.equal(game:has_quit(), true)
        local hash = game:hash() game:step(5) t.equal(game:hash(), hash))");
    fails(folder, "local game = t.game() game.has_quit()", "");
}

TEST_CASE("a failing script fails the test, unless the test allows errors") {
    const TemporaryFolder folder;
    write_game(folder);
    fails(folder, "local game = t.game() game:press('hold') game:step(100)",
          "in step 91: demo/main.lua:19: system 'hold': pressed too long\n");
    passes(folder, R"(local game = t.game { errors = true } game:press('hold') game:step(100)
        t.errors(function() t.healthy(game) end, "system 'hold' is suspended"))");
    fails(folder, "t.game():run('error [[no]]')", "demo/test:1: no\n");
    folder.write("main.lua", "error 'broken'");
    fails(folder, "t.game()", "demo/main.lua:1: broken\n");
    passes(folder, "t.game { errors = true }");
    fails(folder, "t.healthy(t.game { errors = true })", "demo/main.lua:1: broken\n");
}

TEST_CASE("a loop that is interpreted fails t.compiled, with its line") {
    const TemporaryFolder folder;
    write_game(folder);
    const std::string loops = R"(local game = t.game() game:step(30) t.compiled(game))";
    folder.write("main.lua",
                 "local ecs = require 'ecs'\necs.system('s', { run = function()\nlocal n = 0\n"
                 "for i = 1, 1000 do n = n + i end end })");
    passes(folder, loops);
    folder.write("main.lua",
                 "local ecs = require 'ecs'\necs.system('s', { run = function()\nlocal n = 0\n"
                 "for i = 1, 1000 do n = n + (function() return i end)() end end })");
    fails(folder, loops, "demo/main.lua:4, system 's': makes a function in the loop; make it outside\n");
}

TEST_CASE("a test sees what a game does on a screen that grows") {
    const TemporaryFolder folder;
    folder.write("mod.json", R"({"id": "demo", "width": 64, "height": 32, "fit": "expand"})");
    folder.write("schema.lua", "require('ecs').resource('Seen', { { 'size', 'text' } })");
    folder.write("main.lua", R"(
        local C, loaded = require('ecs').components, gfx.size()
        require('ecs').system('see', { access = { write = { C.Seen } }, run = function(_, ctx)
          local width, height = gfx.size()
          local x, y = gfx.to_world(input.mouse())
          ctx:resource(C.Seen).size = loaded .. ' ' .. width .. 'x' .. height .. ' ' .. x .. ',' .. y
        end })
        function draw() gfx.set_space 'screen' gfx.rectangle('fill', 0, 0, (gfx.size()) / 2, 4, 'red') end)");
    folder.write("tests/a.lua", R"(
        local t = require 'test'
        t.it('grows', function()
          local game = t.game()
          local function seen() return game:resource(t.components.Seen).size end
          game:mouse(32, 16) game:step() t.equal(seen(), '64 64x32 32,16')
          game:resize(100, 40) game:step() t.equal(seen(), '64 100x40 14,12')
          game:resize(64, 32) game:step() t.equal(seen(), '64 64x32 32,16')
          t.errors(function() game:resize(100) end, 'game:resize: expected a width and a height, whole numbers ' ..
            'from 16 to 8192, got 100 and nil')
        end))");
    const ProgramRun run = run_program("test " + quoted(folder.path()));
    CAPTURE(run.out, run.err);
    CHECK(run.status == 0);
}

TEST_CASE("wrong use of a game is reported at its line") {
    const TemporaryFolder folder;
    write_game(folder);
    fails(folder, "t.game():get(1, C.Stoned)", "unknown component 'Stoned'; did you mean 'Stone'?\n");
    fails(folder, "t.game():count(C.Stoned)", "unknown component 'Stoned'; did you mean 'Stone'?\n");
    fails(folder, "t.game():count(3)", "game:find: expected a component such as C.Enemy, got 3\n");
    fails(folder, "t.game():find {}", "game:find: expected components\n");
    fails(folder, "t.game():press('spice')", "'spice' is neither a control nor an action of the game");
    fails(folder, "t.game():resize(640, 480)",
          "game:resize: the screen of this game never changes; \"fit\": \"expand\" in its mod.json lets it");
    fails(folder, "t.game():step(-1)", "game:step: expected a number of steps, got -1\n");
    fails(folder, "t.game { sed = 1 }", "t.game: there is no option \"sed\"\n");
    fails(folder, "t.game { seed = 1.5 }", "t.game: expected a whole number for 'seed', got 1.5\n");
    fails(folder, "t.game():resource(C.Stone)", "");
    fails(folder, "t.golden_image('a', 3)",
          "t.golden_image: expected a picture from game:screenshot(), got 3\n");
    folder.write("tests/a.lua", std::string(kHead) +
                                    "local kept\nt.it('a', function() kept = t.game() end)\n"
                                    "t.it('b', function() kept:step() end)");
    CHECK_THAT(
        run_program("test " + quoted(folder.path())).out,
        Contains(":4: this game belongs to another test; each test starts its own\n1 passed, 1 failed"));
}

TEST_CASE("golden values and pictures are written with --update and compared without") {
    const TemporaryFolder folder;
    write_game(folder);
    const std::string body =
        "local game = t.game() game:step(20) t.golden('hash', game:hash()) "
        "t.golden('list', { 1, a = 2 }) t.golden_image('picture', game:screenshot())";
    fails(folder, body, "there is no tests/golden/hash.txt to compare with; --update writes it\n");
    passes(folder, body, "--update");
    passes(folder, body);
    CHECK(bytes_of(folder.path() / "tests/golden/list.txt") == "{ 1, a = 2 }\n");
    CHECK(bytes_of(folder.path() / "tests/golden/picture.png").substr(1, 3) == "PNG");
    folder.write("tests/golden/hash.txt", "0\n");
    fails(folder, body, "golden value 'hash': expected 0, got ");
    passes(folder, "local game = t.game() game:step(20) t.golden_image('picture', game:screenshot())");
    fails(folder, "local game = t.game() game:step(40) t.golden_image('picture', game:screenshot())",
          "golden picture 'picture.png' differs");
}

TEST_CASE("tests run in order of files and declarations, and are chosen by name") {
    const TemporaryFolder folder;
    write_game(folder);
    folder.write("tests/b.lua", std::string(kHead) +
                                    "t.describe('out', function() t.describe('in', function()\n"
                                    "t.it('one', function() end) end) t.it('two', function() end) end)");
    folder.write("tests/a.lua", std::string(kHead) + "t.it('z', function() end) t.it('y', print)");
    folder.write("tests/c.lua", "error 'no file of tests'");
    folder.write("tests/golden/d.lua", "error 'not looked at'");
    folder.write("mods/far/main.lua",
                 "local C = require('ecs').components require('ecs').world:spawn(C.Own)");
    folder.write("mods/far/schema.lua", "require('ecs').component('Own', { { 'x', 'f32', 7 } })");
    folder.write(
        "mods/far/tests/m.lua",
        std::string(kHead) +
            "t.it('m', function() local game = t.game()\n"
            "t.equal(game:get(game:find(C.Own)[1], C.Own).x, 7) t.equal(game:count(C.Stone), 2) end)");
    const std::string game = quoted(folder.path());
    const ProgramRun run = run_program("test " + game);
    CHECK(run.status == 1);
    CHECK(run.out ==
          "ok   demo: tests/a.lua: z\n  \nok   demo: tests/a.lua: y\n"
          "ok   demo: tests/b.lua: out › in › one\nok   demo: tests/b.lua: out › two\n"
          "FAIL demo: tests/c.lua\n  " +
              (folder.path() / "tests/c.lua").string() +
              ":1: no file of tests\nok   far: tests/m.lua: m\n5 passed, 1 failed\n");
    CHECK_THAT(run_program("test " + game + " --filter 'in ›'").out,
               Contains("ok   demo: tests/b.lua: out › in › one\n") && !Contains("two"));
}

TEST_CASE("it is a failure to have no tests, or no game") {
    const TemporaryFolder folder;
    write_game(folder);
    const ProgramRun none = run_program("test " + quoted(folder.path()));
    CHECK(none.status == 1);
    CHECK_THAT(none.err, Contains("has no tests; tests are in files tests/*.lua"));
    const ProgramRun unknown = run_program("test " + quoted(folder.path()) + " --filter no_such");
    CHECK(unknown.status == 1);
    CHECK_THAT(unknown.err, Contains("has no test whose name contains 'no_such'"));
    CHECK(run_program("test /nowhere").status == 1);
}

TEST_CASE("a test file runs in the sandbox") {
    const TemporaryFolder folder;
    write_game(folder);
    passes(folder, "t.equal(rawget(t, 'game'), nil) t.errors(function() return require('ecs') end)");
    passes(folder,
           "t.errors(function() return io.open end) t.errors(function() return require('debug') end)");
}

TEST_CASE("shipped games and those of perigee new pass their tests") {
    const fs::path scripts = fs::path(PERIGEE_SOURCE_DIR) / "scripts";
    for (const char* game : {"examples/breakout", "examples/mods", "examples/sand", "examples/stars",
                             "games/nova", "games/swarm"}) {
        const ProgramRun run = run_program("test " + quoted(scripts / game));
        INFO(game << "\n" << run.out << run.err);
        CHECK(run.status == 0);
    }
    const TemporaryFolder folder;
    REQUIRE(run_program("new " + quoted(folder.path() / "fresh")).status == 0);
    const ProgramRun fresh = run_program("test " + quoted(folder.path() / "fresh"));
    INFO(fresh.out);
    CHECK(fresh.status == 0);
    CHECK_THAT(fresh.out, Contains("2 passed, 0 failed"));
}

TEST_CASE("the tests in docs/testing.md pass") {
    const TemporaryFolder folder;
    std::istringstream page(bytes_of(PERIGEE_SOURCE_DIR "/docs/testing.md"));
    std::string file, text;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("```")) {
            if (!file.empty()) folder.write("mygame/" + file, text);
            const std::size_t space = line.find(' ');
            file = space == line.npos ? "" : line.substr(space + 1);
            text.clear();
        } else {
            text += line + "\n";
        }
    }
    const ProgramRun run = run_program("test " + quoted(folder.path() / "mygame") + " --update");
    CHECK(run.status == 0);
    CHECK_THAT(bytes_of(PERIGEE_SOURCE_DIR "/docs/testing.md"), Contains("--update\n" + run.out + "```\n"));
}

TEST_CASE("tests of zipped mods and games run like those in folders") {
    const TemporaryFolder folder;
    folder.write("game/main.lua", "");
    test::ZipWriter mod;
    mod.add("main.lua", "local ecs = require 'ecs' ecs.world:spawn()");
    mod.add("tests/lib/words.lua", "return { word = 'zipped' }");
    mod.add("tests/a.lua",
            "local t = require 'test' t.it('runs ' .. require('tests.lib.words').word, function() "
            "t.healthy(t.game()) t.golden('one', '1') end)\nt.it('fails', function() t.equal(1, 2) end)");
    mod.add("tests/golden/one.txt", "1\n");
    folder.write("game/mods/packed.zip", mod.finish());
    const ProgramRun run = run_program("test " + quoted(folder.path() / "game"));
    INFO(run.out << run.err);
    CHECK(run.status == 1);
    CHECK_THAT(run.out, Contains("ok   packed: tests/a.lua: runs zipped") &&
                            Contains("FAIL packed: tests/a.lua: fails") &&
                            Contains("packed.zip/tests/a.lua:2:"));
    const ProgramRun update = run_program("test " + quoted(folder.path() / "game") + " --update");
    CHECK_THAT(update.out, Contains("lies in an archive"));

    test::ZipWriter whole;
    whole.add("main.lua", "");
    whole.add("tests/a.lua", "local t = require 'test' t.it('starts', function() t.healthy(t.game()) end)");
    folder.write("whole.zip", whole.finish());
    const ProgramRun packed = run_program("test " + quoted(folder.path() / "whole.zip"));
    INFO(packed.out << packed.err);
    CHECK(packed.status == 0);
    CHECK_THAT(packed.out, Contains("1 passed"));
}
