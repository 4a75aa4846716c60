// Queries from parameter lists, and their filters.
#include "ecs/query/typed_query.h"

#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

TEST_CASE("[Q1] an optional parameter is a pointer, null where the entity lacks the component") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    for (int i = 0; i < 5; ++i) world.spawn(Position{1, 1});
    for (int i = 0; i < 3; ++i) world.spawn(Position{2, 2}, Velocity{3, 0});
    int with = 0, without = 0;
    world.each<Position, Optional<const Velocity>>([&](Position& position, const Velocity* velocity) {
        CHECK((velocity != nullptr) == (position.x == 2));
        (velocity != nullptr ? with : without) += 1;
        if (velocity != nullptr) position.x += velocity->x;
    });
    CHECK(with == 3);
    CHECK(without == 5);
    int moved = 0;
    world.query<const Position, Optional<Velocity>>().each_chunk(
        [&](const ChunkView& view, std::span<const Position> positions, std::span<Velocity> velocities) {
            CHECK(velocities.size() == (view.has(1) ? positions.size() : 0));
            for (const Position& position : positions) moved += position.x == 5 ? 1 : 0;
        });
    CHECK(moved == 3);
}

TEST_CASE("[Q1] the filter functions of a typed query give the same query as a description") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    world.spawn(Position{1, 0}, Frozen{});
    world.spawn(Position{2, 0}, Velocity{});
    world.spawn(Position{3, 0}, Health{});
    world.spawn(Position{4, 0});

    std::vector<float> found;
    const auto note = [&](const Position& position) { found.push_back(position.x); };
    world.query<const Position>().without<Frozen>().any<Velocity, Health>().each(note);
    CHECK(found == std::vector<float>{2, 3});
    found.clear();
    world.query<const Position>().order_by<Position>("x", true).without<Frozen>().each(note);
    CHECK(found == std::vector<float>{4, 3, 2});

    const auto typed = world.query<const Position>().without<Frozen, Poisoned>().changed<Velocity>().build();
    QueryDesc desc;
    desc.terms = {{world.id<Position>()}};
    desc.without = {world.id<Frozen>(), world.id<Poisoned>()};
    desc.changed = {world.id<Velocity>()};
    CHECK(world.query(desc).value() == &typed.query());
    CHECK(&world.query<const Position>().query() != &typed.query());
}

TEST_CASE("a column of a term that the query does not have breaks a contract") {
    const ContractWatch watch;
    World world;
    declare_test_components(world);
    world.spawn(Position{1, 1});
    QueryDesc desc;
    desc.terms = {{world.id<Position>()}};
    desc.changed = {world.id<Position>()};
    world.each_chunk(*world.query(desc).value(), [](ChunkView& chunk) {
        CHECK(chunk.column<const Position>(0).size() == 1);
        CHECK_THROWS_WITH(chunk.column<const Position>(1),
                          Catch::Contains("a term that the query does not have"));
    });
}

TEST_CASE("invalid filters of a typed query break a contract") {
    const ContractWatch watch;
    World world;
    declare_test_components(world);
    CHECK_THROWS_AS(world.query<Position>().without<Position>().build(), BrokenContract);
    CHECK_THROWS_AS(world.query<Position>().order_by<Position>("z").build(), BrokenContract);
}

}  // namespace
}  // namespace perigee
