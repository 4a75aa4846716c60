// What a snapshot contains and shares, what it refuses, and what happens when memory runs out. Random
// programs are in world_snapshot_model_test.cpp.
#include "ecs/save/world_snapshot.h"

#include "ecs/base/random.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/relations/sources.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/bulk.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/objects.h"
#include "ecs/world/observe.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "tests/ecs/check_world.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Label {
    TextHandle text;
};

struct Likes {
    Entity target;
};

void declare_all(World& world) {
    declare_test_components(world);
    declare_kind_components(world);
    world.declare<Label>("Label", field("text", &Label::text)).value();
    declare_names(world).value();
    declare_hierarchy(world).value();
}

// All kinds but objects.
void fill(World& world) {
    std::vector<Entity> made;
    for (int i = 0; i < 12; ++i) {
        const Entity entity =
            world.spawn(Position{static_cast<float>(i), 0}, Team{1, 2}, Shield{3}, Voice{i}, Squad{i % 2});
        world.add(entity, Label{world.texts().intern("label " + std::to_string(i)).value()});
        world.add(entity, world.id<Waypoint>());
        BufferView<Waypoint> path = world.buffer<Waypoint>(entity);
        for (int k = 0; k < i; ++k) path.push({static_cast<float>(k), 1});
        world.add(entity, Bounds{1, 2});
        world.set_enabled(entity, world.id<Shield>(), i % 3 != 0);
        set_name(world, entity, "entity " + std::to_string(i)).value();
        if (i > 4) set_parent(world, entity, made[static_cast<std::size_t>(i) / 2]).value();
        made.push_back(entity);
    }
    world.destroy(made[4]);
}

std::uint64_t row_order(World& world) {
    std::uint64_t hash = 1;
    for (const Entity entity : world.query<const Position>().query().entities())
        hash = hash * 31 + entity.bits;
    return hash;
}

}  // namespace

TEST_CASE("a restored world is what it was") {
    World world(tiny_chunks());
    declare_all(world);
    fill(world);
    const std::uint64_t hash = world_hash(world), order = row_order(world);
    const ChangeVersion version = world.change_version();
    const Entity named = find_named(world, "entity 3");
    const WorldSnapshot kept = take_snapshot(world).value();
    CHECK(kept.entity_count() == world.entity_count());
    CHECK(kept.version() == version);

    SECTION("after it was emptied") { world.clear(); }
    SECTION("after more of the same") { fill(world); }
    SECTION("after names, parents and buffers changed") {
        set_name(world, named, "other").value();
        set_parent(world, find_named(world, "entity 7"), Entity{}).value();
        world.buffer<Waypoint>(find_named(world, "entity 11")).clear();
    }
    SECTION("after its texts were swept") {
        world.clear();
        collect_texts(world);
        collect_texts(world);
        for (int i = 0; i < 50; ++i) static_cast<void>(world.texts().intern("text " + std::to_string(i)));
    }
    SECTION("at once") {}
    world.advance_change_version();
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(world_hash(world) == hash);
    CHECK(row_order(world) == order);
    CHECK(world.change_version() == version);
    CHECK(find_named(world, "entity 3") == named);
    check_world(world, 0);
    // And once more: a snapshot can be restored any number of times.
    world.clear();
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(world_hash(world) == hash);
    check_world(world, 0);
}

TEST_CASE("a restored world gives out the same ids, and archetypes in the same order as the first time") {
    World world(tiny_chunks());
    declare_test_components(world);
    std::vector<Entity> made;
    for (int i = 0; i < 9; ++i) made.push_back(world.spawn(Position{}));
    world.destroy(made[2]);
    world.destroy(made[5]);
    const WorldSnapshot kept = take_snapshot(world).value();

    // Two futures: each creates the archetypes in its own order.
    const auto first = [&] {
        std::vector<Entity> born{world.spawn(Position{}, Wide{}), world.spawn(Position{}, Health{})};
        for (int i = 0; i < 3; ++i) born.push_back(world.spawn(Position{}));
        return born;
    };
    const auto second = [&] {
        std::vector<Entity> born{world.spawn(Position{}, Health{}), world.spawn(Position{}, Wide{})};
        return born;
    };
    const std::vector<Entity> born = first();
    const std::uint64_t order = row_order(world);
    const WorldSnapshot future = take_snapshot(world, &kept).value();
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(second() == std::vector<Entity>{born[0], born[1]});
    World other(tiny_chunks());  // where only the second future happened
    declare_test_components(other);
    for (int i = 0; i < 9; ++i) static_cast<void>(other.spawn(Position{}));
    other.destroy(made[2]);
    other.destroy(made[5]);
    static_cast<void>(other.spawn(Position{}, Health{}));
    static_cast<void>(other.spawn(Position{}, Wide{}));
    CHECK(row_order(world) == row_order(other));
    // Forward to the first future, whose archetypes have another order.
    REQUIRE(restore_snapshot(world, future).ok());
    CHECK(row_order(world) == order);
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(first() == born);
    CHECK(row_order(world) == order);
    const Query* const query = &world.query<const Position>().query();
    check_world(world, 0, {&query, 1});
}

TEST_CASE("an archetype or prefab that is newer than the restored snapshot can still be used") {
    World world(tiny_chunks());
    declare_all(world);
    const WorldSnapshot kept = take_snapshot(world).value();
    Archetype& archetype = world.archetype<Position, Wide>();
    Prefab desc;
    desc.name = "ship";
    desc.components = {{world.id<Position>(), {}}, {world.id<Health>(), {}}, {world.id<Team>(), {}}};
    const PrefabId prefab = add_prefab(world, std::move(desc)).value();
    world.spawn(archetype);
    world.spawn(prefab);
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(world.entity_count() == 0);
    CHECK(archetype.is_dormant());
    CHECK_FALSE(world.prefabs().get(prefab).archetype->is_dormant());
    world.spawn(archetype);
    world.spawn(prefab);
    CHECK_FALSE(archetype.is_dormant());
    CHECK(world.query<const Position>().query().entity_count() == 2);
    const Query* const query = &world.query<const Position>().query();
    check_world(world, 0, {&query, 1});
}

TEST_CASE("columns that did not change are shared with the previous snapshot, until a row comes or goes") {
    World world;
    declare_test_components(world);
    std::vector<Entity> made;
    for (int i = 0; i < 4000; ++i) made.push_back(world.spawn(Position{}, Wide{}));
    world.advance_change_version();
    std::vector<WorldSnapshot> kept{take_snapshot(world).value()};
    const std::size_t full = snapshot_memory(world).bytes;
    for (float step = 1; step <= 10; ++step) {
        world.advance_change_version();
        for (const Entity entity : made) world.set(entity, Position{step, step});
        kept.push_back(take_snapshot(world, &kept.back()).value());
        CHECK(kept.back().shared_chunk_count() == 0);
    }
    const std::size_t of_changes = snapshot_memory(world).bytes - full;
    CHECK(of_changes > 10 * made.size() * sizeof(Position));
    CHECK(of_changes < 10 * made.size() * sizeof(Position) * 3 / 2);

    for (std::size_t i = kept.size(); i-- > 0;) {
        REQUIRE(restore_snapshot(world, kept[i]).ok());
        CHECK(world.get<Position>(made[7])->x == static_cast<float>(i));
    }
    kept.erase(kept.begin() + 1, kept.end());
    CHECK(snapshot_memory(world).bytes == full);
    world.advance_change_version();
    world.destroy(made[0]);
    kept.push_back(take_snapshot(world, &kept.back()).value());
    CHECK(kept.back().shared_chunk_count() > 0);
    REQUIRE(restore_snapshot(world, kept.back()).ok());
    CHECK(world.get<Position>(made.back())->x == 0);
    CHECK(world.entity_count() == made.size() - 1);
}

TEST_CASE("a snapshot needs memory for rows, not for chunks") {
    World world;
    declare_test_components(world);
    world.spawn(Position{}, Wide{});
    const WorldSnapshot kept = take_snapshot(world).value();
    CHECK(kept.chunk_count() == 1);
    const std::size_t of_entities = std::size_t{4096} * sizeof(std::uint64_t);  // one page of their records
    CHECK(snapshot_memory(world).bytes < of_entities + 2048);
}

TEST_CASE("unchanged chunks are shared with the previous snapshot") {
    World world(tiny_chunks(16));
    declare_test_components(world);
    std::vector<Entity> made;
    for (int i = 0; i < 160; ++i) made.push_back(world.spawn(Position{}, Health{}));
    world.advance_change_version();
    WorldSnapshot first = take_snapshot(world).value();
    CHECK(first.chunk_count() == 10);
    CHECK(first.shared_chunk_count() == 0);
    const SnapshotMemory alone = snapshot_memory(world);
    CHECK(alone.snapshots == 1);
    CHECK(alone.bytes > first.byte_count() / 2);
    CHECK(alone.bytes < first.byte_count() * 2);

    world.advance_change_version();
    world.set(made[20], Position{1, 1});
    const WorldSnapshot second = take_snapshot(world, &first).value();
    CHECK(second.chunk_count() == 10);
    CHECK(second.shared_chunk_count() == 9);
    CHECK(snapshot_memory(world).bytes < alone.bytes + alone.bytes / 2);

    // A write at the version of a snapshot may come before or after it.
    world.set(made[40], Position{2, 2});
    const WorldSnapshot third = take_snapshot(world, &second).value();
    CHECK(third.shared_chunk_count() == 8);
    REQUIRE(restore_snapshot(world, second).ok());
    CHECK(world.get<Position>(made[40])->x == 0);
    CHECK(world.get<Position>(made[20])->x == 1);

    // After a restore, versions of the abandoned future are used again.
    world.advance_change_version();
    world.set(made[60], Position{3, 3});
    const WorldSnapshot other = take_snapshot(world, &third).value();
    CHECK(other.shared_chunk_count() == 0);
    const WorldSnapshot after = take_snapshot(world, &second).value();
    CHECK(after.shared_chunk_count() == 8);
    REQUIRE(restore_snapshot(world, third).ok());
    CHECK(world.get<Position>(made[60])->x == 0);
    REQUIRE(restore_snapshot(world, after).ok());
    CHECK(world.get<Position>(made[60])->x == 3);
    CHECK(world.get<Position>(made[40])->x == 0);
}

TEST_CASE("views and buffer handles are stale after a restore") {
    World world;
    declare_all(world);
    const Entity entity = world.spawn(Position{});
    world.add(entity, world.id<Waypoint>());
    const WorldSnapshot kept = take_snapshot(world).value();
    const BufferView<Waypoint> path = world.buffer<Waypoint>(entity);
    const std::uint64_t version = world.structure_version();
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(world.structure_version() > version);
    CHECK(path.is_stale());
}

TEST_CASE("texts live as long as a snapshot with them") {
    World world;
    declare_all(world);
    const TextHandle text = world.texts().intern("kept").value();
    const Entity entity = world.spawn(Label{text});
    std::optional<WorldSnapshot> kept = take_snapshot(world).value();
    world.destroy(entity);
    collect_texts(world);
    collect_texts(world);
    CHECK(world.texts().has(text));
    kept.reset();
    collect_texts(world);
    CHECK_FALSE(world.texts().has(text));
}

TEST_CASE("relations point where they pointed when the snapshot was taken") {
    World world;
    world.declare<Likes>("Likes", {.index = true}, field("target", &Likes::target)).value();
    const Entity ann = world.spawn(), bob = world.spawn();
    const Entity fan = world.spawn(Likes{ann});
    REQUIRE(sources_of<Likes>(world, ann) == std::vector{fan});
    const WorldSnapshot before = take_snapshot(world).value();
    world.set(fan, Likes{bob});
    REQUIRE(sources_of<Likes>(world, bob) == std::vector{fan});
    const WorldSnapshot after = take_snapshot(world, &before).value();
    world.destroy(bob);
    CHECK_FALSE(world.get<Likes>(fan)->target);

    restore_snapshot(world, before).value();
    CHECK(sources_of<Likes>(world, ann) == std::vector{fan});
    CHECK(sources_of<Likes>(world, bob).empty());
    restore_snapshot(world, after).value();
    CHECK(sources_of<Likes>(world, ann).empty());
    CHECK(sources_of<Likes>(world, bob) == std::vector{fan});
}

TEST_CASE("records of observers come back") {
    World world;
    declare_test_components(world);
    const Trigger changed{Trigger::Kind::changed, world.id<Health>()};
    const Trigger added{Trigger::Kind::added, world.id<Health>()};
    start_observing(world, changed, nullptr).value();
    start_observing(world, added, nullptr).value();
    const Entity entity = world.spawn(Health{1, 1});
    world.observers().publish(world);
    world.advance_change_version();
    world.set(entity, Health{2, 2});
    const Entity late = world.spawn(Health{5, 5});
    const WorldSnapshot kept = take_snapshot(world).value();
    const auto result = [&] {
        world.observers().publish(world);
        const ObservedBatch now = world.observers().batch(changed), born = world.observers().batch(added);
        REQUIRE(now.entities.size() == 1);
        CHECK(now.entities[0] == entity);
        Health before;
        std::memcpy(&before, now.values, sizeof before);
        CHECK(before == Health{1, 1});
        REQUIRE(born.entities.size() == 1);
        CHECK(born.entities[0] == late);
    };
    result();
    world.set(entity, Health{9, 9});
    world.observers().publish(world);
    REQUIRE(restore_snapshot(world, kept).ok());
    result();
    // What was not observed at the time is empty, and what is not observed any more stays away.
    stop_observing(world, added, nullptr);
    REQUIRE(restore_snapshot(world, kept).ok());
    world.observers().publish(world);
    CHECK(world.observers().batch(added).entities.empty());
    stop_observing(world, changed, nullptr);
}

TEST_CASE("objects are copied by the functions of their component, and refused by name without them") {
    World world;
    declare_all(world);
    const ComponentId brain = world.id<Brain>();
    const Entity entity = world.spawn();
    world.add(entity, brain);
    CHECK(take_snapshot(world).ok());  // nil
    set_object(world, entity, brain, std::make_shared<std::int64_t>(7));
    const Result<WorldSnapshot> refused = take_snapshot(world);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message ==
          "component 'Brain', entity " + std::to_string(entity.bits) +
              ": the object cannot be kept in a snapshot, because no function copies it");

    std::string mistake;
    const auto copy = [&mistake](const std::shared_ptr<void>& object) -> Result<std::shared_ptr<void>> {
        if (!mistake.empty()) return Error{mistake};
        return std::shared_ptr<void>(
            std::make_shared<std::int64_t>(*static_cast<const std::int64_t*>(object.get())));
    };
    world.objects().set_copies(brain, {copy, copy});
    const WorldSnapshot kept = take_snapshot(world).value();
    *object_of<std::int64_t>(world, entity, brain) = 8;  // without a trace in the row
    const WorldSnapshot later = take_snapshot(world, &kept).value();
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(*object_of<std::int64_t>(world, entity, brain) == 7);
    REQUIRE(restore_snapshot(world, later).ok());
    CHECK(*object_of<std::int64_t>(world, entity, brain) == 8);
    check_world(world, 0);

    mistake = "the mod is gone";
    const Result<void> restored = restore_snapshot(world, kept);
    REQUIRE_FALSE(restored.ok());
    CHECK(restored.error().message ==
          "component 'Brain', entity " + std::to_string(entity.bits) + ": the mod is gone");
    CHECK(take_snapshot(world).error().message == restored.error().message);
    CHECK(*object_of<std::int64_t>(world, entity, brain) == 8);
    check_world(world, 0);
}

TEST_CASE("[K8] a snapshot that a sweep could not read stays refused when its schemas are back") {
    World world(tiny_chunks());
    Schema schema;
    schema.name = "Fuel";
    schema.fields.resize(1);
    schema.fields[0].name = "litres";
    world.declare(schema).value();
    const WorldSnapshot kept = take_snapshot(world).value(), lost = take_snapshot(world).value();
    Schema wide = schema;
    wide.fields.resize(2);
    wide.fields[1].name = "octane";
    change_schemas(world, {{wide}}).value();
    change_schemas(world, {{schema}}).value();
    CHECK(restore_snapshot(world, kept).ok());
    change_schemas(world, {{wide}}).value();
    collect_texts(world);
    change_schemas(world, {{schema}}).value();
    const Result<void> restored = restore_snapshot(world, lost);
    REQUIRE_FALSE(restored.ok());
    CHECK(restored.error().message == "component 'Fuel': the schema has changed since the snapshot");
}

TEST_CASE("a snapshot of another world or with other schemas is refused") {
    World world, other;
    declare_test_components(world);
    declare_test_components(other);
    const WorldSnapshot kept = take_snapshot(world).value();
    CHECK(restore_snapshot(other, kept).error().message == "the snapshot is of another world");
    static_cast<void>(take_snapshot(other).value());
    CHECK(restore_snapshot(other, kept).error().message == "the snapshot is of another world");

    Schema schema;
    schema.name = "Fuel";
    schema.fields.resize(1);
    schema.fields[0].name = "litres";
    world.declare(schema).value();
    const Entity entity = world.spawn();
    world.add(entity, world.registry().find("Fuel").value());
    const WorldSnapshot with_fuel = take_snapshot(world).value();
    schema.fields.resize(2);
    schema.fields[1].name = "octane";
    change_schemas(world, {{schema}}).value();
    CHECK(restore_snapshot(world, with_fuel).error().message ==
          "component 'Fuel': the schema has changed since the snapshot");
    CHECK(world.is_alive(entity));
    CHECK(take_snapshot(world, &with_fuel).value().shared_chunk_count() == 0);
    // Types that are newer than the snapshot are no obstacle.
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(world.entity_count() == 0);
}

TEST_CASE("a snapshot may outlive its world") {
    std::optional<WorldSnapshot> kept;
    {
        World world(tiny_chunks());
        declare_all(world);
        fill(world);
        kept = take_snapshot(world).value();
    }
    CHECK(kept->entity_count() == 9);
    World other;
    CHECK_FALSE(restore_snapshot(other, *kept).ok());
}

TEST_CASE("a pool that is full of buffers or chunks does not prevent a restore") {
    WorldConfig config = tiny_chunks();
    config.max_buffer_bytes = 4096;
    config.reserved_chunk_bytes = 64 * 1024;
    World world(config);
    declare_all(world);
    std::vector<Entity> made;
    for (int i = 0; i < 1000; ++i) {
        const Entity entity = world.spawn();
        if (!world.add(entity, world.id<Waypoint>())) break;
        static_cast<void>(world.buffer<Waypoint>(entity).resize(20));
        made.push_back(entity);
    }
    CHECK(world.buffers().stats().bytes_in_use > 3800);
    const std::uint64_t hash = world_hash(world);
    const WorldSnapshot kept = take_snapshot(world).value();
    for (const Entity entity : made) world.remove(entity, world.id<Waypoint>());
    while (Entity entity = world.spawn(Wide{})) static_cast<void>(entity);
    REQUIRE(restore_snapshot(world, kept).ok());
    CHECK(world_hash(world) == hash);
    check_world(world, 0);
}

TEST_CASE("when memory runs out, taking and restoring change nothing") {
    World world(tiny_chunks());
    declare_all(world);
    fill(world);
    const WorldSnapshot kept = take_snapshot(world).value();
    world.spawn(Position{}, Wide{});
    set_name(world, find_named(world, "entity 2"), "other").value();
    const WorldSnapshot future = take_snapshot(world).value();
    REQUIRE(restore_snapshot(world, kept).ok());
    world.spawn(Wide{}, Poisoned{});
    const std::uint64_t hash = world_hash(world), order = row_order(world);
    bool is_done = false;
    for (std::uint64_t i = 0; !is_done; ++i) {
        REQUIRE(i < 20'000);
        {
            const RefusedMemory refused(i);
            try {
                is_done = restore_snapshot(world, future).ok();
            } catch (const std::bad_alloc&) {
            }
        }
        if (is_done) break;
        REQUIRE(world_hash(world) == hash);
        REQUIRE(row_order(world) == order);
        check_world(world, 0);
    }
    CHECK(find_named(world, "other"));
    check_world(world, 0);

    const std::uint64_t now = world_hash(world);
    is_done = false;
    for (std::uint64_t i = 0; !is_done; ++i) {
        REQUIRE(i < 20'000);
        std::optional<WorldSnapshot> taken;
        {
            const RefusedMemory refused(i);
            try {
                taken = take_snapshot(world, &kept).value();
                is_done = true;
            } catch (const std::bad_alloc&) {
            }
        }
        REQUIRE(world_hash(world) == now);
        if (!is_done) continue;
        world.clear();
        REQUIRE(restore_snapshot(world, *taken).ok());
        CHECK(world_hash(world) == now);
    }
}

}  // namespace perigee
