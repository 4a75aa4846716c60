// The worked examples of the source documents, as tests: Mass's three archetypes of 100, 200 and 150
// entities, and Unity's bounding box per chunk.
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace perigee {
namespace {

struct FloatFragment {
    float value = 0;
};
struct IntFragment {
    std::int32_t value = 0;
};

struct MassExample {
    MassExample() {
        world.declare<FloatFragment>("FloatFragment", field("value", &FloatFragment::value)).value();
        world.declare<IntFragment>("IntFragment", field("value", &IntFragment::value)).value();
        floats = &world.archetype<FloatFragment>();
        ints = &world.archetype<IntFragment>();
        both = &world.archetype<FloatFragment, IntFragment>();
        for (const auto& [archetype, count] : {std::pair{floats, 100}, {ints, 200}, {both, 150}}) {
            std::vector<Entity> made(static_cast<std::size_t>(count));
            REQUIRE(spawn_many(world, *archetype, made.size(), {}, made.data()) == made.size());
            entities.push_back(std::move(made));
        }
    }
    World world;
    Archetype* floats;
    Archetype* ints;
    Archetype* both;
    std::vector<std::vector<Entity>> entities;
};

TEST_CASE(
    "[S1][S8][S9] Mass's example: 100 floats, 200 ints and 150 with both are stored in three "
    "archetypes, in order") {
    MassExample example;
    CHECK(example.world.entity_count() == 450);
    CHECK(example.floats->entity_count() == 100);
    CHECK(example.ints->entity_count() == 200);
    CHECK(example.both->entity_count() == 150);
    // Entity indices count per world, rows per archetype, so they differ.
    std::uint32_t index = 0;
    for (const std::vector<Entity>& group : example.entities) {
        for (const Entity entity : group) CHECK(entity.index() == index++);
    }
    const ChunkSlot& first = example.both->chunks()[0];
    CHECK(std::equal(example.entities[2].begin(), example.entities[2].end(), Archetype::entities(first)));
}

TEST_CASE(
    "[S5] Mass's example: alternately deleting and creating leaves no holes, and an empty chunk is freed") {
    MassExample example;
    World& world = example.world;
    for (std::size_t i = 0; i < 200; i += 2) world.destroy(example.entities[1][i]);
    CHECK(example.ints->entity_count() == 100);
    CHECK(example.ints->chunks()[0].row_count == 100);
    std::set<Entity> left(Archetype::entities(example.ints->chunks()[0]),
                          Archetype::entities(example.ints->chunks()[0]) + 100);
    for (std::size_t i = 1; i < 200; i += 2) CHECK(left.count(example.entities[1][i]) == 1);
    // New entities reuse the freed indices, with other generations.
    const Entity again = world.spawn(IntFragment{5});
    CHECK(again.index() < 300);
    CHECK(again.generation() == 2);
    CHECK_FALSE(world.is_alive(example.entities[1][198]));
    for (const Entity entity : example.entities[2]) world.destroy(entity);
    CHECK(example.both->chunk_count() == 0);
}

TEST_CASE("[C2][S6] Mass's example: the composition of an entity changes while it lives") {
    MassExample example;
    World& world = example.world;
    const Entity entity = example.entities[0][0];
    world.set(entity, FloatFragment{1.5f});
    world.add(entity, IntFragment{7});
    CHECK(world.archetype_of(entity) == example.both);
    CHECK(world.get<FloatFragment>(entity)->value == 1.5f);
    world.remove<FloatFragment>(entity);
    CHECK(world.archetype_of(entity) == example.ints);
    CHECK(world.get<IntFragment>(entity)->value == 7);
    CHECK(example.floats->entity_count() == 99);
    CHECK(example.ints->entity_count() == 201);
}

// The bounding box of one chunk, updated by a system that visits only chunks whose positions changed.
std::vector<std::uint32_t> update_bounds(World& world, ChangeVersion since) {
    QueryDesc desc;
    desc.terms = {{world.id<Bounds>(), Access::write, false}, {world.id<Position>(), Access::read, false}};
    std::vector<std::uint32_t> visited;
    world.advance_change_version();
    world.each_chunk(*world.query(desc).value(), [&](ChunkView& chunk) {
        if (!chunk.changed_since(1, since)) return;
        visited.push_back(chunk.chunk_index());
        const std::span<const Position> positions = chunk.column<const Position>(1);
        const auto [low, high] =
            std::minmax_element(positions.begin(), positions.end(),
                                [](const Position& a, const Position& b) { return a.x < b.x; });
        world.set(chunk.entities()[0], Bounds{low->x, high->x});
    });
    return visited;
}

TEST_CASE("[K7][Q3] Unity's example: a bounding box per chunk is recomputed only where positions changed") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    declare_kind_components(world);
    std::vector<Entity> entities;
    for (int i = 0; i < 12; ++i) {
        entities.push_back(world.spawn(Position{static_cast<float>(i), 0}));
    }
    QueryDesc desc;
    desc.terms = {{world.id<Position>(), Access::read, false}};
    const Bounds unset{-1, -1};
    add_all(world, *world.query(desc).value(), world.id<Bounds>(), &unset);
    CHECK(*world.get<Bounds>(entities[0]) == unset);

    std::uint32_t last = 0;
    CHECK(update_bounds(world, last) == std::vector<std::uint32_t>{0, 1, 2});
    last = world.change_version();
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const auto start = static_cast<float>(i / 4 * 4);
        CHECK(*world.get<Bounds>(entities[i]) == Bounds{start, start + 3});
    }
    CHECK(update_bounds(world, last).empty());
    last = world.change_version();
    world.advance_change_version();
    world.edit<Position>(entities[5])->x = 100;
    CHECK(update_bounds(world, last) == std::vector<std::uint32_t>{1});
    CHECK(*world.get<Bounds>(entities[4]) == Bounds{4, 100});
    CHECK(*world.get<Bounds>(entities[0]) == Bounds{0, 3});
}

}  // namespace
}  // namespace perigee
