// Puts the enemies into the grid, then queries it once per strike and once for the hero.
#include "game/swarm/strike.h"

#include "ecs/schedule/system.h"
#include "ecs/world/world.h"
#include "game/swarm/flock.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace perigee::swarm {
namespace {

/// Keeps the nearest ones, nearest first; equally near ones stay in their order.
void note_on_radar(Senses& senses, Entity entity, Position at, float distance) {
    std::size_t place = senses.count;
    if (place == kRadarSize) {
        if (distance >= senses.distance[kRadarSize - 1]) return;
        --place;
    } else {
        ++senses.count;
    }
    for (; place > 0 && senses.distance[place - 1] > distance; --place) {
        senses.entity[place] = senses.entity[place - 1];
        senses.x[place] = senses.x[place - 1];
        senses.y[place] = senses.y[place - 1];
        senses.distance[place] = senses.distance[place - 1];
    }
    senses.entity[place] = entity;
    senses.x[place] = at.x;
    senses.y[place] = at.y;
    senses.distance[place] = distance;
}

bool has_struck(const Strike& strike, Entity entity) {
    return std::find(strike.struck.begin(), strike.struck.end(), entity) != strike.struck.end();
}

void remember(Strike& strike, Entity entity) {
    strike.struck[strike.next_struck % kStrikeMemory] = entity;
    strike.next_struck = static_cast<std::uint8_t>((strike.next_struck + 1) % kStrikeMemory);
}

}  // namespace

StrikeSystem::StrikeSystem(World& world)
    : enemies_(world
                   .query({.terms = {{world.id<Position>(), Access::read},
                                     {world.id<Body>(), Access::read},
                                     {world.id<Enemy>(), Access::read},
                                     {world.id<Velocity>(), Access::write},
                                     {world.id<Health>(), Access::write}},
                           .any = {},
                           .without = {}})
                   .value()),
      strikes_(
          world
              .query({.terms = {{world.id<Position>(), Access::read}, {world.id<Strike>(), Access::write}},
                      .any = {},
                      .without = {}})
              .value()) {}

void StrikeSystem::gather(World& world, Senses& senses) {
    const Arena& arena = world.resource<const Arena>();
    const Hero& hero = world.resource<const Hero>();
    grid_.begin(arena.left, arena.top, arena.right, arena.bottom, kCellSize);
    targets_.clear();
    world.each_chunk(*enemies_, [&](const ChunkView& chunk) {
        const std::span<const Entity> entities = chunk.entities();
        const std::span<const Position> positions = chunk.column<const Position>(0);
        const std::span<const Body> bodies = chunk.column<const Body>(1);
        const std::span<const Enemy> enemies = chunk.column<const Enemy>(2);
        const std::span<Velocity> velocities = chunk.column<Velocity>(3);
        const std::span<Health> healths = chunk.column<Health>(4);
        for (std::size_t i = 0; i < entities.size(); ++i) {
            const Position at = positions[i];
            grid_.add(at.x, at.y, bodies[i].radius);
            targets_.push_back({&healths[i], &velocities[i], &enemies[i], entities[i]});
            const float dx = at.x - hero.x;
            const float dy = at.y - hero.y;
            const float squared = dx * dx + dy * dy;
            const float worst = senses.count == kRadarSize ? senses.distance[kRadarSize - 1] : 1e18F;
            if (squared < worst) note_on_radar(senses, entities[i], at, squared);
        }
    });
    grid_.finish();
    senses.enemies = static_cast<std::uint32_t>(targets_.size());
    for (std::size_t i = 0; i < senses.count; ++i) senses.distance[i] = std::sqrt(senses.distance[i]);
}

void StrikeSystem::touch_hero(const Hero& hero, Senses& senses) const {
    const float reach = hero.radius + grid_.largest_radius();
    grid_.visit_rows(hero.x, hero.y, reach, [&](std::span<const Disc> discs) {
        for (const Disc& disc : discs) {
            const float touch = hero.radius + disc.radius;
            const float dx = disc.x - hero.x;
            const float dy = disc.y - hero.y;
            const float bite = targets_[disc.index].enemy->bite;
            if (dx * dx + dy * dy >= touch * touch || bite <= 0.0F) continue;
            ++senses.touching;
            senses.bite_sum += bite;
            if (bite > senses.bite) {
                senses.bite = bite;
                senses.bite_x = disc.x;
                senses.bite_y = disc.y;
            }
        }
    });
}

void StrikeSystem::hit(const Target& target, const Disc& disc, Position at, Strike& strike) const {
    target.health->pending += strike.damage;
    ++strike.hits;
    const float dx = disc.x - at.x;
    const float dy = disc.y - at.y;
    const float distance = std::sqrt(dx * dx + dy * dy);
    if (distance < 0.01F) return;
    const float push = strike.push / (std::max(target.enemy->mass, 0.01F) * distance);
    target.velocity->x += dx * push;
    target.velocity->y += dy * push;
}

void StrikeSystem::hit_enemies(Position at, Strike& strike) {
    const bool is_field = strike.period > 0;
    grid_.visit_rows(at.x, at.y, strike.radius + grid_.largest_radius(), [&](std::span<const Disc> discs) {
        for (const Disc& disc : discs) {
            if (!is_field && strike.pierce < 0) return;
            const float touch = strike.radius + disc.radius;
            const float dx = disc.x - at.x;
            const float dy = disc.y - at.y;
            if (dx * dx + dy * dy >= touch * touch) continue;
            const Target& target = targets_[disc.index];
            if (target.health->pending >= target.health->current) continue;
            if (!is_field) {
                if (has_struck(strike, target.entity)) continue;
                remember(strike, target.entity);
                --strike.pierce;
            }
            hit(target, disc, at, strike);
        }
    });
}

Result<void> StrikeSystem::run(SystemContext& context) {
    World& world = context.world;
    const Clock& clock = world.resource<const Clock>();
    if (!clock.running) return {};
    if (Result<void> usable = check_arena(world.resource<const Arena>()); !usable) return usable;
    Senses& senses = world.resource<Senses>();
    senses = Senses{};
    gather(world, senses);
    touch_hero(world.resource<const Hero>(), senses);
    world.each_chunk(*strikes_, [&](const ChunkView& chunk) {
        const std::span<const Position> positions = chunk.column<const Position>(0);
        const std::span<Strike> strikes = chunk.column<Strike>(1);
        for (std::size_t i = 0; i < strikes.size(); ++i) {
            strikes[i].hits = 0;
            const bool rests = strikes[i].period > 1 && clock.step % strikes[i].period != 0;
            if (!rests) hit_enemies(positions[i], strikes[i]);
        }
    });
    return {};
}

}  // namespace perigee::swarm
