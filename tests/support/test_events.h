// The events shared by tests of the data core.
#pragma once

#include "ecs/world/world.h"

#include <cstdint>

namespace perigee {

struct Damage {
    Entity target;
    float amount = 1;
    bool operator==(const Damage&) const = default;
};
struct GameOver {};

/// Damage (amount 1 by default) and GameOver, which has no fields.
inline void declare_test_events(World& world) {
    world.declare_event<Damage>("Damage", field("target", &Damage::target), field("amount", &Damage::amount))
        .value();
    world.declare_event<GameOver>("GameOver").value();
}

}  // namespace perigee
