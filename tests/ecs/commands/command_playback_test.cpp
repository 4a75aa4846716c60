// Playback case by case; command_model_test.cpp compares whole random programs with a naive model.
#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/world/prefab.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace perigee {
namespace {

struct Fixture {
    explicit Fixture(std::uint32_t rows = 2) : world(tiny_chunks(rows)), commands(world) {
        declare_test_components(world);
        zombie = add_prefab("zombie", {{world.id<Health>(), {}}, {world.id<Position>(), {}}});
        rock = add_prefab("rock", {{world.id<Position>(), {}}});
    }

    PrefabId add_prefab(const char* name, std::vector<PrefabComponent> components) {
        Prefab prefab;
        prefab.name = name;
        prefab.components = std::move(components);
        return perigee::add_prefab(world, std::move(prefab)).value();
    }

    World world;
    CommandBuffer commands;
    PrefabId zombie, rock;
};

TEST_CASE("playing an empty buffer back does nothing") {
    Fixture f;
    CHECK(f.commands.play_back() == PlaybackReport{});
}

TEST_CASE("playback carries out every command, in order [C1]") {
    Fixture f;
    const Entity old = f.world.spawn(Position{1, 2}, Velocity{});
    const Entity doomed = f.world.spawn();
    const Position moved{3, 4};
    const Health hurt{5, 6};
    const Entity plain = f.commands.spawn();
    const Entity undead = f.commands.spawn(f.zombie);
    f.commands.set(old, f.world.id<Position>(), &moved);
    f.commands.remove(old, f.world.id<Velocity>());
    f.commands.add(old, f.world.id<Health>());
    f.commands.set(undead, f.world.id<Health>(), &hurt);
    f.commands.destroy(doomed);
    CHECK(f.commands.play_back() == PlaybackReport{7, 0, 0, 0});

    CHECK(f.commands.is_empty());
    CHECK(f.world.is_alive(plain));
    CHECK(*f.world.get<Health>(undead) == hurt);
    CHECK(*f.world.get<Position>(undead) == Position{});
    CHECK(*f.world.get<Position>(old) == moved);
    CHECK(*f.world.get<Health>(old) == Health{});
    CHECK_FALSE(f.world.has<Velocity>(old));
    CHECK_FALSE(f.world.is_alive(doomed));
}

TEST_CASE("later commands win over earlier ones") {
    Fixture f;
    const Entity entity = f.commands.spawn();
    const Position first{1, 1}, second{2, 2};
    f.commands.add(entity, f.world.id<Position>(), &first);
    f.commands.add(entity, f.world.id<Position>(), &second);
    f.commands.add(entity, f.world.id<Position>());  // has it: nothing changes
    f.commands.play_back();
    CHECK(*f.world.get<Position>(entity) == second);
}

TEST_CASE("a component removed and added again has its defaults") {
    Fixture f;
    const Entity entity = f.commands.spawn();
    const Health hurt{1, 2};
    f.commands.add(entity, f.world.id<Health>(), &hurt);
    f.commands.remove(entity, f.world.id<Health>());
    f.commands.add(entity, f.world.id<Health>());
    f.commands.play_back();
    CHECK(*f.world.get<Health>(entity) == Health{100, 100});
}

TEST_CASE("consecutive spawns of one prefab fill chunk after chunk and keep their ids [S8]") {
    Fixture f(4);
    std::vector<Entity> zombies, rocks;
    for (int i = 0; i < 11; ++i) zombies.push_back(f.commands.spawn(f.zombie));
    for (int i = 0; i < 3; ++i) rocks.push_back(f.commands.spawn(f.rock));
    zombies.push_back(f.commands.spawn(f.zombie));
    CHECK(f.commands.play_back().applied == 15);

    CHECK(f.world.entity_count() == 15);
    for (const Entity entity : zombies) REQUIRE(*f.world.get<Health>(entity) == Health{100, 100});
    for (const Entity entity : rocks) REQUIRE(f.world.get<Health>(entity) == nullptr);
    CHECK(f.world.archetype<Position, Health>().chunk_count() == 3);
}

TEST_CASE("entities spawned alike keep their own values and can be destroyed separately") {
    Fixture f(4);
    std::vector<Entity> bare, zombies;
    for (int i = 0; i < 40; ++i) {
        const Position position{static_cast<float>(i), 0};
        bare.push_back(f.commands.spawn());
        f.commands.add(bare.back(), f.world.id<Position>(), &position);
        f.commands.add(bare.back(), f.world.id<Health>());
        if (i % 5 == 0) f.commands.remove(bare.back(), f.world.id<Health>());
        if (i % 7 == 0) f.commands.destroy(bare.back());
    }
    for (int i = 0; i < 40; ++i) {
        const Health health{i, i};
        zombies.push_back(f.commands.spawn(f.zombie));
        f.commands.set(zombies.back(), f.world.id<Health>(), &health);
        if (i % 5 == 0) f.commands.add(zombies.back(), f.world.id<Frozen>());
    }
    f.commands.add(zombies.back(), f.world.id<Poisoned>());
    CHECK(f.commands.play_back() == PlaybackReport{40 * 3 + 8 + 6 + 40 * 2 + 8 + 1, 0, 0, 0});
    for (int i = 0; i < 40; ++i) {
        const Entity entity = bare[static_cast<std::size_t>(i)];
        REQUIRE(f.world.is_alive(entity) == (i % 7 != 0));
        if (i % 7 == 0) continue;
        REQUIRE(*f.world.get<Position>(entity) == Position{static_cast<float>(i), 0});
        REQUIRE(f.world.has<Health>(entity) == (i % 5 != 0));
    }
    for (int i = 0; i < 40; ++i) {
        const Entity entity = zombies[static_cast<std::size_t>(i)];
        REQUIRE(*f.world.get<Health>(entity) == Health{i, i});
        REQUIRE(f.world.has<Frozen>(entity) == (i % 5 == 0));
        REQUIRE(f.world.has<Poisoned>(entity) == (i == 39));
    }
}

TEST_CASE("spawn_many with a count equal to an entity's number does not affect that entity") {
    Fixture f;
    const Entity entity = f.commands.spawn(f.rock);
    REQUIRE(entity.bits < 1000);
    f.commands.spawn_many(f.rock, static_cast<std::uint32_t>(entity.bits));
    f.commands.spawn_many(f.zombie, 2);
    CHECK(f.commands.play_back().applied == 3);
    CHECK(f.world.entity_count() == 1 + entity.bits + 2);
}

TEST_CASE("commands on entities that died before playback are dropped and counted") {
    Fixture f;
    const Entity dead = f.world.spawn(Position{});
    const Position position{1, 2};
    f.commands.add(dead, f.world.id<Velocity>());
    f.commands.add(dead, f.world.id<Position>(), &position);
    f.commands.set(dead, f.world.id<Position>(), &position);
    f.commands.remove(dead, f.world.id<Position>());
    f.commands.add(Entity{}, f.world.id<Velocity>());
    f.world.destroy(dead);
    const Entity heir = f.world.spawn();
    REQUIRE(heir.index() == dead.index());
    CHECK(f.commands.play_back() == PlaybackReport{0, 5, 0, 0});
    CHECK_FALSE(f.world.has<Velocity>(heir));
}

TEST_CASE("destroying an entity twice is a no-op") {
    Fixture f;
    const Entity entity = f.world.spawn();
    f.commands.destroy(entity);
    f.commands.destroy(entity);
    f.commands.destroy(Entity{});
    CHECK(f.commands.play_back() == PlaybackReport{3, 0, 0, 0});
    CHECK(f.world.entity_count() == 0);
}

TEST_CASE("setting an absent component is dropped, and removing one is a no-op") {
    Fixture f;
    const Entity entity = f.world.spawn();
    const Position position{};
    f.commands.set(entity, f.world.id<Position>(), &position);
    f.commands.set(entity, f.world.id<Frozen>(), nullptr);
    f.commands.remove(entity, f.world.id<Position>());
    f.commands.add(entity, f.world.id<Frozen>());
    f.commands.set(entity, f.world.id<Frozen>(), nullptr);
    CHECK(f.commands.play_back() == PlaybackReport{3, 2, 0, 0});
}

TEST_CASE("commands may use an entity of another buffer after that buffer was played back") {
    Fixture f;
    CommandBuffer other(f.world);
    const Entity entity = other.spawn();
    f.commands.add(entity, f.world.id<Position>());
    f.commands.destroy(entity);

    SECTION("before") {
        CHECK(f.commands.play_back() == PlaybackReport{0, 2, 0, 0});
        CHECK(other.play_back().applied == 1);
        CHECK(f.world.is_alive(entity));
    }
    SECTION("after") {
        CHECK(other.play_back().applied == 1);
        CHECK(f.commands.play_back() == PlaybackReport{2, 0, 0, 0});
        CHECK_FALSE(f.world.is_alive(entity));
    }
    SECTION("dropped") {
        other.drop();
        CHECK(f.commands.play_back() == PlaybackReport{1, 1, 0, 0});  // destroying the dead is no mistake
    }
}

TEST_CASE("a command whose row would be too wide fails, and the others are carried out") {
    Fixture f;
    const auto declare_block = [&](const char* name) {
        Schema schema;
        schema.name = name;
        schema.fields.resize(1);
        schema.fields[0].name = "bytes";
        schema.fields[0].type = FieldType::u8;
        schema.fields[0].array_length = 1000;
        return f.world.declare(std::move(schema)).value();
    };
    std::vector<ComponentId> blocks;
    for (const char* name : {"A", "B", "C", "D"}) blocks.push_back(declare_block(name));

    const Entity old = f.world.spawn(Position{1, 2});
    const Entity young = f.commands.spawn();
    for (const ComponentId block : blocks) {
        f.commands.add(old, block);
        f.commands.add(young, block);
    }
    f.commands.add(old, f.world.id<Frozen>());
    f.commands.add(young, f.world.id<Frozen>());
    const Entity batch = f.commands.spawn();
    for (const ComponentId block : blocks) f.commands.add(batch, block);
    f.commands.add(batch, f.world.id<Frozen>());

    const PlaybackReport report = f.commands.play_back();
    CHECK(report == PlaybackReport{14, 0, 3, 0});
    for (const Entity entity : {old, young, batch}) {
        CHECK(f.world.has(entity, blocks[2]));
        CHECK_FALSE(f.world.has(entity, blocks[3]));
        CHECK(f.world.has<Frozen>(entity));
    }
    CHECK(*f.world.get<Position>(old) == Position{1, 2});
}

TEST_CASE("when memory is exhausted, spawns fail, their ids are released and playback continues") {
    WorldConfig config = tiny_chunks(64);
    config.reserved_chunk_bytes = std::size_t{2} << 20;
    World world(config);
    declare_test_components(world);
    Prefab rock;
    rock.name = "rock";
    rock.components = {{world.id<Wide>(), {}}};
    const PrefabId prefab = add_prefab(world, rock).value();
    const Entity old = world.spawn(Position{});
    CommandBuffer commands(world);
    const std::size_t too_many = 200000;
    for (std::size_t i = 0; i < too_many; ++i) commands.spawn(prefab);
    const Entity late = commands.spawn();
    commands.add(late, world.id<Wide>());
    commands.spawn_many(prefab, 5);
    const Position moved{1, 2};
    commands.set(old, world.id<Position>(), &moved);

    const PlaybackReport report = commands.play_back();
    CHECK(report.failed > 0);
    CHECK(report.applied + report.failed + report.dropped == too_many + 4);
    CHECK(*world.get<Position>(old) == moved);
    CHECK(world.entities().used_count() == world.entity_count());
    CHECK_FALSE(world.is_alive(late));
}

TEST_CASE("the initialiser of spawn_many sees each new row once and no other row [S8]") {
    Fixture f(4);
    f.world.spawn(Health{7, 7}, Position{});
    std::uint32_t seen = 0;
    f.commands.spawn_many(f.zombie, 10, [&](ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t row = first; row < last; ++row) {
            REQUIRE(f.world.get<Health>(chunk.entities()[row])->current == 100);
            chunk.column<Position>(0)[row].x = 1;
        }
        seen += last - first;
        return true;
    });
    f.commands.spawn_many(f.rock, 3);
    CHECK(f.commands.play_back() == PlaybackReport{2, 0, 0, 0});
    CHECK(seen == 10);
    CHECK(f.world.entity_count() == 14);
}

TEST_CASE("a failing initialiser destroys its batch, and other commands are carried out") {
    Fixture f;
    int calls = 0;
    f.commands.spawn_many(f.zombie, 3);
    f.commands.spawn_many(f.rock, 9, [&](ChunkView&, std::uint32_t, std::uint32_t) { return ++calls < 3; });
    f.commands.spawn_many(f.zombie, 4);
    CHECK(f.commands.play_back() == PlaybackReport{2, 0, 0, 1});
    CHECK(calls == 3);
    CHECK(f.world.entity_count() == 7);
    CHECK(f.world.archetype<Position>().entity_count() == 0);
}

TEST_CASE("an initialiser is destroyed after playback") {
    Fixture f;
    auto token = std::make_shared<int>(1);
    f.commands.spawn_many(f.rock, 1, [token](ChunkView&, std::uint32_t, std::uint32_t) { return true; });
    f.commands.play_back();
    CHECK(token.use_count() == 1);
}

TEST_CASE("recording into a buffer during its own playback breaks a contract") {
    Fixture f;
    ContractWatch watch;
    int refused = 0;
    f.commands.spawn_many(f.rock, 1, [&](ChunkView& chunk, std::uint32_t first, std::uint32_t) {
        CHECK(f.commands.is_playing_back());
        const Entity entity = chunk.entities()[first];
        const auto expect_refused = [&](auto record) {
            try {
                record();
            } catch (const BrokenContract&) {
                ++refused;
            }
        };
        expect_refused([&] { f.commands.spawn(); });
        expect_refused([&] { f.commands.destroy(entity); });
        expect_refused([&] { f.commands.play_back(); });
        expect_refused([&] { f.world.destroy(entity); });
        return true;
    });
    CHECK(f.commands.play_back().applied == 1);
    CHECK(refused == 4);
    CHECK_FALSE(f.commands.is_playing_back());
}

TEST_CASE("an initialiser may record into another buffer") {
    Fixture f;
    CommandBuffer other(f.world);
    f.commands.spawn_many(f.rock, 3, [&](ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t row = first; row < last; ++row) {
            other.add(chunk.entities()[row], f.world.id<Frozen>());
        }
        return true;
    });
    f.commands.play_back();
    CHECK(other.play_back().applied == 3);
    CHECK(f.world.archetype<Position, Frozen>().entity_count() == 3);
}

TEST_CASE("an exception during playback leaves an empty buffer and no reserved ids") {
    Fixture f;
    f.commands.spawn();
    f.commands.spawn_many(f.rock, 1, [](ChunkView&, std::uint32_t, std::uint32_t) -> bool {
        throw std::runtime_error("stop");
    });
    const Entity unborn = f.commands.spawn();
    CHECK_THROWS_AS(f.commands.play_back(), std::runtime_error);
    CHECK(f.commands.is_empty());
    CHECK_FALSE(is_reserved(f.world, unborn));
    CHECK_FALSE(f.world.is_locked());
    f.commands.spawn();
    CHECK(f.commands.play_back().applied == 1);
}

TEST_CASE("playback while the world is locked breaks a contract") {
    Fixture f;
    ContractWatch watch;
    f.commands.spawn();
    {
        const World::Lock lock(f.world);
        CHECK_THROWS_AS(f.commands.play_back(), BrokenContract);
    }
    CHECK(f.commands.play_back().applied == 1);
}

TEST_CASE("a buffer can be reused after playback") {
    Fixture f;
    Entity last;
    for (int i = 0; i < 100; ++i) {
        const Entity entity = f.commands.spawn(f.rock);
        if (last) f.commands.destroy(last);
        f.commands.play_back();
        last = entity;
    }
    CHECK(f.world.entity_count() == 1);
    CHECK(f.world.is_alive(last));
}

}  // namespace
}  // namespace perigee
