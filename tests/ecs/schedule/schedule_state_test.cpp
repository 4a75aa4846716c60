// A schedule that goes back in time with its world runs on as it did the first time.
#include "ecs/schedule/schedule_state.h"

#include "ecs/base/internal/byte_stream.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "tests/support/counting_system.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perigee {
namespace {

// Systems whose results depend on everything that a state contains.
struct Game {
    explicit Game(WorkerPool* workers) : schedule(world, 7) {
        declare_test_components(world);
        declare_test_events(world);
        schedule.use_workers(workers, 0);
        for (const char* name : {"spawn a", "spawn b"}) {
            SystemDesc spawn;
            spawn.name = name;
            spawn.query.terms = {{world.id<Wide>(), Access::read, true}};
            spawn.run = [this](SystemContext& context) -> Result<void> {
                const std::int64_t count = context.random.integer(0, 3);
                for (std::int64_t i = 0; i < count; ++i) {
                    static_cast<void>(
                        context.commands.spawn(Position{static_cast<float>(context.random.unit()), 0}));
                }
                return {};
            };
            add(std::move(spawn));
        }
        SystemDesc age;
        age.name = "age";
        age.every = 0.1;
        age.query.terms = {{world.id<Position>(), Access::write, false}};
        age.run = [](SystemContext& context) -> Result<void> {
            context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
                for (Position& position : chunk.column<Position>(0)) position.y += 1;
            });
            return {};
        };
        add(std::move(age));
        add(count_changed_rows(world));
    }

    void add(SystemDesc desc) { static_cast<void>(schedule.add(std::move(desc)).value()); }

    std::uint64_t step() {
        schedule.run_group(kSimulation, TickTime{1.0 / 60, tick++}).value();
        return world_hash(world);
    }

    World world;
    Schedule schedule;
    std::uint64_t tick = 0;
};

}  // namespace

TEST_CASE("a world and its schedule continue from a restored step to the same hashes") {
    const bool is_threaded = GENERATE(false, true);
    WorkerPool workers(3);
    Game game(is_threaded ? &workers : nullptr);
    struct Kept {
        WorldSnapshot world;
        ScheduleState schedule;
        std::uint64_t tick;
    };
    std::vector<Kept> kept;
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 60; ++i) {
        const WorldSnapshot* const before = kept.empty() ? nullptr : &kept.back().world;
        WorldSnapshot snapshot = take_snapshot(game.world, before).value();
        kept.push_back({std::move(snapshot), game.schedule.state(), game.tick});
        hashes.push_back(game.step());
    }
    for (const std::size_t to : {45u, 7u, 59u, 0u, 30u}) {
        CAPTURE(to);
        REQUIRE(restore_snapshot(game.world, kept[to].world).ok());
        game.schedule.restore(kept[to].schedule);
        game.tick = kept[to].tick;
        for (std::size_t i = to; i < hashes.size(); ++i) REQUIRE(game.step() == hashes[i]);
    }
}

TEST_CASE("a system that was switched off since runs again, and a newer one starts afresh") {
    World world;
    Schedule schedule(world);
    int runs = 0;
    std::vector<ChangeVersion> newer_runs;
    SystemDesc desc;
    desc.name = "counts";
    desc.run = [&](SystemContext&) -> Result<void> {
        ++runs;
        return {};
    };
    const SystemId counts = schedule.add(desc).value();
    schedule.run_group(kSimulation, TickTime{1.0 / 60, 0}).value();
    const ScheduleState state = schedule.state();
    const WorldSnapshot kept = take_snapshot(world).value();
    schedule.set_enabled(counts, false);
    desc.name = "newer";
    desc.run = [&](SystemContext& context) -> Result<void> {
        newer_runs.push_back(context.last_run_version);
        return {};
    };
    static_cast<void>(schedule.add(desc).value());
    schedule.run_group(kSimulation, TickTime{1.0 / 60, 1}).value();
    CHECK(runs == 1);
    REQUIRE(restore_snapshot(world, kept).ok());
    schedule.restore(state);
    schedule.run_group(kSimulation, TickTime{1.0 / 60, 1}).value();
    CHECK(runs == 2);
    CHECK(newer_runs == std::vector<ChangeVersion>{0, 0});
}

TEST_CASE("the next tick follows the last step, whether or not a frame was shown since, in a file too") {
    World world;
    Schedule schedule(world, 1);
    const auto next_in_file = [&] {
        internal::ByteWriter to;
        schedule.state().write(to, world.registry());
        World other;
        Schedule read(other, 1);
        internal::ByteReader from(to.bytes());
        read.restore(read.read_state(from));
        CHECK(from.is_ok());
        return read.next_tick();
    };
    CHECK(schedule.next_tick() == 0);
    CHECK(next_in_file() == 0);
    for (std::uint64_t tick : {0, 1, 2}) {
        schedule.run_group(kPresentation, TickTime{1.0 / 60, tick, 0, 0.5}).value();
        CHECK(schedule.next_tick() == tick);
        CHECK(next_in_file() == tick);
        const ScheduleState before = schedule.state();
        schedule.run_step(TickTime{1.0 / 60, tick}).value();
        CHECK(schedule.next_tick() == tick + 1);
        CHECK(next_in_file() == tick + 1);
        schedule.restore(before);
        CHECK(schedule.next_tick() == tick);
        schedule.run_step(TickTime{1.0 / 60, tick}).value();
    }
}

TEST_CASE("streams of the host go back with the schedule, in a file too, and those that it lacks stay") {
    struct Host {
        World world;
        Schedule schedule{world, 1};
        std::vector<std::pair<std::string, Random>> streams;

        explicit Host(std::initializer_list<const char*> names) {
            for (const char* name : names) streams.emplace_back(name, Random(streams.size()));
            schedule.set_host_streams([this](const auto& add) {
                for (auto& [name, stream] : streams) add(name, stream);
            });
        }
        std::uint64_t draw(std::size_t at) { return streams[at].second.next(); }
    };
    Host host{"game", "mod"};
    host.draw(0);
    const ScheduleState state = host.schedule.state();
    const std::uint64_t game = host.draw(0), mod = host.draw(1);
    host.draw(1);
    host.schedule.restore(state);
    CHECK(host.draw(0) == game);
    CHECK(host.draw(1) == mod);

    internal::ByteWriter to;
    state.write(to, host.world.registry());
    Host other{"other", "mod", "game"};
    const std::uint64_t own = Host{"other"}.draw(0);
    internal::ByteReader from(to.bytes());
    other.schedule.restore(other.schedule.read_state(from));
    CHECK(from.is_at_end());
    CHECK(other.draw(0) == own);
    CHECK(other.draw(1) == mod);
    CHECK(other.draw(2) == game);

    World world;  // a program without such streams
    Schedule schedule(world, 1);
    internal::ByteReader again(to.bytes());
    schedule.restore(schedule.read_state(again));
    CHECK(again.is_at_end());
}

}  // namespace perigee
