// The files of a run, with sessions that no engine runs.
#include "engine/session/run_outputs.h"

#include "engine/replay/hash_log.h"
#include "engine/replay/input_log.h"
#include "engine/replay/recorded_data.h"
#include "tests/engine/game_folder.h"

#include <fstream>
#include <iterator>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kMain[] =
    "local x = 0\nfunction update() x = x + input.mouse() end\nfunction draw() gfx.circle('fill', x, 0, 1) "
    "end\n";

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

std::unique_ptr<GameSession> session_of(GameFolder& game) {
    const EngineConfig config = game.config();
    auto session = GameSession::start(GameSessionConfig{static_cast<const GameConfig&>(config)});
    REQUIRE(session);
    return std::move(session).value();
}

void run_steps(RunOutputs& outputs, GameSession& session, int steps) {
    InputCollector collector;
    for (int i = 0; i < steps; ++i) {
        const StepInput input = collector.take_step(session.actions());
        outputs.begin_step(input);
        session.step(input);
        REQUIRE(outputs.end_step());
    }
}

}  // namespace

TEST_CASE("each file of a run covers its restarts") {
    GameFolder game{kMain};
    const RunOutputFiles files{game.file("run.log"), game.file("run.hashes"), game.file("run.json")};
    std::unique_ptr<GameSession> session = session_of(game);
    auto opened = RunOutputs::open(files, *session, 1, 60);
    REQUIRE(opened);
    RunOutputs& outputs = *opened.value();
    CHECK(outputs.is_repeatable());
    const std::vector<SaveAnswer> answers{{"game", "l"}};
    outputs.add_answers(answers);
    run_steps(outputs, *session, 3);
    std::unique_ptr<GameSession> second = session_of(game);
    outputs.restart(*second);
    session.reset();
    run_steps(outputs, *second, 2);
    outputs.mark_not_replayable("a test says so");
    REQUIRE(outputs.finish_recording());
    REQUIRE(outputs.finish_hash_log());
    REQUIRE(outputs.finish_trace());
    CHECK_FALSE(outputs.is_repeatable());

    Result<InputLog> log = InputLog::parse(bytes_of(files.recording));
    REQUIRE(log);
    CHECK(log.value().header().seed == 1);
    CHECK(log.value().header().game == second->identity());
    CHECK(log.value().step_count() == 5);
    CHECK(log.value().world_hash() == second->hash());
    CHECK(log.value().take_answers() == answers);
    REQUIRE(log.value().limit());
    CHECK(log.value().limit()->reason == "a test says so");
    CHECK(HashLogReader::open(bytes_of(files.hash_log)));
    CHECK(contains(bytes_of(files.trace), "update"));
}

TEST_CASE("a run writes no file that it was not asked for") {
    GameFolder game{kMain};
    const std::unique_ptr<GameSession> session = session_of(game);
    auto outputs = RunOutputs::open({}, *session, 1, 60);
    REQUIRE(outputs);
    run_steps(*outputs.value(), *session, 2);
    CHECK_FALSE(outputs.value()->is_repeatable());
    CHECK(outputs.value()->finish_recording());
    CHECK(outputs.value()->finish_hash_log());
    CHECK(outputs.value()->finish_trace());
    CHECK(std::distance(std::filesystem::directory_iterator(game.path().parent_path()), {}) == 1);
}

TEST_CASE("an older recording stays when another file of the run cannot be opened") {
    GameFolder game{kMain};
    game.files().write("run.log", "older");
    const std::unique_ptr<GameSession> session = session_of(game);
    for (const RunOutputFiles& files : {RunOutputFiles{game.file("run.log"), game.file("no/run.hashes"), {}},
                                        RunOutputFiles{game.file("run.log"), {}, game.file("no/run.json")}})
        CHECK_FALSE(RunOutputs::open(files, *session, 1, 60));
    CHECK(bytes_of(game.file("run.log")) == "older");
}
