// Ordered queries: the order, writes that reach the entities, and scratch chunks that look like chunks.
#include "ecs/query/sorted_rows.h"

#include "ecs/schema/registry.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace perigee {
namespace {

constexpr FieldType kNumbers[] = {FieldType::boolean, FieldType::i8,  FieldType::u8,  FieldType::i16,
                                  FieldType::u16,     FieldType::i32, FieldType::u32, FieldType::i64,
                                  FieldType::u64,     FieldType::f32, FieldType::f64};

ComponentId declare_number(World& world, FieldType type) {
    Schema schema;
    schema.name = "Key";
    schema.fields.resize(2);
    schema.fields[0].name = "other";
    schema.fields[0].type = FieldType::u8;
    schema.fields[1].name = "value";
    schema.fields[1].type = type;
    return world.declare(schema).value();
}

double number_at(const std::byte* bytes, FieldType type) {
    const auto as = [&]<typename T>(T value) {
        std::memcpy(&value, bytes, sizeof(T));
        return static_cast<double>(value);
    };
    switch (type) {
        case FieldType::i8:
            return as(std::int8_t{});
        case FieldType::i16:
            return as(std::int16_t{});
        case FieldType::u16:
            return as(std::uint16_t{});
        case FieldType::i32:
            return as(std::int32_t{});
        case FieldType::u32:
            return as(std::uint32_t{});
        case FieldType::i64:
            return as(std::int64_t{});
        case FieldType::u64:
            return as(std::uint64_t{});
        case FieldType::f32:
            return as(float{});
        case FieldType::f64:
            return as(double{});
        default:
            return as(std::uint8_t{});
    }
}

// Random bits with few different numbers, and for floats sometimes special values.
void write_random(std::byte* bytes, std::uint32_t size, FieldType type, std::mt19937& random) {
    const auto write = [&](auto value) { std::memcpy(bytes, &value, sizeof(value)); };
    const bool is_f32 = type == FieldType::f32, is_f64 = type == FieldType::f64;
    if (type == FieldType::boolean) return write(static_cast<std::uint8_t>(random() % 2));
    if (!is_f32 && !is_f64) {
        // Values that a double represents exactly, as the model needs.
        const std::uint64_t spread = size == 8 ? std::uint64_t{random() % 4} << 62 : random();
        const std::uint64_t bits = random() % 3 == 0 ? spread : random() % 5;
        std::memcpy(bytes, &bits, size);
        return;
    }
    const double odd[] = {0.0,
                          -0.0,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::nan(""),
                          -std::nan("")};
    const double value = random() % 3 == 0 ? odd[random() % 6] : static_cast<int>(random() % 9) - 4.5;
    if (is_f32) {
        write(static_cast<float>(value));
    } else {
        write(value);
    }
}

TEST_CASE("[Q1] rows are sorted by number, then by entity, with NaN last, for every type") {
    for (const FieldType type : kNumbers) {
        World world(tiny_chunks(4));
        declare_test_components(world);
        const ComponentId key = declare_number(world, type);
        const Leaf& leaf = world.registry().info(key).leaves[1];
        std::mt19937 random(7);
        std::vector<Entity> all;
        for (int i = 0; i < 300; ++i) {
            const Entity entity = world.spawn();
            if (random() % 3 == 0) world.add<Position>(entity);
            world.add(entity, key);
            write_random(world.edit(entity, key) + leaf.offset, leaf.size, type, random);
            all.push_back(entity);
        }
        for (int i = 0; i < 50; ++i) {  // Rows should not be in the order of entities.
            const std::size_t gone = random() % all.size();
            world.destroy(all[gone]);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(gone));
        }
        for (const bool is_descending : {false, true}) {
            QueryDesc desc;
            desc.terms = {{world.id<Position>(), Access::read, true}, {key}};
            desc.order_by = OrderBy{key, "value", is_descending};
            const Query& query = *world.query(desc).value();
            const auto number = [&](Entity entity) {
                return number_at(world.get(entity, key) + leaf.offset, type);
            };
            std::vector<Entity> expected = all;
            std::sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
                const double x = number(a), y = number(b);
                if (std::isnan(x) || std::isnan(y)) {
                    return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
                }
                return x == y ? a < b : is_descending ? x > y : x < y;
            });
            std::vector<Entity> shown;
            std::uint32_t chunks = 0;
            world.each_chunk(query, [&](const ChunkView& view) {
                REQUIRE(view.index_in_query() == chunks++);
                REQUIRE(view.first_row_in_query() == shown.size());
                REQUIRE(reinterpret_cast<std::uintptr_t>(view.column_data(1)) % kCacheLine == 0);
                for (std::uint32_t row = 0; row < view.row_count(); ++row) {
                    const Entity entity = view.entities()[row];
                    shown.push_back(entity);
                    REQUIRE(view.has(0) == world.has<Position>(entity));
                    REQUIRE(std::memcmp(view.column_data(1) + row * view.row_bytes(1), world.get(entity, key),
                                        view.row_bytes(1)) == 0);
                }
            });
            INFO(field_type_info(type).name << (is_descending ? ", descending" : ""));
            CHECK(shown == expected);
            CHECK(query.chunk_count() == chunks);
            CHECK(query.entity_count() == all.size());
        }
    }
}

TEST_CASE("writes of an ordered visit reach the entities, also when the visit ends early") {
    World world(tiny_chunks(3));
    declare_test_components(world);
    std::vector<Entity> all;
    for (int i = 0; i < 20; ++i) {
        const Entity entity = world.spawn(Position{static_cast<float>(i * 7 % 20), 0}, Velocity{});
        if (i % 3 == 0) world.add<Frozen>(entity);
        all.push_back(entity);
    }
    const auto query = world.query<Velocity, const Position>().order_by<Position>("x").build();
    const ChangeVersion before = world.change_version();
    world.advance_change_version();
    float place = 0;
    query.each([&](Velocity& velocity, const Position&) { velocity.x = place++; });
    for (const Entity entity : all) CHECK(world.get<Velocity>(entity)->x == world.get<Position>(entity)->x);
    CHECK(world.query<const Velocity>().changed<Velocity>().query().entity_count(before) == 20);
    CHECK(world.query<const Position>().changed<Position>().query().entity_count(before) == 0);

    struct Enough {};
    CHECK_THROWS_AS(query.each([&](Velocity& velocity, const Position& position) {
        if (position.x == 10) throw Enough{};
        velocity.y = 1;
    }),
                    Enough);
    for (const Entity entity : all) {
        CHECK(world.get<Velocity>(entity)->y == (world.get<Position>(entity)->x < 10 ? 1 : 0));
    }
    CHECK_FALSE(world.is_locked());
}

TEST_CASE("ordered visits of one query can be nested, and many rows use several scratch chunks") {
    World world;
    declare_test_components(world);
    std::mt19937 random(9);
    constexpr int kRows = 5000;
    for (int i = 0; i < kRows; ++i) world.spawn(Position{static_cast<float>(random() % 1000), 0});
    const auto query = world.query<const Position>().order_by<Position>("x").build();
    float last = -1;
    int rows = 0, inner = 0, chunks = 0;
    query.each_chunk([&](const ChunkView& view, std::span<const Position> positions) {
        CHECK(view.row_count() <= kMaxChunkRows);
        if (chunks++ == 1) query.each([&](const Position&) { ++inner; });
        for (const Position& position : positions) {
            REQUIRE(position.x >= last);
            last = position.x;
            ++rows;
        }
    });
    CHECK(rows == kRows);
    CHECK(inner == kRows);
    CHECK(chunks == 3);
}

TEST_CASE("ordered queries of a thread reuse scratch memory and release that of a peak") {
    World world;
    declare_test_components(world);
    for (int i = 0; i < 20'000; ++i) world.spawn(Position{static_cast<float>(i * 7919 % 20'000), 0});
    const auto visit = [&](bool is_descending) {
        QueryDesc desc;
        desc.terms = {{world.id<Position>(), Access::read}};
        desc.order_by = OrderBy{world.id<Position>(), "x", is_descending};
        int rows = 0;
        world.each_chunk(*world.query(desc).value(), [&](ChunkView& chunk) { rows += chunk.row_count(); });
        return rows;
    };
    CHECK(visit(false) == 20'000);
    const std::size_t kept = SortedRows::kept_bytes();
    CHECK(kept > 20'000 * 2 * sizeof(Entity));
    CHECK(visit(true) == 20'000);
    CHECK(SortedRows::kept_bytes() == kept);
    destroy_all(world, world.query<const Position>().query());
    world.spawn(Position{});
    CHECK(visit(false) == 1);
    CHECK(SortedRows::kept_bytes() < kept - 20'000 * 2 * sizeof(Entity));
}

TEST_CASE("changed_since in an ordered visit covers any row of the scratch chunk") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    const Entity first = world.spawn(Position{1, 0}, Velocity{});
    for (int i = 0; i < 5; ++i) world.spawn(Position{0, 0}, Velocity{});
    const auto query = world.query<const Position, const Velocity>().order_by<Position>("x").build();
    const ChangeVersion since = world.change_version();
    world.advance_change_version();
    CHECK(world.edit<Velocity>(first) != nullptr);
    int visits = 0;
    world.each_chunk(query.query(), [&](const ChunkView& view) {
        ++visits;
        CHECK_FALSE(view.changed_since(0, since));
        CHECK(view.changed_since(1, since));
    });
    CHECK(visits == 1);
}

}  // namespace
}  // namespace perigee
