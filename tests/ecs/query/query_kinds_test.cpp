// Queries over shared, chunk, enableable and cleanup components: filters, values per chunk, typed loops.
#include "ecs/parallel/parallel_query.h"
#include "ecs/query/parallel_options.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace perigee {
namespace {

struct Stage {
    explicit Stage(std::uint32_t rows = 3) : world(tiny_chunks(rows)) {
        declare_test_components(world);
        declare_kind_components(world);
    }
    World world;
};

TEST_CASE(
    "[Q4] [K4] a filter by shared value shows the rows of that value, also when values appear and "
    "disappear") {
    Stage stage;
    World& world = stage.world;
    const auto red = world.query<const Position, Shared<Team>>().shared(Team{1, 2}).build();
    CHECK(red.query().entity_count() == 0);
    std::vector<Entity> all;
    for (int i = 0; i < 12; ++i) {
        all.push_back(
            world.spawn(Position{static_cast<float>(i), 0}, Team{static_cast<std::uint8_t>(i % 3), 2}));
    }
    const auto positions = [&] {
        std::vector<float> found;
        red.each([&](const Position& position, const Team& team) {
            CHECK(team == Team{1, 2});
            found.push_back(position.x);
        });
        std::sort(found.begin(), found.end());
        return found;
    };
    CHECK(positions() == std::vector<float>{1, 4, 7, 10});
    world.set(all[0], Team{1, 2});
    world.set(all[1], Team{7, 2});
    world.destroy(all[4]);
    CHECK(positions() == std::vector<float>{0, 7, 10});
    set_all(world, red.query(), world.id<Team>(), &*world.get<Team>(all[1]));
    CHECK(positions().empty());
    CHECK(red.query().chunk_count() == 0);
    CHECK(world.query<Shared<Team>>().shared(Team{7, 2}).query().entity_count() == 4);
    int chunks = 0;
    world.query<Shared<Team>, const Position>().each_chunk(
        [&](const ChunkView&, const Team& team, std::span<const Position> rows) {
            ++chunks;
            for (const Position& position : rows) CHECK((position.x == 1) <= (team.id == 7));
        });
    CHECK(chunks == static_cast<int>(world.query<Shared<Team>>().query().chunk_count()));
}

// For many patterns of disabled rows, each must call fn once for each enabled row, in order.
TEST_CASE("[Q1] typed and parallel loops visit exactly the enabled rows, for any pattern") {
    for (const std::uint32_t rows : {7u, 64u, 70u, 512u}) {
        WorldConfig config = tiny_chunks(rows);
        config.shape.unit_bytes = 16 * 1024;
        World world(config);
        declare_test_components(world);
        declare_kind_components(world);
        WorkerPool pool(2);
        std::vector<Entity> all;
        for (int i = 0; i < 700; ++i) all.push_back(world.spawn(Position{}, Shield{}));
        std::mt19937 random(rows);
        for (const int pattern : {0, 1, 2, 3, 4}) {
            std::vector<Entity> expected;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool is_enabled[] = {true, false, i % 2 == 0, i / 64 % 2 == 0, random() % 3 != 0};
                world.set_enabled(all[i], world.id<Shield>(), is_enabled[pattern]);
                if (is_enabled[pattern]) expected.push_back(all[i]);
            }
            const auto query = world.query<const Shield, Position>();
            std::vector<Entity> shown;
            query.each([&](Entity entity, const Shield&, Position& position) {
                shown.push_back(entity);
                position.x = 1;
            });
            CHECK(shown == expected);
            query.each_parallel(
                pool, [](const Shield&, Position& position) { position.x += 1; },
                ParallelOptions{.min_rows = 0, .task_rows = 64});
            int wrong = 0;
            world.each<Position, Optional<const Shield>>(
                [&](Entity entity, Position& position, const Shield* shield) {
                    wrong += shield != nullptr ? 0 : 1;
                    wrong += position.x == (world.is_enabled(entity, world.id<Shield>()) ? 2 : 0) ? 0 : 1;
                    position.x = 0;
                });
            CHECK(wrong == 0);
            CHECK(query.query().entity_count() == expected.size());
            CHECK(query.include_disabled().query().entity_count() == all.size());
            CHECK(world.query<const Position>().without<Shield>().query().entity_count() ==
                  all.size() - expected.size());
        }
    }
}

TEST_CASE(
    "enabled bits changed during a visit take effect in the next visit and mark the component as changed") {
    Stage stage(100);
    World& world = stage.world;
    for (int i = 0; i < 150; ++i) world.spawn(Shield{}, Visible{});
    const ChangeVersion before = world.change_version();
    world.advance_change_version();
    int visits = 0;
    const auto query = world.query<Shield, const Visible>();
    query.each([&](Entity entity, Shield&, const Visible&) {
        ++visits;
        world.set_enabled(entity, world.id<Shield>(), false);
    });
    CHECK(visits == 150);
    CHECK(query.query().entity_count() == 0);
    CHECK(query.query().chunk_count() == 0);
    CHECK(world.query<Optional<const Shield>>().changed<Shield>().query().entity_count(before) == 150);
    CHECK(world.query<Optional<const Shield>>().changed<Visible>().query().entity_count(before) == 0);
}

TEST_CASE("an ordered visit shows only enabled rows and writes changed bits back") {
    Stage stage(5);
    World& world = stage.world;
    std::vector<Entity> all;
    for (int i = 0; i < 40; ++i) {
        const Entity entity = world.spawn(Position{static_cast<float>((i * 7) % 40), 0}, Shield{});
        if (i % 2 == 0) world.add(entity, Team{static_cast<std::uint8_t>(i % 3), 0});
        world.set_enabled(entity, world.id<Shield>(), i % 5 != 0);
        all.push_back(entity);
    }
    const auto query =
        world.query<Shield, const Position, Optional<const Velocity>>().order_by<Position>("x").build();
    CHECK(query.query().entity_count() == 32);
    query.each_chunk([&](const ChunkView& view, std::span<Shield> shields,
                         std::span<const Position> positions, std::span<const Velocity>) {
        CHECK(view.enabled_words() == nullptr);
        for (std::uint32_t row = 0; row < view.row_count(); ++row) {
            shields[row].power = positions[row].x;
            if (positions[row].x < 20) view.term_mask(0)[row / 64] &= ~(std::uint64_t{1} << (row % 64));
        }
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float x = world.get<Position>(all[i])->x;
        CHECK(world.is_enabled(all[i], world.id<Shield>()) == (i % 5 != 0 && x >= 20));
        CHECK(world.get<Shield>(all[i])->power == (i % 5 != 0 ? x : 1));
    }
}

// The bounding boxes of the source: one per chunk, computed again only where positions changed.
TEST_CASE("[K7] [Q3] a system updates a bounding box per chunk and skips chunks without movement") {
    Stage stage(4);
    World& world = stage.world;
    Schedule schedule(world);
    std::vector<Entity> all;
    for (int i = 0; i < 20; ++i) all.push_back(world.spawn(Position{static_cast<float>(i), 0}));
    SystemDesc update;
    update.name = "update boxes";
    update.query = world.query<const Position, PerChunk<Bounds>>().changed<Position>().desc();
    int updated = 0;
    update.run = [&](SystemContext& context) -> Result<void> {
        context.world.each_chunk(*context.query, [&](const ChunkView& view) {
            ++updated;
            Bounds& bounds = view.chunk_value<Bounds>(1);
            const auto positions = view.column<const Position>(0);
            bounds = {positions[0].x, positions[0].x};
            for (const Position& position : positions) {
                bounds = {std::min(bounds.low, position.x), std::max(bounds.high, position.x)};
            }
        });
        return {};
    };
    schedule.add(update).value();
    const auto step = [&] {
        updated = 0;
        schedule.run_group(kSimulation, {}).value();
        return updated;
    };
    CHECK(step() == 0);  // No entity has a box yet.
    add_all(world, world.query<const Position>().without<Bounds>().query(), world.id<Bounds>());
    CHECK(step() == 5);
    CHECK(step() == 0);
    world.set(all[6], Position{100, 0});
    const ChangeVersion before = world.change_version();
    CHECK(step() == 1);
    for (const Entity entity : all) {
        const float x = world.get<Position>(entity)->x;
        CHECK(world.get<Bounds>(entity)->low <= x);
        CHECK(world.get<Bounds>(entity)->high >= x);
    }
    CHECK(*world.get<Bounds>(all[5]) == Bounds{4, 100});
    CHECK(world.query<PerChunk<const Bounds>>().changed<Bounds>().query().chunk_count(before) == 1);
    float sum = 0;
    world.each<PerChunk<const Bounds>>([&](const Bounds& bounds) { sum += bounds.high - bounds.low; });
    CHECK(sum == 4 * (4 * 3 + 96));
}

TEST_CASE(
    "[K5] queries distinguish new, active and destroyed entities, and other queries show no destroyed one") {
    Stage stage;
    World& world = stage.world;
    const auto fresh = world.query<const Position>().without<Voice>().build();
    const auto active = world.query<const Position, Voice>();
    const auto gone = world.query<Voice>().without<Position>().build();
    const Query& every = *world.query(QueryDesc{}).value();
    const auto every_frozen = world.query<Optional<const Velocity>>().without<Frozen>().build();
    const Entity entity = world.spawn(Position{});
    const auto counts = [&] {
        return std::vector<std::uint64_t>{fresh.query().entity_count(), active.query().entity_count(),
                                          gone.query().entity_count(), every.entity_count(),
                                          every_frozen.query().entity_count()};
    };
    CHECK(counts() == std::vector<std::uint64_t>{1, 0, 0, 1, 1});
    world.add<Voice>(entity);
    CHECK(counts() == std::vector<std::uint64_t>{0, 1, 0, 1, 1});
    world.destroy(entity);
    CHECK(counts() == std::vector<std::uint64_t>{0, 0, 1, 0, 0});
    QueryDesc destroyed;
    destroyed.terms = {{world.archetypes().destroyed_tag()}};
    CHECK(world.query(destroyed).value()->entity_count() == 1);
    world.remove<Voice>(entity);
    CHECK(counts() == std::vector<std::uint64_t>{0, 0, 0, 0, 0});
}

TEST_CASE("a typed query with the wrong kind of parameter breaks a contract") {
    const ContractWatch watch;
    Stage stage;
    World& world = stage.world;
    CHECK_THROWS_AS(world.query<const Team>(), BrokenContract);
    CHECK_THROWS_AS(world.query<Shared<Position>>(), BrokenContract);
    CHECK_THROWS_AS(world.query<PerChunk<Team>>(), BrokenContract);
    CHECK_THROWS_AS(world.query<Optional<Bounds>>(), BrokenContract);
    int tags = 0;
    world.spawn(Frozen{}, Visible{});
    world.each<const Frozen, const Visible>([&](const Frozen&, const Visible&) { ++tags; });
    CHECK(tags == 1);
}

TEST_CASE("a filter by a value of another kind or size is refused") {
    Stage stage;
    World& world = stage.world;
    const auto message = [&](std::vector<SharedFilter> filters) {
        QueryDesc desc;
        desc.shared = std::move(filters);
        return world.query(desc).error().message;
    };
    const ComponentId team = world.id<Team>();
    CHECK(message({{world.id<Position>(), std::vector<std::byte>(8)}}) ==
          "filter by the value of 'Position': expected a shared component, got a component");
    CHECK(message({{team, std::vector<std::byte>(3)}}) ==
          "filter by the value of 'Team': expected 8 bytes, got 3");
    CHECK(message({{team, std::vector<std::byte>(8)}, {team, std::vector<std::byte>(8)}}) ==
          "a query names 'Team' twice");
}

}  // namespace
}  // namespace perigee
