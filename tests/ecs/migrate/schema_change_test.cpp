// Schema changes: which ones are refused and with what message, their effects besides rows, and that they are
// complete or have no effect when memory runs out.
#include "ecs/migrate/schema_change.h"

#include "ecs/events/event_writer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/bind.h"
#include "ecs/schema/blob_schema.h"
#include "ecs/schema/blob_store.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/observe.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/ecs/check_world.h"
#include "tests/support/blob_trees.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

Field field_of(const char* name, FieldType type, double value = 0) {
    Field field;
    field.name = name;
    field.type = type;
    if (value != 0) field.default_value.data = value;
    return field;
}

Schema schema_of(const char* name, ComponentKind kind, std::vector<Field> fields, std::uint32_t version = 1) {
    Schema schema;
    schema.name = name;
    schema.kind = kind;
    schema.fields = std::move(fields);
    schema.version = version;
    return schema;
}

Result<SchemaChanges> change(World& world, Schema schema, MigrateValue migrate = {}) {
    std::vector<SchemaEdit> edits;
    edits.push_back({std::move(schema), std::move(migrate)});
    return change_schemas(world, std::move(edits));
}

template <typename T> T value_of(const std::byte* at, std::size_t index = 0) {
    T value;
    std::memcpy(&value, at + index * sizeof(T), sizeof value);
    return value;
}

TEST_CASE("a change that would lose values is refused with a list, unless the version is higher") {
    World world(tiny_chunks());
    const ComponentId hp =
        world
            .declare(schema_of("Health", ComponentKind::component,
                               {field_of("now", FieldType::f32, 100), field_of("most", FieldType::f32, 100)}))
            .value();
    const Entity wounded = world.spawn(), healthy = world.spawn();
    const float values[2] = {12.5F, 80};
    world.add(wounded, hp, reinterpret_cast<const std::byte*>(values));
    world.add(healthy, hp);

    const Schema narrow = schema_of("Health", ComponentKind::component, {field_of("now", FieldType::u8, 9)});
    const Result<SchemaChanges> refused = change(world, narrow);
    REQUIRE_FALSE(refused.ok());
    CHECK(
        refused.error().message ==
        "component 'Health': the new schema would lose values; raise its version to more than 1 to let them "
        "go, or give it a migrate function\n"
        "  field 'now' turns from f32 to u8: 1 of its values, the first is 12.5, of entity " +
            std::to_string(wounded.bits) +
            "\n"
            "  field 'most' (f32) goes: 1 of its values, the first is 80, of entity " +
            std::to_string(wounded.bits));
    CHECK(value_of<float>(world.get(wounded, hp), 1) == 80);

    Schema newer = narrow;
    newer.version = 2;
    const Result<SchemaChanges> done = change(world, newer);
    REQUIRE(done.ok());
    CHECK(done.value().types == 1);
    CHECK(done.value().rows == 2);
    CHECK(value_of<std::uint8_t>(world.get(wounded, hp)) == 12);
    CHECK(value_of<std::uint8_t>(world.get(healthy, hp)) == 100);
    CHECK(world.registry().info(hp).schema.version == 2);
    CHECK(world.registry().row_bytes(hp) == 1);
    world.add(world.spawn(), hp);
    check_world(world, 0);
}

TEST_CASE(
    "an enableable component can get its first fields, and loses its last ones only with a higher version") {
    World world(tiny_chunks());
    const ComponentId shield = world.declare(schema_of("Shield", ComponentKind::enableable, {})).value();
    const Entity on = world.spawn(), off = world.spawn();
    world.add(on, shield);
    world.add(off, shield);
    world.set_enabled(off, shield, false);
    const Schema with =
        schema_of("Shield", ComponentKind::enableable, {field_of("power", FieldType::f32, 3)});
    REQUIRE(change(world, with).ok());
    CHECK(value_of<float>(world.get(on, shield)) == 3);
    CHECK_FALSE(world.is_enabled(off, shield));
    const float five = 5;
    std::memcpy(world.edit(off, shield), &five, sizeof five);
    const Result<SchemaChanges> refused = change(world, schema_of("Shield", ComponentKind::enableable, {}));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("field 'power' (f32) goes: 1 of its values, the first is 5") !=
          std::string::npos);
    REQUIRE(change(world, schema_of("Shield", ComponentKind::enableable, {}, 2)).ok());
    CHECK(world.is_enabled(on, shield));
    CHECK_FALSE(world.is_enabled(off, shield));
    check_world(world, 0);
}

TEST_CASE("changes that are never possible in a running game are refused with the reason") {
    World world(tiny_chunks());
    declare_test_components(world);
    const Result<SchemaChanges> bound =
        change(world, schema_of("Position", ComponentKind::component, {field_of("x", FieldType::f64)}, 2));
    REQUIRE_FALSE(bound.ok());
    CHECK(bound.error().message.find("component 'Position': C++ works on its values, so their layout cannot "
                                     "change while the game runs\nfrom\n") == 0);
    const Result<SchemaChanges> kind =
        change(world, schema_of("Frozen", ComponentKind::component, {field_of("x", FieldType::f32)}, 2));
    REQUIRE_FALSE(kind.ok());
    CHECK(kind.error().message ==
          "tag 'Frozen': it is of kind 'tag' and cannot turn into kind 'component' while "
          "the game runs");

    const ComponentId fixed =
        world.declare(schema_of("Fixed", ComponentKind::component, {field_of("x", FieldType::f32)})).value();
    fix_layout(world, fixed);
    CHECK_FALSE(
        change(world, schema_of("Fixed", ComponentKind::component, {field_of("y", FieldType::f32)}, 2)).ok());
    // Its defaults have a layout that no other schema has.
    CHECK(
        change(world, schema_of("Fixed", ComponentKind::component, {field_of("x", FieldType::f32, 3)})).ok());
    CHECK(value_of<float>(world.registry().info(fixed).schema.defaults.data()) == 3);

    const ComponentId curve =
        world.declare(schema_of("Curve", ComponentKind::blob, {field_of("x", FieldType::f32)})).value();
    const std::array<float, 1> rows{1};
    world.blobs().build(curve, std::as_bytes(std::span(rows))).value();
    Schema root = schema_of("Curve", ComponentKind::blob, {field_of("x", FieldType::f32)}, 2);
    root.blob_shape = BlobShape::root;
    const Result<SchemaChanges> blob = change(world, root);
    REQUIRE_FALSE(blob.ok());
    CHECK(blob.error().message == "blob 'Curve': 1 blob of it exists, so 'root' cannot change");

    // Mistakes of a schema are reported as in declare, and nothing changes.
    std::vector<SchemaEdit> edits;
    edits.push_back({schema_of("Fixed", ComponentKind::component, {field_of("x", FieldType::f32, 7)}), {}});
    edits.push_back({schema_of("Health", ComponentKind::component, {}), {}});
    CHECK_FALSE(change_schemas(world, std::move(edits)).ok());
    CHECK(value_of<float>(world.registry().info(fixed).schema.defaults.data()) == 3);
}

TEST_CASE("[K8] rows of blobs are converted, and what refers to them stays") {
    World world(tiny_chunks());
    const TreeType type = declare_tree(world);
    std::mt19937 random(3);
    std::vector<Tree> models;
    std::vector<BlobPin> trees;
    std::vector<BlobHandle> handles;
    for (int i = 0; i < 20; ++i) {
        models.push_back(random_tree(random, 3));
        handles.push_back(build_tree(world, type, models.back()).value());
        trees.emplace_back(world.blobs(), handles.back());
    }
    const std::size_t bytes = world.blobs().byte_count();

    Schema wide = tree_schema();
    wide.fields.insert(wide.fields.begin(), blob_field("extra", FieldType::f64));
    std::vector<SchemaEdit> edits;
    for (Schema& part : with_element_types(wide)) edits.push_back({std::move(part), {}});
    REQUIRE(change_schemas(world, std::move(edits)).ok());
    CHECK(world.blobs().byte_count() > bytes);
    struct WideRow {
        double extra;
        TreeRow row;
    };
    for (std::size_t i = 0; i < handles.size(); ++i) {
        WideRow row;
        std::memcpy(&row, world.blobs().bytes(handles[i]).data(), sizeof row);
        CHECK(row.row.value == models[i].value);
        CHECK(row.extra == 0);
        CHECK(world.blobs().row_count(row.row.children) == models[i].children.size());
    }

    // A loss is refused, and then everything is as it was.
    const std::uint64_t hash = world.blobs().content_hash(handles[0]);
    Schema bare = wide;
    std::erase_if(bare.fields, [](const Field& field) { return field.name == "value"; });
    edits.clear();
    edits.push_back({with_element_types(bare).back(), {}});
    const Result<SchemaChanges> lost = change_schemas(world, std::move(edits));
    REQUIRE_FALSE(lost.ok());
    CHECK_THAT(lost.error().message, Catch::Contains("field 'value' (f32) goes"));
    CHECK(world.blobs().content_hash(handles[0]) == hash);

    edits.clear();
    edits.push_back({with_element_types(tree_schema()).back(), {}});
    REQUIRE(change_schemas(world, std::move(edits)).ok());
    CHECK(world.blobs().byte_count() == bytes);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        CHECK(tree_at(world, handles[i]) == models[i]);
        CHECK(build_tree(world, type, models[i]).value() == handles[i]);
    }
}

TEST_CASE("changed requirements apply to components added later, and cycles are refused") {
    World world(tiny_chunks());
    const auto one = [](std::vector<std::string> required) {
        Schema schema = schema_of("One", ComponentKind::component, {field_of("x", FieldType::f32)});
        schema.required = std::move(required);
        return schema;
    };
    const ComponentId first = world.declare(one({})).value();
    Schema two = schema_of("Two", ComponentKind::component, {field_of("x", FieldType::f32)});
    const ComponentId second = world.declare(two).value();
    const Entity old = world.spawn();
    world.add(old, first);
    REQUIRE(change(world, one({"Two"})).ok());
    CHECK_FALSE(world.has(old, second));
    const Entity made = world.spawn();
    world.add(made, first);
    CHECK(world.has(made, second));

    two.required = {"One"};
    const Result<SchemaChanges> cycle = change(world, two);
    REQUIRE_FALSE(cycle.ok());
    CHECK(cycle.error().message == "component 'One': it requires itself, by what it requires");
    CHECK(world.registry().info(second).required.empty());
}

TEST_CASE("migrate sees each value once, after its fields were carried over, and can refuse the change") {
    World world(tiny_chunks());
    Schema path = schema_of("Path", ComponentKind::buffer, {field_of("x", FieldType::f32)});
    path.buffer_capacity = 2;
    const ComponentId id = world.declare(path).value();
    const Entity entity = world.spawn();
    world.add(entity, id);
    for (int i = 0; i < 5; ++i) {
        const float x = static_cast<float>(i);
        REQUIRE(world.buffer(entity, id).push(&x));
    }
    Schema longer = schema_of("Path", ComponentKind::buffer,
                              {field_of("x", FieldType::f32), field_of("square", FieldType::f64)}, 2);
    longer.buffer_capacity = 8;
    const auto migrate = [](float refused) -> MigrateValue {
        return [refused](const ComponentInfo&, const std::byte* before, const ComponentInfo& to,
                         std::byte* now) -> Result<void> {
            const auto x = static_cast<double>(value_of<float>(before));
            if (static_cast<float>(x) == refused) return Error{"no"};
            const double square = x * x;
            std::memcpy(now + to.leaves[1].offset, &square, sizeof square);
            return {};
        };
    };
    const Result<SchemaChanges> refused = change(world, longer, migrate(3));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message ==
          "buffer 'Path': the value of entity " + std::to_string(entity.bits) + " cannot be migrated: no");
    CHECK(world.buffer(entity, id).element_size() == 4);
    REQUIRE(change(world, longer, migrate(-1)).ok());
    const DynamicBuffer buffer = world.buffer(entity, id);
    REQUIRE(buffer.length() == 5);
    CHECK_FALSE(buffer.is_on_heap());
    CHECK(value_of<double>(buffer.at(4), 1) == 16);
    check_world(world, 0);

    // A resource belongs to no entity.
    const ComponentId wave =
        world.declare(schema_of("Wave", ComponentKind::resource, {field_of("n", FieldType::f32, 3)})).value();
    const Result<SchemaChanges> resource = change(
        world, schema_of("Wave", ComponentKind::resource, {field_of("n", FieldType::f64)}, 2), migrate(3));
    REQUIRE_FALSE(resource.ok());
    CHECK(resource.error().message == "resource 'Wave': a value cannot be migrated: no");
    Schema dropped = schema_of("Wave", ComponentKind::resource, {field_of("m", FieldType::f32)});
    const float five = 5;
    std::memcpy(world.resources().data(wave), &five, sizeof five);
    CHECK(change(world, dropped)
              .error()
              .message.find("\n  field 'n' (f32) goes: 1 of its values, the first is 5") !=
          std::string::npos);
}

TEST_CASE("events, observer records and ordered queries follow a changed schema") {
    World world(tiny_chunks());
    const ComponentId hit =
        world.declare(schema_of("Hit", ComponentKind::event, {field_of("amount", FieldType::u8)})).value();
    const ComponentId hp =
        world.declare(schema_of("Health", ComponentKind::component, {field_of("now", FieldType::u8, 10)}))
            .value();
    const Trigger changed{Trigger::Kind::changed, hp};
    REQUIRE(start_observing(world, changed).ok());
    QueryDesc ordered;
    ordered.terms = {QueryTerm{hp}};
    ordered.order_by = OrderBy{hp, "now", false};
    const Query* const query = world.query(ordered).value();
    const Entity a = world.spawn(), b = world.spawn();
    world.add(a, hp);
    world.add(b, hp);
    *world.edit(a, hp) = std::byte{20};
    world.observers().publish(world);
    world.advance_change_version();
    *world.edit(b, hp) = std::byte{5};
    const std::byte amount{7};
    REQUIRE(world.events().make_room(hit, 1));
    world.events().deliver(hit, &amount, 1);

    std::vector<SchemaEdit> edits;
    edits.push_back({schema_of("Hit", ComponentKind::event,
                               {field_of("kind", FieldType::u16, 3), field_of("amount", FieldType::f64)}),
                     {}});
    edits.push_back({schema_of("Health", ComponentKind::component,
                               {field_of("most", FieldType::f32, 9), field_of("now", FieldType::f32)}),
                     {}});
    REQUIRE(change_schemas(world, std::move(edits)).ok());
    const EventBatch kept = world.events().kept(hit);
    REQUIRE(kept.count == 1);
    CHECK(value_of<std::uint16_t>(kept.rows) == 3);
    CHECK(value_of<double>(kept.rows, 1) == 7);
    CHECK(query->entities().size() == 2);
    std::vector<Entity> seen;
    world.each_chunk(*query, [&](ChunkView& view) {
        for (const Entity entity : view.entities()) seen.push_back(entity);
    });
    CHECK(seen == std::vector<Entity>{b, a});  // 5, then 20

    // Only values that differ since the last publish are reported, with the old value converted.
    world.observers().publish(world);
    const ObservedBatch batch = world.observers().batch(changed);
    REQUIRE(batch.entities.size() == 1);
    CHECK(batch.entities[0] == b);
    CHECK(value_of<float>(batch.values, 1) == 10);

    // A query ordered by a removed field loses its order and still shows all rows.
    REQUIRE(
        change(world, schema_of("Health", ComponentKind::component, {field_of("most", FieldType::f32)}, 2))
            .ok());
    CHECK_FALSE(query->desc().order_by.has_value());
    CHECK(query->entity_count() == 2);
}

TEST_CASE("a vec4 turns into a quat with its values, and a new mat4 is the identity in old rows [T2]") {
    World world(tiny_chunks());
    const ComponentId arm =
        world.declare(schema_of("Arm", ComponentKind::component, {field_of("turn", FieldType::vec4)}))
            .value();
    const Entity entity = world.spawn();
    const std::array<float, 4> before{1, 2, 3, 4};
    world.add(entity, arm, reinterpret_cast<const std::byte*>(before.data()));
    REQUIRE(change(world, schema_of("Arm", ComponentKind::component,
                                    {field_of("place", FieldType::mat4), field_of("turn", FieldType::quat)}))
                .ok());
    const std::byte* now = world.get(entity, arm);
    const Mat4 place = value_of<Mat4>(now);
    CHECK(place == Mat4{});
    CHECK(value_of<Quat>(now + sizeof place) == Quat{1, 2, 3, 4});
    const Result<SchemaChanges> narrower =
        change(world, schema_of("Arm", ComponentKind::component, {field_of("turn", FieldType::vec3)}));
    REQUIRE_FALSE(narrower.ok());
    CHECK(narrower.error().message.find("field 'turn.w' (f32) goes: 1 of its values, the first is 4") !=
          std::string::npos);
    CHECK(narrower.error().message.find("place") == std::string::npos);
    REQUIRE(change(world, schema_of("Arm", ComponentKind::component, {field_of("turn", FieldType::vec3)}, 2))
                .ok());
    CHECK(value_of<Vec3>(world.get(entity, arm)) == Vec3{1, 2, 3});
}

TEST_CASE("wherever memory runs out, a schema change is complete or has no effect") {
    const auto world_with = [](std::vector<Entity>& entities, std::vector<SchemaEdit>& edits) {
        auto made = std::make_unique<World>(tiny_chunks(3));
        World& world = *made;
        using Kind = ComponentKind;
        const std::array<Kind, 8> kinds{Kind::component,      Kind::shared,  Kind::cleanup,
                                        Kind::buffer,         Kind::chunk,   Kind::enableable,
                                        Kind::shared_cleanup, Kind::resource};
        std::vector<ComponentId> ids;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const std::string name = "Type" + std::to_string(i);
            Schema schema = schema_of(name.c_str(), kinds[i],
                                      {field_of("a", FieldType::u8), field_of("word", FieldType::text)});
            if (kinds[i] == Kind::buffer) schema.buffer_capacity = 1;
            ids.push_back(world.declare(schema).value());
            Schema other = schema_of(name.c_str(), kinds[i],
                                     {field_of("word", FieldType::text), field_of("b", FieldType::f64, 4),
                                      field_of("a", FieldType::i32)});
            if (kinds[i] == Kind::buffer) other.buffer_capacity = 2;
            edits.push_back({other, {}});
        }
        Prefab prefab;
        prefab.name = "prefab";
        for (const std::size_t i : {0U, 1U, 3U, 5U}) prefab.components.push_back({ids[i], {}});
        const PrefabId id = add_prefab(world, prefab).value();
        QueryDesc desc;
        desc.terms = {QueryTerm{ids[0]}};
        world.query(desc).value();
        start_observing(world, {Trigger::Kind::changed, ids[0]}).value();
        for (int n = 0; n < 9; ++n) {
            const Entity entity = world.spawn(id);
            entities.push_back(entity);
            *world.edit(entity, ids[0]) = static_cast<std::byte>(n);
            for (int i = 0; i < n; ++i) REQUIRE(world.buffer(entity, ids[3]).push());
            if (n % 3 == 0) world.add(entity, ids[2]);
            if (n % 4 == 0) world.add(entity, ids[4]);
            if (n % 5 == 0) world.add(entity, ids[6]);
        }
        world.destroy(entities[0]);
        world.observers().publish(world);
        return made;
    };
    std::uint64_t first = 0;
    for (bool is_done = false; !is_done; ++first) {
        INFO("request " << first);
        std::vector<Entity> entities;
        std::vector<SchemaEdit> edits;
        const std::unique_ptr<World> world = world_with(entities, edits);
        const std::uint64_t before = world_hash(*world);
        const std::size_t blocks = world->buffers().stats().blocks_in_use;
        std::vector<SchemaEdit> again = edits;
        try {
            const RefusedMemory refused(first, 1);
            is_done = change_schemas(*world, std::move(edits)).ok();
        } catch (const std::bad_alloc&) {
        }
        check_world(*world, 0);
        if (is_done) {
            REQUIRE_FALSE(RefusedMemory::was_refused());
        } else {
            REQUIRE(RefusedMemory::was_refused());
            REQUIRE(world_hash(*world) == before);
            REQUIRE(world->buffers().stats().blocks_in_use == blocks);
            REQUIRE(change_schemas(*world, std::move(again)).ok());
            check_world(*world, 0);
        }
        const ComponentId id = world->registry().find("Type0").value();
        for (std::size_t i = 1; i < entities.size(); ++i) {
            const std::byte* const value = world->get(entities[i], id);
            REQUIRE(value_of<std::int32_t>(value + world->registry().info(id).leaves[2].offset) ==
                    static_cast<std::int32_t>(i));
        }
        world->clear();
        REQUIRE(world->buffers().stats().blocks_in_use == 0);
    }
    CHECK(first > 100);
}

}  // namespace
}  // namespace perigee
