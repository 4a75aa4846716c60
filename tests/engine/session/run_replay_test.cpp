// A recording that is played back, with sessions that no engine runs.
#include "engine/session/run_replay.h"

#include "engine/session/run_outputs.h"
#include "tests/engine/game_folder.h"

#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] = "require('ecs').resource('Score', { { 'x', 'f64' } })\n";
constexpr char kMain[] =
    "local C = require('ecs').components\n"
    "require('ecs').system('play', { access = { write = { C.Score } }, run = function(_, ctx)\n"
    "  ctx:resource(C.Score).x = ctx:resource(C.Score).x + input.mouse()\n"
    "end })\n";

std::unique_ptr<GameSession> session_of(GameFolder& game) {
    const EngineConfig config = game.config();
    auto session = GameSession::start(GameSessionConfig{static_cast<const GameConfig&>(config)});
    REQUIRE(session);
    return std::move(session).value();
}

// Two steps, a restart, and three more.
std::filesystem::path recording_of(GameFolder& game) {
    const std::filesystem::path file = game.file("run.log");
    std::unique_ptr<GameSession> first = session_of(game), second = session_of(game);
    const auto outputs = RunOutputs::open({file, {}, {}}, *first, 7, 60);
    REQUIRE(outputs);
    const auto run_steps = [&](GameSession& session, int steps) {
        for (int i = 0; i < steps; ++i) {
            StepInput input = InputCollector().take_step(session.actions());
            input.mouse_x = static_cast<std::int16_t>(80 + 8 * i);
            outputs.value()->begin_step(input);
            session.step(input);
            REQUIRE(outputs.value()->end_step());
        }
    };
    run_steps(*first, 2);
    outputs.value()->restart(*second);
    run_steps(*second, 3);
    REQUIRE(outputs.value()->finish_recording());
    return file;
}

std::string error_of(const Result<std::unique_ptr<RunReplay>>& opened) {
    return opened ? "no error" : opened.error().message;
}

}  // namespace

TEST_CASE("a replay gives the restarts and the input of a run, and confirms its end") {
    GameFolder game{kMain, kSchema};
    const auto opened = RunReplay::open(recording_of(game), false, std::nullopt);
    REQUIRE(opened);
    RunReplay& replay = *opened.value();
    CHECK(replay.seed() == 7);
    CHECK(replay.warnings().empty());
    std::unique_ptr<GameSession> session = session_of(game);
    REQUIRE(replay.expect_game(*session, 60));
    CHECK_FALSE(replay.expect_game(*session, 30));
    std::vector<std::uint64_t> restarts;
    for (std::uint64_t step = 0; !replay.is_finished(); ++step) {
        while (replay.take_restart()) {
            restarts.push_back(step);
            session = session_of(game);
        }
        session->step(replay.take_step(session->actions()));
    }
    CHECK(restarts == std::vector<std::uint64_t>{2});
    CHECK(session->tick() == 3);
    CHECK(replay.check(*session, false));
    CHECK(contains(replay.check(*session_of(game), false).error().message, "replay: diverged"));
}

namespace {

// Moves, random numbers, a timer, commands and the mouse; `extra` is what is not in the world.
std::string busy_game(const std::string& extra) {
    return R"(
local ecs, input = require "ecs", require "input"
local C = ecs.components
)" + extra +
           R"(
ecs.system("spawn", { every = 0.05, run = function(_, ctx)
  ctx.commands:spawn(C.Spark { x = ctx.random:range(0, 9), age = bonus() })
end })
ecs.system("move", { query = { write = { C.Spark } }, run = function(chunk, ctx)
  for i = 1, chunk.count do
    chunk.Spark.x[i] = chunk.Spark.x[i] + ctx.random:range(-1, 1) + input.mouse()
    chunk.Spark.age[i] = chunk.Spark.age[i] + 1
    if chunk.Spark.age[i] > 20 then ctx.commands:destroy(chunk.entity[i]) end
  end
end })
ecs.system("draw", { group = "presentation", query = { read = { C.Spark } }, run = function(chunk)
  for i = 1, chunk.count do require("gfx").circle("fill", chunk.Spark.x[i], chunk.Spark.age[i], 3) end
end })
)";
}

constexpr char kSparks[] = "require('ecs').component('Spark', { { 'x', 'f64' }, { 'age', 'u16' } })\n";

// 60 steps, a restart, 60 more; the world is stored every 25 steps.
std::filesystem::path busy_recording(GameFolder& game, std::vector<std::uint64_t>& hashes) {
    EngineConfig config = game.config();
    config.record_file = game.file("busy.log");
    config.steps_per_world = 25;
    const std::unique_ptr<Engine> engine = GameFolder::play(config);
    hashes.push_back(engine->hash());
    for (int step = 0; step < 120; ++step) {
        if (step == 60) engine->restart();
        RawInput raw;
        raw.move_mouse(static_cast<float>(step * 7 % 50), 0);
        run(*engine, 1, raw);
        hashes.push_back(engine->hash());
    }
    REQUIRE(engine->finish_recording());
    return config.record_file;
}

}  // namespace

TEST_CASE("a replay that begins at a stored world goes through the same worlds and pictures") {
    GameFolder game{busy_game("local function bonus() return 0 end"), kSparks};
    std::vector<std::uint64_t> hashes;
    EngineConfig config = game.config();
    config.replay_file = busy_recording(game, hashes);
    for (const std::uint64_t step : {0U, 1U, 24U, 25U, 26U, 60U, 61U, 74U, 75U, 119U, 120U}) {
        CAPTURE(step);
        const std::unique_ptr<Engine> whole = GameFolder::play(config), near = GameFolder::play(config);
        REQUIRE(whole->replay_to(step));
        CHECK(near->begin_replay_near(step).value() == step / 25 * 25);
        REQUIRE(near->replay_to(step));
        for (Engine* const engine : {whole.get(), near.get()}) {
            CHECK(engine->hash() == hashes[step]);
        }
        CHECK(near->tick() == whole->tick());
        CHECK(picture(*near) == picture(*whole));
        REQUIRE(near->replay_to(120));
        CHECK(near->is_replay_finished());
        CHECK(near->check_replay());
        CHECK(near->hash() == hashes[120]);
    }
    const std::unique_ptr<Engine> engine = GameFolder::play(config);
    CHECK(engine->replay_to(121).error().message ==
          "replay: the recording ends after step 120, before step 121");
    CHECK(game.log.empty());
}

TEST_CASE("what a game keeps in Lua variables is not in a stored world, and the next one tells") {
    GameFolder game{
        busy_game("local spawned = 0\nlocal function bonus() spawned = spawned + 1; return spawned % 7 end"),
        kSparks};
    std::vector<std::uint64_t> hashes;
    EngineConfig config = game.config();
    config.replay_file = busy_recording(game, hashes);
    const std::unique_ptr<Engine> whole = GameFolder::play(config), near = GameFolder::play(config);
    REQUIRE(whole->replay_to(120));
    CHECK(whole->check_replay());
    CHECK(near->begin_replay_near(30).value() == 25);
    REQUIRE(near->replay_to(55));
    CHECK(near->check_replay().error().message ==
          "replay: diverged: after step 25 the world is the recorded one, after step 50 it is not");
}

TEST_CASE("a recording stores no worlds of a game that cannot be saved") {
    GameFolder game{
        "local ecs = require 'ecs'\n"
        "local thing = ecs.world:spawn(ecs.components.Thing)\n"
        "ecs.world:set_object(thing, ecs.components.Thing, { think = print })\n"
        "ecs.system('s', { run = function() end })",
        "require('ecs').component('Thing', { kind = 'object' })\n"};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    config.steps_per_world = 2;
    const std::unique_ptr<Engine> engine = GameFolder::play(config);
    INFO(game.log);
    REQUIRE(engine->has_loaded());
    run(*engine, 5);
    CHECK(contains(game.log, "record: no more worlds are stored: component 'Thing', entity "));
    CHECK(game.log.find("no more worlds") == game.log.rfind("no more worlds"));
    REQUIRE(engine->finish_recording());
    EngineConfig again = game.config();
    again.replay_file = config.record_file;
    const std::unique_ptr<Engine> replay = GameFolder::play(again);
    CHECK(replay->begin_replay_near(5).value() == 0);
    REQUIRE(replay->replay_to(5));
    CHECK(replay->check_replay());
}

TEST_CASE(
    "no world is stored while a system is suspended, so a replay from one before has it suspended, too") {
    GameFolder game{
        "local ecs = require 'ecs'\n"
        "local C = ecs.components\n"
        "ecs.resource('Sum', { { 'x', 'u32' } })\n"
        "ecs.system('fails', { access = { write = { C.Sum } }, run = function(_, ctx)\n"
        "  local sum = ctx:resource(C.Sum)\n"
        "  sum.x = sum.x + 1\n"
        "  if sum.x == 7 then error('seven') end\n"
        "end })"};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    config.steps_per_world = 2;
    const std::unique_ptr<Engine> engine = GameFolder::play(config);
    run(*engine, 20);
    const std::uint64_t hash = engine->hash();
    CHECK(contains(game.log, "record: no more worlds are stored: system 'fails' is suspended"));
    REQUIRE(engine->finish_recording());
    EngineConfig again = game.config();
    again.replay_file = config.record_file;
    const std::unique_ptr<Engine> replay = GameFolder::play(again);
    CHECK(replay->begin_replay_near(20).value() == 6);
    REQUIRE(replay->replay_to(20));
    CHECK(replay->hash() == hash);
    CHECK(replay->check_replay());
}

TEST_CASE("a game that quits before a step of its replay cannot go there") {
    GameFolder game{"function update() end"};
    EngineConfig config = game.config();
    config.record_file = game.file("run.log");
    {
        const std::unique_ptr<Engine> engine = GameFolder::play(config);
        run(*engine, 9);
    }
    game.write("main.lua",
               "state.steps = 0\nfunction update() state.steps = state.steps + 1 "
               "if state.steps == 3 then require('app').quit() end end");
    EngineConfig again = game.config();
    again.replay_file = config.record_file;
    CHECK(GameFolder::play(again)->replay_to(7).error().message ==
          "replay: the game ended the run after step 3, before step 7");
}

TEST_CASE("a game that ends before its recording fails the replay") {
    GameFolder game{kMain, kSchema};
    const auto replay = RunReplay::open(recording_of(game), false, std::nullopt);
    REQUIRE(replay);
    const std::unique_ptr<GameSession> session = session_of(game);
    CHECK(replay.value()->check(*session, false));
    CHECK_FALSE(replay.value()->check(*session, true));
}

TEST_CASE("a file that is no recording, or has another seed, is not replayed") {
    GameFolder game{kMain, kSchema};
    CHECK(contains(error_of(RunReplay::open(game.file("none.log"), false, std::nullopt)), "replay: '"));
    CHECK(error_of(RunReplay::open(game.path() / "main.lua", false, std::nullopt)) != "no error");
    CHECK(error_of(RunReplay::open(recording_of(game), false, 8)) ==
          "replay: the log has seed 7, but seed 8 was requested");
    CHECK(error_of(RunReplay::open(game.file("run.log"), false, 7)) == "no error");
}
