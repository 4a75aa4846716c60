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
            outputs.value()->end_step();
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
