// The small components that the benchmarks share, and a world that knows them.
#pragma once

#include "ecs/schema/schema.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <memory>
#include <string>

namespace perigee::bench {

struct Position {
    float x = 0, y = 0;
};
struct Velocity {
    float x = 0, y = 0;
};
struct Mass {
    float value = 1, inverse = 1;
};

inline std::unique_ptr<World> make_world() {
    auto world = std::make_unique<World>();
    world->declare<Position>("Position", field("x", &Position::x), field("y", &Position::y)).value();
    world->declare<Velocity>("Velocity", field("x", &Velocity::x), field("y", &Velocity::y)).value();
    world->declare<Mass>("Mass", field("value", &Mass::value), field("inverse", &Mass::inverse)).value();
    return world;
}

/// A component of `fields` f32 fields without a C++ type: declared at run time, as by a script.
inline ComponentId declare_floats(World& world, const std::string& name, std::size_t fields) {
    Schema schema;
    schema.name = name;
    schema.fields.resize(fields);
    for (std::size_t i = 0; i < fields; ++i) {
        schema.fields[i].name = "f" + std::to_string(i);
        schema.fields[i].type = FieldType::f32;
    }
    return world.declare(std::move(schema)).value();
}

}  // namespace perigee::bench
