// Runs of one change give the same result as single calls: two worlds get the same changes, one in runs and
// one call by call.
#include "ecs/commands/command_buffer.h"
#include "ecs/migrate/world_transfer.h"
#include "ecs/schedule/query_visit.h"
#include "ecs/schema/registry.h"
#include "ecs/world/bulk.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <vector>

namespace perigee {
namespace {

void check_equal(const World& a, const World& b, const std::vector<Entity>& entities) {
    REQUIRE(a.entity_count() == b.entity_count());
    for (const Entity entity : entities) {
        REQUIRE(a.is_alive(entity) == b.is_alive(entity));
        for (std::uint16_t i = 0; i < a.registry().size(); ++i) {
            const ComponentId id{i};
            REQUIRE(a.has(entity, id) == b.has(entity, id));
            const std::byte* value = a.get(entity, id);
            if (value == nullptr) continue;
            REQUIRE(std::memcmp(value, b.get(entity, id), a.registry().row_bytes(id)) == 0);
        }
    }
}

TEST_CASE("adding and removing in runs gives the same result as single calls") {
    const std::uint32_t rows = GENERATE(2u, 16u, 512u);
    World runs(tiny_chunks(rows)), singles(tiny_chunks(rows));
    for (World* world : {&runs, &singles}) declare_test_components(*world);
    std::vector<Entity> entities;
    for (int i = 0; i < 200; ++i) {
        entities.push_back(runs.spawn(Position{static_cast<float>(i), 1}));
        REQUIRE(singles.spawn(Position{static_cast<float>(i), 1}) == entities.back());
    }
    for (int i = 0; i < 200; i += 9) {
        runs.destroy(entities[static_cast<std::size_t>(i)]);
        singles.destroy(entities[static_cast<std::size_t>(i)]);
    }

    std::mt19937 random(rows);
    for (int round = 0; round < 100; ++round) {
        const ComponentId component{static_cast<std::uint16_t>(random() % runs.registry().size())};
        const bool is_removal = random() % 3 == 0;
        // A run of adjacent entities with a few others, dead entities and duplicates among them.
        std::vector<ComponentChange> changes;
        std::vector<std::byte> values(24 * 100);
        for (std::byte& byte : values) byte = static_cast<std::byte>(random());
        const std::size_t first = random() % 150;
        const std::size_t count = random() % 100;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t which = random() % 10 == 0 ? random() % 200 : (first + i) % 200;
            const bool has_value = !is_removal && random() % 2 == 0;
            changes.push_back({entities[which], has_value ? values.data() + 24 * i : nullptr});
        }
        std::size_t expected = 0;
        for (const ComponentChange& change : changes) {
            const bool is_done = is_removal ? singles.remove(change.entity, component)
                                            : singles.add(change.entity, component, change.value);
            expected += is_done ? 1 : 0;
        }
        REQUIRE((is_removal ? remove_many(runs, component, changes) : add_many(runs, component, changes)) ==
                expected);
        check_equal(runs, singles, entities);
    }
}

TEST_CASE("an entity named twice in a run gets its last value and leaves no empty row") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    const Entity a = world.spawn(Position{}), b = world.spawn(Position{});
    const Velocity first{1, 1}, second{2, 2};
    const auto bytes = [](const Velocity& value) { return reinterpret_cast<const std::byte*>(&value); };
    const std::vector<ComponentChange> changes{{a, bytes(first)}, {a, bytes(second)}, {b, nullptr}};
    CHECK(add_many(world, world.id<Velocity>(), changes) == 3);
    CHECK(*world.get<Velocity>(a) == second);
    CHECK(*world.get<Velocity>(b) == Velocity{});
    CHECK(world.archetype<Position, Velocity>().entity_count() == 2);
    CHECK(world.archetype<Position>().chunk_count() == 0);
}

TEST_CASE("reserved ids are placed in bulk with the archetype's defaults") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    std::vector<Entity> entities;
    for (int i = 0; i < 10; ++i) entities.push_back(reserve_entity(world));
    CHECK(place_reserved(world, entities, world.archetype<Health, Frozen>()) == 10);
    for (const Entity entity : entities) REQUIRE(*world.get<Health>(entity) == Health{100, 100});
    CHECK(world.archetype<Health, Frozen>().chunk_count() == 3);
}

TEST_CASE("bulk changes are refused while the world is locked") {
    ContractWatch watch;
    World world(tiny_chunks());
    declare_test_components(world);
    const std::vector<Entity> entities{reserve_entity(world)};
    const std::vector<ComponentChange> changes{{world.spawn(), nullptr}};
    const World::Lock lock(world);
    CHECK_THROWS_AS(add_many(world, world.id<Frozen>(), changes), BrokenContract);
    CHECK_THROWS_AS(remove_many(world, world.id<Frozen>(), changes), BrokenContract);
    CHECK_THROWS_AS(place_reserved(world, entities, world.store().graph().empty()), BrokenContract);
}

TEST_CASE("queries and archetypes of another world are refused, and both worlds stay as they are") {
    ContractWatch watch;
    World world, other;
    for (World* each : {&world, &other}) {
        declare_test_components(*each);
        for (int i = 0; i < 5; ++i) each->spawn(Position{1, 1});
    }
    const Query& query = other.query<const Position>().query();
    Archetype& archetype = other.archetype<Position>();
    const ComponentId health = world.id<Health>();
    const Health full{100, 100};
    CommandBuffer commands(world);
    CHECK_THROWS_AS(destroy_all(world, query), BrokenContract);
    CHECK_THROWS_AS(add_all(world, query, health), BrokenContract);
    CHECK_THROWS_AS(remove_all(world, query, health), BrokenContract);
    CHECK_THROWS_AS(set_all(world, query, health, &full), BrokenContract);
    CHECK_THROWS_AS(set_enabled_all(world, query, health, true), BrokenContract);
    CHECK_THROWS_AS(world.each_chunk(query, [](ChunkView&) {}), BrokenContract);
    CHECK_THROWS_AS(QueryVisit(world).begin(query), BrokenContract);
    CHECK_THROWS_AS(commands.destroy_all(query), BrokenContract);
    CHECK_THROWS_AS(move_entities(world, query, other), BrokenContract);
    CHECK_THROWS_AS(world.spawn(archetype), BrokenContract);
    CHECK_THROWS_AS(spawn_many(world, archetype, 3), BrokenContract);
    for (const World* each : {&world, &other}) CHECK(each->entity_count() == 5);
    CHECK(query.entity_count() == 5);
}

}  // namespace
}  // namespace perigee
