// The columns that the native systems of the swarm share with its Lua, as C++ sees them.
//
// Invariant: the schemas are declared in scripts/games/swarm/schema.lua, which says what each field means;
// these structs only repeat their layout, and bind_components compares the two. Fields that no native system
// touches have no struct here.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/bind.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace perigee {
class World;
}

namespace perigee::swarm {

struct Position {
    float x = 0, y = 0;
};

struct Velocity {
    float x = 0, y = 0;
};

struct Body {
    float radius = 0;
};

/// How a creature moves; the numbers are Flock::mode in Lua.
enum class Mode : std::uint8_t { chase, keep_distance, straight, weave };

struct Flock {
    float speed = 0;       ///< px/s, desired speed
    float turn = 0;        ///< fraction of the desired velocity adopted per second
    float separation = 0;  ///< px/s per fully overlapping neighbour
    float alignment = 0;   ///< 0 .. 1: how much it follows its neighbours' direction
    float range = 0;       ///< keep_distance: px from the hero
    float heading_x = 0;   ///< straight: direction, a unit vector
    float heading_y = 0;
    std::uint8_t mode = 0;
    std::uint8_t phase = 0;  ///< weave, keep_distance: sets members of a crowd apart
};

struct Health {
    float current = 0, max = 0;
    float pending = 0;  ///< damage of this step; Lua applies it
};

struct Enemy {
    float bite = 0;   ///< damage when it touches the hero
    float flash = 0;  ///< remaining seconds of the white silhouette
    float mass = 1;   ///< divides the knock-back
    std::uint16_t score = 0;
    std::uint8_t kind = 0;
};

inline constexpr std::size_t kStrikeMemory = 4;

/// Anything that hurts enemies: a bolt, a drone, a field, an explosion.
struct Strike {
    std::array<Entity, kStrikeMemory> struck{};  ///< the last enemies hit: a bolt hits each only once
    float damage = 0;
    float radius = 0;
    float push = 0;            ///< px/s of knock-back for a creature of mass 1, away from the centre
    std::uint16_t period = 0;  ///< 0: each enemy once, pierce + 1 in all; n: all in reach, every n steps
    std::uint16_t hits = 0;    ///< enemies hit in this step
    std::int16_t pierce = 0;   ///< enemies it may still pass; below 0 it is spent
    std::uint8_t next_struck = 0;
};

// ---- resources

/// Simulation time of the game; paused in menus.
struct Clock {
    double time = 0;
    std::uint32_t step = 0;
    bool running = false;
};

struct Hero {
    Entity entity;
    float x = 0, y = 0;
    float radius = 0;
};

/// The area of creatures; also the extent of the grid.
struct Arena {
    float left = 0, top = 0, right = 0, bottom = 0;
};

inline constexpr std::size_t kRadarSize = 8;

/// The hero's surroundings, computed by native code for Lua once per step.
struct Senses {
    std::array<Entity, kRadarSize> entity{};  ///< the nearest enemies, nearest first
    std::array<float, kRadarSize> x{};
    std::array<float, kRadarSize> y{};
    std::array<float, kRadarSize> distance{};
    float bite = 0;      ///< strongest bite of those that touch the hero
    float bite_sum = 0;  ///< of all of them
    float bite_x = 0, bite_y = 0;
    std::uint32_t enemies = 0;
    std::uint16_t touching = 0;
    std::uint16_t count = 0;  ///< valid entries of the arrays
};

/// Compares all of the above with the game's declarations.
/// Errors: a missing type or another layout, with both printed.
Result<void> bind_components(World& world);

/// Errors: an arena that is invalid for a grid; a script may have written it.
Result<void> check_arena(const Arena& arena);

}  // namespace perigee::swarm
