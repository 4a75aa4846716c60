// gfx.particles, gfx.burst and the component gfx.Emitter in scripts.
#include "engine/modules/gfx_particles.h"

#include "tests/engine/game_folder.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\necs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n";

constexpr char kFire[] = R"(local ecs, gfx = require 'ecs', require 'gfx'
local C = ecs.components
local fire = gfx.particles('fire', { shape = 'rectangle', rate = 60, count = 3, lifetime = { min = 0.5, max = 1 },
  speed = { min = 10, max = 50 }, spread = 1, direction = -1, gravity = { y = 100 }, drag = 0.5, radius = 4,
  size = { 8, 2 }, color = { 'yellow', '#ff000000' }, spin = 2, blend = 'add', layer = 3 })
assert(fire == 'fire')
ecs.world:spawn(C.Position { x = 100, y = 50 }, gfx.Emitter { preset = fire, rotation = 1 })
function update()
  gfx.burst(fire, 300, 200)
end
)";

std::string failure(const std::string& line) {
    GameFolder game{line};
    const auto engine = game.play();
    const auto& errors = engine->session().load_errors();
    return errors.empty() ? "no error" : errors.front().message;
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("an emitter and bursts show particles") {
    GameFolder game{kFire, kSchema};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    const std::string shown = picture(*engine);
    CHECK(count_of(shown, "world 3 rectangle at ") == 4);
    CHECK(count_of(shown, " add #") == 4);
    run(*engine, 9);
    CHECK(count_of(picture(*engine), "world 3 rectangle at ") == 40);
}

TEST_CASE("bursts work without entities, from the first line of a game on") {
    GameFolder game{
        "local spark = gfx.particles('spark', { count = 5 })\ngfx.burst(spark, 100, 100)\n"
        "function update() end"};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(count_of(picture(*engine), "world 0 circle at ") == 5);
}

TEST_CASE("particles are the same in a replay, and the world does not depend on them") {
    GameFolder game{kFire, kSchema};
    EngineConfig config = game.config();
    config.record_file = game.file("a.log");
    std::string shown;
    {
        const auto engine = GameFolder::play(config);
        for (int i = 0; i < 40; ++i) {
            FrameInput frame;
            frame.exact_steps = i % 3;
            engine->step(frame);
        }
        FrameInput frame;
        frame.exact_steps = 1;
        engine->step(frame);
        shown = picture(*engine);
        CHECK(engine->tick() == 40);
        REQUIRE(engine->finish_recording().ok());
    }
    EngineConfig again = game.config();
    again.replay_file = game.file("a.log");
    const auto engine = GameFolder::play(again);
    FrameInput frame;
    frame.exact_steps = 40;
    engine->step(frame);
    CHECK(engine->check_replay().ok());
    CHECK(engine->is_replay_finished());
    const auto lines = [](const std::string& text) { return text.substr(0, text.find("screen")); };
    CHECK(lines(picture(*engine)) == lines(shown));
}

TEST_CASE("the picture of particles does not depend on the number of workers") {
    std::string shown;
    for (const std::uint32_t workers : {1U, 4U}) {
        GameFolder game{kFire, kSchema};
        EngineConfig config = game.config();
        config.workers = workers;
        const auto engine = GameFolder::play(config);
        run(*engine, 30);
        if (shown.empty()) shown = picture(*engine);
        CHECK(picture(*engine) == shown);
    }
}

TEST_CASE("a mod's preset has the mod's name before it, and other mods can use it") {
    GameFolder game{"function update() gfx.burst('art:glow', 100, 100, 1) end"};
    game.write("mods/art/main.lua", "assert(gfx.particles('glow', {}) == 'art:glow')");
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(count_of(picture(*engine), "world 0 circle at ") == 1);
}

TEST_CASE("errors of presets and bursts name the option") {
    const std::pair<const char*, const char*> all[] = {
        {"gfx.particles('a:b', {})",
         "gfx.particles: expected a name without ':' of at most 64 bytes, got 'a:b'"},
        {"gfx.particles('a', 5)", "gfx.particles 'a': expected a table of options, got 5"},
        {"gfx.particles('a', { sise = 5 })", "gfx.particles 'a': unknown key 'sise'; did you mean 'size'?"},
        {"gfx.particles('a', { image = 'a.png', shape = 'circle' })",
         "gfx.particles 'a': 'image' and 'shape' exclude each other"},
        {"gfx.particles('a', { shape = 'circel' })",
         "gfx.particles 'a', shape: expected \"circle\" or \"rectangle\", got 'circel'; did you mean "
         "'circle'?"},
        {"gfx.particles('a', { space = 'here' })",
         "gfx.particles 'a', space: expected \"world\" or \"local\", got 'here'"},
        {"gfx.particles('a', { rate = 'x' })", "gfx.particles 'a', rate: expected a number, got 'x'"},
        {"gfx.particles('a', { speed = { min = 1 } })",
         "gfx.particles 'a', speed.max: expected a number, got nil"},
        {"gfx.particles('a', { speed = { 1, 2, low = 1 } })", "gfx.particles 'a', speed: unknown key 'low'"},
        {"gfx.particles('a', { gravity = { z = 1 } })", "gfx.particles 'a', gravity: unknown key 'z'"},
        {"gfx.particles('a', { size = {} })",
         "gfx.particles 'a', size: expected a value or a list of 1 to 16, got 0"},
        {"gfx.particles('a', { size = { 1, 'x' } })",
         "gfx.particles 'a', size[2]: expected a number, got 'x'"},
        {"gfx.particles('a', {}) gfx.burst('b', 1, 2)", "gfx.burst: there is no preset of particles 'b'"},
        {"gfx.burst(5, 1, 2)", "gfx.burst: expected the name of a preset, got 5"},
        {"gfx.particles('a', {}) gfx.burst('a', 1)", "gfx.burst, y: expected a number, got nil"},
        {"gfx.particles('a', {}) gfx.burst('a', 1, 2, -3)",
         "gfx.burst, count: expected a number of at least 0, got -3"},
    };
    for (const auto& [line, message] : all) {
        CAPTURE(line);
        CHECK(contains(failure(line), message));
    }
}

TEST_CASE("presets are defined while files load, and bursts belong to steps") {
    GameFolder game{
        "gfx.particles('a', {})\nfunction draw() gfx.burst('a', 1, 2) end\n"
        "function update() gfx.particles('b', {}) end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(game.log, "gfx.particles: declare it while the file is loaded, not inside a system"));
    CHECK(contains(game.log, "gfx.burst: not while a picture is drawn"));
}
