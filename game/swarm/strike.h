// "strike": finds hits. Fills Health::pending, Strike::hits and Senses; Lua evaluates them.
//
// Invariant: a creature whose pending damage already kills it is not hit again in the same step, so shots are
// not wasted; strikes are processed in row order. Damage is only summed here: Lua handles deaths, effects,
// score and damage to the hero. Not here: enemy shots and pick-ups, which are few.
#pragma once

#include "ecs/base/result.h"
#include "game/swarm/components.h"
#include "game/swarm/grid.h"

#include <vector>

namespace perigee {
class Query;
class World;
struct SystemContext;
}  // namespace perigee

namespace perigee::swarm {

class StrikeSystem {
public:
    /// Expects: bind_components succeeded.
    explicit StrikeSystem(World& world);
    Result<void> run(SystemContext& context);

private:
    /// An enemy's cells; rows do not move while the system runs.
    struct Target {
        Health* health;
        Velocity* velocity;
        const Enemy* enemy;
        Entity entity;
    };

    void gather(World& world, Senses& senses);
    void touch_hero(const Hero& hero, Senses& senses) const;
    void hit_enemies(Position at, Strike& strike);
    void hit(const Target& target, const Disc& disc, Position at, Strike& strike) const;

    Query* enemies_;  ///< terms: Position, Body, Enemy, Velocity (write), Health (write)
    Query* strikes_;  ///< terms: Position, Strike (write)
    Grid grid_;
    std::vector<Target> targets_;  ///< by disc index
};

}  // namespace perigee::swarm
