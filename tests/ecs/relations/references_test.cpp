// Dangling references are found in every kind of value; other values stay unchanged.
#include "ecs/relations/references.h"

#include "ecs/prefab/make_prefab.h"
#include "ecs/prefab/prefab_desc.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/support/blob_trees.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Aim {
    std::uint64_t number = 0;  // looks like an entity to careless code
    Entity target;
    Entity second;
};

Schema aim_schema(ComponentKind kind) {
    Schema schema;
    schema.name = "Aim";
    schema.kind = kind;
    schema.buffer_capacity = 8;
    for (const auto& [name, type] : {std::pair{"number", FieldType::u64}, {"target", FieldType::entity}}) {
        Field field;
        field.name = name;
        field.type = type;
        schema.fields.push_back(field);
    }
    Field inner = schema.fields[1];
    schema.fields.emplace_back().name = "more";
    schema.fields.back().type = FieldType::structure;
    schema.fields.back().array_length = 1;
    schema.fields.back().nested = {inner};
    return schema;
}

TEST_CASE("references to dead entities become null in every kind of storage") {
    using Kind = ComponentKind;
    for (const Kind kind : {Kind::component, Kind::enableable, Kind::cleanup, Kind::shared,
                            Kind::shared_cleanup, Kind::chunk, Kind::buffer, Kind::resource}) {
        INFO(kind_name(kind));
        World world(tiny_chunks());
        const ComponentId id = world.declare(aim_schema(kind)).value();
        const Entity alive = world.spawn(), dead = world.spawn(), owner = world.spawn();
        const Aim aim{dead.bits, dead, alive};
        if (kind == Kind::resource) {
            std::memcpy(world.resources().data(id), &aim, sizeof aim);
        } else {
            world.add(owner, id, kind == Kind::buffer ? nullptr : &aim);
        }
        if (kind == Kind::buffer) {
            BufferPool unused;  // the elements lie in the chunk
            const std::uint64_t version = 0;
            DynamicBuffer buffer(world.edit(owner, id), world.registry().info(id), unused, version);
            for (int i = 0; i < 3; ++i) buffer.push(&aim);
        }
        const std::size_t places = kind == Kind::buffer ? 3 : 1;
        CHECK(clear_dangling_references(world) == 0);
        world.destroy(dead);
        CHECK(clear_dangling_references(world) == places);
        CHECK(clear_dangling_references(world) == 0);
        const std::byte* bytes = kind == Kind::resource ? world.resources().data(id) : world.get(owner, id);
        if (kind == Kind::buffer) bytes = reinterpret_cast<const BufferHeader*>(bytes)->elements();
        Aim got;
        std::memcpy(&got, bytes, sizeof got);
        CHECK(got.number == aim.number);
        CHECK_FALSE(got.target);
        CHECK(got.second == alive);
    }
}

TEST_CASE("references of prefabs to dead entities become null, also in inheriting prefabs") {
    for (const ComponentKind kind :
         {ComponentKind::component, ComponentKind::shared, ComponentKind::enableable}) {
        World world(tiny_chunks());
        const ComponentId id = world.declare(aim_schema(kind)).value();
        const Entity alive = world.spawn(), dead = world.spawn();
        const Aim aim{7, dead, alive};
        const auto* bytes = reinterpret_cast<const std::byte*>(&aim);
        Prefab prefab;
        prefab.name = "Turret";
        prefab.components = {{id, {bytes, bytes + sizeof aim}}};
        const PrefabId made = add_prefab(world, prefab).value();
        CHECK(clear_dangling_references(world) == 0);
        world.destroy(dead);
        CHECK(clear_dangling_references(world) == 1);
        CHECK(clear_dangling_references(world) == 0);
        const PrefabDesc heir{"Heir", "Turret", {}, {}};
        for (const PrefabId of : {made, add_prefabs(world, {&heir, 1}).value()[0]}) {
            Aim got;
            std::memcpy(&got, world.get(world.spawn(of), id), sizeof got);
            CHECK(got.number == 7);
            CHECK_FALSE(got.target);
            CHECK(got.second == alive);
        }
    }
}

TEST_CASE("only columns with a cleared reference count as changed") {
    World world(tiny_chunks());
    const ComponentId id = world.declare(aim_schema(ComponentKind::component)).value();
    std::vector<Entity> rows;
    for (int i = 0; i < 6; ++i) rows.push_back(world.spawn());
    const Entity dead = world.spawn();
    for (const Entity entity : rows) {
        const Aim aim{0, entity == rows[2] ? dead : rows[0], {}};
        world.add(entity, id, &aim);
    }
    world.destroy(dead);
    const ChangeVersion before = world.advance_change_version();
    world.advance_change_version();
    CHECK(clear_dangling_references(world) == 1);
    const Archetype& archetype = *world.archetype_of(rows[0]);
    const auto column = static_cast<std::uint32_t>(archetype.column_of(id));
    int changed = 0;
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        changed += archetype.version(chunk, column) > before ? 1 : 0;
    }
    CHECK(changed == 1);
}

TEST_CASE("references are mapped by a function, and null references stay null") {
    World world;
    const ComponentId id = world.declare(aim_schema(ComponentKind::component)).value();
    const std::vector<Leaf>& leaves = world.registry().info(id).leaves;
    const Entity a = world.spawn(), b = world.spawn();
    Aim aim{a.bits, a, {}};
    auto* bytes = reinterpret_cast<std::byte*>(&aim);
    CHECK(remap_references(bytes, leaves, [&](Entity entity) { return entity == a ? b : a; }) == 1);
    CHECK(aim.target == b);
    CHECK(aim.number == a.bits);
    CHECK_FALSE(aim.second);
    CHECK(remap_references(bytes, leaves, [](Entity entity) { return entity; }) == 0);
}

Schema loot_schema(const char* of) {
    Schema schema;
    schema.name = "Loot";
    schema.kind = ComponentKind::blob;
    schema.fields.resize(2);
    schema.fields[0].name = "name";
    schema.fields[0].type = FieldType::text;
    schema.fields[1].name = of;
    schema.fields[1].type = FieldType::blob;
    return schema;
}

TEST_CASE("texts and blobs of a row are transferred to another world by content") {
    struct Loot {
        TextHandle name;
        BlobHandle more;
    };
    World from, to, other, bare;
    const ComponentId id = from.declare(loot_schema("more")).value();
    to.declare(loot_schema("more")).value();
    to.texts().intern("shifts the handles").value();
    other.declare(loot_schema("rest")).value();
    const std::vector<Loot> inner = {{from.texts().intern("gold").value(), {}}};
    const std::vector<Loot> outer = {
        {from.texts().intern("chest").value(), from.blobs().build<Loot>(id, inner).value()}};
    const Loot loot{from.texts().intern("cave").value(), from.blobs().build<Loot>(id, outer).value()};

    const std::vector<Leaf>& leaves = from.registry().info(id).leaves;
    Loot carried = loot;
    REQUIRE(carry_handles(from, to, leaves, reinterpret_cast<std::byte*>(&carried)).ok());
    CHECK(to.texts().text(carried.name) == "cave");
    REQUIRE(to.blobs().row_count(carried.more) == 1);
    const Loot chest = to.blobs().rows<Loot>(carried.more)[0];
    CHECK(to.texts().text(chest.name) == "chest");
    CHECK(to.texts().text(to.blobs().rows<Loot>(chest.more)[0].name) == "gold");
    CHECK(to.blobs().content_hash(carried.more) == from.blobs().content_hash(loot.more));

    carried = loot;
    const Result<void> differs = carry_handles(from, other, leaves, reinterpret_cast<std::byte*>(&carried));
    REQUIRE_FALSE(differs.ok());
    CHECK(differs.error().message == "blob type 'Loot' has another layout in the other world");
    carried = loot;
    CHECK_THAT(carry_handles(from, bare, leaves, reinterpret_cast<std::byte*>(&carried)).error().message,
               Contains("'Loot'"));
}

TEST_CASE("[K8] a node that many paths lead to is transferred to another world once") {
    World from, to;
    const TreeType type = declare_tree(from);
    declare_tree(to);
    BlobHandle node = from.blobs().build_root(type.tree, TreeRow{}).value();
    for (int i = 0; i < 100; ++i) {  // 2^100 paths
        TreeRow next;
        next.best = node;
        next.children = from.blobs().build<BlobHandle>(type.children, std::vector{node, node}).value();
        node = from.blobs().build_root(type.tree, next).value();
    }
    TreeRow carried;
    carried.best = node;
    const std::vector<Leaf>& leaves = from.registry().info(type.tree).leaves;
    REQUIRE(carry_handles(from, to, leaves, reinterpret_cast<std::byte*>(&carried)).ok());
    CHECK(to.blobs().content_hash(carried.best) == from.blobs().content_hash(node));
    CHECK(to.blobs().size() == from.blobs().size());
}

}  // namespace
}  // namespace perigee
