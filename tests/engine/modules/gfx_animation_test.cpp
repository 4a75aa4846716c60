// gfx.clip, gfx.aseprite and the component gfx.Animation in scripts.
#include "engine/modules/gfx_animation.h"

#include "tests/engine/game_folder.h"

#include <string>
#include <string_view>
#include <utility>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\necs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n";
constexpr char kUse[] = "local ecs, gfx = require 'ecs', require 'gfx'\nlocal C = ecs.components\n";
constexpr char kSheet[] = R"({ "frames": [
  { "frame": { "x": 0, "y": 0, "w": 8, "h": 8 }, "duration": 20 },
  { "frame": { "x": 8, "y": 0, "w": 8, "h": 8 }, "duration": 20 },
  { "frame": { "x": 8, "y": 8, "w": 4, "h": 4 }, "duration": 20 } ],
  "meta": { "image": "hero.png", "frameTags": [ { "name": "walk", "from": 1, "to": 2 } ] } })";

struct AnimatedGame : GameFolder {
    explicit AnimatedGame(std::string_view main)
        : GameFolder(std::string{kUse} + std::string{main}, kSchema) {
        write("assets/hero.png", png_head(64, 32));
        write("assets/hero.json", kSheet);
        write("assets/other.json", "[]");
    }
};

// The error of a file that has this line.
std::string failure(const std::string& line) {
    AnimatedGame game("gfx.sheet('assets/hero.png', 16, 16)\n" + line);
    const auto engine = game.play();
    const auto& errors = engine->session().load_errors();
    return errors.empty() ? "no error" : errors.front().message;
}

}  // namespace

TEST_CASE("gfx.Animation shows the frames of a clip and sends its events") {
    AnimatedGame game(
        "gfx.sheet('assets/hero.png', 16, 16)\n"
        "local walk = gfx.clip('assets/hero.png',\n"
        "  { name = 'walk', frames = { 2, 3, 5 }, fps = 60, loop = 'once', events = { [2] = 'step' } })\n"
        "assert(walk == 'assets/hero.png#walk')\n"
        "ecs.world:spawn(C.Position { x = 100, y = 50 }, gfx.Sprite {}, gfx.Animation { clip = walk })\n"
        "ecs.on(gfx.AnimationEvent, function(events)\n"
        "  for i = 1, events.count do print(events.clip[i], events.name[i], events.frame[i]) end\n"
        "end)");
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "assets/hero.png [32,0 16x16]"));
    run(*engine, 1);
    CHECK(contains(picture(*engine), "assets/hero.png [48,0 16x16]"));
    CHECK(game.log == "assets/hero.png#walk\tstep\t3\n");
    run(*engine, 5);
    CHECK(contains(picture(*engine), "assets/hero.png [16,16 16x16]"));
    CHECK(game.log == "assets/hero.png#walk\tstep\t3\nassets/hero.png#walk\tend\t5\n");
}

TEST_CASE("gfx.aseprite cuts the image and makes a clip of each tag") {
    AnimatedGame game(
        "local hero = gfx.aseprite('assets/hero.json', { events = { walk = { [1] = 'step' } } })\n"
        "ecs.world:spawn(C.Position { x = 100, y = 50 }, gfx.Sprite {}, gfx.Animation { clip = hero.walk })\n"
        "ecs.on(gfx.AnimationEvent, function(events) print(events.name[1]) end)");
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(contains(picture(*engine), "assets/hero.png [8,0 8x8]"));
    CHECK(game.log == "step\n");
    run(*engine, 2);
    CHECK(contains(picture(*engine), "assets/hero.png [8,8 4x4]"));
}

TEST_CASE("a tag of Aseprite that repeats a number of times ends after them") {
    const auto frames_of = [](const std::string& tag) {
        AnimatedGame game(
            "local sheet = gfx.aseprite('assets/times.json', { events = { a = { 'first' } } })\n"
            "ecs.world:spawn(C.Position {}, gfx.Sprite {}, gfx.Animation { clip = sheet.a })\n"
            "local frames = {}\n"
            "ecs.system('see', { query = { read = { gfx.Sprite } }, run = function(chunk)\n"
            "  local frame = chunk.Sprite.frame[1]\n"
            "  if frames[#frames] ~= frame then frames[#frames + 1] = frame end\nend })\n"
            "ecs.on(gfx.AnimationEvent, function(events)\n"
            "  for i = 1, events.count do\n"
            "    frames[#frames + 1] = events.name[i]\n"
            "    if events.name[i] == 'end' then print(table.concat(frames, ' ')) end\n  end\nend)");
        game.write("assets/times.json",
                   R"({ "frames": [ { "frame": { "x": 0, "y": 0, "w": 2, "h": 2 }, "duration": 50 },
                                    { "frame": { "x": 2, "y": 0, "w": 2, "h": 2 }, "duration": 50 },
                                    { "frame": { "x": 4, "y": 0, "w": 2, "h": 2 }, "duration": 50 } ],
                        "meta": { "image": "hero.png", "frameTags": [ { "name": "a", "from": 0, "to": 2, )" +
                       tag + " } ] } }");
        const auto engine = game.play();
        run(*engine, 60);
        CHECK(engine->error_count() == 0);
        return game.log;
    };
    CHECK(frames_of(R"("direction": "forward", "repeat": "2")") == "0 first 0 1 2 first 0 1 2 end\n");
    CHECK(frames_of(R"("direction": "pingpong", "repeat": "3")") == "0 first 0 1 2 1 first 0 1 2 end\n");
    CHECK(frames_of(R"("direction": "pingpong", "repeat": "1")") == "0 first 0 1 2 end\n");
}

TEST_CASE("a clip that does not exist is reported once") {
    AnimatedGame game(
        "gfx.clip('assets/hero.png', { name = 'walk' })\n"
        "ecs.world:spawn(C.Position {}, gfx.Sprite {}, gfx.Animation { clip = 'assets/hero.png#wlk' })\n"
        "function update() end");
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(game.log ==
          "gfx.Animation: there is no clip 'assets/hero.png#wlk'; did you mean 'assets/hero.png#walk'?\n");
}

TEST_CASE("errors of clips name the option") {
    const std::pair<const char*, const char*> all[] = {
        {"gfx.clip('assets/hero.png', 5)", "gfx.clip: expected a table of options, got 5"},
        {"gfx.clip('assets/hero.png', { fsp = 5 })", "gfx.clip: unknown key 'fsp'; did you mean 'fps'?"},
        {"gfx.clip('assets/hero.png', { frames = { 1, -1 } })",
         "gfx.clip, frames[2]: expected a frame from 0, got -1"},
        {"gfx.clip('assets/hero.png', { frames = {} })",
         "gfx.clip: 'assets/hero.png' is missing, or the clip has no frames"},
        {"gfx.clip('assets/hero.png', { frames = { 1 }, from = 2 })",
         "gfx.clip: 'frames' and 'from' exclude each other"},
        {"gfx.clip('assets/hero.png', { to = 5000 })",
         "gfx.clip: a clip has at most 1024 frames, this one has 5001"},
        {"gfx.clip('assets/hero.png', { fps = 0 })", "gfx.clip, fps: expected a number above 0, got 0"},
        {"gfx.clip('assets/hero.png', { fps = 1, durations = { 1 } })",
         "gfx.clip: 'fps' and 'durations' exclude each other"},
        {"gfx.clip('assets/hero.png', { to = 1, durations = { 1 } })",
         "gfx.clip, durations: there are 2 frames and 1 durations"},
        {"gfx.clip('assets/hero.png', { loop = 'onec' })",
         "gfx.clip, loop: expected \"loop\", \"once\" or \"ping-pong\", got 'onec'; did you mean 'once'?"},
        {"gfx.clip('assets/hero.png', { to = 1, events = { [3] = 'x' } })",
         "gfx.clip, events: expected a frame of the clip from 1 to 2, got 3"},
        {"gfx.clip('assets/hero.png', { events = { 5 } })",
         "gfx.clip, events, frame 1: expected a name, got 5"},
        {"gfx.clip('assets/hero.png', { name = '' })", "gfx.clip, name: expected a text, got ''"},
        {"gfx.aseprite('assets/other.json')",
         "gfx.aseprite: 'assets/other.json' is not a sheet that Aseprite exported as JSON: expected "
         "\"frames\" "
         "and \"meta\""},
        {"gfx.aseprite('assets/hero.json', { events = { wlk = { 'x' } } })",
         "gfx.aseprite: 'assets/hero.json' has no tag 'wlk'; did you mean 'walk'?"},
    };
    for (const auto& [line, message] : all) {
        CAPTURE(line);
        CHECK(failure(line) == message);
    }
}

TEST_CASE("clips are defined while files load, not in a system") {
    AnimatedGame game("function update() gfx.clip('assets/hero.png', {}) end");
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(game.log, "gfx.clip: declare it while the file is loaded, not inside a system"));
}
