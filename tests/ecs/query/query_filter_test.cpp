// A filtered visit agrees with a naive model and numbers chunks and rows without gaps.
#include "ecs/query/query_filter.h"

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace perigee {
namespace {

using ChunkKey = std::pair<const Archetype*, std::uint32_t>;

std::set<ChunkKey> chunks_shown(World& world, const Query& query, ChangeVersion since) {
    std::set<ChunkKey> shown;
    std::uint32_t chunks = 0;
    std::uint64_t rows = 0;
    world.each_chunk_since(query, since, [&](const ChunkView& view) {
        REQUIRE(view.index_in_query() == chunks++);
        REQUIRE(view.first_row_in_query() == rows);
        rows += view.row_count();
        shown.insert({&view.archetype(), view.chunk_index()});
    });
    return shown;
}

TEST_CASE("[Q3] [Q5] a changed filter shows the chunks in which one of its components changed") {
    World world(tiny_chunks(3));
    declare_test_components(world);
    std::mt19937 random(3);
    std::vector<Entity> all;
    for (int i = 0; i < 60; ++i) {
        const Entity entity = world.spawn(Position{});
        if ((random() & 1) != 0) world.add<Velocity>(entity);
        if ((random() & 1) != 0) world.add<Health>(entity);
        all.push_back(entity);
    }
    Query& both = world.query<const Position>().changed<Velocity, Health>().build().query();
    Query& velocity = world.query<const Position>().changed<Velocity>().build().query();
    Query& everything = world.query<const Position>().query();

    const auto key_of = [&](Entity entity) {
        ChunkKey key{};
        world.each_chunk(everything, [&](const ChunkView& view) {
            for (const Entity other : view.entities()) {
                if (other == entity) key = {&view.archetype(), view.chunk_index()};
            }
        });
        return key;
    };
    for (int round = 0; round < 100; ++round) {
        const ChangeVersion since = world.change_version();
        world.advance_change_version();
        std::set<ChunkKey> expected_velocity, expected_both;
        for (std::size_t edits = random() % 4; edits > 0; --edits) {
            const Entity entity = all[random() % all.size()];
            switch (random() % 3) {
                case 0:
                    world.edit<Position>(entity);
                    break;
                case 1:
                    if (world.edit<Velocity>(entity) == nullptr) break;
                    expected_velocity.insert(key_of(entity));
                    expected_both.insert(key_of(entity));
                    break;
                default:
                    if (world.edit<Health>(entity) != nullptr) expected_both.insert(key_of(entity));
            }
        }
        REQUIRE(velocity.chunk_count(since) == expected_velocity.size());
        std::uint64_t rows = 0;
        for (const auto& [archetype, chunk] : expected_both) rows += archetype->chunks()[chunk].row_count;
        REQUIRE(both.entity_count(since) == rows);
        REQUIRE(chunks_shown(world, velocity, since) == expected_velocity);
        REQUIRE(chunks_shown(world, both, since) == expected_both);
    }
    CHECK(velocity.entity_count(world.change_version()) == 0);
    CHECK(both.chunk_count() == chunks_shown(world, both, 0).size());
    CHECK(everything.entity_count() == 60);
    CHECK(chunks_shown(world, everything, 0).size() == everything.chunk_count());
}

TEST_CASE(
    "[Q3] added and removed rows count as a change, also of a tag, and columns that are not shown stay "
    "unmarked") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    const Entity first = world.spawn(Position{}, Frozen{});
    for (int i = 0; i < 3; ++i) world.spawn(Position{}, Frozen{});
    Query& frozen = world.query<Position>().changed<Frozen>().build().query();
    const ChangeVersion since = world.change_version();
    world.advance_change_version();
    CHECK(frozen.chunk_count(since) == 0);
    world.destroy(first);
    CHECK(frozen.chunk_count(since) == 1);
    world.each_chunk_since(frozen, since, [](ChunkView&) {});
    Query& position = world.query<const Position>().changed<Position>().build().query();
    CHECK(position.chunk_count(since) == 1);
}

TEST_CASE(
    "[Q3] in a system a changed filter compares with the system's last run and ignores its own writes") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    Schedule schedule(world);
    const Entity rock = world.spawn(Position{}, Velocity{});
    for (int i = 0; i < 5; ++i) world.spawn(Position{}, Velocity{});
    std::uint64_t seen = 0;
    SystemDesc watcher;
    watcher.name = "watcher";
    watcher.query = world.query<Velocity, const Position>().changed<Position>().desc();
    watcher.run = [&](SystemContext& context) -> Result<void> {
        context.world.each_chunk(*context.query, [&](const ChunkView& view) { seen += view.row_count(); });
        return {};
    };
    SystemDesc settler;
    settler.name = "settler";
    settler.query = world.query<Position>().changed<Velocity>().desc();
    std::uint64_t settled = 0;
    settler.run = [&](SystemContext& context) -> Result<void> {
        context.world.each_chunk(*context.query, [&](const ChunkView& view) { settled += view.row_count(); });
        return {};
    };
    settler.after = {"watcher"};
    schedule.add(watcher).value();
    schedule.add(settler).value();
    const auto step = [&] {
        seen = settled = 0;
        schedule.run_group(kSimulation, {}).value();
        return std::pair{seen, settled};
    };
    CHECK(step() == std::pair<std::uint64_t, std::uint64_t>{6, 6});
    CHECK(step() == std::pair<std::uint64_t, std::uint64_t>{
                        6, 6});  // Each one wrote a component that the other one watches.
    world.advance_change_version();
    CHECK(world.edit<Velocity>(rock) != nullptr);
    CHECK(world.reader_version() == 0);
}

}  // namespace
}  // namespace perigee
