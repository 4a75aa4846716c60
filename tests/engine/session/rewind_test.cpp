// Going back in time: the world of each step again, and the same future from it.
#include "engine/session/rewind.h"

#include "ecs/migrate/schema_change.h"
#include "ecs/world/objects.h"
#include "tests/engine/game_folder.h"
#include "tests/support/failing_memory.h"

#include <memory>
#include <random>
#include <vector>

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Each step spawns, moves by random numbers, lets the old die, and counts in a timer, an event and a
// resource.
constexpr char kSchema[] = R"(
local ecs = require "ecs"
ecs.component("Spark", { { "x", "f64" }, { "age", "u16" }, { "next", "entity" } })
ecs.resource("Score", { { "deaths", "u32" }, { "mouse", "f64" } })
ecs.event("Died", { { "age", "u16" } })
)";
constexpr char kMain[] = R"(
local ecs = require "ecs"
local C = ecs.components
ecs.system("spawn", {
  every = 0.05,
  run = function(_, ctx) ctx.commands:spawn(C.Spark { x = ctx.random:range(0, 9) }) end,
})
ecs.system("move", {
  query = { write = { C.Spark } },
  access = { write = { C.Died } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      chunk.Spark.x[i] = chunk.Spark.x[i] + ctx.random:range(-1, 1)
      chunk.Spark.age[i] = chunk.Spark.age[i] + 1
      if chunk.Spark.age[i] > 20 then
        ctx.commands:destroy(chunk.entity[i])
        ctx:send(C.Died, { age = chunk.Spark.age[i] })
      end
    end
  end,
})
ecs.system("count", {
  after = "move",
  access = { write = { C.Score }, read = { C.Died } },
  run = function(_, ctx)
    local score = ctx:resource(C.Score)
    score.mouse = score.mouse + input.mouse()
    score.deaths = score.deaths + ctx:events(C.Died).count
  end,
})
)";

constexpr std::size_t kPlenty = std::size_t{64} << 20;

// A session whose steps are kept.
struct Stage {
    explicit Stage(std::size_t max_bytes = kPlenty, const char* main = kMain)
        : game{main, kSchema}, rewind{max_bytes} {
        const EngineConfig config = game.config();
        GameSessionConfig of_session{static_cast<const GameConfig&>(config)};
        of_session.seed = 7;
        auto started = GameSession::start(std::move(of_session));
        REQUIRE(started);
        session = std::move(started).value();
        INFO(game.log);
        REQUIRE(session->error_count() == 0);
        REQUIRE(rewind.follow(*session));
    }

    void step(std::uint64_t mouse) {
        StepInput input = InputCollector().take_step(session->actions());
        input.mouse_x = static_cast<std::int16_t>(mouse % 100 * 8);
        session->step(input);
        REQUIRE(rewind.keep());
    }
    // The hash after each step; zero before the current one.
    std::vector<std::uint64_t> run_until(std::uint64_t tick) {
        std::vector<std::uint64_t> hashes(session->tick(), 0);
        hashes.push_back(session->hash());
        while (session->tick() < tick) {
            step(session->tick());
            hashes.push_back(session->hash());
        }
        return hashes;
    }

    GameFolder game;
    std::unique_ptr<GameSession> session;
    Rewind rewind;
};

}  // namespace

TEST_CASE("a session goes back to any kept step and forth again") {
    Stage stage;
    const std::vector<std::uint64_t> hashes = stage.run_until(120);
    CHECK(stage.rewind.oldest() == 0);
    CHECK(stage.rewind.newest() == 120);
    CHECK(stage.session->not_replayable().empty());
    std::mt19937 random(1);
    for (int i = 0; i < 60; ++i) {
        const std::uint64_t wanted = random() % 121;
        REQUIRE(stage.rewind.go_to(wanted));
        CHECK(stage.session->tick() == wanted);
        CHECK(stage.session->hash() == hashes[wanted]);
        CHECK(stage.rewind.newest() == 120);
    }
    INFO(stage.game.log);
    CHECK(stage.session->not_replayable() == "going back to an earlier step");
    REQUIRE(stage.rewind.go_to(100'000));
    CHECK(stage.session->tick() == 120);
    CHECK(stage.game.log.empty());
}

TEST_CASE("from an earlier step the same input leads to the same worlds, and another to others") {
    Stage stage;
    const std::vector<std::uint64_t> hashes = stage.run_until(90);
    for (const std::uint64_t from : {45U, 0U, 77U}) {
        REQUIRE(stage.rewind.go_to(from));
        const std::vector<std::uint64_t> again = stage.run_until(90);
        for (std::uint64_t tick = from; tick <= 90; ++tick) CHECK(again[tick] == hashes[tick]);
    }
    REQUIRE(stage.rewind.go_to(45));
    stage.step(99);
    CHECK(stage.session->tick() == 46);
    CHECK(stage.session->hash() != hashes[46]);
    CHECK(stage.rewind.newest() == 46);
    REQUIRE(stage.rewind.go_to(45));
    CHECK(stage.session->hash() == hashes[45]);
}

TEST_CASE("the oldest steps are dropped when the memory is used up") {
    Stage stage{0};
    stage.run_until(30);
    CHECK(stage.rewind.oldest() == stage.rewind.newest());
    const std::uint64_t hash = stage.session->hash();
    REQUIRE(stage.rewind.go_to(3));
    CHECK(stage.session->tick() == 30);
    CHECK(stage.session->hash() == hash);
}

TEST_CASE("steps that need much of the memory are kept at intervals, and the current one when going back") {
    Stage stage{std::size_t{128} << 10};
    const std::vector<std::uint64_t> hashes = stage.run_until(84);
    Rewind& rewind = stage.rewind;
    const std::uint64_t newest = rewind.newest();
    const std::uint64_t earlier = newest - 4;
    REQUIRE(newest < 84);
    CHECK(rewind.before(newest) == earlier);
    CHECK(rewind.before(newest - 1) == earlier);
    CHECK(rewind.after(earlier) == newest);
    CHECK(rewind.after(newest) == newest);
    CHECK(rewind.before(rewind.oldest()) == rewind.oldest());
    REQUIRE(rewind.go_to(newest - 1));
    CHECK(stage.session->tick() == earlier);
    CHECK(stage.session->hash() == hashes[earlier]);
    CHECK(rewind.after(newest) == 84);
    REQUIRE(rewind.go_to(84));
    CHECK(stage.session->hash() == hashes[84]);
    // A step that is left out still ends the future that it replaces.
    REQUIRE(rewind.go_to(earlier));
    stage.step(5);
    CHECK(rewind.newest() == earlier);
    REQUIRE(rewind.keep_now());
    CHECK(rewind.newest() == earlier + 1);
}

TEST_CASE("a step before a type changed is refused, and the session stays as it is") {
    Stage stage{kPlenty,
                "local C = require('ecs').components\nrequire('ecs').world:spawn(C.Spark { x = 1 })"};
    stage.run_until(30);
    World& world = stage.session->world();
    Schema wider = world.registry().info(world.registry().find("Spark").value()).schema;
    Field heat;
    heat.name = "heat";
    heat.type = FieldType::f32;
    wider.fields.push_back(heat);
    REQUIRE(change_schemas(world, {{wider}}).ok());
    REQUIRE(stage.rewind.keep());
    const std::uint64_t hash = stage.session->hash();
    const Result<void> gone = stage.rewind.go_to(3);
    REQUIRE_FALSE(gone.ok());
    CHECK_THAT(gone.error().message, Contains("Spark"));
    CHECK(stage.session->tick() == 30);
    CHECK(stage.session->hash() == hash);
    CHECK(stage.rewind.go_to(30).ok());
}

TEST_CASE("an engine keeps steps if it has memory for them, and forgets them with a restart") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    CHECK(game.play(config)->recent_steps() == nullptr);
    config.rewind_bytes = kPlenty;
    const auto engine = game.play(config);
    run(*engine, 5);
    const std::uint64_t hash = engine->hash();
    run(*engine, 5);
    REQUIRE(engine->recent_steps() != nullptr);
    CHECK(engine->recent_steps()->oldest() == 0);
    REQUIRE(engine->rewind_to(5));
    CHECK(engine->hash() == hash);
    engine->restart();
    REQUIRE(engine->recent_steps() != nullptr);
    CHECK(engine->recent_steps()->newest() == 0);
    CHECK(engine->tick() == 0);
}

TEST_CASE("a paused engine runs a single step on request") {
    GameFolder game{kMain, kSchema};
    const auto engine = game.play();
    engine->set_paused(true);
    engine->step({});
    CHECK(engine->tick() == 0);
    CHECK(contains(picture(*engine), "paused"));
    FrameInput frame;
    frame.single_step = true;
    frame.hides_note = true;
    engine->step(frame);
    CHECK(engine->tick() == 1);
    CHECK_FALSE(contains(picture(*engine), "paused"));
    CHECK(engine->is_paused());
}

TEST_CASE("a recording of a run that went back is marked, and a replay keeps no steps") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.rewind_bytes = kPlenty;
    config.record_file = game.file("run.log");
    {
        const auto engine = game.play(config);
        run(*engine, 10);
        CHECK(game.log.empty());
        REQUIRE(engine->rewind_to(4));
        run(*engine, 2);
        REQUIRE(engine->finish_recording());
    }
    CHECK_THAT(game.log, Contains("going back to an earlier step changed what happened"));
    EngineConfig replays = game.config();
    replays.rewind_bytes = kPlenty;
    replays.replay_file = game.file("run.log");
    const auto replay = game.play(replays);
    CHECK(replay->recent_steps() == nullptr);
}

TEST_CASE("a world that cannot be kept is reported once, and the game goes on") {
    GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.rewind_bytes = kPlenty;
    const auto engine = game.play(config);
    run(*engine, 2);
    World& world = engine->session().world();
    Schema brain;
    brain.name = "Brain";
    brain.kind = ComponentKind::object;
    const ComponentId id = world.declare(brain).value();
    const Entity entity = world.spawn();
    world.add(entity, id);
    set_object(world, entity, id, std::make_shared<int>(7));
    run(*engine, 3);
    CHECK(engine->tick() == 5);
    CHECK(engine->recent_steps() == nullptr);
    CHECK_THAT(game.log, Contains("the game cannot go back to earlier steps: component 'Brain'"));
    CHECK(game.log.find("cannot go back") == game.log.rfind("cannot go back"));
}

TEST_CASE("when there is no memory for a step, all steps are forgotten, and the game goes on") {
    for (std::uint64_t first = 0;; ++first) {
        Stage stage;
        stage.run_until(4);
        stage.session->step(InputCollector().take_step(stage.session->actions()));
        const std::uint64_t hash = stage.session->hash();
        {
            const RefusedMemory one(first, 1);
            const Result<void> kept = stage.rewind.keep();
            if (kept) break;
            CHECK_THAT(kept.error().message, Contains("there is no memory for them"));
        }
        CHECK(stage.rewind.is_empty());
        CHECK(stage.session->hash() == hash);
        CHECK(stage.rewind.keep());
        CHECK(stage.rewind.is_empty());
        REQUIRE(stage.rewind.follow(*stage.session));
        stage.step(3);
        CHECK(stage.rewind.newest() == stage.session->tick());
    }
}
