// The rules of each kind of component, one by one; world_kinds_model_test.cpp tests them together.
#include "ecs/inspect/world_stats.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

struct Stage {
    explicit Stage(std::uint32_t rows = 4) : world(tiny_chunks(rows)) {
        declare_test_components(world);
        declare_kind_components(world);
    }
    const Query& having(ComponentId id, std::vector<ComponentId> without = {}) {
        QueryDesc desc;
        desc.terms = {{id, Access::read, false}};
        desc.without = std::move(without);
        return *world.query(desc).value();
    }
    World world;
};

TEST_CASE("[K4] rows with equal shared values share chunks, and the value costs no row bytes") {
    Stage stage(8);
    World& world = stage.world;
    std::vector<Entity> entities;
    for (int i = 0; i < 12; ++i) entities.push_back(world.spawn(Position{}, Layer{i % 3}));
    const Archetype& archetype = *world.archetype_of(entities[0]);
    CHECK(archetype.layout().row_bytes == sizeof(Entity) + sizeof(Position));
    CHECK(archetype.chunk_count() == 3);
    for (std::uint32_t chunk = 0; chunk < 3; ++chunk) {
        const ChunkSlot& slot = archetype.chunks()[chunk];
        for (std::uint32_t row = 0; row < slot.row_count; ++row) {
            CHECK(*world.get<Layer>(Archetype::entities(slot)[row]) ==
                  *world.get<Layer>(Archetype::entities(slot)[0]));
        }
    }
    CHECK(shared_values(world, world.id<Layer>()).size() == 3);
}

TEST_CASE("[K4] setting a shared value moves the row, and a value is freed with its last entity") {
    Stage stage;
    World& world = stage.world;
    const Entity a = world.spawn(Layer{1}), b = world.spawn(Layer{2});
    const std::uint64_t before = world.structure_version();
    CHECK(world.set(a, Layer{2}));
    CHECK(world.structure_version() > before);
    CHECK(world.archetype_of(a) == world.archetype_of(b));
    CHECK(world.archetype_of(a)->chunk_count() == 1);
    REQUIRE(shared_values(world, world.id<Layer>()).size() == 1);
    CHECK(shared_values(world, world.id<Layer>())[0].entities == 2);
    CHECK(world.edit(a, world.id<Layer>()) == nullptr);  // only set changes it
    const World::Lock lock(world);
    const ContractWatch watch;
    CHECK_THROWS_WITH(world.set(a, Layer{3}), Catch::Contains("structural change"));
}

TEST_CASE("[K5] a destroyed entity with a cleanup component is not alive and keeps its id") {
    Stage stage;
    World& world = stage.world;
    const Entity entity = world.spawn(Position{}, Voice{7}, Squad{3});
    CHECK(world.destroy(entity));
    CHECK_FALSE(world.is_alive(entity));
    CHECK(world.awaits_cleanup(entity));
    CHECK(world.entity_count() == 0);
    CHECK(*world.get<Voice>(entity) == Voice{7});
    CHECK(*world.get<Squad>(entity) == Squad{3});
    CHECK(world.get<Position>(entity) == nullptr);
    CHECK_FALSE(world.destroy(entity));        // a second time does nothing
    CHECK_FALSE(world.add(entity, Health{}));  // nothing is added to the dead
    CHECK_FALSE(world.remove(entity, world.archetypes().destroyed_tag()));
    const Entity other = world.spawn();
    CHECK(other.index() != entity.index());
    CHECK(world.remove<Voice>(entity));
    CHECK(world.awaits_cleanup(entity));
    CHECK(world.remove<Squad>(entity));
    CHECK_FALSE(world.awaits_cleanup(entity));
    CHECK(world.spawn().index() == entity.index());
}

TEST_CASE("[K5] three queries distinguish new, active and destroyed entities") {
    Stage stage;
    World& world = stage.world;
    const ComponentId health = world.id<Health>(), voice = world.id<Voice>();
    const Query& fresh = stage.having(health, {voice});
    const Query& gone = stage.having(voice, {health});
    QueryDesc both;
    both.terms = {{health, Access::read, false}, {voice, Access::read, false}};
    const Query& active = *world.query(both).value();
    const auto counts = [&] {
        return std::vector<std::uint64_t>{fresh.entity_count(), active.entity_count(), gone.entity_count()};
    };
    std::vector<Entity> entities;
    for (int i = 0; i < 6; ++i) entities.push_back(world.spawn(Health{}));
    CHECK(counts() == std::vector<std::uint64_t>{6, 0, 0});
    CHECK(add_all(world, fresh, voice) == 6);
    CHECK(counts() == std::vector<std::uint64_t>{0, 6, 0});
    world.destroy(entities[2]);
    world.destroy(entities[4]);
    CHECK(counts() == std::vector<std::uint64_t>{0, 4, 2});
    CHECK(remove_all(world, gone, voice) == 2);
    CHECK(counts() == std::vector<std::uint64_t>{0, 4, 0});
    CHECK(destroy_all(world, active) == 4);
    CHECK(counts() == std::vector<std::uint64_t>{0, 0, 4});
    CHECK(world.entity_count() == 0);
    world.clear();
    CHECK(gone.entity_count() == 0);
}

TEST_CASE("[K7] moving a row changes no chunk value, and a new chunk starts with the default") {
    Stage stage(2);
    World& world = stage.world;
    const Entity a = world.spawn(Position{}), b = world.spawn(Position{}), c = world.spawn(Position{});
    world.add(a, world.id<Bounds>());
    CHECK(*world.get<Bounds>(a) == Bounds{});
    world.set(a, Bounds{1, 2});
    world.add(b, world.id<Bounds>());
    CHECK(*world.get<Bounds>(b) == Bounds{1, 2});  // the same chunk
    world.add(c, world.id<Bounds>());
    CHECK(*world.get<Bounds>(c) == Bounds{});  // a chunk of its own
    world.edit<Bounds>(c)->low = 9;
    CHECK(world.get<Bounds>(a)->low == 1);
    CHECK(world.remove<Bounds>(b));  // only this entity moves
    CHECK_FALSE(world.has<Bounds>(b));
    CHECK(*world.get<Bounds>(a) == Bounds{1, 2});
    CHECK(remove_all(world, stage.having(world.id<Bounds>()), world.id<Bounds>()) == 2);
    CHECK_FALSE(world.has<Bounds>(a));
}

TEST_CASE(
    "[K7] however an entity gets a chunk component, its value is used only in a chunk that starts with it") {
    Stage stage(8);
    World& world = stage.world;
    const ComponentId bounds = world.id<Bounds>();
    const Entity first = world.spawn(Position{}, Bounds{1, 2});
    const Bounds other{5, 6};
    const ComponentValue given{bounds, reinterpret_cast<const std::byte*>(&other)};
    const auto is_untouched = [&] { return *world.get<Bounds>(first) == Bounds{1, 2}; };
    world.add(world.spawn(Position{}), other);
    CHECK(is_untouched());
    world.add(world.spawn(Position{}), bounds, &other);
    CHECK(is_untouched());
    world.change(world.spawn(Position{}), {&given, 1}, {});
    CHECK(is_untouched());
    world.add(first, bounds, &other);  // has it already
    world.change(first, {&given, 1}, {});
    CHECK(is_untouched());
    Prefab box;
    box.name = "box";
    box.components = {prefab_value(world, Position{}), prefab_value(world, other)};
    const PrefabId prefab = add_prefab(world, std::move(box)).value();
    world.spawn(prefab);
    CHECK(spawn_many(world, prefab, 2) == 2);
    CHECK(is_untouched());
    CHECK(world.set(first, other));
    CHECK(*world.get<Bounds>(first) == other);

    world.clear();
    const Entity moved = world.spawn(Position{});
    world.add(moved, bounds, &other);
    CHECK(*world.get<Bounds>(moved) == other);
    world.destroy(moved);
    CHECK(*world.get<Bounds>(world.spawn(prefab)) == other);
}

TEST_CASE("an enableable component is disabled in place, and its bits move with the row") {
    Stage stage;
    World& world = stage.world;
    const Entity a = world.spawn(Shield{1}, Position{}), b = world.spawn(Shield{2}, Position{});
    CHECK(world.is_enabled(a, world.id<Shield>()));
    const std::uint64_t before = world.structure_version();
    CHECK(world.set_enabled(b, world.id<Shield>(), false));
    CHECK(world.structure_version() == before);
    world.destroy(a);  // b moves into the hole
    CHECK_FALSE(world.is_enabled(b, world.id<Shield>()));
    world.add(b, Health{});
    CHECK_FALSE(world.is_enabled(b, world.id<Shield>()));
    CHECK(world.get<Shield>(b)->power == 2);
    CHECK_FALSE(world.is_enabled(world.clone(b), world.id<Shield>()));
    CHECK_FALSE(world.set_enabled(b, world.id<Position>(), false));
    CHECK(world.is_enabled(b, world.id<Position>()));
}

TEST_CASE("adding a component adds its requirements, which may be removed again") {
    Stage stage;
    World& world = stage.world;
    const Entity entity = world.spawn();
    world.add(entity, Armed{2});
    CHECK(world.has<Position>(entity));
    CHECK(*world.get<Health>(entity) == Health{100, 100});
    CHECK(world.remove<Health>(entity));
    CHECK(*world.get<Armed>(entity) == Armed{2});
    CHECK(*world.get<Health>(world.spawn(Armed{})) == Health{100, 100});
}

TEST_CASE("on_remove is called before a component is removed and may change the world") {
    Stage stage;
    World& world = stage.world;
    Schema schema;
    schema.name = "Watched";
    schema.fields.resize(1);
    schema.fields[0].name = "value";
    const ComponentId watched = world.declare(schema).value();
    std::vector<Entity> heard;
    world.on_remove(watched, [&](World& same, Entity entity) {
        CHECK(same.has(entity, watched));
        heard.push_back(entity);
        same.spawn(Position{});
    });
    std::vector<Entity> entities;
    for (int i = 0; i < 4; ++i) {
        entities.push_back(world.spawn());
        world.add(entities.back(), watched);
    }
    world.remove(entities[0], watched);
    world.destroy(entities[1]);
    world.change(entities[2], {}, std::vector<ComponentId>{watched});
    destroy_all(world, stage.having(watched));
    CHECK(heard == entities);
    CHECK(stage.having(world.id<Position>()).entity_count() == 4);
}

}  // namespace
}  // namespace perigee
