// The order of events does not depend on the threads that send them.
#include "ecs/events/parallel_events.h"

#include "ecs/parallel/worker_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

std::vector<float> amounts_in(World& world) {
    std::vector<float> amounts;
    for (const Damage& hit : world.events().kept(world.id<Damage>()).as<Damage>()) {
        amounts.push_back(hit.amount);
    }
    return amounts;
}

TEST_CASE("events of several workers arrive in order of their keys") {
    std::vector<float> expected;
    for (std::uint32_t task = 0; task < 200; ++task) {
        for (std::uint32_t i = 0; i < task % 4; ++i) expected.push_back(static_cast<float>(10 * task + i));
    }
    for (const std::uint32_t threads : {0u, 1u, 3u}) {
        World world(tiny_chunks());
        declare_test_events(world);
        WorkerPool pool(threads);
        EventWriter target(world);
        ParallelEvents writer(target, pool.lane_count());
        pool.run(200, [&](std::uint32_t task, std::uint32_t worker) {
            for (std::uint32_t i = 0; i < task % 4; ++i) {
                writer.at(worker, task).send(Damage{Entity{}, static_cast<float>(10 * task + i)});
            }
        });
        writer.finish();
        REQUIRE_FALSE(target.deliver().has_value());
        CHECK(amounts_in(world) == expected);
    }
}

TEST_CASE("sending under a previous key continues its sequence") {
    World world(tiny_chunks());
    declare_test_events(world);
    EventWriter target(world);
    target.send(Damage{Entity{}, 0});
    ParallelEvents writer(target, 2);
    writer.at(0, 7).send(Damage{Entity{}, 3});
    writer.at(0, 2).send(Damage{Entity{}, 1});
    writer.at(0, 7).send(Damage{Entity{}, 4});
    writer.at(1, 5).send(Damage{Entity{}, 2});
    writer.finish();
    REQUIRE_FALSE(target.deliver().has_value());
    CHECK(amounts_in(world) == std::vector<float>{0, 1, 2, 3, 4});
}

TEST_CASE("too many events of all workers together overflow the target") {
    WorldConfig config = tiny_chunks();
    config.max_event_bytes = 10 * sizeof(Damage);
    World world(config);
    declare_test_events(world);
    EventWriter target(world);
    ParallelEvents writer(target, 2);
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
        writer.at(lane, lane).send_many<Damage>(6);
    }
    writer.finish();
    CHECK(target.overflow() == world.id<Damage>());
}

TEST_CASE("lanes have the target's restrictions, and without finish nothing is sent") {
    World world(tiny_chunks());
    declare_test_events(world);
    EventWriter target(world);
    { ParallelEvents(target, 1).at(0, 1).send(Damage{}); }
    CHECK(target.is_empty());
    target.restrict_to("fight", {world.id<Damage>()});
    target.close();
    ParallelEvents writer(target, 1);
    CHECK_FALSE(writer.at(0, 1).may_send(world.id<GameOver>()));
    writer.at(0, 1).send(Damage{});
    writer.finish();
    CHECK(target.refused_count() == 1);
    const ContractWatch watch;
    CHECK_THROWS_AS(writer.finish(), BrokenContract);
    CHECK_THROWS_AS(writer.at(0, 1), BrokenContract);
    CHECK_THROWS_AS(ParallelEvents(target, 0), BrokenContract);
}

}  // namespace
}  // namespace perigee
