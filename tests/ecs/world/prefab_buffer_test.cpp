// Prefabs with buffers, disabled components and chunk values, which a row's image cannot express.
#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/prefab/prefab_desc.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/ecs/check_world.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

template <typename T> std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    return {bytes, bytes + values.size() * sizeof(T)};
}

struct Stage {
    World world{tiny_chunks(3)};

    Stage() {
        declare_test_components(world);
        declare_kind_components(world);
    }
    PrefabId add(std::string name, std::vector<PrefabComponent> components) {
        Prefab prefab;
        prefab.name = std::move(name);
        prefab.components = std::move(components);
        return add_prefab(world, std::move(prefab)).value();
    }
    std::string error(std::vector<PrefabComponent> components) {
        Prefab prefab;
        prefab.name = "P";
        prefab.components = std::move(components);
        return add_prefab(world, std::move(prefab)).error().message;
    }
    std::vector<Waypoint> waypoints(Entity entity) const {
        const std::span<const Waypoint> elements = world.elements<Waypoint>(entity);
        return {elements.begin(), elements.end()};
    }
};

TEST_CASE("each entity of a prefab gets its own copy of a buffer, in the chunk or on the heap [C6]") {
    for (const std::uint32_t length : {0u, 1u, 2u, 3u, 100u}) {
        Stage stage;
        std::vector<Waypoint> expected(length);
        for (std::uint32_t i = 0; i < length; ++i) expected[i] = {static_cast<float>(i), 1};
        const PrefabId prefab = stage.add(
            "Walker", {{stage.world.id<Waypoint>(), bytes_of(expected)}, {stage.world.id<Position>(), {}}});
        std::vector<Entity> all(10);
        all.push_back(stage.world.spawn(prefab));
        REQUIRE(spawn_many(stage.world, prefab, 10, {}, all.data()) == 10);
        CommandBuffer commands(stage.world);
        all.push_back(commands.spawn(prefab));
        commands.spawn_many(prefab, 5);
        commands.play_back();
        for (const Entity entity : all) CHECK(stage.waypoints(entity) == expected);
        stage.world.buffer<Waypoint>(all[0]).push({9, 9});
        CHECK(stage.waypoints(all[1]) == expected);
        check_world(stage.world, 0);
        QueryDesc desc;
        desc.terms = {QueryTerm{stage.world.id<Waypoint>()}};
        CHECK(destroy_all(stage.world, *stage.world.query(desc).value()) == 17);
        CHECK(stage.world.buffers().stats().blocks_in_use == 0);
    }
}

TEST_CASE("prefabs can set components disabled and set the value of a chunk component [C6]") {
    Stage stage;
    World& world = stage.world;
    const PrefabId prefab = stage.add("Dark", {{world.id<Visible>(), {}, false},
                                               {world.id<Shield>(), {}, false},
                                               {world.id<Bounds>(), bytes_of<Bounds>({{3, 4}})}});
    std::vector<Entity> all(7);
    REQUIRE(spawn_many(world, prefab, 7, {}, all.data()) == 7);
    for (const Entity entity : all) {
        CHECK_FALSE(world.is_enabled(entity, world.id<Visible>()));
        CHECK_FALSE(world.is_enabled(entity, world.id<Shield>()));
        CHECK(*world.get<Bounds>(entity) == Bounds{3, 4});
    }
    check_world(world, 0);
}

TEST_CASE("patches of a prefab merge bytes, replace buffers and remove components [C6]") {
    Stage stage;
    World& world = stage.world;
    using Op = PrefabPatch::Op;
    PrefabDesc base{"Base", "", {}, {}};
    base.values.patches = {{world.id<Health>(), Op::merge, bytes_of<Health>({{7, 9}}), {{0, sizeof(Health)}}},
                           {world.id<Waypoint>(), Op::replace, bytes_of<Waypoint>({{1, 2}, {3, 4}})},
                           {world.id<Position>(), Op::merge}};
    PrefabDesc variant{"Variant", "Base", {}, {}};
    variant.values.patches = {{world.id<Health>(), Op::merge, bytes_of<Health>({{0, 5}}), {{4, 4}}},
                              {world.id<Waypoint>(), Op::replace, bytes_of<Waypoint>({{5, 6}})},
                              {world.id<Position>(), Op::remove}};
    const std::vector<PrefabDesc> both{variant, base};
    CHECK(check_prefabs(world, both).empty());
    CHECK(world.prefabs().size() == 0);
    const std::vector<PrefabId> ids = add_prefabs(world, both).value();
    const Entity entity = world.spawn(ids[0]);
    CHECK(*world.get<Health>(entity) == Health{7, 5});
    CHECK(stage.waypoints(entity) == std::vector<Waypoint>{{5, 6}});
    CHECK_FALSE(world.has<Position>(entity));
    CHECK(stage.waypoints(world.spawn(ids[1])).size() == 2);
}

TEST_CASE("invalid values of buffers and objects are refused [C6]") {
    Stage stage;
    const World& world = stage.world;
    CHECK_THAT(stage.error({{world.id<Waypoint>(), std::vector<std::byte>(9)}}),
               Contains("elements of 'Waypoint' have 8 bytes each") && Contains("got 9 bytes"));
    CHECK_THAT(stage.error({{world.id<Brain>(), std::vector<std::byte>(4)}}),
               Contains("'Brain' refers to an object") && Contains("cannot be written as data"));
}

}  // namespace
}  // namespace perigee
