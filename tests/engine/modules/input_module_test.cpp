// The module input in scripts: actions, edges, axes, the mouse, and messages about unknown names.
#include "engine/modules/input_module.h"

#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The output of update(), step by step, for this input.
std::string heard(std::string_view main, const std::vector<RawInput>& frames) {
    GameFolder game{main};
    const auto engine = game.play();
    for (const RawInput& raw : frames) run(*engine, 1, raw);
    CHECK(engine->error_count() == 0);
    return game.log;
}

std::string failure(std::string_view body) {
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->error_count() == 1);
    return game.log.substr(0, game.log.find('\n'));
}

}  // namespace

TEST_CASE("an action is pressed once, stays down, and is released once, whatever its control") {
    constexpr char kGame[] =
        "input.action('jump', { keys = { 'space', 'w' }, mouse = { 'left' }, pad = 'a' })\n"
        "function update()\n"
        "  print(input.pressed 'jump', input.down 'jump', input.released 'jump', input.value 'jump')\n"
        "end";
    for (const InputCode code :
         {InputCode::key_space, InputCode::key_w, InputCode::mouse_left, InputCode::pad_a})
        CHECK(heard(kGame, {{}, key(code), {}, key(code, 0), {}}) ==
              "false\tfalse\tfalse\t0\n"
              "true\ttrue\tfalse\t1\n"
              "false\ttrue\tfalse\t1\n"
              "false\tfalse\ttrue\t0\n"
              "false\tfalse\tfalse\t0\n");
}

TEST_CASE("pairs of actions make axes and vectors, and diagonals are not longer") {
    RawInput diagonal = key(InputCode::key_d);
    diagonal.events.push_back({InputCode::key_s, 1});
    CHECK(heard("function update()\n"
                "  local x, y = input.vector('a', 'd', 'w', 's')\n"
                "  print(input.axis('a', 'd'), input.axis('w', 's'), x == y, ('%.4f'):format(x))\n"
                "end",
                {{}, diagonal, diagonal}) ==
          "0\t0\ttrue\t0.0000\n"
          "1\t1\ttrue\t0.7071\n"
          "1\t1\ttrue\t0.7071\n");
}

TEST_CASE("the mouse, its wheel and typed text reach the step") {
    RawInput raw;
    raw.move_mouse(12.5F, 30);
    raw.turn_wheel(-2);
    raw.type("né");
    CHECK(heard("function update()\n"
                "  local x, y = input.mouse()\n"
                "  print(x, y, input.wheel(), input.text())\n"
                "end",
                {raw, {}}) == "12.5\t30\t-2\tné\n12.5\t30\t0\t\n");
}

TEST_CASE("mouse and gamepad controls have their own names") {
    CHECK(heard("input.down 'mouse_left' input.down 'pad_left_x-'\n"
                "function update() print(input.down 'mouse_left', input.down 'pad_left_x-') end",
                {key(InputCode::mouse_left), key(InputCode::pad_left_x_minus)}) ==
          "true\tfalse\ntrue\ttrue\n");
}

TEST_CASE("several names are asked together: one of them is enough") {
    constexpr char kGame[] =
        "function update()\n"
        "  print(input.pressed('left', 'a'), input.down('left', 'a', 'q'), input.released('left', 'a'))\n"
        "end";
    for (const InputCode code : {InputCode::key_left, InputCode::key_a})
        CHECK(heard(kGame, {{}, key(code), {}, key(code, 0), {}}) ==
              "false\tfalse\tfalse\n"
              "true\ttrue\tfalse\n"
              "false\ttrue\tfalse\n"
              "false\tfalse\ttrue\n"
              "false\tfalse\tfalse\n");
    CHECK(contains(failure("input.down('left', 'aa a')"), "unknown action 'aa a'"));
    CHECK(contains(failure("input.isDown 'left'"), "input has no 'isDown'; write input.down(\"space\")"));
}

TEST_CASE("errors in actions and names suggest the nearest valid one") {
    CHECK(contains(failure("input.action('jump', { keys = { 'spcae' } })"),
                   "input.action 'jump': unknown key 'spcae'; did you mean 'space'?"));
    CHECK(contains(failure("input.action('jump', { key = 'space' })"),
                   "input.action 'jump': unknown key 'key'; did you mean 'keys'?"));
    CHECK(contains(failure("input.action('jump', { keys = 5 })"),
                   "input.action 'jump', keys: expected a list of names, got 5"));
    CHECK(contains(failure("input.action('jump', { pad = { 5 } })"),
                   "input.action 'jump', pad: expected a name, got 5"));
    CHECK(contains(failure("input.action('jump')"),
                   "input.action 'jump': expected { keys = …, mouse = …, pad = … }, got nil"));
    CHECK(contains(failure("input.action('', {})"), "input action: expected a name, got an empty string"));
    CHECK(contains(failure("input.action('jump', {})\ninput.down 'jmup'"),
                   "unknown action 'jmup'; did you mean 'jump'?"));
    CHECK(contains(failure("input.axis('left', 'rigth')"), "unknown action 'rigth'; did you mean 'right'?"));
    CHECK(contains(failure("input.down 'mouse_lfet'"),
                   "unknown action 'mouse_lfet'; did you mean 'mouse_left'?"));
    CHECK(
        contains(failure("input.down 'completely else'"),
                 "unknown action 'completely else': declare it with input.action, or use the name of a key, "
                 "\"mouse_left\" or \"pad_a\""));
    CHECK(contains(failure("input.down(nil)"), "input: expected the name of an action, got nil"));
    CHECK(contains(failure("input.presed 'x'"), "input has no 'presed'; did you mean 'pressed'?"));
}

TEST_CASE("a game that declares actions endlessly reaches a limit") {
    CHECK(
        contains(failure("for i = 1, 1000 do input.action('a' .. i, {}) end"),
                 "input action 'a257': there is no room for it; a game and its mods have at most 256 actions "
                 "together"));
    CHECK(contains(failure("for i = 1, 256 do input.action('a' .. i, {}) end input.down 'space'"),
                   "input action 'space': there is no room for it"));
}

TEST_CASE("a mod that declares too many actions leaves the game its room") {
    GameFolder game{"function update() if input.down 'space' then print('down') end end"};
    game.write("mods/greedy/main.lua", "for i = 1, 256 do pcall(input.action, 'a' .. i, {}) end");
    const auto engine = game.play();
    run(*engine, 1);  // the first step declares the key
    run(*engine, 1, key(InputCode::key_space));
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(game.log, "down"));
}

TEST_CASE("a hash function changes nothing of the engine: no action, asset, frame, sound or background") {
    for (const std::string call :
         {"input.action('jump', { keys = { 'w' } })", "input.down('space')",
          "gfx.image_size('assets/new.png')", "gfx.sheet('assets/a.png', 2, 2)",
          "gfx.atlas('assets/a.png', { { 0, 0, 2, 2 } })", "gfx.set_background('red')",
          "audio.play('assets/a.wav')", "audio.music('assets/a.ogg')", "audio.stop_music()",
          "audio.set_volume(0)", "audio.set_music_volume(0)"}) {
        GameFolder game{
            "local ecs = require 'ecs'\nlocal said = 'nothing'\n"
            "ecs.component('O', { kind = 'object', hash = function()\n"
            "  local ok, message = pcall(function() " +
            call +
            " end)\n"
            "  print(ok and 'done' or message)\n  return 1 end })\n"
            "local e = ecs.world:spawn(ecs.components.O) ecs.world:set_object(e, ecs.components.O, {})"};
        game.write("assets/a.png", png_head(8, 8));
        const auto engine = game.play();
        run(*engine, 1);
        engine->hash();
        INFO(call << "\n" << game.log);
        CHECK(contains(game.log, ": not inside a hash function; it works on the value that it gets"));
    }
}

TEST_CASE("controls that presentation reads do not affect those of the simulation") {
    const RawInput pressed = key(InputCode::key_space);
    // Presentation reads the key from the first frame on; simulation reads it from the third step on, and
    // gets a press in that step.
    constexpr char kUpdate[] =
        "local n = 0 function update() n = n + 1 if n > 2 then print(input.pressed 'space') end end\n";
    const std::string blind = heard(kUpdate, {{}, {}, pressed, key(InputCode::key_space, 0), pressed});
    const std::string seen = heard(
        std::string(kUpdate) + "function draw() gfx.circle('fill', 1, 1, input.down 'space' and 2 or 1) end",
        {{}, {}, pressed, key(InputCode::key_space, 0), pressed});
    CHECK(seen == blind);
    GameFolder game{"function draw() gfx.circle('fill', 1, 1, input.down 'space' and 2 or 1) end"};
    const auto engine = game.play();
    run(*engine, 1);
    run(*engine, 2, pressed);
    CHECK(contains(picture(*engine), "radius 2"));
    CHECK(contains(
        failure("function draw() input.action('jump', { keys = 'w' }) end"),
        "input.action 'jump': a presentation system cannot change controls, which belong to the simulation"));
    CHECK(contains(failure("function draw() input.down 'spaace' end"), "did you mean 'space'?"));
    CHECK(contains(
        failure("function update() input.down 'picture:space' end function draw() input.down 'space' end"),
        "unknown action 'picture:space'"));
}

#if !defined(__SANITIZE_THREAD__)  // where the limit of time ends the run first
TEST_CASE("looking up a name costs fuel for its length, also inside pcall") {
    const auto attempts = [](const std::string& call, int bytes) {
        GameFolder game{
            "local name, n = string.rep('x', " + std::to_string(bytes) + "), 0\nlocal function try() " +
            call +
            " end\nfunction update() if n > 0 then print(n) return end while n < 2000 do n = n + 1 "
            "pcall(try) end end"};
        const auto engine = game.play();
        run(*engine, 1);
        return engine->session().scripts().usage().front().systems.front().fuel;
    };
    for (const char* const call :
         {"input.down(name)", "input.action(name, { keys = 'space' })", "input.action('a', { keys = name })",
          "audio.play('assets/' .. name)", "gfx.color(name)"}) {
        CAPTURE(call);
        CHECK(attempts("local input, gfx, audio = input, gfx, audio " + std::string(call), 10) < 1e6);
        CHECK(attempts(call, 100'000) >= 9.9e6);  // it ended at its limit, after a hundred of them
    }
}
#endif

namespace {

constexpr char kEventsGame[] =
    "function update()\n"
    "  for _, e in ipairs(input.events()) do\n"
    "    print(e.type, e.control, e.is_repeat, e.text, e.notches, e.x, e.y)\n"
    "  end\n"
    "end";

}  // namespace

TEST_CASE("events reach the step in their order, with repeats marked") {
    RawInput raw;
    raw.events.push_back({InputCode::key_a, 1});
    raw.type("ä");
    raw.events.push_back({.code = InputCode::key_a, .value = 1, .is_repeat = true});
    raw.type("bc");
    raw.events.push_back({InputCode::key_a, 0});
    raw.move_mouse(12.5F, 30);
    raw.events.push_back({InputCode::mouse_left, 1});
    raw.events.push_back({InputCode::pad_left_x_minus, 1});
    raw.turn_wheel(-2);
    CHECK(heard(kEventsGame, {{}, raw, {}}) ==
          "down\ta\tfalse\tnil\tnil\tnil\tnil\n"
          "text\tnil\tnil\tä\tnil\tnil\tnil\n"
          "down\ta\ttrue\tnil\tnil\tnil\tnil\n"
          "text\tnil\tnil\tbc\tnil\tnil\tnil\n"
          "up\ta\tnil\tnil\tnil\tnil\tnil\n"
          "down\tmouse_left\tfalse\tnil\tnil\t12.5\t30\n"
          "down\tpad_left_x-\tfalse\tnil\tnil\tnil\tnil\n"
          "wheel\tnil\tnil\tnil\t-2\t12.5\t30\n");
}

TEST_CASE("each call returns a new list of events, so changing one does not affect others") {
    CHECK(heard("function update()\n"
                "  local events = input.events()\n"
                "  if events[1] then events[1].control = 'b' events[2] = 5 end\n"
                "  print(#input.events(), input.events()[1] and input.events()[1].control)\n"
                "end",
                {key(InputCode::key_a)}) == "1\ta\n");
}

TEST_CASE("a frame with two steps shows events in the first, and one without steps keeps them") {
    GameFolder game{"function update() print(#input.events()) end"};
    const auto engine = game.play();
    FrameInput frame;
    frame.raw = key(InputCode::key_a);
    frame.exact_steps = 0;
    engine->step(frame);
    frame.raw = key(InputCode::key_b);
    frame.exact_steps = 2;
    engine->step(frame);
    CHECK(game.log == "2\n0\n");
}

TEST_CASE("a presentation system cannot read events, since it would see some twice") {
    CHECK(contains(failure("function draw() input.events() end"),
                   "input.events: a presentation system runs once per frame, which would miss events or see "
                   "them twice; ask in update() or in a system of the simulation"));
}
