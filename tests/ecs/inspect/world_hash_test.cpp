// Equal worlds have equal hashes for any history, and any difference in content changes the hash.
#include "ecs/inspect/world_hash.h"

#include "ecs/schema/text_pool.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace perigee {
namespace {

void fill(World& world) {
    declare_test_components(world);
    for (int i = 0; i < 50; ++i) {
        const Entity entity =
            world.spawn(Position{static_cast<float>(i), 1}, Velocity{0, static_cast<float>(i)});
        if (i % 3 == 0) world.add(entity, world.id<Frozen>());
        if (i % 5 == 0) world.add(entity, Health{i, 2 * i});
    }
}

TEST_CASE("the hash does not depend on chunk sizes or on the order of rows") {
    World normal, tiny(tiny_chunks(2)), shuffled(tiny_chunks(5));
    fill(normal);
    fill(tiny);
    fill(shuffled);
    std::vector<Entity> all;
    shuffled.each<const Position>([&](Entity entity, const Position&) { all.push_back(entity); });
    for (const Entity entity : all) shuffled.add(entity, shuffled.id<Poisoned>());
    for (std::size_t i = 0; i < all.size(); ++i) {  // added back in another order: other rows, same content
        shuffled.remove<Poisoned>(all[i * 7 % all.size()]);
    }
    CHECK(world_hash(normal) == world_hash(tiny));
    CHECK(world_hash(normal) == world_hash(shuffled));
}

TEST_CASE("every change of content changes the hash, and undoing it restores it") {
    World world;
    fill(world);
    const std::uint64_t before = world_hash(world);
    const Entity entity = world.spawn(Position{5, 5});
    const std::uint64_t with = world_hash(world);
    CHECK(with != before);
    world.edit<Position>(entity)->x = 6;
    CHECK(world_hash(world) != with);
    world.edit<Position>(entity)->x = 5;
    CHECK(world_hash(world) == with);
    world.add(entity, world.id<Frozen>());
    CHECK(world_hash(world) != with);
    world.destroy(entity);
    CHECK(world_hash(world) == before);
    CHECK(world.spawn(Position{5, 5}) != entity);
    CHECK(world_hash(world) != with);  // another id: references to it differ too
}

TEST_CASE("every NaN hashes alike, and the two zeros differ") {
    World world;
    declare_test_components(world);
    const Entity entity = world.spawn(Position{std::numeric_limits<float>::quiet_NaN(), 0});
    const std::uint64_t quiet = world_hash(world);
    std::uint32_t bits = 0xFFC12345u;
    std::memcpy(&world.edit<Position>(entity)->x, &bits, 4);
    CHECK(world_hash(world) == quiet);
    world.edit<Position>(entity)->y = -0.0f;
    CHECK(world_hash(world) != quiet);
}

TEST_CASE("pad bytes and bytes past the end of a string do not affect the hash") {
    World world;
    Schema schema;
    schema.name = "Padded";
    schema.fields.resize(3);
    schema.fields[0].name = "small";
    schema.fields[0].type = FieldType::u8;
    schema.fields[1].name = "big";
    schema.fields[1].type = FieldType::f64;
    schema.fields[2].name = "text";
    schema.fields[2].type = FieldType::string;
    schema.fields[2].string_capacity = 8;
    const ComponentId id = world.declare(schema).value();
    const Entity entity = world.spawn();
    world.add(entity, id);
    const std::uint64_t before = world_hash(world);
    std::byte* row = world.edit(entity, id);
    row[3] = std::byte{99};
    row[20] = std::byte{99};
    CHECK(world_hash(world) == before);
    row[0] = std::byte{1};
    CHECK(world_hash(world) != before);
}

TEST_CASE("texts are hashed by content, not by handle") {
    World first, second;
    second.texts().intern("shifts the handles").value();
    Schema schema;
    schema.name = "Label";
    schema.fields.resize(1);
    schema.fields[0].name = "text";
    schema.fields[0].type = FieldType::text;
    schema.fields[0].default_value.data = std::string("nobody");
    std::vector<Entity> named;
    for (World* world : {&first, &second}) {
        const ComponentId label = world->declare(schema).value();
        world->add(world->spawn(), label);
        named.push_back(world->spawn());
        const TextHandle text = world->texts().intern("somebody").value();
        world->add(named.back(), label, &text);
    }
    const ComponentId label = first.registry().find("Label").value();
    TextHandle a, b;
    std::memcpy(&a, first.get(named[0], label), sizeof a);
    std::memcpy(&b, second.get(named[1], label), sizeof b);
    CHECK(a != b);
    CHECK(first.registry().info(label).hash == second.registry().info(label).hash);
    CHECK(world_hash(first) == world_hash(second));
    const TextHandle other = first.texts().intern("somebody else").value();
    first.set(named[0], label, &other);
    CHECK(world_hash(first) != world_hash(second));
}

TEST_CASE("resources are hashed, and the parts show which type differs") {
    World first, second;
    for (World* world : {&first, &second}) {
        fill(*world);
        Schema schema;
        schema.name = "Wave";
        schema.kind = ComponentKind::resource;
        schema.fields.resize(1);
        schema.fields[0].name = "number";
        static_cast<void>(world->declare(schema).value());
    }
    CHECK(world_hash(first) == world_hash(second));
    *reinterpret_cast<float*>(second.resources().data(second.registry().find("Wave").value())) = 3;
    CHECK(world_hash(first) != world_hash(second));
    const auto a = component_hashes(first), b = component_hashes(second);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].name == b[i].name);
        CHECK((a[i].hash == b[i].hash) == (a[i].name != "Wave"));
    }
}

TEST_CASE("the order of declaration does not affect the hash") {
    const auto make = [](World& world, std::vector<std::string> names) {
        for (const std::string& name : names) {
            Schema schema;
            schema.name = name;
            schema.fields.resize(1);
            schema.fields[0].name = "value";
            static_cast<void>(world.declare(schema).value());
        }
        const Entity entity = world.spawn();
        for (const char* name : {"A", "B"}) {
            const float value = name[0];
            world.add(entity, world.registry().require(name).value(), &value);
        }
    };
    World first, second;
    make(first, {"A", "B", "C"});
    make(second, {"C", "B", "A"});
    CHECK(world_hash(first) == world_hash(second));
}

TEST_CASE("the same value in another component or on another entity changes the hash") {
    World world;
    declare_test_components(world);
    const Entity a = world.spawn(), b = world.spawn();
    std::set<std::uint64_t> seen;
    for (const Entity entity : {a, b}) {
        world.add(entity, Position{1, 2});
        seen.insert(world_hash(world));
        world.remove<Position>(entity);
        world.add(entity, Velocity{1, 2});
        seen.insert(world_hash(world));
        world.remove<Velocity>(entity);
    }
    CHECK(seen.size() == 4);
}

TEST_CASE("swapping the values of two entities changes the hash") {
    World world;
    declare_test_components(world);
    const Entity a = world.spawn(Health{1, 1}), b = world.spawn(Health{2, 2});
    const std::uint64_t before = world_hash(world);
    world.set(a, Health{2, 2});
    world.set(b, Health{1, 1});
    CHECK(world_hash(world) != before);
}

TEST_CASE("every bit of every leaf affects the hash, for types with and without a fast path") {
    World world;
    Schema schema;
    schema.name = "All";
    for (const FieldType type : {FieldType::i16, FieldType::u64, FieldType::color, FieldType::entity,
                                 FieldType::f64, FieldType::vec3, FieldType::string}) {
        Field field;
        field.name = "f" + std::to_string(schema.fields.size());
        field.type = type;
        field.string_capacity = 6;
        schema.fields.push_back(field);
    }
    Schema plain = schema;
    plain.name = "Plain";
    plain.fields.resize(1);
    for (const Schema& each : {schema, plain}) {
        const ComponentId id = world.declare(each).value();
        const Entity entity = world.spawn();
        world.add(entity, id);
        const std::uint64_t before = world_hash(world);
        std::byte* row = world.edit(entity, id);
        for (const Leaf& leaf : world.registry().info(id).leaves) {
            // A string ends at its first zero byte.
            const std::uint32_t bytes = leaf.type == FieldType::string ? 1 : leaf.size;
            for (std::uint32_t bit = 0; bit < bytes * 8; ++bit) {
                const auto flip = static_cast<std::byte>(1u << bit % 8);
                row[leaf.offset + bit / 8] ^= flip;
                REQUIRE(world_hash(world) != before);
                row[leaf.offset + bit / 8] ^= flip;
            }
        }
        REQUIRE(world_hash(world) == before);
    }
}

TEST_CASE("the hash of a known world is the same on every machine and in every build") {
    World world;
    fill(world);
    CHECK(text_from_hash(world_hash(world)) == "5f392b52a4001ffa");
}

TEST_CASE("a hash is written as 16 lower-case hex digits") {
    CHECK(text_from_hash(0xABCull) == "0000000000000abc");
}

TEST_CASE("the hash covers shared values, enabled bits, destroyed entities and who has chunk components") {
    World world, tiny(tiny_chunks(2));
    for (World* each : {&world, &tiny}) {
        declare_test_components(*each);
        declare_kind_components(*each);
        for (int i = 0; i < 20; ++i) {
            each->spawn(Team{static_cast<std::uint8_t>(i % 3), 1}, Shield{1}, Voice{i});
        }
    }
    CHECK(world_hash(world) == world_hash(tiny));
    const Entity entity = entity_from_parts(4, 1);
    REQUIRE(world.is_alive(entity));
    std::set<std::uint64_t> hashes{world_hash(world)};
    const auto is_new = [&] { return hashes.insert(world_hash(world)).second; };
    world.set(entity, Team{2, 2});
    CHECK(is_new());
    world.set_enabled(entity, world.id<Shield>(), false);
    CHECK(is_new());
    world.add(entity, world.id<Bounds>());
    CHECK(is_new());
    world.set(entity, Bounds{1, 2});
    CHECK_FALSE(is_new());
    world.destroy(entity);
    CHECK(is_new());
    world.remove<Voice>(entity);
    CHECK(is_new());
}

}  // namespace
}  // namespace perigee
