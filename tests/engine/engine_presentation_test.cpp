// Random games whose presentation does everything that is allowed, recorded and replayed with different
// frames: the world is the same after each system of each step.
#include "engine/engine.h"
#include "engine/replay/hash_diff.h"
#include "tests/engine/game_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <random>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\n"
    "ecs.component('Body', { { 'x', 'f64' }, { 'y', 'f64' }, { 'image', 'asset' }, { 'name', 'text' } "
    "})\n"
    "ecs.resource('Sum', { { 'value', 'f64' }, { 'text', 'string(64)' } })\n";

// One for each thing that the two could share.
const std::vector<std::string> kSimulation{
    "sum.value = sum.value + math.random()",
    "sum.text = tostring({})",
    "sum.value = sum.value + math.random(1, 100) sum.text = tostring(shared)",
    "sum.value = sum.value + ctx.random:unit()",
    "if ctx.tick > 20 then sum.value = sum.value + require('late').value end",
    "local k = next(walked, last) last = k sum.text = tostring(k) walked['k' .. ctx.tick] = 1",
    "if input.pressed('space') then sum.value = sum.value + 1 end",
    "if ctx.tick > 10 and input.down('left') then sum.value = sum.value + 0.5 end",
    "ctx.commands:spawn(C.Body { x = math.random(), image = 'none' .. ctx.tick % 7 .. '.png' })",
    "ctx.commands:spawn(C.Body { name = 'n' .. ctx.tick })",
    "sum.value = sum.value + gfx.to_world(1, 2)",
    "local width, height = gfx.size() sum.value = sum.value + width + height / 8",
    "if ctx.tick % 5 == 0 then print(ctx.tick, {}) end",
    "sum.text = select(2, pcall(error, {})) and tostring(function() end) or ''",
    "for k, v in pairs(walked) do sum.value = sum.value + #k end",
};
const std::vector<std::string> kPresentation{
    "math.random() math.random(5)",
    "math.randomseed(own)",
    "own = own + 1 tostring({}) tostring(shared)",
    "pcall(require, 'late')",
    "local k repeat k = next(walked, k) until k == nil or #k > 2",
    "if input.down('space') or input.pressed('left') then own = own + 1 end",
    "gfx.image('none' .. math.random(9) .. '.png', 1, 2)",
    "gfx.circle('fill', own, 2, 3) gfx.print('text ' .. own, 1, 1) gfx.set_camera(own, 2, 2)",
    "ctx.random:unit() ctx.random:integer(1, 6)",
    "pcall(function() return C.Body { name = 'shown' .. own, image = 'other.png' } end)",
    "if own % 3 == 0 then print('shown', {}) end",
    "list[#list + 1] = string.rep('x', own % 50) if #list > 20 then list = {} end",
    "gfx.set_background(own % 255 / 255, 0, 0) audio.play('none' .. own % 4 .. '.wav')",
    "coroutine.wrap(function() coroutine.yield(math.random()) end)()",
    "pcall(input.action, 'space', { keys = { 'left' } })",
    "for k in pairs(walked) do own = own + #k % 2 end",
};

std::string program(std::mt19937& random) {
    const auto some = [&random](const std::vector<std::string>& from) {
        std::string code;
        for (unsigned n = 3 + random() % 5; n > 0; --n) code += "  " + from[random() % from.size()] + "\n";
        return code;
    };
    return "local ecs = require 'ecs'\nlocal C = ecs.components\n"
           "local shared, walked, last = {}, { a = 1, b = 2, c = 3 }, nil\n"
           "ecs.system('simulates', { access = { write = { C.Sum } }, run = function(_, ctx)\n"
           "  local sum = ctx:resource(C.Sum)\n" +
           some(kSimulation) + "end })\nlocal own, list = 0, {}\n" +
           "ecs.system('shows', { group = 'presentation', run = function(_, ctx)\n" + some(kPresentation) +
           "end })\n" + "ecs.system('shows more', { group = 'presentation', run = function(_, ctx)\n" +
           some(kPresentation) + "end })\n";
}

HashLogReader log_in(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    Result<HashLogReader> log = HashLogReader::open({std::istreambuf_iterator<char>{in}, {}});
    REQUIRE(log.ok());
    return std::move(log).value();
}

// Frames of any length: some with many steps, some with none.
FrameInput played_frame(std::mt19937& random) {
    FrameInput frame;
    frame.elapsed_nanoseconds = random() % 60'000'000;
    if (random() % 2 == 0) frame.screen = {static_cast<std::uint16_t>(1280 + random() % 3 * 100), 720};
    if (random() % 3 == 0)
        frame.raw.events.push_back({random() % 2 == 0 ? InputCode::key_space : InputCode::key_left,
                                    static_cast<float>(random() % 2)});
    return frame;
}

}  // namespace

TEST_CASE("a recording made with a window replays to the same world, whatever presentation does") {
    std::mt19937 random(20221122);
    for (int i = 0; i < 60; ++i) {
        const std::string main = program(random);
        CAPTURE(i, main);
        GameFolder game{main, kSchema};
        game.write("late.lua", "return { value = math.random() }");
        EngineConfig config = game.config();
        config.record_file = game.file("a.log");
        config.hash_log_file = game.file("a.hashes");
        {
            const auto engine = GameFolder::play(config);
            for (int frame = 0; frame < 60; ++frame) engine->step(played_frame(random));
            CHECK(engine->tick() > 30);
            REQUIRE(engine->finish_recording().ok());
            REQUIRE(engine->finish_hash_log().ok());
            CAPTURE(game.log);
            CHECK(engine->error_count() == 0);
        }
        // One picture after each step, one after many.
        for (const int steps : {1, 7}) {
            EngineConfig again = game.config();
            again.replay_file = game.file("a.log");
            again.hash_log_file = game.file("b.hashes");
            const auto engine = GameFolder::play(again);
            while (!engine->is_replay_finished()) {
                FrameInput frame;
                frame.exact_steps = steps;
                engine->step(frame);
            }
            CHECK(engine->check_replay().ok());
            REQUIRE(engine->finish_hash_log().ok());
            HashLogReader first = log_in(game.file("a.hashes")), second = log_in(game.file("b.hashes"));
            const Result<HashDifference> found = compare(first, second);
            REQUIRE(found.ok());
            CHECK(text_of(found.value(), "recorded", "replayed") ==
                  "no difference in " + std::to_string(engine->tick()) + " steps\n");
        }
    }
}
