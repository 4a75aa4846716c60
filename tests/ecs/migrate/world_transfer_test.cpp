// Entities arrive in the other world complete, or stay.
#include "ecs/migrate/world_transfer.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/bulk.h"
#include "ecs/world/objects.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <vector>

namespace perigee {
namespace {

using Catch::Contains;

struct Link {
    Entity next;
    std::int32_t number = 0;
};

struct First {};

struct Side {
    explicit Side(std::uint32_t rows) : world(tiny_chunks(rows)) {
        if (rows > 4) world.declare<First>("First").value();  // the same types get other ids
        declare_test_components(world);
        declare_kind_components(world);
        world.declare<Link>("Link", field("next", &Link::next), field("number", &Link::number)).value();
    }
    const Query& having(ComponentId id) {
        QueryDesc desc;
        desc.terms = {{id, Access::read, false}};
        return *world.query(desc).value();
    }
    World world;
};

TEST_CASE("entities of every kind move to another world with their values and the references among them") {
    Side from(3), to(7);
    std::vector<Entity> entities;
    for (int i = 0; i < 20; ++i) {
        const Entity entity = from.world.spawn(Link{{}, i}, Layer{i % 3}, Shield{static_cast<float>(i)});
        if (i % 2 == 0) from.world.add(entity, Voice{i});
        if (i % 3 == 0) from.world.set_enabled(entity, from.world.id<Shield>(), false);
        if (i % 4 == 0) {
            from.world.add(entity, from.world.id<Waypoint>());
            BufferView<Waypoint> path = from.world.buffer<Waypoint>(entity);
            for (int k = 0; k < i; ++k) path.push({static_cast<float>(k), 2});
        }
        if (i % 5 == 0) {
            from.world.add(entity, from.world.id<Brain>());
            set_object(from.world, entity, from.world.id<Brain>(), std::make_shared<std::int64_t>(i));
        }
        entities.push_back(entity);
    }
    const Entity stranger = from.world.spawn(Position{});
    for (std::size_t i = 0; i < entities.size(); ++i) {
        from.world.edit<Link>(entities[i])->next =
            i % 7 == 0 ? stranger : entities[(i + 1) % entities.size()];
    }
    to.world.spawn(Position{});  // ids differ
    CHECK(move_entities(from.world, from.having(from.world.id<Link>()), to.world).value() == 20);

    CHECK(from.world.entity_count() == 1);
    for (const Entity entity : entities) {
        CHECK_FALSE(from.world.is_alive(entity));
        CHECK_FALSE(from.world.awaits_cleanup(entity));
    }
    CHECK(from.world.buffers().stats().blocks_in_use == 0);
    World& world = to.world;
    std::map<int, Entity> by_number;
    world.each<const Link>([&](Entity entity, const Link& link) { by_number[link.number] = entity; });
    REQUIRE(by_number.size() == 20);
    for (const auto& [i, entity] : by_number) {
        CHECK(world.get<Layer>(entity)->number == i % 3);
        CHECK(world.get<Shield>(entity)->power == static_cast<float>(i));
        CHECK(world.is_enabled(entity, world.id<Shield>()) == (i % 3 != 0));
        CHECK(world.has<Voice>(entity) == (i % 2 == 0));
        CHECK(world.get<Link>(entity)->next == (i % 7 == 0 ? Entity{} : by_number[(i + 1) % 20]));
        CHECK(world.has<Waypoint>(entity) == (i % 4 == 0));
        if (i % 4 == 0) CHECK(world.buffer<Waypoint>(entity).length() == static_cast<std::uint32_t>(i));
        if (i % 5 == 0) CHECK(*object_of<std::int64_t>(world, entity, world.id<Brain>()) == i);
    }
}

TEST_CASE("a tree moves with its order, and a moved subtree becomes a separate tree") {
    Side from(3), to(7);
    World& old = from.world;
    std::vector<Entity> entities;
    for (int i = 0; i < 13; ++i) {
        entities.push_back(old.spawn(Link{{}, i}));
        if (i > 0)
            REQUIRE(set_parent(old, entities.back(), entities[static_cast<std::size_t>(i - 1) / 3]).ok());
    }
    old.add(entities[1], Frozen{});
    CHECK(move_entities(old, from.having(old.id<Frozen>()), to.world).value() == 4);  // 1 and 4, 5, 6
    CHECK(old.entity_count() == 9);
    CHECK(child_count(old, entities[0]) == 2);
    Entity root;
    to.world.each<const Link>([&](Entity entity, const Link& link) {
        if (link.number == 1) root = entity;
    });
    CHECK_FALSE(parent_of(to.world, root));
    std::vector<int> numbers;
    for (const Entity child : children(to.world, root)) numbers.push_back(to.world.get<Link>(child)->number);
    CHECK(numbers == std::vector<int>{4, 5, 6});
}

TEST_CASE("an entity that is not alive does not move, and its new id is null") {
    Side from(3), to(7);
    const Entity dead = from.world.spawn(Position{}), alive = from.world.spawn(Position{1, 2});
    from.world.destroy(dead);
    const std::vector<Entity> moved =
        move_entities(from.world, std::vector{dead, alive, Entity{}}, to.world).value();
    REQUIRE(moved.size() == 3);
    CHECK_FALSE(moved[0]);
    CHECK(to.world.get<Position>(moved[1])->x == 1);
    CHECK_FALSE(moved[2]);
    CHECK(to.world.entity_count() == 1);
}

TEST_CASE("all types that the other world lacks or declares differently are reported, and nothing moves") {
    World from, to;
    declare_test_components(from);
    Schema position = schema_from_type("Position", {4, 4, {{"x", FieldType::f32, 0, 4}}});
    to.declare(position).value();
    from.spawn(Position{}, Health{});
    QueryDesc desc;
    desc.terms = {{from.id<Position>(), Access::read, false}};
    const std::uint64_t before = world_hash(from);
    const Result<std::size_t> moved = move_entities(from, *from.query(desc).value(), to);
    REQUIRE_FALSE(moved.ok());
    CHECK_THAT(moved.error().message,
               Contains("component 'Position' is declared otherwise in the other world"));
    CHECK_THAT(moved.error().message, Contains("component 'Health' is not declared in the other world"));
    CHECK(world_hash(from) == before);
    CHECK(to.entity_count() == 0);
}

TEST_CASE("a transfer to a world without room changes neither world") {
    Side from(3);
    WorldConfig small = tiny_chunks(3);
    small.max_entities = 4;
    World to(small);
    declare_test_components(to);
    for (int i = 0; i < 8; ++i) from.world.spawn(Position{static_cast<float>(i), 0}, Voice{i});
    remove_all(from.world, from.having(from.world.id<Voice>()), from.world.id<Voice>());
    const std::uint64_t before = world_hash(from.world);
    const auto moved = move_entities(from.world, from.having(from.world.id<Position>()), to);
    CHECK(moved.error().message == "the other world has no room for 8 entities more");
    CHECK(world_hash(from.world) == before);
    CHECK(to.entity_count() == 0);
}

}  // namespace
}  // namespace perigee
