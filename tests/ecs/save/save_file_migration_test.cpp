// Files of an older version of a game: fields are carried over by the rules of hot reload.
#include "ecs/inspect/world_hash.h"
#include "ecs/save/save_file.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/ecs/check_world.h"
#include "tests/support/blob_trees.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

Field field_of(const char* name, FieldType type, FieldValue value = {}) {
    Field field;
    field.name = name;
    field.type = type;
    field.default_value = std::move(value);
    return field;
}

template <typename Value> FieldValue given(Value value) {
    FieldValue made;
    made.data = std::move(value);
    return made;
}

Schema ship(std::vector<Field> fields, std::uint32_t version = 1) {
    Schema schema;
    schema.name = "Ship";
    schema.version = version;
    schema.fields = std::move(fields);
    return schema;
}

FieldValue value_of(const World& world, Entity entity, const char* field) {
    const ComponentInfo& info = world.registry().info(world.registry().find("Ship").value());
    const std::byte* const row = world.get(entity, info.id);
    return read_field(*info.schema.field(field), {row, info.schema.size}, &world.texts());
}

// A world with a ship: hp 300, name "Ann", beside entities without one.
struct Saved {
    Saved() : world(tiny_chunks()) {
        const ComponentId id =
            world.declare(ship({field_of("hp", FieldType::i32), field_of("name", FieldType::text)})).value();
        world.declare<Position>("Position", field("x", &Position::x), field("y", &Position::y)).value();
        world.spawn(Position{1, 2});
        entity = world.spawn(Position{3, 4});
        world.add(entity, id);
        set("hp", given(300.0));
        set("name", given(std::string("Ann")));
        world.destroy(world.spawn());
        bytes = world_to_bytes(world).value();
    }

    void set(const char* field, FieldValue value) {
        const ComponentInfo& info = world.registry().info(world.registry().find("Ship").value());
        const Result<void> written =
            write_field(*info.schema.field(field), value, {world.edit(entity, info.id), info.schema.size},
                        world.field_context());
        REQUIRE(written.ok());
    }

    World world;
    Entity entity;
    std::string bytes;
};

// A world whose ships are declared in this way.
struct Target {
    explicit Target(Schema schema) : world(tiny_chunks()) {
        world.declare<Position>("Position", field("x", &Position::x), field("y", &Position::y)).value();
        static_cast<void>(world.declare(std::move(schema)).value());
        world.spawn(Position{9, 9});
        hash = world_hash(world);
    }

    World world;
    std::uint64_t hash;
};

}  // namespace

TEST_CASE("a field that is new, and one that became wider, are carried over from an older file") {
    Saved saved;
    Target target(ship({field_of("fuel", FieldType::f32, given(7.0)), field_of("name", FieldType::text),
                        field_of("hp", FieldType::f64)}));
    REQUIRE(world_from_bytes(target.world, saved.bytes).ok());
    CHECK(text_from_value(value_of(target.world, saved.entity, "hp")) == "300");
    CHECK(text_from_value(value_of(target.world, saved.entity, "fuel")) == "7");
    CHECK(text_from_value(value_of(target.world, saved.entity, "name")) == "\"Ann\"");
    CHECK(target.world.get<Position>(saved.entity)->x == 3);
    CHECK(target.world.entity_count() == 2);
    CHECK(target.world.spawn() == saved.world.spawn());
    check_world(target.world, 0);
}

TEST_CASE("a change that loses a value is an error that names component and field") {
    Saved saved;
    SECTION("a removed field") {
        Target target(ship({field_of("hp", FieldType::i32)}));
        const Result<void> loaded = world_from_bytes(target.world, saved.bytes);
        REQUIRE_FALSE(loaded.ok());
        CHECK_THAT(loaded.error().message,
                   Contains("the saved world does not fit this version of the game") &&
                       Contains("component 'Ship'") && Contains("field 'name'") && Contains("Ann"));
        CHECK(world_hash(target.world) == target.hash);
        check_world(target.world, 0);
    }
    SECTION("a narrower field") {
        Target target(ship({field_of("hp", FieldType::u8), field_of("name", FieldType::text)}));
        const Result<void> loaded = world_from_bytes(target.world, saved.bytes);
        REQUIRE_FALSE(loaded.ok());
        CHECK_THAT(loaded.error().message, Contains("component 'Ship'") && Contains("field 'hp'"));
        CHECK(world_hash(target.world) == target.hash);
    }
    SECTION("another kind") {
        Schema resource = ship({field_of("hp", FieldType::i32), field_of("name", FieldType::text)});
        resource.kind = ComponentKind::resource;
        Target target(resource);
        const Result<void> loaded = world_from_bytes(target.world, saved.bytes);
        REQUIRE_FALSE(loaded.ok());
        CHECK_THAT(loaded.error().message, Contains("'Ship'"));
        CHECK(world_hash(target.world) == target.hash);
    }
}

TEST_CASE("a higher version or a migrate function says that a loss is meant") {
    Saved saved;
    SECTION("a higher version") {
        Target target(ship({field_of("hp", FieldType::u8)}, 2));
        REQUIRE(world_from_bytes(target.world, saved.bytes).ok());
        CHECK(text_from_value(value_of(target.world, saved.entity, "hp")) == "255");
    }
    SECTION("a migrate function, which may correct the value") {
        Target target(ship({field_of("hp", FieldType::u8)}, 2));
        LoadOptions options;
        options.migrate = [](const Schema& old, const ComponentInfo& now, World&) -> MigrateValue {
            CHECK(now.schema.name == "Ship");
            CHECK(old.version == 1);
            return [](const ComponentInfo& from, const std::byte* before, const ComponentInfo&,
                      std::byte* after) -> Result<void> {
                std::int32_t hp;
                std::memcpy(&hp, before + from.schema.field("hp")->offset, sizeof hp);
                *after = static_cast<std::byte>(hp / 10);
                return {};
            };
        };
        REQUIRE(world_from_bytes(target.world, saved.bytes, options).ok());
        CHECK(text_from_value(value_of(target.world, saved.entity, "hp")) == "30");
        options.migrate = [](const Schema&, const ComponentInfo&, World&) -> MigrateValue {
            return [](const ComponentInfo&, const std::byte*, const ComponentInfo&,
                      std::byte*) -> Result<void> { return Error{"too old"}; };
        };
        const std::uint64_t hash = world_hash(target.world);
        CHECK_THAT(world_from_bytes(target.world, saved.bytes, options).error().message, Contains("too old"));
        CHECK(world_hash(target.world) == hash);
    }
}

TEST_CASE("a type without values may be gone or changed") {
    World saved, world;
    declare_test_components(saved);
    static_cast<void>(saved.declare(ship({field_of("hp", FieldType::i32)})).value());
    Schema resource = ship({field_of("hp", FieldType::i32)});
    resource.name = "Count";
    resource.kind = ComponentKind::resource;
    const ComponentId count = saved.declare(resource).value();
    saved.destroy(saved.spawn(Wide{}));
    const Entity entity = saved.spawn(Position{1, 1});
    world.declare<Position>("Position", field("x", &Position::x), field("y", &Position::y)).value();
    static_cast<void>(world.declare(ship({field_of("name", FieldType::text)})).value());
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    CHECK(world.get<Position>(entity)->x == 1);
    check_world(world, 0);

    const std::int32_t three = 3;
    std::memcpy(saved.resources().data(count), &three, sizeof three);
    CHECK_THAT(world_from_bytes(world, world_to_bytes(saved).value()).error().message,
               Contains("resource 'Count': the saved world has values of it, but it is not declared"));
}

TEST_CASE("[K8] a file with trees of an older declaration is converted as a whole") {
    const auto declare_plant = [](World& world) {
        Field tree = blob_field("tree", FieldType::blob);
        tree.labels = {"Tree"};
        return world.declare(ship({tree})).value();
    };
    World world(tiny_chunks());
    const TreeType type = declare_tree(world);
    const ComponentId id = declare_plant(world);
    std::mt19937 random(5);
    std::vector<Tree> models;
    std::vector<Entity> entities;
    for (int i = 0; i < 20; ++i) {
        models.push_back(random_tree(random, 3));
        const BlobHandle tree = build_tree(world, type, models.back()).value();
        entities.push_back(world.spawn());
        world.add(entities.back(), id, &tree);
    }
    const std::string bytes = world_to_bytes(world).value();
    const auto tree_of = [](const World& in, Entity entity) {
        BlobHandle tree;
        std::memcpy(&tree, in.get(entity, in.registry().find("Ship").value()), sizeof tree);
        return tree;
    };

    World newer(tiny_chunks());
    Schema wide = tree_schema();
    wide.fields.insert(wide.fields.begin(), blob_field("extra", FieldType::f64));
    wide.fields.push_back(blob_field("more", FieldType::f32, true));
    newer.declare(wide).value();
    declare_plant(newer);
    REQUIRE(world_from_bytes(newer, bytes).ok());
    struct WideRow {
        double extra;
        TreeRow row;
        BlobHandle more;
    };
    for (std::size_t i = 0; i < entities.size(); ++i) {
        WideRow row;
        std::memcpy(&row, newer.blobs().bytes(tree_of(newer, entities[i])).data(), sizeof row);
        CHECK(row.row.value == models[i].value);
        CHECK(newer.texts().text(row.row.name) == models[i].name);
        CHECK(newer.blobs().row_count(row.row.children) == models[i].children.size());
        CHECK(row.more == BlobHandle{});
    }
    // And back, since nothing is lost.
    World older(tiny_chunks());
    declare_tree(older);
    declare_plant(older);
    REQUIRE(world_from_bytes(older, world_to_bytes(newer).value()).ok());
    for (std::size_t i = 0; i < entities.size(); ++i)
        CHECK(tree_at(older, tree_of(older, entities[i])) == models[i]);
    CHECK(world_hash(older) == world_hash(world));

    World smaller(tiny_chunks());
    Schema bare = tree_schema();
    std::erase_if(bare.fields, [](const Field& field) { return field.name == "value"; });
    smaller.declare(bare).value();
    declare_plant(smaller);
    const Result<void> lost = world_from_bytes(smaller, bytes);
    REQUIRE_FALSE(lost.ok());
    CHECK_THAT(lost.error().message, Contains("blob 'Tree'") && Contains("field 'value' (f32) goes"));
    CHECK(smaller.blobs().size() == 0);
}

}  // namespace perigee
