// Straight loops over whole columns; the arena clamps only rows that have a Body, so shots fly out of it.
#include "game/swarm/motion.h"

#include "ecs/schedule/system.h"
#include "ecs/world/world.h"
#include "game/swarm/components.h"

#include <algorithm>
#include <span>

namespace perigee::swarm {
namespace {

void advance(std::span<Position> positions, std::span<const Velocity> velocities, float dt) {
    Position* __restrict position = positions.data();
    const Velocity* __restrict velocity = velocities.data();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
    }
}

void confine(std::span<Position> positions, const Arena& arena) {
    for (Position& position : positions) {
        position.x = std::clamp(position.x, arena.left, arena.right);
        position.y = std::clamp(position.y, arena.top, arena.bottom);
    }
}

}  // namespace

MotionSystem::MotionSystem(World& world)
    : moving_(world
                  .query({.terms = {{world.id<Position>(), Access::write},
                                    {world.id<Velocity>(), Access::read},
                                    {world.id<Body>(), Access::read, true}},
                          .any = {},
                          .without = {}})
                  .value()) {}

Result<void> MotionSystem::run(SystemContext& context) {
    World& world = context.world;
    if (!world.resource<const Clock>().running) return {};
    if (Result<void> usable = check_arena(world.resource<const Arena>()); !usable) return usable;
    const Arena& arena = world.resource<const Arena>();
    const auto dt = static_cast<float>(context.time.dt);
    world.each_chunk(*moving_, [&](const ChunkView& chunk) {
        const std::span<Position> positions = chunk.column<Position>(0);
        advance(positions, chunk.column<const Velocity>(1), dt);
        if (!chunk.column<const Body>(2).empty()) confine(positions, arena);
    });

    Hero& hero = world.resource<Hero>();
    if (const Position* position = world.get<Position>(hero.entity)) {
        hero.x = position->x;
        hero.y = position->y;
    }
    return {};
}

}  // namespace perigee::swarm
