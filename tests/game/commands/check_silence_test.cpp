// Errors that are silent, or show only when their line runs: undefined names, functions that nothing calls,
// refused arguments, missing files. And correct code that looks like one of them.
#include "game/commands/check.h"
#include "tests/game/checked_game.h"
#include "tests/game/program.h"
#include "tests/support/markdown.h"
#include "tests/support/png_files.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

using Catch::Contains;
using perigee::test::findings_of;

namespace {

const std::string kGame = R"(local ecs = require "ecs"
local C = ecs.components
ecs.world:spawn(C.Position)
)";
const std::string kSchema = R"(local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" }, { "mood", ecs.enum { "calm", "angry" } } })
)";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string picture() {
    return perigee::test::png_file(2, 2, [](auto, auto) { return perigee::test::Rgba{255, 0, 0, 255}; });
}

// A system's run function in line 5 of main.lua.
std::string of_system(const std::string& line) {
    return findings_of(
        {{"schema.lua", kSchema},
         {"main.lua",
          kGame + "ecs.system('s', { query = { write = { C.Position } }, run = function(chunk, ctx)\n" +
              line + "\nchunk.Position.x[1] = 1 end })\n"}});
}

}  // namespace

TEST_CASE("thousands of misspelt components are each reported once, with few suggestions") {
    std::string schema = "local ecs = require 'ecs'\n", main = "local C = require('ecs').components\n";
    for (int i = 0; i < 1500; ++i)
        schema += "ecs.component('Aaaaaaaaaaaa" + std::to_string(i) + "', { { 'x', 'f32' } })\n";
    main += "function update()\n";
    for (int i = 0; i < 2000; ++i) main += "C.Aaaaaaaaaaab" + std::to_string(i) + "()\n";
    const std::vector<std::string> lines =
        lines_of(findings_of({{"schema.lua", schema}, {"main.lua", main + "end"}}));
    std::size_t unknown = 0, suggested = 0;
    for (const std::string& line : lines) {
        if (line.find("unknown component 'Aaaaaaaaaaab") != std::string::npos) ++unknown;
        if (line.find("did you mean") != std::string::npos) ++suggested;
    }
    CHECK(unknown == 2000);
    CHECK((suggested > 50 && suggested < 500));
}

TEST_CASE("named queries and questions about changes are correct code, and undeclared components are not") {
    const std::string schema = kSchema + "ecs.component('Speed', { { 'x', 'f32' } })\n";
    const auto findings = [&](const std::string& system) {
        return findings_of({{"schema.lua", schema},
                            {"main.lua", kGame + "ecs.world:spawn(C.Speed, C.Position)\n" + system}});
    };
    CHECK(findings(
              "ecs.system('s', { queries = { a = { write = { C.Position } }, b = { read = { C.Speed } } },\n"
              "run = function(_, ctx) for a in ctx.queries.a:chunks() do\n"
              "for b in ctx.queries.b:chunks() do a.Position.x[1] = b.Speed.x[1] end end end })") == "");
    const auto nested = [&](const std::string& body) {
        return findings(
            "ecs.system('s', { queries = { a = { write = { C.Position }, runs = true }, near = { read = "
            "{ C.Speed } } },\nrun = function(_, ctx) for a in ctx.queries.a:chunks() do\n"
            "a.Position.x[1] = 1 for b in ctx.queries.near:chunks() do\n" +
            body + "\nend end end })");
    };
    CHECK(nested("for first in a:runs() do a.Position.y[first] = b.Speed.x[b.count] end") == "");
    CHECK_THAT(nested("b.Speed.x[1] = 2"),
               Contains("main.lua:8: system 's': component 'Speed', field 'x' is read-only here"));
    CHECK_THAT(nested("return b.Position"),
               Contains("main.lua:8: system 's': chunk: 'Position' is not in its query"));
    CHECK_THAT(nested("return b.Spead"),
               Contains("main.lua:8: system 's': chunk: 'Spead' is not in its query; did you mean 'Speed'?"));
    CHECK_THAT(nested("return a.count"), Contains("main.lua:8: system 's': chunk.count"));
    CHECK_THAT(nested("return ctx.queries.neer"),
               Contains("main.lua:8: system 's': ctx.queries has no entry 'neer'; did you mean 'near'?"));
    CHECK_THAT(
        findings(
            "ecs.system('s', { queries = { a = { write = { C.Position } } },\n"
            "run = function(_, ctx) for a in ctx.queries.a:chunks() do print(a.Position.x[1]) end end })"),
        Contains("it declares 'Position' under write and never writes it"));
    const auto asks = [&](const std::string& query, const std::string& more) {
        return findings(
            "ecs.system('s', { query = { write = { C.Position }" + query + " }, " + more +
            "run = function(chunk)\n"
            "if chunk:changed(C.Speed) or chunk:changed() then chunk.Position.x[1] = 1 end end })");
    };
    CHECK(asks("", "access = { read = { C.Speed } }, ") == "");
    CHECK(asks(", changed = { C.Speed }", "") == "");
    CHECK_THAT(asks("", ""), Contains("main.lua:6: system 's': component 'Speed' is not declared"));
}

TEST_CASE("an undefined global is an error with the nearest name [N14]") {
    CHECK(findings_of("function update(dt)\n  if dt > 5 then\n    pritn('x')\n  end\nend") ==
          "main.lua:3: global 'pritn' is not defined; did you mean 'print'?\n");
    CHECK(findings_of("local score = 0\nfunction draw() gfx.print(scroe, 10, 10) end\nscore = 2") ==
          "main.lua:2: global 'scroe' is not defined; did you mean 'score'?\n");
    CHECK_THAT(
        findings_of("function update() local x = ecs.world end"),
        Contains("main.lua:1: global 'ecs' is not defined; the file needs local ecs = require \"ecs\""));
    CHECK_THAT(findings_of("function update() io.write('x') end"),
               Contains("global 'io' is not defined; scripts cannot access"));
    CHECK_THAT(findings_of({{"main.lua", "require 'lib.a' function update() helper() end"},
                            {"lib/a.lua", "function help() end help()"}}),
               Contains("main.lua:1: global 'helper' is not defined; did you mean 'help'?"));
    CHECK_THAT(findings_of({{"main.lua", "function draw() end"},
                            {"tests/a.lua", "local t = require 'test' t.it('x', function() shared() end)"}}),
               Contains("tests/a.lua:1: global 'shared' is not defined"));
}

TEST_CASE("a global that is set where a local was meant is an error [N14]") {
    CHECK(findings_of("local score = 0\nfunction update()\n  scor = score + 1\nend\nfunction draw() "
                      "gfx.print(score, 1, 1) end") ==
          "main.lua:3: global 'scor' is only used where it is set; did you mean 'score'?; make it local, or "
          "set it at "
          "the top of the file if others need it\n");
    CHECK_THAT(findings_of("function update()\n  speed = 5\n  print(speed)\nend"),
               Contains("main.lua:2: global 'speed' is only used where it is set; make it local"));
    CHECK_THAT(
        findings_of(
            "local lives = 3\nfunction update() live = 2 end\nfunction draw() print(live, lives) end"),
        Contains("main.lua:2: warning: global 'live' is only used where it is set; did you mean 'lives'?"));
}

TEST_CASE("intended globals are not reported [N14]") {
    for (const std::string game :
         {"x, y = 1, 2\nfunction update(dt) x = x + dt end\nfunction draw() gfx.circle('fill', x, y, 5) end",
          "function update(dt) over = dt > 1 end\nfunction draw() if over then gfx.print('over', 1, 1) end "
          "end",
          "function reset() points = 0 end\nreset()\nfunction draw() gfx.print(points, 1, 1) end",
          "if true then speed = 4 end\nfunction update() print(speed) end",
          "local is_love = love and true\nfunction update() print(is_love) end",
          "for i = 1, 3 do level = i end\nfunction draw() print(level) end",
          "function helper() return 1 end\nfunction update() print(helper()) end",
          "local s = setmetatable({}, {}) function draw() print(rawget(s, 1), bit.band(1, 2), math.pi, "
          "unpack({})) end",
          "local function draw_all() end function draw() draw_all(select('#', 1)) end"})
        CHECK(findings_of(game) == "");
    CHECK(findings_of({{"main.lua", "require 'lib.a' function draw() gfx.print(shared(), 1, 1) end"},
                       {"lib/a.lua", "function shared() return 1 end"}}) == "");
}

TEST_CASE("a missing library function is an error, unless a file adds it [N14]") {
    CHECK(findings_of("function update(dt)\n  if dt > 5 then math.flor(dt) end\nend") ==
          "main.lua:2: math has no entry 'flor'; did you mean 'floor'?\n");
    CHECK(findings_of("function update() return string.formt('x'), table.nothing() end") ==
          "main.lua:1: string has no entry 'formt'; did you mean 'format'?\n"
          "main.lua:1: table has no entry 'nothing'\n");
    CHECK(findings_of(
              "local ecs = require 'ecs'\nfunction update() if false then ecs.sytem('x', {}) end end") ==
          "main.lua:2: ecs has no entry 'sytem'; did you mean 'system'?\n");
    for (const std::string game :
         {"function math.sign(x) return x < 0 and -1 or 1 end\nfunction update(dt) print(math.sign(dt)) end",
          "local pack = table.pack or function(...) return { ... } end\nfunction update() print(pack(1)) end",
          "if math.tau then math.tau() end\nmath.tau = function() return 6.28 end\nfunction draw() end",
          "local math = { half = function(x) return x / 2 end }\nfunction update(dt) print(math.half(dt)) "
          "end",
          "cards = { deal = function() end }\nfunction update() cards.deal() cards.shufle() end"})
        CHECK(findings_of(game) == "");
}

TEST_CASE("a trusted game has all of Lua, and its mods do not [N14]") {
    const std::map<std::string, std::string> game = {
        {"main.lua", "local started = os.time()\nfunction update() io.write(started) os.tme() end"}};
    CHECK_THAT(findings_of(game), Contains("global 'io' is not defined"));
    CHECK(findings_of(game, "", {}, true) == "main.lua:2: os has no entry 'tme'; did you mean 'time'?\n");
}

TEST_CASE("a callback of LÖVE is reported with what to write instead [N14]") {
    CHECK(findings_of("function load()\n  print(1)\nend\nfunction draw() end") ==
          "main.lua:1: nothing calls the function 'load'; the file itself runs once at the start: put it at "
          "the top of "
          "main.lua, outside of functions\n");
    CHECK_THAT(findings_of("function draw() end\nfunction keypressed(key)\nend"),
               Contains("main.lua:2: nothing calls the function 'keypressed'; in update, check the key: if "
                        "input.pressed("));
    for (const std::string name :
         {"keyreleased", "mousepressed", "mousereleased", "mousemoved", "wheelmoved", "textinput",
          "gamepadpressed", "resize", "focus", "quit", "joystickpressed", "touchpressed"})
        CHECK_THAT(findings_of("function draw() end function " + name + "() end"),
                   Contains("nothing calls the function '" + name + "'; "));
    CHECK_THAT(findings_of("function upate(dt) end function draw() end"),
               Contains("nothing calls the function 'upate'; did you mean 'update'?"));
    CHECK(findings_of(
              "function load() end\nload()\nfunction keypressed() end\nfunction update() keypressed() end") ==
          "");
    CHECK(findings_of("local function load() end\nload()\nfunction update() end") == "");
    CHECK_THAT(
        findings_of("function love.load() end\nfunction draw() end"),
        Contains("main.lua:1: this is not LÖVE, and there is no love.load; the file itself runs once"));
    CHECK_THAT(
        findings_of("function draw()\n  love.graphics.circle('fill', 1, 1, 1)\nend"),
        Contains("main.lua:2: this is not LÖVE, and there is no love.graphics.circle; write gfx.circle"));
}

TEST_CASE("a function of LÖVE is reported once, with what to write instead [N14]") {
    const std::vector<std::pair<std::string, std::string>> kLove{
        {"love.graphics.setLineWidth(2)", "love.graphics.setLineWidth; write gfx.set_line_width"},
        {"love.graphics.setBlendMode('add')", "love.graphics.setBlendMode; write gfx.set_blend(\"add\")"},
        {"local lg = love.graphics lg.getWidth()", "love.graphics.getWidth; gfx.size() gives"},
        {"love.mouse.isDown(1)", "love.mouse.isDown; write input.down(\"mouse_left\")"},
        {"love.keyboard.isDown('a')", "love.keyboard.isDown; write input.down(\"space\")"},
        {"love.audio.play(1)", "love.audio.play; write audio.play"},
        {"love.graphics.newShader()", "love.graphics.newShader; write gfx.shader("},
        {"love.graphics.newMesh()", "love.graphics.newMesh; gfx.mesh(vertices) makes a mesh"},
        {"love.graphics.setStencilTest()", "love.graphics.setStencilTest; gfx.set_mask(draw)"},
        {"love.graphics.newVideo()", "love.graphics; draw with gfx"},
        {"love.timer.sleep(1)", "love.timer; use update's dt"},
    };
    for (const auto& [line, message] : kLove) {
        INFO(line);
        const std::vector<std::string> found = lines_of(findings_of("function draw()\n  " + line + "\nend"));
        REQUIRE(found.size() == 1);
        CHECK_THAT(found[0], Contains("main.lua:2: this is not LÖVE, and there is no ") && Contains(message));
    }
    CHECK_THAT(findings_of("function draw() gfx.newFont(20) end"),
               Contains("gfx has no entry 'newFont'; a font is a path: gfx.set_font("));
}

TEST_CASE(
    "a small number where a colour is expected is a warning, since LÖVE has other numbers there [N14]") {
    for (const std::string line :
         {"gfx.circle('fill', 1, 2, 3, 20)", "gfx.rectangle('fill', 1, 2, 3, 4, 20, 20)",
          "gfx.ellipse('line', 1, 2, 3, 4, 20)", "gfx.arc('fill', 1, 2, 3, 0, 1, 20)"}) {
        INFO(line);
        CHECK_THAT(findings_of("function draw()\n  " + line + "\nend"),
                   Contains("main.lua:2: warning: gfx.") &&
                       Contains(" is a colour, and 20 is black and almost transparent; leave out"));
    }
    for (const std::string line :
         {"gfx.circle('fill', 1, 2, 3, 0x80)", "gfx.circle('fill', 1, 2, 3, 4278190335)",
          "gfx.circle('fill', 1, 2, 3, 0)", "gfx.set_color(1, 1, 1)", "gfx.print('x', 1, 2, 20)"}) {
        INFO(line);
        CHECK(findings_of("function draw()\n  " + line + "\nend") == "");
    }
}

TEST_CASE("constant arguments that a call refuses are errors [N14]") {
    const std::vector<std::pair<std::string, std::string>> kWrong{
        {"gfx.circle('filled', 1, 2, 3)",
         "bad argument #1 to 'gfx.circle': expected \"fill\" or \"line\", got 'filled'; did you mean "
         "'fill'?"},
        {"gfx.circle('fill', '1', 2, 3)", "bad argument #2 to 'gfx.circle': expected a number, got '1'"},
        {"gfx.circle('fill', 1, 2, -3)",
         "bad argument #4 to 'gfx.circle': expected a number of at least 0, got -3"},
        {"gfx.circle('fill', 1)", "bad argument #3 to 'gfx.circle': expected a number, got nothing"},
        {"gfx.circle('fill', 1, 2, nil)",
         "bad argument #4 to 'gfx.circle': expected a number of at least 0, got nil"},
        {"gfx.rectangle('fill', 1, 2, 3, 4, 'purpel')",
         "gfx.rectangle: 'purpel' is not a colour; did you mean 'purple'?"},
        {"gfx.arc('line', 'opn', 1, 2, 3, 0, 1)", "bad argument #2 to 'gfx.arc'"},
        {"gfx.polygon('fill', 'x')", "bad argument #2 to 'gfx.polygon': expected a table, got 'x'"},
        {"gfx.set_color('#12345')", "gfx.set_color: '#12345' is not a colour"},
        {"gfx.print('x', 1, 2, { size = -3 })",
         "gfx.print: option 'size': expected a number above 0, got -3"},
        {"gfx.print('x', 1, 2, -3)",
         "bad argument #4 to 'gfx.print': expected a number above 0 or a table, got -3"},
        {"gfx.print('x', 1, 2, { colour = 'red' })",
         "gfx.print: unknown key 'colour'; did you mean 'color'?"},
        {"gfx.print('x', 1, 2, { align = 'middle' })",
         "gfx.print: option 'align': expected \"left\" or \"center\" or \"right\" or \"justify\", got "
         "'middle'"},
        {"gfx.set_blend('ad')", "\"darken\" or \"lighten\", got 'ad'; did you mean 'add'?"},
        {"gfx.set_space('scren')", "did you mean 'screen'?"},
        {"gfx.set_layer(40000)", "expected a number from -32768 to 32767 or a text, got 40000"},
        {"gfx.set_font_size(0)", "expected a number above 0, got 0"},
        {"gfx.cicle('fill', 1, 2, 3)", "gfx has no entry 'cicle'; did you mean 'circle'?"},
        {"local draw_it = gfx.circle draw_it('fil', 1, 2, 3)", "bad argument #1 to 'gfx.circle'"},
        {"if input.down('spce') then end", "input.down: unknown action 'spce'; did you mean 'space'?"},
        {"input.vector('left', 'right', 'up', 'dwon')",
         "input.vector: unknown action 'dwon'; did you mean 'down'?"},
        {"if input.pressed('mouse_lft') then end", "unknown action 'mouse_lft'; did you mean 'mouse_left'?"},
        {"if input.down(32) then end",
         "bad argument #1 to 'input.down': expected the name of an action, got 32"},
        {"audio.play('assets/ghost.wav')", "audio.play: asset 'assets/ghost.wav' does not exist"},
        {"audio.play('../x.wav')", "audio.play: asset path '../x.wav': contains '.' or '..'"},
        {"audio.play('assets/a.wav', { volum = 1 })",
         "audio.play: unknown key 'volum'; did you mean 'volume'?"},
        {"gfx.image('assets/her.png', 1, 2)",
         "gfx.image: asset 'assets/her.png' does not exist; did you mean 'assets/hero.png'?"},
        {"gfx.image('hero.png', 1, 2)",
         "gfx.image: asset 'hero.png' does not exist; did you mean 'assets/hero.png'?"},
        {"gfx.image('nomod:assets/hero.png', 1, 2)", "no mod 'nomod' is loaded"},
    };
    for (const auto& [line, message] : kWrong) {
        INFO(line);
        const std::string found = findings_of({{"main.lua", "function draw()\n  " + line + "\nend"},
                                               {"assets/a.wav", "x"},
                                               {"assets/hero.png", picture()}});
        CHECK_THAT(found, Contains("main.lua:2: ") && Contains(message));
    }
}

TEST_CASE(
    "in systems, arguments of ecs.world, values and ctx are checked too, without notes about missing writes "
    "[N14]") {
    CHECK(of_system("ecs.world:destroy(chunk.entity[1])") ==
          "main.lua:5: system 's': ecs.world:destroy: not inside a system; use ctx.commands for changes and "
          "ctx:try_get for "
          "values\n");
    CHECK_THAT(
        of_system("ctx:destroy(chunk.entity[1])"),
        Contains("main.lua:5: system 's': ctx has no entry 'destroy'; did you mean ctx.commands:destroy?"));
    CHECK_THAT(of_system("ctx.commands:add('x', C.Position)"),
               Contains("bad argument #1 to 'ctx.commands:add': expected an entity, got 'x'"));
    CHECK_THAT(of_system("ctx.commands:spawn(C.Position { mood = 'angri' })"),
               Contains("component 'Position', field 'mood': expected one of the labels calm, angry, got "
                        "'angri'; did you mean 'angry'?"));
    CHECK_THAT(of_system("ctx.commands:spawn(C.Position { x = 'left' })"),
               Contains("component 'Position', field 'x': expected a number, got 'left'"));
    const std::string misspelt = findings_of(
        {{"schema.lua", kSchema},
         {"main.lua", kGame + "ecs.system('s', { query = { write = { C.Position } }, run = function(chunk)\n"
                              "chunk.Positoin.x[1] = 1 end })\n"}});
    CHECK_THAT(misspelt, Contains("main.lua:5: system 's': chunk: 'Positoin' is not in its query"));
    CHECK_THAT(misspelt, !Contains("never writes it"));
    CHECK(findings_of("local ecs = require 'ecs'\nfunction update()\n  ecs.world:spawn() state.x = 1\nend") ==
          "");
    CHECK_THAT(
        findings_of("function draw(ctx)\n  ctx.commands:spawn()\nend"),
        Contains(
            "main.lua:2: system 'draw': a presentation system sees a finished world and has no commands"));
}

TEST_CASE("correct and unknown arguments are not reported [N14]") {
    const std::string found = findings_of({{"main.lua", R"(local mode, many = "fill", { 1, 2, 3 }
input.action("jump", { keys = { "space" } })
local function place() return 3, 4 end
function update(dt, ctx)
  if input.down("jump", "left") or input.pressed("mouse_left") or input.value("pad_left_y-") > 0 or input.down("esc") then
    audio.play("assets/a.wav", 0.5)
    audio.play("assets/a.wav", { volume = 1, pan = -1 })
  end
  print(ctx.tick, dt)
end
function draw(ctx)
  mode = ctx.alpha > 2 and "line" or mode
  gfx.circle(mode, 1, 2, 3, "red")
  gfx.circle("fill", place())
  gfx.polygon("fill", 1, 2, 3, 4, 5, 6)
  gfx.polygon("fill", { 1, 2, 3, 4, 5, 6 }, { 1, 0.5, 0 })
  gfx.arc("line", "open", 1, 2, 3, 0, 1, "red")
  gfx.arc("line", 1, 2, 3, 0, 1)
  gfx.line(1, 2, 3, 4, 5, 6)
  gfx.line({ 1, 2, 3, 4 }, "red")
  gfx.circle("fill", unpack(many))
  gfx.rectangle("line", 1, -2.5, 3, 4, 0xff0000ff, 1)
  gfx.rectangle("fill", 1, 2, 3, 4, nil, 2)
  gfx.print(12, 1, 2, { size = 20, align = "center", width = 100, color = "#fff" })
  gfx.print("x", 1, 2, 30)
  gfx.print("x")
  gfx.image("assets/hero.png", 1, 2, { scale = 2, color = "white", quad = { 0, 0, 1, 1 } })
  gfx.image("game:assets/hero.png", 1, 2)
  gfx.set_color(1, 0.5, 0)
  gfx.set_camera(0, 0)
  gfx.sprite("assets/hero.png", 0, 1, 2)
end
)"},
                                           {"mod.json", R"({ "id": "game" })"},
                                           {"assets/a.wav", "x"},
                                           {"assets/hero.png", picture()}});
    CHECK(found == "");
}

TEST_CASE("a file with a reserved name is an error [N4]") {
    CHECK(findings_of({{"main.lua", "function draw() end"},
                       {"settings.lua", "return {}"},
                       {"lib/input.lua", "return {}"}}) ==
          "settings.lua: 'settings' is a reserved name: require \"settings\" gives the engine's module and "
          "never the file "
          "'settings.lua'; rename the file\n");
    CHECK_THAT(findings_of({{"main.lua", "local input = require 'input' function draw() print(input) end"},
                            {"input.lua", "return {}"}}),
               Contains("main.lua:1: 'input' is a reserved name") &&
                   Contains("input.lua: 'input' is a reserved name"));
}

TEST_CASE("a mod is checked with its game, or the output says how [N7]") {
    const std::map<std::string, std::string> files{
        {"game/main.lua", "function draw() end"},
        {"game/mod.json", R"({ "id": "game" })"},
        {"game/mods/storm/mod.json", R"({ "id": "storm", "depends": { "game": "*" } })"},
        {"game/mods/storm/main.lua",
         "local ecs = require 'ecs'\nlocal game = ecs.import('game')\nlocal C = game.components\n"
         "ecs.system('s', { run = function()\npritn(C) end })"},
        {"apart/rain/mod.json", R"({ "id": "rain", "depends": { "game": "*" } })"},
        {"apart/rain/main.lua", "local ecs = require 'ecs'\nlocal game = ecs.import('game')"},
        {"apart/plain/main.lua", "local ecs = require 'ecs'\nlocal game = ecs.import('game')"}};
    const std::string inside = findings_of(files, "game/mods/storm");
    CHECK_THAT(inside, Contains("note: this is a mod, and was checked with its game, "));
    CHECK_THAT(inside, Contains("mods/storm/main.lua:5: ") && Contains("global 'pritn' is not defined"));
    CHECK_THAT(inside, !Contains("is not named in 'depends'"));
    const std::string apart = findings_of(files, "apart/rain");
    CHECK_THAT(
        apart,
        Contains("rain/mod.json: this is a mod, which is checked with its game: perigee check GAME --mods "));
    CHECK_THAT(apart, Contains("apart"));
    CHECK_THAT(findings_of(files, "apart/plain"),
               Contains("main.lua:2: ") &&
                   Contains("a game imports no mods; if this is a mod of 'game', it runs with that game"));
    CHECK(findings_of(files, "game", {"apart"}).find("imports no mods") == std::string::npos);
}

TEST_CASE("types that the file of a side world declares are known in it, and misspelt ones are not") {
    const std::string found = findings_of(
        {{"schema.lua", kSchema},
         {"main.lua", kGame + "local side = ecs.side_world('side', 'side.lua')\n"},
         {"side.lua",
          "local ecs = require 'ecs'\nlocal C = ecs.components\necs.resource('Own', { { 'n', 'u32' } })\n"
          "ecs.system('s', { exclusive = true, access = { write = { C.Own } }, run = function(_, ctx)\n"
          "ctx:resource(C.Own).n = 1 print(C.Onw) end })\n"}});
    CHECK_THAT(found, Contains("side.lua:5: unknown component 'Onw'") && !Contains("side.lua:4"));
}

TEST_CASE("complete programs in the docs have no errors [N14]") {
    int programs = 0;
    for (const char* page :
         {"README.md", "docs/first-game.md", "docs/events.md", "docs/data-files.md", "docs/testing.md",
          "docs/designing.md", "docs/tasks/drawing.md", "docs/tasks/input.md", "docs/tasks/spawning.md",
          "docs/tasks/collisions.md", "docs/tasks/menus.md", "docs/tasks/saving.md",
          "docs/tasks/transforms.md", "docs/tasks/worlds.md"}) {
        std::map<std::string, std::string> files;
        std::ifstream stream(std::string(PERIGEE_SOURCE_DIR) + "/" + page, std::ios::binary);
        REQUIRE(stream.good());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        for (const perigee::test::Block& block : perigee::test::blocks_of(text)) {
            if (block.file.empty()) continue;
            std::string& file = files[block.file];
            file = block.is_addition ? file + block.text : block.text;
            if (block.file != "main.lua") continue;
            ++programs;
            std::string found;
            for (const std::string& line : lines_of(findings_of(files)))
                if (line.find(": note: ") == line.npos) found += line + "\n";
            INFO(page);
            CHECK(found == "");
        }
    }
    CHECK(programs >= 15);
}

TEST_CASE("a sketch with functions that nothing calls reports them when it runs [N14]") {
    const perigee::test::TemporaryFolder folder;
    folder.write("main.lua",
                 "function load() end\nfunction keypressed(key) end\nfunction quit() end quit()\nfunction "
                 "draw() end\n");
    const perigee::test::ProgramRun run =
        perigee::test::run_program("run --headless --frames 2 " + perigee::test::quoted(folder.path()));
    CHECK(run.status == 0);
    CHECK_THAT(
        run.out + run.err,
        Contains("main.lua:1: nothing calls the function 'load'; the file itself runs once at the start"));
    CHECK_THAT(run.out + run.err,
               Contains("main.lua:2: nothing calls the function 'keypressed'; in update, check the key"));
    CHECK_THAT(run.out + run.err, !Contains("'quit'"));
}
