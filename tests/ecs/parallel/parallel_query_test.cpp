// Every chunk is visited once, with the same result for any number of workers.
#include "ecs/parallel/parallel_query.h"

#include "ecs/query/parallel_options.h"
#include "ecs/schedule/lookup.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <vector>

namespace perigee {
namespace {

constexpr std::uint32_t kWorkerCounts[] = {0, 1, 2, 8};
constexpr ParallelOptions kAlways{.min_rows = 0, .task_rows = 64};

// Several archetypes, and positions whose sum depends on the order of adding.
void fill(World& world, int count) {
    declare_test_components(world);
    for (int i = 0; i < count; ++i) {
        const Entity entity = world.spawn(Position{1.0f / static_cast<float>(i + 1), 0}, Velocity{1, 2});
        if (i % 3 == 0) world.add<Frozen>(entity);
        if (i % 5 == 0) world.add<Health>(entity);
    }
}

TEST_CASE("[Q9] a parallel visit shows every chunk once, with its number") {
    for (const std::uint32_t workers : kWorkerCounts) {
        World world(tiny_chunks(16));
        fill(world, 3000);
        WorkerPool pool(workers);
        const Query& query = world.query<Position, const Velocity>().query();
        const ChangeVersion before = world.change_version();
        world.advance_change_version();
        std::vector<int> visits(query.chunk_count(), 0);
        std::vector<Entity> entities(query.entity_count());
        each_chunk_parallel(
            world, query, pool,
            [&](const ChunkView& view, std::uint32_t worker_index) {
                ++visits.at(view.index_in_query());
                std::copy(view.entities().begin(), view.entities().end(),
                          entities.begin() + static_cast<std::ptrdiff_t>(view.first_row_in_query()));
                if (worker_index >= pool.lane_count()) throw std::out_of_range("worker index");
            },
            kAlways);
        CHECK(std::all_of(visits.begin(), visits.end(), [](int count) { return count == 1; }));
        std::vector<Entity> expected;
        world.each_chunk(query, [&](const ChunkView& view) {
            expected.insert(expected.end(), view.entities().begin(), view.entities().end());
        });
        CHECK(entities == expected);
        CHECK(world.query<const Position>().changed<Position>().query().entity_count(before) == 3000);
    }
}

TEST_CASE("[Q9] a reduction gives the same bits for any number of workers") {
    std::vector<float> sums;
    for (const std::uint32_t workers : kWorkerCounts) {
        World world(tiny_chunks(16));
        fill(world, 3000);
        WorkerPool pool(workers);
        const Query& query = world.query<const Position>().query();
        sums.push_back(reduce_chunks(
            world, query, pool, 0.0f,
            [](const ChunkView& view) {
                float sum = 0;
                for (const Position& position : view.column<const Position>(0)) sum += position.x;
                return sum;
            },
            [](float a, float b) { return a + b; }, kAlways));
    }
    CHECK(sums[0] > 8);
    for (const float sum : sums) CHECK(sum == sums[0]);
}

TEST_CASE("[Q1] a parallel loop over rows gives the same result as the plain loop") {
    for (const std::uint32_t workers : kWorkerCounts) {
        World world(tiny_chunks(16));
        fill(world, 2000);
        WorkerPool pool(workers);
        const auto query = world.query<Position, const Velocity>();
        const auto move = [](Position& position, const Velocity& velocity) { position.y += velocity.y; };
        query.each_parallel(pool, move, kAlways);
        query.each_parallel(pool, move);
        query.without<Frozen>().build().each_parallel(pool, move, kAlways);
        int wrong = 0;
        world.each<const Position, Optional<const Health>>(
            [&](Entity entity, const Position& position, const Health*) {
                wrong += position.y == (world.has<Frozen>(entity) ? 4 : 6) ? 0 : 1;
            });
        CHECK(wrong == 0);
    }
}

TEST_CASE("the caller alone visits few rows and ordered queries") {
    World world(tiny_chunks(16));
    fill(world, 500);
    WorkerPool pool(2);
    const auto query = world.query<const Position>();
    std::vector<float> shown;
    const auto note = [&](const Position& position) { shown.push_back(position.x); };
    query.each_parallel(pool, note);
    CHECK(shown.size() == 500);
    query.changed<Position>().build().each_parallel(pool, note);
    CHECK(shown.size() == 1000);
    shown.clear();
    query.order_by<Position>("x").build().each_parallel(pool, note, kAlways);
    CHECK(shown.size() == 500);
    CHECK(std::is_sorted(shown.begin(), shown.end()));
}

TEST_CASE(
    "structural change inside a parallel visit breaks a contract, and the world is unlocked afterwards") {
    const ContractWatch watch;
    World world(tiny_chunks(16));
    fill(world, 500);
    WorkerPool pool(2);
    const Query& query = world.query<const Position>().query();
    CHECK_THROWS_AS(each_chunk_parallel(
                        world, query, pool, [&](const ChunkView&) { world.spawn(); }, kAlways),
                    BrokenContract);
    CHECK_FALSE(world.is_locked());
    CHECK(world.entity_count() == 500);
}

}  // namespace
}  // namespace perigee
