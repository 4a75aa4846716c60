// Desired velocity per mode, then separation and alignment from the grid.
#include "game/swarm/flock.h"

#include "ecs/schedule/system.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace perigee::swarm {
namespace {

struct Direction {
    float x, y;
};

/// A triangle wave between -1 and 1, two seconds long at 60 steps a second.
float wave(std::uint32_t step, std::uint8_t phase) {
    const std::uint32_t place = (step + phase) % 120U;
    const auto rising = static_cast<float>(place < 60U ? place : 120U - place);
    return rising / 30.0F - 1.0F;
}

Direction keep_distance(Direction to_hero, float distance, const Flock& flock) {
    if (distance > flock.range * 1.15F) return to_hero;
    if (distance < flock.range * 0.8F) return {-to_hero.x, -to_hero.y};
    const float side = (flock.phase & 1U) != 0 ? 0.5F : -0.5F;
    return {-to_hero.y * side, to_hero.x * side};
}

Direction wanted(const Flock& flock, Position at, const Hero& hero, std::uint32_t step) {
    if (flock.mode == static_cast<std::uint8_t>(Mode::straight)) return {flock.heading_x, flock.heading_y};
    const float dx = hero.x - at.x;
    const float dy = hero.y - at.y;
    const float distance = std::sqrt(dx * dx + dy * dy);
    if (distance < 0.01F) return {0, 0};
    const Direction to_hero{dx / distance, dy / distance};
    switch (static_cast<Mode>(flock.mode)) {
        case Mode::keep_distance:
            return keep_distance(to_hero, distance, flock);
        case Mode::weave: {
            const float side = wave(step, flock.phase) * std::min(1.0F, distance / 80.0F);
            return {to_hero.x - to_hero.y * side, to_hero.y + to_hero.x * side};
        }
        default:
            return to_hero;
    }
}

/// The part of an overlap by which the lighter one gives way; mass is proportional to the area.
float yielding(float own_radius, float other_radius) {
    const float own = own_radius * own_radius;
    const float other = other_radius * other_radius;
    return 2.0F * other / (own + other);
}

}  // namespace

FlockSystem::FlockSystem(World& world)
    : creatures_(world
                     .query({.terms = {{world.id<Position>(), Access::read},
                                       {world.id<Body>(), Access::read},
                                       {world.id<Flock>(), Access::read},
                                       {world.id<Velocity>(), Access::write}},
                             .any = {},
                             .without = {}})
                     .value()) {}

void FlockSystem::fill_grid(World& world) {
    const Arena& arena = world.resource<const Arena>();
    grid_.begin(arena.left, arena.top, arena.right, arena.bottom, kCellSize);
    velocities_.clear();
    world.each_chunk(*creatures_, [&](const ChunkView& chunk) {
        const std::span<const Position> positions = chunk.column<const Position>(0);
        const std::span<const Body> bodies = chunk.column<const Body>(1);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            grid_.add(positions[i].x, positions[i].y, bodies[i].radius);
        }
        const std::span<const Velocity> velocities = chunk.column<const Velocity>(3);
        velocities_.insert(velocities_.end(), velocities.begin(), velocities.end());
    });
    grid_.finish();
}

FlockSystem::Surroundings FlockSystem::look_around(std::uint32_t self, Position at, float radius,
                                                   bool aligns) const {
    Surroundings around;
    const auto consider = [&](const Disc& other) {
        const float touch = radius + other.radius;
        const float dx = at.x - other.x;
        const float dy = at.y - other.y;
        const float squared = dx * dx + dy * dy;
        if (squared >= touch * touch || other.index == self) return;
        ++around.neighbours;
        if (aligns) {
            around.velocity_x += velocities_[other.index].x;
            around.velocity_y += velocities_[other.index].y;
        }
        const float distance = std::sqrt(squared);
        if (distance < 0.01F) {  // at the same point: the index decides the direction
            around.push_x += (self & 1U) != 0 ? 1.0F : -1.0F;
            around.push_y += (self & 2U) != 0 ? 1.0F : -1.0F;
            return;
        }
        const float push = (1.0F - distance / touch) * yielding(radius, other.radius) / distance;
        around.push_x += dx * push;
        around.push_y += dy * push;
    };
    grid_.visit_rows(at.x, at.y, radius + grid_.largest_radius(), [&](std::span<const Disc> discs) {
        if (discs.size() <= kMaxCandidatesPerRow) {
            for (const Disc& disc : discs) consider(disc);
            return;
        }
        // A crowd: a sample that starts at a different place for each, so that no side is preferred.
        std::size_t place = (std::size_t{self} * 7U) % discs.size();
        for (std::size_t i = 0; i < kMaxCandidatesPerRow; ++i) {
            consider(discs[place]);
            if (++place == discs.size()) place = 0;
        }
    });
    return around;
}

Result<void> FlockSystem::run(SystemContext& context) {
    World& world = context.world;
    const Clock& clock = world.resource<const Clock>();
    if (!clock.running) return {};
    if (Result<void> usable = check_arena(world.resource<const Arena>()); !usable) return usable;
    fill_grid(world);

    const Hero hero = world.resource<const Hero>();
    const auto dt = static_cast<float>(context.time.dt);
    std::uint32_t self = 0;
    world.each_chunk(*creatures_, [&](const ChunkView& chunk) {
        const std::span<const Position> positions = chunk.column<const Position>(0);
        const std::span<const Body> bodies = chunk.column<const Body>(1);
        const std::span<const Flock> flocks = chunk.column<const Flock>(2);
        const std::span<Velocity> velocities = chunk.column<Velocity>(3);
        for (std::size_t i = 0; i < positions.size(); ++i, ++self) {
            const Flock& flock = flocks[i];
            const Surroundings around =
                look_around(self, positions[i], bodies[i].radius, flock.alignment > 0.0F);
            Direction goal = wanted(flock, positions[i], hero, clock.step);
            goal.x *= flock.speed;
            goal.y *= flock.speed;
            if (around.neighbours > 0 && flock.alignment > 0.0F) {
                const float share = flock.alignment / static_cast<float>(around.neighbours);
                goal.x = goal.x * (1.0F - flock.alignment) + around.velocity_x * share;
                goal.y = goal.y * (1.0F - flock.alignment) + around.velocity_y * share;
            }
            goal.x += around.push_x * flock.separation;
            goal.y += around.push_y * flock.separation;
            const float share = std::min(1.0F, flock.turn * dt);
            velocities[i].x += (goal.x - velocities[i].x) * share;
            velocities[i].y += (goal.y - velocities[i].y) * share;
        }
    });
    return {};
}

}  // namespace perigee::swarm
