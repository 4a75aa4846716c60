// gfx.particles, gfx.burst and the component gfx.Emitter in scripts.
#include "engine/modules/gfx_particles.h"

#include "tests/engine/game_folder.h"
#include "tests/support/markdown.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

TEST_CASE("three or four numbers from 0 to 1 are one colour of particles") {
    for (const auto& [colors, shown] : {std::pair{"{ 1, 0.5, 0 }", "#ff8000ff"},
                                        {"{ 1, 1, 1, 0.4 }", "#ffffff66"},
                                        {"{ { 1, 0, 0 }, { 0, 0, 1 } }", "#ff0000ff"}}) {
        GameFolder game{"local p = gfx.particles('p', { count = 1, speed = 0, lifetime = 9, color = " +
                        std::string{colors} +
                        " })\nlocal n = 0\nfunction update()\n  n = n + 1\n"
                        "  if n == 1 then gfx.burst(p, 9, 9) end\nend"};
        const auto engine = game.play();
        run(*engine, 1);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        CHECK(contains(picture(*engine), shown));
    }
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
        {"gfx.particles('a', { speed = { 100, 50, 0 } })",
         "gfx.particles 'a', speed: expected a number or { min =, max = }, got a list; a speed that changes "
         "during a life is 'speed_curve', for example { 1, 0.5, 0 }"},
        {"gfx.particles('a', { spin = { 1, 2 } })",
         "gfx.particles 'a', spin: expected a number or { min =, max = }, got a list"},
        {"gfx.particles('a', { speed_curve = { 1, 'x' } })",
         "gfx.particles 'a', speed_curve[2]: expected a number, got 'x'"},
        {"gfx.particles('a', { speed_curve = {} })",
         "gfx.particles 'a', speed_curve: expected a value or a list of 1 to 16, got 0"},
        {"gfx.particles('a', { area = 5 })",
         "gfx.particles 'a', area: expected a table such as { shape = \"ring\", width = 80 }, got 5"},
        {"gfx.particles('a', { area = { widht = 5 } })",
         "gfx.particles 'a', area: unknown key 'widht'; did you mean 'width'?"},
        {"gfx.particles('a', { area = { shape = 'rign', width = 5 } })",
         "gfx.particles 'a', area.shape: expected \"disc\", \"ring\", \"rectangle\", \"frame\", \"line\" or "
         "\"cloud\", got 'rign'; did you mean 'ring'?"},
        {"gfx.particles('a', { area = { shape = 'disc' } })",
         "gfx.particles 'a', area.width: expected a number from 0 to 2000000, got nil"},
        {"gfx.particles('a', { area = { width = -1 } })",
         "gfx.particles 'a', area.width: expected a number from 0 to 2000000, got -1"},
        {"gfx.particles('a', { area = { width = 1, height = 'x' } })",
         "gfx.particles 'a', area.height: expected a number from 0 to 2000000, got 'x'"},
        {"gfx.particles('a', { area = { shape = 'line', width = 1, height = 2 } })",
         "gfx.particles 'a', area.height: a line has none; it lies along its 'rotation'"},
        {"gfx.particles('a', { area = { width = 1, rotation = 0 / 0 } })",
         "gfx.particles 'a', area.rotation: expected a finite number, got nan"},
        {"gfx.particles('a', { area = { width = 1, outward = 1 } })",
         "gfx.particles 'a', area.outward: expected true or false, got 1"},
        {"gfx.particles('a', { radius = 1, area = { width = 1 } })",
         "gfx.particles 'a': 'radius' and 'area' exclude each other"},
        {"gfx.particles('a', { size_variation = 'x' })",
         "gfx.particles 'a', size_variation: expected a number, got 'x'"},
        {"gfx.particles('a', { radial = 'x' })", "gfx.particles 'a', radial: expected a number, got 'x'"},
        {"gfx.particles('a', { tangential = { min = 1 } })",
         "gfx.particles 'a', tangential.max: expected a number, got nil"},
        {"gfx.particles('a', { faces_velocity = 1 })",
         "gfx.particles 'a', faces_velocity: expected true or false, got 1"},
        {"gfx.particles('a', { frames = { 1, 2 } })", "gfx.particles 'a': 'frames' are those of an 'image'"},
        {"gfx.particles('a', { image = 'a.png', frame = 1, frames = { 1, 2 } })",
         "gfx.particles 'a': 'frame' and 'frames' exclude each other"},
        {"gfx.particles('a', { image = 'a.png', frames = { 1, 'x' } })",
         "gfx.particles 'a', frames[2]: expected a number, got 'x'"},
        {"gfx.particles('a', { image = 'a.png', frames = {} })",
         "gfx.particles 'a', frames: expected a value or a list of 1 to 64, got 0"},
        {"gfx.particles('a', { image = 'a.png', frames = { from = 0 } })",
         "gfx.particles 'a', frames.to: expected a number, got nil"},
        {"gfx.particles('a', { image = 'a.png', frames = { to = 3 } })",
         "gfx.particles 'a', frames.from: expected a number, got nil"},
        {"gfx.particles('a', { image = 'a.png', frames = { from = 0, to = 3, by = 1 } })",
         "gfx.particles 'a', frames: unknown key 'by'"},
        {"gfx.particles('a', { image = 'a.png', frames = { from = 0, to = 64 } })",
         "gfx.particles 'a', frames: expected at most 64 frames, got 65"},
        {"gfx.particles('a', { gravity = { z = 1 } })", "gfx.particles 'a', gravity: unknown key 'z'"},
        {"gfx.particles('a', { size = {} })",
         "gfx.particles 'a', size: expected a value or a list of 1 to 16, got 0"},
        {"gfx.particles('a', { size = { 1, 'x' } })",
         "gfx.particles 'a', size[2]: expected a number, got 'x'"},
        {"gfx.particles('a', {}) gfx.burst('b', 1, 2)", "gfx.burst: there is no preset of particles 'b'"},
        {"gfx.particles('a', { collisions = 5 })",
         "gfx.particles 'a', collisions: expected a table such as { grid = pixels, cell = 16 }, got 5"},
        {"gfx.particles('a', { collisions = { gird = 5 } })",
         "gfx.particles 'a', collisions: unknown key 'gird'; did you mean 'grid'?"},
        {"gfx.particles('a', { collisions = {} })",
         "gfx.particles 'a', collisions.grid: expected pixels of gfx.pixels(columns, rows), in which every "
         "pixel that is not transparent is a solid cell, got nil"},
        {"gfx.particles('a', { collisions = { grid = gfx.canvas(4, 4) } })", "got canvas of 4 x 4"},
        {"gfx.particles('a', { collisions = { grid = { width = 4, height = 4 } } })",
         "in which every pixel that is not transparent is a solid cell, got table"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), cell = 0 } })",
         "gfx.particles 'a', collisions.cell: expected a number from 1 to 16384, got 0"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), cell = 0 / 0 } })",
         "gfx.particles 'a', collisions.cell: expected a number from 1 to 16384, got nan"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), y = 1e300 } })",
         "gfx.particles 'a', collisions.y: expected a number from -1000000 to 1000000, got 1e+300"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), x = 'left' } })",
         "gfx.particles 'a', collisions.x: expected a number from -1000000 to 1000000, got 'left'"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), bounce = -0.5 } })",
         "gfx.particles 'a', collisions.bounce: expected a number from 0 to 1, got -0.5"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), friction = 2 } })",
         "gfx.particles 'a', collisions.friction: expected a number from 0 to 1, got 2"},
        {"gfx.particles('a', { collisions = { grid = gfx.pixels(4, 4), on_hit = 'dei' } })",
         "gfx.particles 'a', collisions.on_hit: expected \"bounce\", \"stop\" or \"die\", got 'dei'; did you "
         "mean 'die'?"},
        {"gfx.burst(5, 1, 2)", "gfx.burst: expected the name of a preset, got 5"},
        {"gfx.particles('a', {}) gfx.burst('a', 1)", "gfx.burst, y: expected a number, got nil"},
        {"gfx.particles('a', {}) gfx.burst('a', 1, 2, -3)",
         "gfx.burst, count: expected a number of at least 0, got -3"},
        {"gfx.burst(gfx.particles('p', {}), 1, 2, 0.9)",
         "gfx.burst, count: expected whole particles, got 0.9; gfx.Emitter emits a number of them each "
         "second"},
    };
    for (const auto& [line, message] : all) {
        CAPTURE(line);
        CHECK(contains(failure(line), message));
    }
}

namespace {

struct Place {
    float x, y;
    friend bool operator==(const Place&, const Place&) = default;
};

// Of each item in a picture.
std::vector<Place> places_of(const std::string& shown) {
    std::vector<Place> all;
    for (std::size_t at = shown.find(" at "); at != shown.npos; at = shown.find(" at ", at + 1))
        all.push_back({std::stof(shown.substr(at + 4)), std::stof(shown.substr(shown.find(',', at) + 1))});
    return all;
}

}  // namespace

TEST_CASE("a curve of the speed brings particles to a halt, also among walls") {
    for (const char* const walls : {"", ", collisions = { grid = gfx.pixels(4, 4) }"}) {
        GameFolder game{
            std::string{"local dart = gfx.particles('dart', { speed = 300, spread = 0, lifetime = 2, "} +
            "speed_curve = { 1, 0, 0 }" + walls + " })\n" +
            "local steps = 0\nfunction update()\n  steps = steps + 1\n" +
            "  if steps == 1 then gfx.burst(dart, 100, 100, 1) end\nend"};
        const auto engine = game.play();
        run(*engine, 65);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        const std::vector<Place> halt = places_of(picture(*engine));
        REQUIRE(halt.size() == 1);
        CHECK(halt[0].x == Approx(250).margin(6));  // half of a second's way
        run(*engine, 30);
        CHECK(places_of(picture(*engine)) == halt);
    }
}

TEST_CASE("particles begin in the area of their preset, and fly outwards from a ring") {
    GameFolder game{
        "local ring = gfx.particles('ring', { speed = 60, lifetime = 9, size = 2,\n"
        "  area = { shape = 'ring', width = 100, outward = true } })\n"
        "local rain = gfx.particles('rain', { speed = 0, lifetime = 9, size = 2, shape = 'rectangle',\n"
        "  area = { shape = 'line', width = 200, rotation = math.pi / 2 } })\n"
        "local steps = 0\nfunction update()\n  steps = steps + 1\n"
        "  if steps == 1 then gfx.burst(ring, 300, 180, 50) gfx.burst(rain, 100, 180, 50) end\nend"};
    const auto engine = game.play();
    run(*engine, 61);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    const std::string shown = picture(*engine);
    const std::vector<Place> places = places_of(shown);
    REQUIRE(places.size() == 100);
    std::size_t of_ring = 0, of_rain = 0;
    for (const Place& place : places) {
        if (place.x == Approx(100).margin(0.01)) {
            ++of_rain;
            CHECK(std::abs(place.y - 180) <= 100);
        } else {
            ++of_ring;
            CHECK(std::hypot(place.x - 300, place.y - 180) == Approx(110).margin(2));
        }
    }
    CHECK(of_ring == 50);
    CHECK(of_rain == 50);
}

TEST_CASE("sizes that vary, pulls, facing and frames of scripts reach the picture") {
    GameFolder game{
        "gfx.sheet('assets/flame.png', 16, 16)\n"
        "local flame = gfx.particles('flame', { image = 'assets/flame.png', frames = { from = 1, to = 3 },\n"
        "  lifetime = 1, speed = 0 })\n"
        "local wheel = gfx.particles('wheel', { shape = 'rectangle', lifetime = 9, size = 10, speed = 100,\n"
        "  spread = 0, size_variation = 0.5, radial = { min = -400, max = -300 }, tangential = 20,\n"
        "  faces_velocity = true, layer = 2 })\n"
        "local steps = 0\nfunction update()\n  steps = steps + 1\n"
        "  if steps == 1 then gfx.burst(flame, 100, 100, 1) gfx.burst(wheel, 300, 180, 20) end\nend"};
    game.write("assets/flame.png", png_head(64, 16));
    const auto engine = game.play();
    run(*engine, 5);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    const std::string early = picture(*engine);
    run(*engine, 45);
    const std::string late = picture(*engine);
    const auto line_of = [](const std::string& text, std::string_view part) {
        const std::size_t at = text.find(part);
        return at == text.npos ? "" : text.substr(at, text.find('\n', at) - at);
    };
    CHECK(count_of(early, "sprite") == 1);
    CHECK(line_of(early, "sprite") != line_of(late, "sprite"));  // another frame, and nothing else
    const std::vector<Place> before = places_of(early), after = places_of(late);
    REQUIRE(before.size() == 21);
    REQUIRE(after.size() == 21);
    for (std::size_t i = 1; i < before.size(); ++i) {
        CHECK(before[i].x > 300);
        CHECK(after[i].x < before[i].x + 5);  // pulled back
    }
    CHECK(count_of(late, " 10x10 ") < 3);
    INFO(early);
    CHECK(count_of(early, "world 2 rectangle") == 20);
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

namespace {

// Drops fall on a floor at y = 96, which opens in step 40.
constexpr char kRain[] = R"(local level = gfx.pixels(20, 12)
level:rect(0, 6, 20, 6, 'white')
local rain = gfx.particles('rain', { speed = { min = 10, max = 200 }, gravity = 900, lifetime = 3, size = 2,
  collisions = { grid = level, cell = 16, bounce = 0.3, friction = 0.2, on_hit = 'bounce' } })
local steps = 0
function update()
  steps = steps + 1
  if steps == 40 then level:fill(0) end
  gfx.burst(rain, 160, 40, 5)
end
)";

// Of the items in a picture.
float lowest(const std::string& shown) {
    float y = -1;
    for (std::size_t at = shown.find(" at "); at != shown.npos; at = shown.find(" at ", at + 1))
        y = std::max(y, std::stof(shown.substr(shown.find(',', at) + 1)));
    return y;
}

}  // namespace

TEST_CASE("particles collide with the pixels that a game writes, until it changes them [P16]") {
    std::string after;
    for (const std::uint32_t workers : {1U, 4U}) {
        GameFolder game{kRain};
        EngineConfig config = game.config();
        config.workers = workers;
        const auto engine = GameFolder::play(config);
        run(*engine, 38);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        CHECK(lowest(picture(*engine)) < 96);
        CHECK(lowest(picture(*engine)) > 94);
        run(*engine, 20);
        CHECK(lowest(picture(*engine)) > 110);
        if (after.empty()) after = picture(*engine);
        CHECK(picture(*engine) == after);
    }
}

TEST_CASE("a preset keeps its pixels [P16]") {
    GameFolder game{
        "local level = gfx.pixels(1, 1)\nlevel[1] = 0xff\n"
        "gfx.particles('rain', { speed = 0, gravity = 900, size = 2,\n"
        "  collisions = { grid = level, cell = 500, y = 100, on_hit = 'stop' } })\nlevel = nil\n"
        "local garbage = {}\n"
        "function update()\n  for i = 1, 3000 do garbage[i] = { i } end\n  gfx.burst('rain', 100, 90, "
        "1)\nend"};
    const auto engine = game.play();
    run(*engine, 40);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(lowest(picture(*engine)) == Approx(100).margin(1));
}

TEST_CASE("the grid of a mod is good for the bursts of others [P16]") {
    GameFolder game{"function update() gfx.burst('art:rain', 100, 90, 1) end"};
    game.write(
        "mods/art/main.lua",
        "local floor = gfx.pixels(1, 1) floor[1] = 0xff\ngfx.particles('rain', { speed = 0, gravity = 900, "
        "collisions = { grid = floor, cell = 500, y = 100 } })");
    const auto engine = game.play();
    run(*engine, 40);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(lowest(picture(*engine)) == Approx(100).margin(1));
}

TEST_CASE("the drops of docs/lua/components.md bounce off its level, and fall through the hole [P16]") {
    GameFolder game{""};
    for (const Block& block : blocks_of(page_of_docs("lua/components.md")))
        if (block.file == "main.lua" && contains(block.text, "collisions ="))
            game.write("main.lua", block.text);
    const auto engine = game.play();
    run(*engine, 115);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(count_of(picture(*engine), "circle") > 300);
    CHECK(lowest(picture(*engine)) < 28 * 16);
    run(*engine, 185);
    CHECK(lowest(picture(*engine)) > 38 * 16);
    CHECK(lowest(picture(*engine)) < 40 * 16);
}
