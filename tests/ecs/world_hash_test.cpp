// Equal worlds hash equal whatever their history, and any difference in content shows.
#include "ecs/world_hash.h"

#include "ecs/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>

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
    for (std::size_t i = 0; i < all.size(); ++i) {  // back in another order: other rows, same content
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

TEST_CASE("every NaN counts alike, both zeros do not") {
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

TEST_CASE("pad bytes and bytes behind the end of a text do not count") {
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

TEST_CASE("resources count, and the parts tell which type differs") {
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

TEST_CASE("a known world has a known hash, the same on every machine and in every build") {
    World world;
    fill(world);
    CHECK(text_from_hash(world_hash(world)) == "5f392b52a4001ffa");
}

TEST_CASE("a hash is written as 16 lower-case hex digits") {
    CHECK(text_from_hash(0xABCull) == "0000000000000abc");
}

}  // namespace
}  // namespace perigee
