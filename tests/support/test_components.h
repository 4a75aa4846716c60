// The small components shared by data-core tests, declared and bound in one line.
//
//     World world(tiny_chunks());
//     declare_test_components(world);
#pragma once

#include "ecs/schema/schema.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"

#include <cstdint>

namespace perigee {

struct Position {
    float x = 0, y = 0;
    bool operator==(const Position&) const = default;
};
struct Velocity {
    float x = 0, y = 0;
    bool operator==(const Velocity&) const = default;
};
struct Health {
    std::int32_t current = 100, max = 100;
    bool operator==(const Health&) const = default;
};
struct Wide {
    double a = 0, b = 0, c = 0;
    bool operator==(const Wide&) const = default;
};
struct Frozen {};
struct Poisoned {};

/// Chunks of at most `rows` rows, so that small tests cross chunk borders.
inline WorldConfig tiny_chunks(std::uint32_t rows = 2) {
    WorldConfig config;
    config.shape.unit_bytes = 1024;
    config.shape.max_rows = rows;
    config.reserved_chunk_bytes = std::size_t{64} << 20;
    config.max_entities = 1u << 20;
    return config;
}

/// Position, Velocity, Health (defaults 100 of 100), Wide, and the tags Frozen and Poisoned.
inline void declare_test_components(World& world) {
    world.declare<Position>("Position", field("x", &Position::x), field("y", &Position::y)).value();
    world.declare<Velocity>("Velocity", field("x", &Velocity::x), field("y", &Velocity::y)).value();
    Schema health;
    health.name = "Health";
    health.fields.resize(2);
    health.fields[0].name = "current";
    health.fields[1].name = "max";
    for (Field& part : health.fields) {
        part.type = FieldType::i32;
        part.default_value.data = 100.0;
    }
    world.declare(health).value();
    world.bind<Health>("Health", field("current", &Health::current), field("max", &Health::max)).value();
    world.declare<Wide>("Wide", field("a", &Wide::a), field("b", &Wide::b), field("c", &Wide::c)).value();
    world.declare<Frozen>("Frozen").value();
    world.declare<Poisoned>("Poisoned").value();
}

}  // namespace perigee
