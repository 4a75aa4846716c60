// Recording only reserves ids, and dropping releases them.
#include "ecs/commands/command_buffer.h"

#include "ecs/prefab/make_prefab.h"
#include "ecs/world/prefab.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <memory>
#include <set>
#include <vector>

namespace perigee {
namespace {

struct Fixture {
    Fixture() : world(tiny_chunks()), commands(world) {
        declare_test_components(world);
        Prefab zombie;
        zombie.name = "zombie";
        zombie.components = {{world.id<Health>(), {}}, {world.id<Position>(), {}}};
        prefab = add_prefab(world, zombie).value();
    }

    World world;
    CommandBuffer commands;
    PrefabId prefab;
};

TEST_CASE("recording changes nothing but reserves ids [C1]") {
    Fixture f;
    const Entity old = f.world.spawn(Position{1, 2});
    const Entity young = f.commands.spawn();
    f.commands.add(young, f.world.id<Position>());
    f.commands.remove(old, f.world.id<Position>());
    f.commands.destroy(old);
    f.commands.spawn_many(f.prefab, 10);

    CHECK(f.commands.command_count() == 5);
    CHECK(f.world.entity_count() == 1);
    CHECK(is_reserved(f.world, young));
    CHECK_FALSE(f.world.is_alive(young));
    CHECK(*f.world.get<Position>(old) == Position{1, 2});
}

TEST_CASE("a value is copied when it is recorded") {
    Fixture f;
    const Entity entity = f.world.spawn();
    Position position{1, 2};
    f.commands.add(entity, f.world.id<Position>(), &position);
    position.x = 99;
    f.commands.play_back();
    CHECK(*f.world.get<Position>(entity) == Position{1, 2});
}

TEST_CASE("ids of spawns are unique across buffers") {
    Fixture f;
    CommandBuffer other(f.world);
    std::set<Entity> ids;
    for (int i = 0; i < 50; ++i) {
        ids.insert(f.commands.spawn());
        ids.insert(other.spawn(f.prefab));
        ids.insert(f.world.spawn());
    }
    CHECK(ids.size() == 150);
}

TEST_CASE("dropping returns ids, which are then issued again") {
    Fixture f;
    f.world.spawn();
    const auto next_ids = [&] {
        std::vector<std::uint32_t> indices;
        for (int i = 0; i < 6; ++i) indices.push_back(f.commands.spawn().index());
        f.commands.drop();
        return indices;
    };
    const std::vector<std::uint32_t> first = next_ids();
    CHECK(next_ids() == first);
    CHECK(f.world.entities().used_count() == 1);
}

TEST_CASE("an id whose buffer was dropped never becomes valid") {
    Fixture f;
    const Entity forgotten = f.commands.spawn();
    f.commands.drop();
    const Entity next = f.commands.spawn();
    f.commands.play_back();
    CHECK(next.index() == forgotten.index());
    CHECK(f.world.is_alive(next));
    CHECK_FALSE(f.world.is_alive(forgotten));
    CHECK_FALSE(is_reserved(f.world, forgotten));
}

TEST_CASE("destroying a buffer drops its commands") {
    Fixture f;
    const Entity entity = f.world.spawn();
    auto token = std::make_shared<int>(1);
    {
        CommandBuffer commands(f.world);
        commands.spawn();
        commands.destroy(entity);
        commands.spawn_many(f.prefab, 3, [token](ChunkView&, std::uint32_t, std::uint32_t) { return true; });
        CHECK(token.use_count() == 2);
    }
    CHECK(token.use_count() == 1);
    CHECK(f.world.is_alive(entity));
    CHECK(f.world.entities().used_count() == 1);
}

TEST_CASE("commands keep their values when the arena grows") {
    Fixture f;
    std::vector<Entity> entities;
    for (int i = 0; i < 3000; ++i) {
        const Wide value{i + 0.5, i + 0.25, -1.0 * i};
        entities.push_back(f.commands.spawn());
        f.commands.add(entities.back(), f.world.id<Wide>(), &value);
    }
    f.commands.play_back();
    CHECK(f.commands.is_empty());
    for (int i = 0; i < 3000; ++i) {
        REQUIRE(*f.world.get<Wide>(entities[static_cast<std::size_t>(i)]) ==
                Wide{i + 0.5, i + 0.25, -1.0 * i});
    }
}

TEST_CASE("in a full world spawn returns the null entity and records nothing") {
    WorldConfig config = tiny_chunks();
    config.max_entities = 3;
    World world(config);
    CommandBuffer commands(world);
    for (int i = 0; i < 3; ++i) CHECK(commands.spawn());
    CHECK_FALSE(commands.spawn());
    CHECK(commands.command_count() == 3);
    CHECK(commands.play_back().applied == 3);
}

TEST_CASE("a closed buffer refuses and counts commands and reserves no ids") {
    Fixture f;
    const Entity entity = f.world.spawn();
    const Position position{1, 2};
    f.commands.spawn();
    f.commands.close();
    CHECK(f.world.entities().used_count() == 1);

    CHECK_FALSE(f.commands.spawn());
    CHECK_FALSE(f.commands.spawn(f.prefab));
    f.commands.spawn_many(f.prefab, 4);
    f.commands.destroy(entity);
    f.commands.add(entity, f.world.id<Position>());
    f.commands.add(entity, f.world.id<Position>(), &position);
    f.commands.set(entity, f.world.id<Position>(), &position);
    f.commands.remove(entity, f.world.id<Position>());
    CHECK(f.commands.refused_count() == 8);
    CHECK(f.commands.is_empty());
    CHECK(f.world.entities().used_count() == 1);

    CHECK(f.commands.play_back() == PlaybackReport{});
    f.commands.drop();
    CHECK(f.commands.refused_count() == 0);
    CHECK(f.commands.is_closed());
    f.commands.destroy(entity);
    CHECK(f.commands.refused_count() == 1);
}

TEST_CASE("recording a command on an id that was never issued breaks a contract") {
    Fixture f;
    ContractWatch watch;
    const Entity entity = f.world.spawn();
    CHECK_THROWS_AS(f.commands.spawn(PrefabId{}), BrokenContract);
    CHECK_THROWS_AS(f.commands.spawn_many(PrefabId{7}, 1), BrokenContract);
    CHECK_THROWS_AS(f.commands.add(entity, ComponentId{}), BrokenContract);
    CHECK_THROWS_AS(f.commands.remove(entity, ComponentId{400}), BrokenContract);
    CHECK_THROWS_AS(f.commands.set(entity, f.world.id<Position>(), nullptr), BrokenContract);
    CHECK(f.commands.is_empty());
}

TEST_CASE("playback reports can be added") {
    PlaybackReport sum{1, 2, 3, 4};
    sum += PlaybackReport{10, 20, 30, 40};
    CHECK(sum == PlaybackReport{11, 22, 33, 44});
}

}  // namespace
}  // namespace perigee
