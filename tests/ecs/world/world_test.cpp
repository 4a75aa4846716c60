// The public interface of the world: entities, components, and worked examples from the literature.
#include "ecs/world/world.h"

#include "ecs/inspect/world_stats.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <set>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a spawned entity is alive and has the values it was given") {
    World world;
    declare_test_components(world);
    const Entity entity = world.spawn(Position{1, 2}, Velocity{3, 4});
    REQUIRE(world.is_alive(entity));
    CHECK(*world.get<Position>(entity) == Position{1, 2});
    CHECK(*world.get<Velocity>(entity) == Velocity{3, 4});
    CHECK(world.get<Health>(entity) == nullptr);
    CHECK(world.entity_count() == 1);
}

TEST_CASE("destroying an entity again does nothing") {
    World world;
    declare_test_components(world);
    const Entity entity = world.spawn(Position{});
    CHECK(world.destroy(entity));
    CHECK_FALSE(world.destroy(entity));
    CHECK_FALSE(world.is_alive(entity));
    CHECK(world.get<Position>(entity) == nullptr);
    CHECK_FALSE(world.add(entity, Velocity{}));
    CHECK_FALSE(world.remove<Position>(entity));
    CHECK_FALSE(world.set(entity, Position{}));
    CHECK_FALSE(world.has<Position>(entity));
    CHECK(world.archetype_of(entity) == nullptr);
}

TEST_CASE("[S6] adding and removing keep other values and do nothing if there is nothing to do") {
    World world(tiny_chunks());
    declare_test_components(world);
    const Entity entity = world.spawn(Position{1, 2});
    CHECK(world.add(entity, world.id<Health>()));
    CHECK(*world.get<Health>(entity) == Health{100, 100});
    CHECK(world.add(entity, Health{5, 6}));
    CHECK(*world.get<Health>(entity) == Health{5, 6});
    CHECK(world.add(entity, world.id<Health>()));
    CHECK(*world.get<Health>(entity) == Health{5, 6});
    CHECK(*world.get<Position>(entity) == Position{1, 2});
    CHECK(world.remove<Health>(entity));
    CHECK(world.remove<Health>(entity));
    CHECK(*world.get<Position>(entity) == Position{1, 2});
    CHECK(world.add(entity, world.id<Frozen>()));
    CHECK(world.has<Frozen>(entity));
    CHECK(world.get(entity, world.id<Frozen>()) == nullptr);
}

TEST_CASE("[S10] the worked example: five entities, two rows a chunk, three archetypes") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    const Entity e1 = world.spawn(Position{1, 0}, Velocity{});
    const Entity e2 = world.spawn(Position{2, 0});
    const Entity e3 = world.spawn(Position{3, 0}, Velocity{});
    const Entity e4 = world.spawn(Position{4, 0}, Velocity{});
    const Entity e5 = world.spawn(Velocity{5, 0});
    const Archetype* both = world.archetype_of(e1);
    CHECK(both == world.archetype_of(e3));
    CHECK(both == world.archetype_of(e4));
    CHECK(both->chunk_count() == 2);
    CHECK(both->chunks()[0].row_count == 2);
    CHECK(both->chunks()[1].row_count == 1);
    CHECK(Archetype::entities(both->chunks()[1])[0] == e4);
    CHECK(world.archetype_of(e2)->chunk_count() == 1);
    CHECK(world.archetype_of(e5)->chunk_count() == 1);
    CHECK(std::set{both, world.archetype_of(e2), world.archetype_of(e5)}.size() == 3);
    // Destroying e1 moves e3, the last of its chunk, into the hole; e4's chunk is not touched.
    world.destroy(e1);
    CHECK(Archetype::entities(both->chunks()[0])[0] == e3);
    CHECK(*world.get<Position>(e3) == Position{3, 0});
    CHECK(*world.get<Position>(e4) == Position{4, 0});
}

TEST_CASE("[S8] bulk creation fills chunk after chunk, initialised run by run") {
    World world(tiny_chunks(16));
    declare_test_components(world);
    Archetype& archetype = world.archetype<Position, Health>();
    std::vector<Entity> made(100);
    int runs = 0;
    const ComponentId position = world.id<Position>();
    const auto& components = archetype.components();
    const auto term = static_cast<std::size_t>(std::find(components.begin(), components.end(), position) -
                                               components.begin());
    const std::size_t count = spawn_many(
        world, archetype, 100,
        [&](ChunkView& view, std::uint32_t first, std::uint32_t last) {
            ++runs;
            for (std::uint32_t row = first; row < last; ++row) view.column<Position>(term)[row].x = 7;
            return true;
        },
        made.data());
    CHECK(count == 100);
    CHECK(runs == 7);
    CHECK(archetype.chunk_count() == 7);
    for (const Entity entity : made) {
        REQUIRE(world.is_alive(entity));
        REQUIRE(*world.get<Position>(entity) == Position{7, 0});
        REQUIRE(*world.get<Health>(entity) == Health{100, 100});
    }
}

TEST_CASE("an initialiser sees components of every kind") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    const auto declare = [&world](const char* name, ComponentKind kind) {
        Schema schema;
        schema.name = name;
        schema.kind = kind;
        schema.fields.emplace_back();
        schema.fields.back().name = "number";
        schema.fields.back().type = FieldType::i32;
        return world.declare(schema).value();
    };
    const ComponentId ids[] = {
        declare("Team", ComponentKind::shared), declare("Bounds", ComponentKind::chunk),
        declare("Shield", ComponentKind::enableable), declare("Path", ComponentKind::buffer)};
    Prefab prefab;
    prefab.name = "All";
    for (const ComponentId id : ids) {
        const std::int32_t number = static_cast<std::int32_t>(prefab.components.size()) + 5;
        const auto* bytes = reinterpret_cast<const std::byte*>(&number);
        prefab.components.push_back({id, {bytes, bytes + sizeof number}});
    }
    const PrefabId id = add_prefab(world, prefab).value();
    const Archetype& archetype = *world.archetype(ids).value();
    const auto term = [&](ComponentId component) {
        const auto& components = archetype.components();
        return static_cast<std::size_t>(std::find(components.begin(), components.end(), component) -
                                        components.begin());
    };
    int rows = 0;
    const std::size_t made =
        spawn_many(world, id, 10, [&](ChunkView& view, std::uint32_t first, std::uint32_t last) {
            const auto number = [](const std::byte* bytes) {
                std::int32_t value = 0;
                REQUIRE(bytes != nullptr);
                std::memcpy(&value, bytes, sizeof value);
                return value;
            };
            CHECK(number(view.shared_data(term(ids[0]))) == 5);
            CHECK(number(view.chunk_value_data(term(ids[1]))) == 6);
            CHECK(number(view.column_data(term(ids[2]))) == 7);
            CHECK(view.term_mask(term(ids[2])) != nullptr);
            CHECK(view.owning_cell(term(ids[3]), first) != nullptr);
            rows += static_cast<int>(last - first);
            return true;
        });
    CHECK(made == 10);
    CHECK(rows == 10);
}

TEST_CASE("a batch whose initialiser fails is destroyed before it is visible") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    const Entity before = world.spawn(Position{1, 1});
    int calls = 0;
    const std::size_t made =
        spawn_many(world, world.archetype<Position>(), 10,
                   [&](ChunkView&, std::uint32_t, std::uint32_t) { return ++calls < 3; });
    CHECK(made == 0);
    CHECK(calls == 3);
    CHECK(world.entity_count() == 1);
    CHECK(*world.get<Position>(before) == Position{1, 1});
}

TEST_CASE("every entity of a prefab has the prefab's values") {
    World world(tiny_chunks(8));
    declare_test_components(world);
    const Health weak{3, 9};
    const auto* bytes = reinterpret_cast<const std::byte*>(&weak);
    Prefab zombie;
    zombie.name = "Zombie";
    zombie.components = {{world.id<Health>(), {bytes, bytes + sizeof weak}},
                         {world.id<Frozen>(), {}},
                         {world.id<Position>(), {}}};
    const PrefabId id = add_prefab(world, zombie).value();
    const Entity one = world.spawn(id);
    CHECK(*world.get<Health>(one) == weak);
    CHECK(*world.get<Position>(one) == Position{});
    CHECK(world.has<Frozen>(one));
    std::vector<Entity> many(50);
    CHECK(spawn_many(world, id, 50, {}, many.data()) == 50);
    for (const Entity entity : many) REQUIRE(*world.get<Health>(entity) == weak);
    CHECK_FALSE(add_prefab(world, zombie).ok());
}

TEST_CASE("a prefab value of the wrong size, or of a resource, is refused") {
    World world;
    declare_test_components(world);
    Prefab wrong;
    wrong.name = "Wrong";
    wrong.components = {{world.id<Health>(), std::vector<std::byte>(3)}};
    CHECK_THAT(add_prefab(world, wrong).error().message,
               Contains("Wrong") && Contains("Health") && Contains("8") && Contains("3"));
    Schema score;
    score.name = "Score";
    score.kind = ComponentKind::resource;
    score.fields.resize(1);
    score.fields[0].name = "points";
    wrong.components = {{world.declare(score).value(), {}}};
    CHECK_THAT(add_prefab(world, wrong).error().message, Contains("Score") && Contains("resource"));
}

TEST_CASE("destroying all matches of a query keeps other entities, and stale ids stay dead") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    std::vector<Entity> moving, still;
    for (int i = 0; i < 30; ++i) {
        moving.push_back(world.spawn(Position{}, Velocity{}));
        still.push_back(world.spawn(Position{static_cast<float>(i), 0}));
    }
    CHECK(destroy_all(world, world.query<Velocity>().query()) == 30);
    for (const Entity entity : moving) CHECK_FALSE(world.is_alive(entity));
    for (std::size_t i = 0; i < still.size(); ++i)
        CHECK(world.get<Position>(still[i])->x == static_cast<float>(i));
    CHECK(world.entity_count() == 30);
    const Entity again = world.spawn();
    for (const Entity entity : moving) CHECK(entity != again);
    world.clear();
    CHECK(world.entity_count() == 0);
    CHECK_FALSE(world.is_alive(again));
    CHECK(stats_of(world).chunks == 0);
}

TEST_CASE("structural change during a visit breaks a contract") {
    World world;
    declare_test_components(world);
    const Entity entity = world.spawn(Position{});
    const ContractWatch watch;
    world.each<Position>([&](Position&) {
        CHECK(world.is_locked());
        CHECK_THROWS_WITH(world.destroy(entity), Contains("CommandBuffer"));
        CHECK_THROWS_AS(world.spawn(), BrokenContract);
        CHECK_THROWS_AS(world.add(entity, Velocity{}), BrokenContract);
        CHECK_THROWS_AS(world.remove<Position>(entity), BrokenContract);
        CHECK_THROWS_AS(world.clear(), BrokenContract);
    });
    CHECK_FALSE(world.is_locked());
    CHECK(world.is_alive(entity));
}

TEST_CASE("each visits rows in chunk order and passes the entity if requested") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    std::vector<Entity> made;
    for (int i = 0; i < 5; ++i)
        made.push_back(world.spawn(Position{static_cast<float>(i), 0}, Velocity{1, 2}));
    std::vector<Entity> seen;
    world.each<Position, const Velocity>([&](Entity entity, Position& position, const Velocity& velocity) {
        position.y += velocity.y;
        seen.push_back(entity);
    });
    CHECK(seen == made);
    world.each<const Position>([](const Position& position) { CHECK(position.y == 2); });
    std::size_t rows = 0;
    world.query<const Position>().each_chunk([&](const ChunkView& view, std::span<const Position> positions) {
        CHECK(positions.size() == view.row_count());
        rows += positions.size();
    });
    CHECK(rows == 5);
}

struct Wind : Velocity {};

TEST_CASE("two worlds in one process have their own types and entities") {
    World first, second;
    declare_test_components(first);
    second.declare<Wind>("Wind", field("x", &Wind::x), field("y", &Wind::y)).value();
    declare_test_components(second);
    const Entity entity = first.spawn(Velocity{1, 1});
    CHECK_FALSE(second.is_alive(entity));
    CHECK(first.id<Velocity>() != second.id<Velocity>());
}

TEST_CASE("binding to an unknown name or a different layout is refused with both layouts") {
    World world;
    declare_test_components(world);
    struct Flat {
        float x;
        std::int32_t y;
    };
    const Result<ComponentId> wrong =
        world.bind<Flat>("Position", field("x", &Flat::x), field("y", &Flat::y));
    REQUIRE_FALSE(wrong.ok());
    CHECK_THAT(wrong.error().message, Contains("Position") && Contains("f32") && Contains("i32"));
    const Result<ComponentId> unknown =
        world.bind<Flat>("Positon", field("x", &Flat::x), field("y", &Flat::y));
    CHECK_THAT(unknown.error().message, Contains("Positon") && Contains("Position"));
}

TEST_CASE("[S11] get returns the address computed from the layout") {
    World world;
    declare_test_components(world);
    for (int i = 0; i < 1000; ++i) world.spawn(Position{static_cast<float>(i), 0}, Velocity{});
    world.each<const Position>(
        [&](Entity entity, const Position& position) { REQUIRE(world.get<Position>(entity) == &position); });
}

TEST_CASE("memory figures agree with what is stored") {
    World world;
    declare_test_components(world);
    Archetype& archetype = world.archetype<Position, Velocity>();
    REQUIRE(warm(world, archetype, 10000));
    spawn_many(world, archetype, 10000);
    const WorldStats stats = stats_of(world);
    CHECK(stats.entities == 10000);
    CHECK(stats.chunks == (10000 + archetype.capacity() - 1) / archetype.capacity());
    CHECK(stats.chunk_bytes - stats.unused_bytes == 10000 * 24);
}

}  // namespace
}  // namespace perigee
