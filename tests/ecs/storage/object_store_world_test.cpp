// Object components: part of the archetype, freed with the row, and not part of the hash.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/objects.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

struct Stage {
    World world;
    ComponentId brain;

    Stage() : world(tiny_chunks(3)) {
        declare_test_components(world);
        Schema schema;
        schema.name = "Brain";
        schema.kind = ComponentKind::object;
        brain = world.declare(schema).value();
    }
    Entity thinker() {
        const Entity entity = world.spawn(Position{1, 2});
        REQUIRE(world.add(entity, brain));
        return entity;
    }
};

TEST_CASE("[K3] an entity's object is nil at first, is set without moving the entity and dies with it") {
    Stage stage;
    const Entity entity = stage.thinker();
    CHECK(object_of<std::string>(stage.world, entity, stage.brain) == nullptr);
    const std::uint64_t structure = stage.world.structure_version();
    const auto* const place = stage.world.get<Position>(entity);
    auto object = std::make_shared<std::string>("forty-two");
    REQUIRE(set_object(stage.world, entity, stage.brain, object));
    CHECK(stage.world.structure_version() == structure);
    CHECK(stage.world.get<Position>(entity) == place);
    CHECK(object_of<std::string>(stage.world, entity, stage.brain) == object);
    REQUIRE(stage.world.add(entity, Velocity{}));  // the row moves
    CHECK(object_of<std::string>(stage.world, entity, stage.brain) == object);
    stage.world.destroy(entity);
    CHECK(object.use_count() == 1);
    CHECK(stage.world.objects().slots_in_use() == 0);
}

TEST_CASE("[K3] removing the component, clearing the world and destroying the world free objects") {
    auto object = std::make_shared<int>(1);
    {
        Stage stage;
        std::vector<Entity> entities;
        for (int i = 0; i < 10; ++i) {
            entities.push_back(stage.thinker());
            REQUIRE(set_object(stage.world, entities.back(), stage.brain, object));
        }
        REQUIRE(stage.world.remove(entities[3], stage.brain));
        CHECK(object.use_count() == 10);
        REQUIRE(set_object<int>(stage.world, entities[4], stage.brain, nullptr));
        CHECK(object.use_count() == 9);
        stage.world.clear();
        CHECK(object.use_count() == 1);
        const Entity last = stage.thinker();
        REQUIRE(set_object(stage.world, last, stage.brain, object));
    }
    CHECK(object.use_count() == 1);
}

TEST_CASE("[K3] a clone shares the object until another one is set") {
    Stage stage;
    const Entity entity = stage.thinker();
    auto object = std::make_shared<int>(1);
    REQUIRE(set_object(stage.world, entity, stage.brain, object));
    const Entity copy = stage.world.clone(entity);
    CHECK(object_of<int>(stage.world, copy, stage.brain) == object);
    REQUIRE(set_object(stage.world, copy, stage.brain, std::make_shared<int>(2)));
    CHECK(object_of<int>(stage.world, entity, stage.brain) == object);
    stage.world.destroy(entity);
    CHECK(object.use_count() == 1);
    CHECK(*object_of<int>(stage.world, copy, stage.brain) == 2);
}

TEST_CASE("[K3] the object of a dead entity, of one without the component, or of another type is null") {
    Stage stage;
    const Entity entity = stage.thinker();
    const Entity plain = stage.world.spawn(Position{});
    CHECK_FALSE(set_object(stage.world, plain, stage.brain, std::make_shared<int>(1)));
    CHECK(object_of<int>(stage.world, plain, stage.brain) == nullptr);
    REQUIRE(set_object(stage.world, entity, stage.brain, std::make_shared<int>(1)));
    ContractWatch watch;
    CHECK_THROWS_AS(object_of<float>(stage.world, entity, stage.brain), BrokenContract);
    CHECK_THROWS_AS(object_of<int>(stage.world, entity, stage.world.id<Position>()), BrokenContract);
    CHECK_THROWS_AS(set_object(stage.world, entity, stage.world.id<Position>(), std::make_shared<int>(1)),
                    BrokenContract);
    stage.world.destroy(entity);
    CHECK(object_of<int>(stage.world, entity, stage.brain) == nullptr);
    CHECK_FALSE(set_object(stage.world, entity, stage.brain, std::make_shared<int>(1)));
}

TEST_CASE("[K3] when an owner is removed, its objects are nil on every entity") {
    Stage stage;
    const Entity first = stage.thinker();
    const Entity second = stage.thinker();
    REQUIRE(set_object(stage.world, first, stage.brain, std::make_shared<int>(1), 5, nullptr));
    REQUIRE(set_object(stage.world, second, stage.brain, std::make_shared<int>(2)));
    stage.world.objects().release_owner(5);
    CHECK(object_of<int>(stage.world, first, stage.brain) == nullptr);
    CHECK(*object_of<int>(stage.world, second, stage.brain) == 2);
    CHECK(stage.world.has(first, stage.brain));
}

TEST_CASE("[K3] [C1] a command sets an object at playback and releases it if the entity is dead") {
    Stage stage;
    CommandBuffer commands(stage.world);
    auto object = std::make_shared<int>(1);
    const Entity born = commands.spawn();
    const Entity dead = stage.world.spawn();
    const Entity there = stage.thinker();
    stage.world.destroy(dead);
    for (const Entity entity : {born, dead, there}) {
        commands.add_object(entity, stage.brain, object, 0, &typeid(int));
    }
    CHECK(object.use_count() == 4);
    CHECK(commands.play_back() == PlaybackReport{3, 1, 0, 0});
    CHECK(object_of<int>(stage.world, born, stage.brain) == object);
    CHECK(object_of<int>(stage.world, there, stage.brain) == object);
    CHECK(object.use_count() == 3);
    commands.add_object(born, stage.brain, object);
    commands.drop();
    CHECK(object.use_count() == 3);
}

TEST_CASE("[K3] objects are part of the world hash only with a hash function") {
    Stage stage;
    const Entity entity = stage.thinker();
    const std::uint64_t empty = world_hash(stage.world);
    REQUIRE(set_object(stage.world, entity, stage.brain, std::make_shared<int>(1)));
    CHECK(world_hash(stage.world) == empty);
    stage.world.objects().set_hash(stage.brain, [](const std::shared_ptr<void>& object) {
        return static_cast<std::uint64_t>(*static_cast<const int*>(object.get()));
    });
    const std::uint64_t with_one = world_hash(stage.world);
    CHECK(with_one != empty);
    REQUIRE(set_object(stage.world, entity, stage.brain, std::make_shared<int>(2)));
    CHECK(world_hash(stage.world) != with_one);
    REQUIRE(set_object(stage.world, entity, stage.brain, std::make_shared<int>(1)));
    CHECK(world_hash(stage.world) == with_one);
    REQUIRE(set_object<int>(stage.world, entity, stage.brain, nullptr));
    CHECK(world_hash(stage.world) == empty);
}

}  // namespace
}  // namespace perigee
