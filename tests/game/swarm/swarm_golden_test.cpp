// The demo's golden hashes: the world after 600 and after 10,000 steps of a bot's play, the same in each
// build, on each machine, with any number of threads, and again from the recording. The long run is the
// hidden case [.golden]. In the short one, debug builds also watch for memory that two systems share.
//
// If the demo or the contents of the world hash change on purpose, the failure shows the new numbers.
#include "ecs/inspect/world_hash.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/session/game_session.h"
#include "tests/game/swarm/bot.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace perigee::swarm {
namespace {

constexpr std::uint64_t kSeed = 2;

struct Golden {
    std::uint64_t steps;
    const char* hash;
    std::uint32_t least_enemies;  ///< of the most there were: a run without a crowd proves little
};
constexpr Golden kShort{600, "378dba7dfdbadf38", 10};
constexpr Golden kLong{10'000, "b3d1b1d583642291", 300};

struct Outcome {
    std::string hash;
    std::uint32_t max_enemies = 0;
};

Outcome play(Engine& engine, std::uint64_t steps) {
    Bot bot(Bot::Kind::good, kSeed);
    World& world = engine.session().world();
    Outcome outcome;
    for (std::uint64_t i = 0; i < steps; ++i) {
        FrameInput frame;
        frame.exact_steps = 1;
        frame.raw = bot.decide(engine);
        engine.step(frame);
        outcome.max_enemies = std::max(outcome.max_enemies, world.resource<Senses>().enemies);
    }
    outcome.hash = text_from_hash(engine.hash());
    CHECK(engine.error_count() == 0);
    return outcome;
}

std::unique_ptr<Engine> start(std::uint32_t workers, EngineConfig config) {
    config.workers = workers;
    return Engine::create(std::move(config)).value();
}

void check(const Golden& golden) {
    const test::TemporaryFolder folder;
    const std::filesystem::path recording = folder.path() / "play.log";
    for (const std::uint32_t workers : {1, 2, 3, 8}) {
        CAPTURE(workers);
        EngineConfig config = swarm_config(kSeed);
        if (workers == 1) config.record_file = recording;
        const auto engine = start(workers, std::move(config));
        engine->session().schedule().record_access(golden.steps == kShort.steps);
        const Outcome played = play(*engine, golden.steps);
        CHECK(played.hash == golden.hash);
        CHECK(played.max_enemies >= golden.least_enemies);
    }
    for (const std::uint32_t workers : {1, 8}) {
        CAPTURE(workers);
        EngineConfig config = swarm_config(kSeed);
        config.seed.reset();
        config.replay_file = recording;
        const auto engine = start(workers, std::move(config));
        FrameInput frame;
        frame.exact_steps = 1;
        while (!engine->is_replay_finished()) engine->step(frame);
        CHECK(engine->check_replay().ok());
        CHECK(text_from_hash(engine->hash()) == golden.hash);
    }
}

TEST_CASE("after 600 steps of the demo the world has its golden hash") { check(kShort); }

TEST_CASE("after 10,000 steps of the demo the world has its golden hash", "[.golden]") { check(kLong); }

}  // namespace
}  // namespace perigee::swarm
