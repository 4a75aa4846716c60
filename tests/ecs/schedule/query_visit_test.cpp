// Visiting chunk by chunk shows and marks the same as World::each_chunk, and knows what was changed before.
#include "ecs/schedule/query_visit.h"

#include "ecs/schedule/schedule.h"
#include "ecs/schedule/typed_system.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <random>
#include <tuple>
#include <vector>

namespace perigee {
namespace {

struct Visited {
    World world{tiny_chunks(3)};
    std::mt19937 random{5};
    std::vector<Entity> all;

    Visited() {
        declare_test_components(world);
        for (int i = 0; i < 70; ++i) {
            const Entity entity = world.spawn(Position{static_cast<float>(i), 0});
            if ((random() & 1) != 0) world.add<Velocity>(entity);
            if ((random() & 1) != 0) world.add<Health>(entity);
            if ((random() & 3) == 0) world.add<Frozen>(entity);
            all.push_back(entity);
        }
    }
    Entity any() { return all[random() % all.size()]; }
};

// Archetype, chunk, number, rows seen before, and the version of a column afterwards.
using Shown = std::tuple<const Archetype*, std::uint32_t, std::uint32_t, std::uint64_t>;
Shown shown(const ChunkView& view) {
    return {&view.archetype(), view.chunk_index(), view.index_in_query(), view.first_row_in_query()};
}

TEST_CASE("[Q1] [Q3] a visit shows and marks the chunks that each_chunk shows and marks") {
    Visited game;
    World& world = game.world;
    std::vector<Query*> queries{
        &world.query<Position>().query(),
        &world.query<Position, const Velocity>().without<Frozen>().build().query(),
        &world.query<const Position, Optional<Health>>().query(),
        &world.query<Velocity>().changed<Health, Velocity>().build().query(),
        &world.query<Health>().any<Frozen, Velocity>().build().query(),
    };
    Query& positions = world.query<const Position>().query();
    Query& seen_changes = world.query<const Position>().changed<Position, Velocity, Health>().build().query();
    for (int round = 0; round < 200; ++round) {
        const Query& query = *queries[static_cast<std::size_t>(round) % queries.size()];
        const ChangeVersion since = world.advance_change_version();
        world.advance_change_version();
        for (int i = 0; i < 3; ++i) world.edit<Position>(game.any())->x += 1;
        if (Health* const health = world.edit<Health>(game.any())) health->current += 1;
        if (round % 9 == 0) world.add<Velocity>(game.any());

        std::vector<Shown> expected, got;
        std::vector<bool> was_changed, is_changed;
        // Before the marks of the visit.
        for (const QueryMatch& match : query.matches()) {
            for (std::uint32_t chunk = 0; chunk < match.archetype->chunk_count(); ++chunk) {
                const TermPlace place = place_of(*match.archetype, world.id<Position>());
                was_changed.push_back(place.version(*match.archetype, chunk) > since);
            }
        }
        const auto marked = [&] {
            std::vector<Shown> changed;
            world.each_chunk_since(seen_changes, since + 1,
                                   [&](const ChunkView& view) { changed.push_back(shown(view)); });
            return changed;
        };
        QueryVisit visit(world);
        visit.begin(query, since);
        CHECK(world.is_locked());
        while (visit.next()) {
            got.push_back(shown(visit.view()));
            is_changed.push_back(visit.changed(world.id<Position>()));
            if (visit.rows_changed()) CHECK(is_changed.back());
            CHECK_FALSE(visit.changed(world.id<Wide>()));
        }
        CHECK_FALSE(visit.is_open());
        CHECK_FALSE(world.is_locked());
        const std::vector<Shown> after_visit = marked();
        world.each_chunk_since(query, since, [&](const ChunkView& view) { expected.push_back(shown(view)); });
        CHECK(got == expected);
        CHECK(marked() == after_visit);  // each_chunk marks nothing more
        if (query.is_plain()) CHECK(is_changed == was_changed);
    }
    static_cast<void>(positions);
}

TEST_CASE("[Q3] a visit that ends early has marked what it showed") {
    Visited game;
    World& world = game.world;
    Query& write = world.query<Position>().query();
    Query& changed = world.query<const Position>().changed<Position>().build().query();
    const ChangeVersion since = world.change_version();
    world.advance_change_version();
    {
        QueryVisit visit(world);
        visit.begin(write);
        for (int i = 0; i < 3; ++i) REQUIRE(visit.next());
        visit.begin(write);  // again from the start
        CHECK(visit.next());
        CHECK(visit.view().index_in_query() == 0);
    }
    CHECK_FALSE(world.is_locked());
    CHECK(changed.chunk_count(since) == 3);
    QueryVisit visit(world);
    CHECK_FALSE(visit.next());
    visit.end();
}

TEST_CASE("[Q1] visits of several queries nest, also of the same one, and with an order") {
    Visited game;
    World& world = game.world;
    Query& positions = world.query<Position>().query();
    Query& ordered = world.query<const Position>().order_by<Position>("x", true).query();
    QueryVisit outer(world), inner(world), sorted(world);
    std::size_t pairs = 0, rows = 0;
    for (outer.begin(positions); outer.next();) {
        for (inner.begin(positions); inner.next();)
            pairs += outer.view().row_count() * inner.view().row_count();
        CHECK(world.is_locked());
        float before = 1000;
        for (sorted.begin(ordered); sorted.next();) {
            CHECK(sorted.is_in_order());
            for (const Position& position : sorted.view().column<const Position>(0)) {
                CHECK(position.x < before);
                before = position.x;
                ++rows;
            }
        }
        CHECK_FALSE(inner.is_open());
    }
    CHECK(pairs == game.all.size() * game.all.size());
    CHECK(rows % game.all.size() == 0);
    CHECK_FALSE(world.is_locked());
}

TEST_CASE("[Q3] in a system, a visit compares with the system's last run") {
    Visited game;
    Schedule schedule(game.world);
    std::vector<int> changed_chunks;
    schedule
        .add(system(game.world, "look").uses<Position>().run([&](SystemContext& context) {
            QueryVisit visit(context.world);
            int count = 0;
            for (visit.begin(context.world.query<Position>().query()); visit.next();)
                count += visit.changed(context.world.id<Position>()) ? 1 : 0;
            changed_chunks.push_back(count);
        }))
        .value();
    const auto chunks = static_cast<int>(game.world.query<Position>().query().chunk_count());
    schedule.run_group(kSimulation, {}).value();
    schedule.run_group(kSimulation, {}).value();
    game.world.edit<Position>(game.all[3])->x = 5;
    schedule.run_group(kSimulation, {}).value();
    CHECK(changed_chunks == std::vector<int>{chunks, 0, 1});
}

}  // namespace
}  // namespace perigee
