// One component of every kind, for tests that cover all of them.
//
//     World world(tiny_chunks());
//     declare_test_components(world);
//     declare_kind_components(world);
#pragma once

#include "ecs/schema/registry.h"
#include "tests/support/test_components.h"

#include <cstdint>

namespace perigee {

/// Shared, with pad bytes between its fields.
struct Team {
    std::uint8_t id = 0;
    float weight = 0;
    bool operator==(const Team&) const = default;
};
/// Shared.
struct Layer {
    std::int32_t number = 0;
    bool operator==(const Layer&) const = default;
};
/// Cleanup.
struct Voice {
    std::int32_t channel = -1;
    bool operator==(const Voice&) const = default;
};
/// Shared cleanup.
struct Squad {
    std::int32_t number = 0;
    bool operator==(const Squad&) const = default;
};
/// Enableable.
struct Shield {
    float power = 1;
    bool operator==(const Shield&) const = default;
};
/// Enableable, without fields.
struct Visible {};
/// Chunk component.
struct Bounds {
    float low = 0, high = 0;
    bool operator==(const Bounds&) const = default;
};
/// Element of a buffer with room for two in the chunk.
struct Waypoint {
    float x = 0, y = 0;
    bool operator==(const Waypoint&) const = default;
};
/// Represents an object component; the objects are std::int64_t.
struct Brain {};
/// Requires Position and Health.
struct Armed {
    std::int32_t rounds = 6;
    bool operator==(const Armed&) const = default;
};

inline void declare_kind_components(World& world) {
    world.declare<Team>("Team", ComponentKind::shared, field("id", &Team::id), field("weight", &Team::weight))
        .value();
    world.declare<Layer>("Layer", ComponentKind::shared, field("number", &Layer::number)).value();
    world.declare<Voice>("Voice", ComponentKind::cleanup, field("channel", &Voice::channel)).value();
    world.declare<Squad>("Squad", ComponentKind::shared_cleanup, field("number", &Squad::number)).value();
    world.declare<Shield>("Shield", ComponentKind::enableable, field("power", &Shield::power)).value();
    world.declare<Visible>("Visible", ComponentKind::enableable).value();
    world
        .declare<Bounds>("Bounds", ComponentKind::chunk, field("low", &Bounds::low),
                         field("high", &Bounds::high))
        .value();
    Schema path = schema_from_type(
        "Waypoint",
        {sizeof(Waypoint), alignof(Waypoint), {field("x", &Waypoint::x), field("y", &Waypoint::y)}});
    path.kind = ComponentKind::buffer;
    path.buffer_capacity = 2;
    world.declare(path).value();
    world.bind<Waypoint>("Waypoint", field("x", &Waypoint::x), field("y", &Waypoint::y)).value();
    world.declare<Brain>("Brain", ComponentKind::object).value();
    Schema armed;
    armed.name = "Armed";
    armed.required = {"Position", "Health"};
    armed.fields.resize(1);
    armed.fields[0].name = "rounds";
    armed.fields[0].type = FieldType::i32;
    armed.fields[0].default_value.data = 6.0;
    world.declare(armed).value();
    world.bind<Armed>("Armed", field("rounds", &Armed::rounds)).value();
}

}  // namespace perigee
