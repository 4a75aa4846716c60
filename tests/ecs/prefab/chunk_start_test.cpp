// Values for the chunk that a new entity starts.
#include "ecs/prefab/chunk_start.h"

#include "ecs/prefab/make_prefab.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>

namespace perigee {
namespace {

struct ChunkWorld {
    World world{tiny_chunks(4)};
    ComponentId bounds{};

    ChunkWorld() {
        declare_test_components(world);
        Schema schema;
        schema.name = "Bounds";
        schema.kind = ComponentKind::chunk;
        schema.fields.emplace_back();
        schema.fields.back().name = "number";
        schema.fields.back().type = FieldType::i32;
        bounds = world.declare(schema).value();
    }
    bool start(Entity entity, std::int32_t number) {
        return start_chunk(world, entity, {bounds, reinterpret_cast<const std::byte*>(&number)});
    }
    std::int32_t number(Entity entity) {
        std::int32_t value = -1;
        std::memcpy(&value, world.get(entity, bounds), sizeof value);
        return value;
    }
    PrefabId prefab(std::int32_t number) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&number);
        Prefab prefab;
        prefab.name = "Cell";
        prefab.components = {{bounds, {bytes, bytes + sizeof number}}};
        return add_prefab(world, prefab).value();
    }
};

}  // namespace

TEST_CASE("the first row of a chunk gives it its value, and others do not") {
    ChunkWorld game;
    const Entity first = game.world.spawn(Position{});
    const Entity second = game.world.spawn(Position{});
    CHECK(game.start(first, 5));
    CHECK(game.start(second, 6));
    CHECK(game.number(first) == 5);
    CHECK(game.number(second) == 5);
    CHECK(game.start(first, 7));  // it has the component, and still is the first row
    CHECK(game.start(second, 8));
    CHECK(game.number(second) == 7);
}

TEST_CASE("an entity that moved to a new chunk gives it the values of its prefab") {
    ChunkWorld game;
    const PrefabId prefab = game.prefab(9);
    CHECK(has_chunk_components(game.world, prefab));
    const Entity entity = game.world.spawn(prefab);
    CHECK(game.number(entity) == 9);
    REQUIRE(game.world.add(entity, Velocity{}));
    CHECK(game.number(entity) == 0);
    CHECK(start_chunk(game.world, entity, prefab));
    CHECK(game.number(entity) == 9);
}

TEST_CASE("a chunk component of the prefab that was removed does not come back") {
    ChunkWorld game;
    const PrefabId prefab = game.prefab(9);
    const Entity entity = game.world.spawn(prefab);
    REQUIRE(game.world.remove(entity, game.bounds));
    CHECK(start_chunk(game.world, entity, prefab));
    CHECK_FALSE(game.world.has(entity, game.bounds));
}

TEST_CASE("an entity that is gone starts no chunk") {
    ChunkWorld game;
    const Entity entity = game.world.spawn(Position{});
    game.world.destroy(entity);
    CHECK_FALSE(game.start(entity, 5));
}

}  // namespace perigee
