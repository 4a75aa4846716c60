// The frame loop: steps, pause, restart, recording and replay, and two engines in one process.
#include "engine/engine.h"

#include "engine/replay/input_log.h"
#include "engine/session/game_session.h"
#include "scripting/lua/luajit_version.h"
#include "tests/engine/game_folder.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <thread>

using namespace perigee;
using namespace perigee::test;

namespace {

// A game whose world depends on the seed, on every kind of input, and on how long it has been played.
constexpr char kSchema[] =
    "local ecs = require 'ecs'\n"
    "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
    "ecs.resource('Score', { { 'points', 'i32' }, { 'x', 'f64' } })\n";

constexpr char kMain[] =
    "local ecs = require 'ecs'\n"
    "local C = ecs.components\n"
    "input.action('fire', { keys = { 'space' }, pad = { 'right_trigger' } })\n"
    "local Dot = ecs.prefab('Dot', { C.Position })\n"
    "ecs.system('play', { access = { write = { C.Score } }, run = function(_, ctx)\n"
    "  local score = ctx:resource(C.Score)\n"
    "  local mx, my = input.mouse()\n"
    "  score.x = score.x + input.value('fire') + mx * 0.001 + my + input.wheel() + #input.text()\n"
    "  for i, event in ipairs(input.events()) do\n"
    "    local word = event.type .. (event.control or event.text or event.notches)\n"
    "    score.x = score.x * 0.9 + i * word:byte(-1) + (event.is_repeat and 3 or 0) + (event.x or 0)\n"
    "  end\n"
    "  if input.pressed('fire') then score.points = score.points + ctx.random:integer(1, 100) "
    "ctx.commands:spawn(Dot) end\n"
    "  if input.released('fire') then score.points = score.points - 1 end\n"
    "  if input.down('left') then score.x = score.x * 0.5 end\n"
    "end })\n"
    "ecs.system('fall', { query = { write = { C.Position } }, run = function(chunk, ctx)\n"
    "  local p = chunk.Position\n"
    "  for i = 1, chunk.count do p.y[i] = p.y[i] + ctx.random:range(0, 3) end\n"
    "end })\n"
    "function draw() gfx.print('hello', 10, 10) gfx.circle('fill', 5, 5, input.down('right') and 3 or 2) "
    "end\n";

FrameInput random_frame(std::mt19937& random) {
    FrameInput frame;
    frame.elapsed_nanoseconds = random() % 40'000'000;
    for (unsigned n = random() % 3; n > 0; --n) {
        const InputCode codes[] = {InputCode::key_space, InputCode::key_left, InputCode::key_right,
                                   InputCode::pad_right_trigger};
        frame.raw.events.push_back({.code = codes[random() % 4],
                                    .value = static_cast<float>(random() % 5) / 4.0F,
                                    .is_repeat = random() % 4 == 0});
    }
    if (random() % 3 == 0)
        frame.raw.events.push_back({InputCode::mouse_left, static_cast<float>(random() % 2)});
    if (random() % 2 == 0)
        frame.raw.move_mouse(static_cast<float>(random() % 12800) / 10.0F,
                             static_cast<float>(random() % 7200) / 10.0F);
    if (random() % 10 == 0) frame.raw.turn_wheel(1);
    if (random() % 10 == 0) frame.raw.type("ab");
    if (random() % 100 == 0) frame.toggle_pause = true;
    if (random() % 80 == 0) frame.restart = true;
    return frame;
}

std::string error_of(EngineConfig config) {
    const auto engine = Engine::create(std::move(config));
    return engine ? "no error" : engine.error().message;
}

}  // namespace

TEST_CASE("a sketch of a few lines runs: update, draw, and a key") {
    GameFolder game{
        "local x = 100\n"
        "function update(dt) if input.down('right') then x = x + 60 * dt end end\n"
        "function draw() gfx.circle('fill', x, 200, 10, 'orange') end\n"};
    const auto engine = game.play();
    run(*engine, 10);
    run(*engine, 60, key(InputCode::key_right));
    CHECK(contains(picture(*engine), "circle at 160,200 radius 10 #ff9628ff"));
    CHECK(engine->tick() == 70);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("a session of any pacing, with pauses and restarts, replays to the same hash") {
    std::mt19937 random{77};
    for (int program = 0; program < 4; ++program) {
        GameFolder game{kMain, kSchema};
        EngineConfig config = game.config();
        config.seed = random();
        config.record_file = game.file("run.log");
        std::uint64_t hash = 0;
        std::uint64_t tick = 0;
        {
            const auto engine = game.play(config);
            for (int frame = 0; frame < 400; ++frame) engine->step(random_frame(random));
            hash = engine->hash();
            tick = engine->tick();
            REQUIRE(engine->finish_recording());
            INFO(game.log);
            CHECK(engine->error_count() == 0);
        }
        EngineConfig again = game.config();
        again.seed.reset();
        again.replay_file = game.file("run.log");
        again.record_file = game.file("copy.log");
        const auto engine = game.play(again);
        CHECK(engine->seed() == *config.seed);
        while (!engine->is_replay_finished())
            run(*engine, 1, key(InputCode::key_space));  // live input is ignored
        CHECK(engine->tick() == tick);
        CHECK(engine->hash() == hash);
        CHECK(engine->check_replay());
        REQUIRE(engine->finish_recording());

        // A recording of a replay is the same recording.
        EngineConfig copy = game.config();
        copy.seed.reset();
        copy.replay_file = game.file("copy.log");
        const auto third = game.play(copy);
        while (!third->is_replay_finished()) run(*third, 1);
        CHECK(third->hash() == hash);
    }
}

TEST_CASE("different seeds give different games, and the same seed gives the same game") {
    GameFolder game{kMain, kSchema};
    const auto hash_with = [&](std::uint64_t seed) {
        EngineConfig config = game.config();
        config.seed = seed;
        const auto engine = game.play(config);
        run(*engine, 5);
        run(*engine, 100, key(InputCode::key_space));
        return engine->hash();
    };
    CHECK(hash_with(1) == hash_with(1));
    CHECK(hash_with(1) != hash_with(2));
}

TEST_CASE("a replay of a changed game is reported as diverged") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    {
        const auto engine = game.play(config);
        run(*engine, 5);
        run(*engine, 50, key(InputCode::key_space));
    }  // the destructor ends the recording
    game.write("main.lua",
               std::string{kMain} +
                   "ecs.system('new', { access = { write = { C.Score } }, run = function(_, ctx)\n"
                   "  ctx:resource(C.Score).points = 5 end })\n");
    EngineConfig again = game.config();
    again.replay_file = game.file("run.log");
    const auto engine = game.play(again);
    while (!engine->is_replay_finished()) run(*engine, 1);
    CHECK(
        contains(engine->check_replay().error().message, "replay: diverged: the recording ended with hash "));
}

TEST_CASE("recordings and hash logs name the LuaJIT that ran the scripts") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    config.hash_log_file = game.file("run.hashes");
    { run(*game.play(config), 3); }
    for (const char* name : {"run.log", "run.hashes"}) {
        std::ifstream stream{game.file(name), std::ios::binary};
        CHECK(contains(std::string{std::istreambuf_iterator<char>{stream}, {}},
                       "\nluajit " + luajit_version().text + "\n"));
    }
    EngineConfig again = game.config();
    again.replay_file = game.file("run.log");
    game.log.clear();
    const auto engine = game.play(again);
    CHECK(game.log.find("LuaJIT") == std::string::npos);
}

TEST_CASE("a replay says that its recording was made with another LuaJIT") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    const auto write_log = [&](const std::string& luajit) {
        InputLogWriter log{{"game", config.seed.value_or(0), 60, luajit}};
        log.finish(1);
        std::ofstream{game.file("run.log"), std::ios::binary} << log.take_bytes();
        game.log.clear();
        EngineConfig again = game.config();
        again.replay_file = game.file("run.log");
        return game.play(again);
    };
    const auto other = write_log("LuaJIT 2.1.17");
    CHECK(contains(game.log, "replay: the recording was made with LuaJIT 2.1.17, and this program has " +
                                 luajit_version().text + ": scripts may compute different results"));
    CHECK(contains(other->check_replay().error().message,
                   "replay: diverged; a possible reason: the recording was made with LuaJIT 2.1.17, and this "
                   "program has "));
    // Logs of the first version do not name any.
    const auto unknown = write_log("");
    CHECK(game.log.find("LuaJIT") == std::string::npos);
    CHECK(contains(unknown->check_replay().error().message, "replay: diverged: the recording ended"));
}

TEST_CASE("a game ends with the same world interpreted and compiled") {
    GameFolder game{kMain, kSchema};
    const auto hash_of = [&](bool is_interpreted) {
        EngineConfig config = game.config();
        config.is_interpreted = is_interpreted;
        const auto engine = game.play(config);
        run(*engine, 5);
        run(*engine, 200, key(InputCode::key_space));
        return engine->hash();
    };
    CHECK(hash_of(true) == hash_of(false));
}

TEST_CASE("a limit that changed a run marks its recording and hash log, and the replay says so") {
    const std::string greedy =
        "local ecs = require 'ecs'\n"
        "local C = ecs.components\n"
        "ecs.system('greedy', { access = { write = { C.Score } }, run = function(_, ctx)\n"
        "  if ctx.tick == 4 and not pcall(string.rep, 'x', 2 ^ 30) then ctx:resource(C.Score).points = 7 "
        "end\n"
        "end })\n";
    GameFolder game{greedy, kSchema};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    config.hash_log_file = game.file("run.hashes");
    {
        const auto engine = game.play(config);
        run(*engine, 20);
        CHECK(engine->session().not_replayable() == "the memory limit of mod 'game'");
        CHECK(engine->error_count() == 0);
    }
    const std::string said =
        "the memory limit of mod 'game' changed what happened in step 5: a replay of this run may differ";
    CHECK(game.log.find(said) != std::string::npos);
    CHECK(game.log.find(said) == game.log.rfind(said));
    std::ifstream stream{game.file("run.hashes"), std::ios::binary};
    CHECK(
        contains(std::string{std::istreambuf_iterator<char>{stream}, {}}, "the memory limit of mod 'game'"));

    const auto replay = [&] {
        game.log.clear();
        EngineConfig again = game.config();
        again.replay_file = game.file("run.log");
        const auto engine = game.play(again);
        while (!engine->is_replay_finished()) run(*engine, 1);
        CHECK(contains(game.log,
                       "replay: the recording is unreliable after step 5: the memory limit of mod "
                       "'game' changed what happened there"));
        const Result<void> played = engine->check_replay();
        return played ? std::string{} : played.error().message;
    };
    CHECK(replay().empty());
    game.write("main.lua", "");  // a machine with more memory, say
    CHECK(contains(
        replay(),
        "replay: diverged; a possible reason: the memory limit of mod 'game' changed what happened in "
        "step 5 of the recording"));
}

TEST_CASE("impossible recordings and replays are errors before the game starts") {
    GameFolder game{"function draw() end"};
    EngineConfig config = game.config();
    config.replay_file = game.file("absent.log");
    CHECK(error_of(config) == "replay: '" + config.replay_file.string() + "' does not exist");
    config.replay_file = game.path();
    CHECK(error_of(config) == "replay: '" + config.replay_file.string() + "' is a directory, not a file");
    config.replay_file = game.path() / "main.lua";
    CHECK(error_of(config) ==
          "'" + config.replay_file.string() + "': replay: this file is not a perigee input log");
    config = game.config();
    config.record_file = game.file("no folder") / "run.log";
    CHECK(contains(error_of(config), "record: cannot write '"));
    config = game.config();
    config.game = game.file("no game");
    CHECK(contains(error_of(config), "no such folder or archive"));
    game.write("mod.json", "{");
    CHECK(contains(error_of(game.config()), "mod.json:1:2: not valid JSON"));
    game.write("mod.json", "{}");

    config = game.config();
    config.record_file = game.file("run.log");
    { run(*game.play(config), 3); }
    config = game.config();
    config.replay_file = game.file("run.log");
    config.seed = 99;
    CHECK(error_of(config) == "replay: the log has seed 1, but seed 99 was requested");
    config.seed = 1;
    CHECK(error_of(config) == "no error");
    config.clock.steps_per_second = 30;
    CHECK(error_of(config) == "replay: the log was recorded at 60 steps per second, this game runs at 30");
    game.write("mod.json", R"({"id": "other"})");
    config.clock.steps_per_second = 60;
    CHECK(error_of(config) == "replay: the log was recorded with game 'game', this is 'other'");
}

TEST_CASE("a recording truncated by a crash is replayed on request") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    const auto engine = game.play(config);
    run(*engine, 130);
    EngineConfig again = game.config();
    again.replay_file = game.file("run.log.part");
    CHECK(contains(error_of(again), "truncated: it ends after step 120 without an end mark"));
    again.accept_truncated_replay = true;
    const auto replay = game.play(again);
    run(*replay, 200);
    CHECK(replay->is_replay_finished());
    CHECK(contains(picture(*replay), "\"end of the replay\""));
    CHECK(replay->tick() == 120);
    CHECK(replay->check_replay());
}

TEST_CASE("a restart reads the files again, starts from the first step, and clears the caches of back ends") {
    GameFolder game{"function draw() gfx.print('old', 0, 0) end"};
    const auto engine = game.play();
    run(*engine, 10);
    CHECK(contains(picture(*engine), "\"old\""));
    game.write("main.lua", "function draw() gfx.print('new', 0, 0) end");
    FrameInput frame;
    frame.exact_steps = 1;
    frame.restart = true;
    engine->step(frame);
    CHECK(contains(picture(*engine), "\"new\""));
    CHECK(engine->tick() == 1);
    CHECK(engine->session_number() == 2);

    // After a broken file the game waits with the message; when it is repaired, the game continues.
    game.write("main.lua", "function draw( end");
    engine->restart();
    run(*engine, 1);
    CHECK(engine->error_count() == 1);
    game.write("main.lua", "function draw() gfx.print('repaired', 0, 0) end");
    engine->restart();
    run(*engine, 1);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "\"repaired\""));

    // If the game's files are gone, the running session continues.
    game.write("mod.json", "no json");
    engine->restart();
    run(*engine, 1);
    CHECK(contains(picture(*engine), "\"repaired\""));
    CHECK(contains(game.log, "restart: mod.json:1:1: not valid JSON"));
}

TEST_CASE("a paused game does not step, shows that it is paused, and ignores the time that passes") {
    GameFolder game{kMain, kSchema};
    const auto engine = game.play();
    run(*engine, 3);
    const std::uint64_t hash = engine->hash();
    FrameInput frame;
    frame.elapsed_nanoseconds = 50'000'000;
    frame.toggle_pause = true;
    engine->step(frame);
    frame.toggle_pause = false;
    for (int i = 0; i < 20; ++i) engine->step(frame);
    CHECK(engine->tick() == 3);
    CHECK(engine->hash() == hash);
    CHECK(contains(picture(*engine), "\"paused\""));
    engine->set_paused(false);
    frame.elapsed_nanoseconds = 1;
    engine->step(frame);
    CHECK(engine->tick() == 3);
    CHECK_FALSE(contains(picture(*engine), "\"paused\""));
}

TEST_CASE("a session has the same world after each step with any number of threads") {
    GameFolder game{kMain, kSchema};
    const auto hashes = [&](std::uint32_t workers) {
        EngineConfig config = game.config();
        config.workers = workers;
        const auto engine = GameFolder::play(std::move(config));
        CHECK(engine->worker_count() == workers);
        std::mt19937 random{7};
        std::vector<std::uint64_t> all;
        for (int i = 0; i < 200; ++i) {
            engine->step(random_frame(random));
            all.push_back(engine->hash());
        }
        CHECK(engine->error_count() == 0);
        return all;
    };
    const std::vector<std::uint64_t> alone = hashes(1);
    for (const std::uint32_t workers : {2, 3, 8}) CHECK(hashes(workers) == alone);
    CHECK(game.play()->worker_count() == std::clamp(std::thread::hardware_concurrency(), 1U, kMaxWorkers));
}

TEST_CASE("two engines in one process are independent") {
    GameFolder one{kMain, kSchema};
    GameFolder two{"function draw() gfx.print('two', 0, 0) end"};
    std::uint64_t alone = 0;
    {
        const auto engine = one.play();
        run(*engine, 5);
        run(*engine, 50, key(InputCode::key_space));
        alone = engine->hash();
    }
    const auto a = one.play();
    const auto b = two.play();
    const auto c = one.play();  // the same game, the same folder
    for (Engine* engine : {a.get(), b.get(), c.get()}) run(*engine, 5);
    for (int i = 0; i < 50; ++i) {
        run(*a, 1, key(InputCode::key_space));
        run(*b, 1);
        run(*c, 1, key(InputCode::key_space));
    }
    CHECK(a->hash() == alone);
    CHECK(c->hash() == alone);
    CHECK(contains(picture(*b), "\"two\""));
}

TEST_CASE("a damaged recording cannot hang or crash the engine") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    { run(*game.play(config), 100, key(InputCode::key_space)); }
    std::ifstream in{game.file("run.log"), std::ios::binary};
    const std::string whole{std::istreambuf_iterator<char>{in}, {}};
    std::mt19937 random{3};
    for (int i = 0; i < 60; ++i) {
        std::string bytes = whole;
        for (unsigned n = 1 + random() % 3; n > 0; --n)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        game.files().write("bad.log", bytes.substr(0, random() % (bytes.size() + 1)));
        EngineConfig again = game.config();
        again.seed.reset();
        again.replay_file = game.file("bad.log");
        again.accept_truncated_replay = true;
        const auto engine = Engine::create(again);
        if (!engine) continue;
        for (int step = 0; step < 200; ++step) run(*engine.value(), 1);
    }
}

TEST_CASE("the headless engine is linked without any SDL library") {
    std::ifstream maps{"/proc/self/maps"};
    const std::string loaded{std::istreambuf_iterator<char>{maps}, {}};
    REQUIRE(contains(loaded, "libphysfs"));  // libraries are listed here
    CHECK_FALSE(contains(loaded, "libSDL"));
}
