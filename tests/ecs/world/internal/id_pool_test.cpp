// Ids depend on system order, not on the threads.
#include "ecs/world/internal/id_pool.h"

#include "ecs/world/reserved.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace perigee::internal {
namespace {

using Taken = std::vector<std::vector<Entity>>;

// Runs stages one after another: each member takes the given number of ids, in parallel or in sequence.
Taken take(World& world, std::vector<IdPool>& pools, const std::vector<std::uint32_t>& counts,
           bool has_threads) {
    StageTurns turns;
    turns.begin(static_cast<std::uint32_t>(pools.size()));
    for (IdPool& pool : pools) pool.fill(world);
    Taken taken(pools.size());
    const auto run = [&](std::uint32_t i) {
        const RunScope scope{.world = &world, .turns = &turns, .place = i};
        const EnterScope working_for(&scope);
        for (std::uint32_t n = 0; n < counts[i]; ++n)
            taken[i].push_back(pools[i].take(const_cast<EntityIndex&>(world.entities())));
        turns.end(i);
    };
    if (has_threads) {
        std::vector<std::thread> threads;
        for (auto i = static_cast<std::uint32_t>(pools.size()); i-- > 0;) threads.emplace_back(run, i);
        for (std::thread& thread : threads) thread.join();
    } else {
        for (std::uint32_t i = 0; i < pools.size(); ++i) run(i);
    }
    for (std::size_t i = pools.size(); i-- > 0;) pools[i].drain(world);
    return taken;
}

TEST_CASE("members get the same ids in parallel as in sequence, also beyond their pools") {
    std::mt19937 random(11);
    for (int round = 0; round < 50; ++round) {
        World serial(tiny_chunks()), threaded(tiny_chunks());
        std::vector<IdPool> serial_pools(4), threaded_pools(4);
        for (int stage = 0; stage < 4; ++stage) {
            std::vector<std::uint32_t> counts;
            for (int i = 0; i < 4; ++i) counts.push_back(random() % 3 == 0 ? 0 : random() % 40);
            const Taken expected = take(serial, serial_pools, counts, false);
            REQUIRE(take(threaded, threaded_pools, counts, true) == expected);
            for (const Taken& all : {expected}) {
                for (const auto& ids : all) {
                    for (const Entity entity : ids) {
                        if (stage % 2 == 0) continue;
                        release_reserved(serial, entity);
                        release_reserved(threaded, entity);
                    }
                }
            }
        }
    }
}

TEST_CASE("unused ids return to the world, and the next stage gets them") {
    World world(tiny_chunks());
    std::vector<IdPool> pools(1);
    const Taken first = take(world, pools, {3}, false);
    for (auto entity = first[0].rbegin(); entity != first[0].rend(); ++entity)
        release_reserved(world, *entity);
    const Taken second = take(world, pools, {1}, false);
    release_reserved(world, second[0][0]);
    const std::size_t slots = world.entities().slot_count();
    take(world, pools, {0}, false);
    take(world, pools, {3}, false);
    CHECK(world.entities().slot_count() == slots);
}

}  // namespace
}  // namespace perigee::internal
