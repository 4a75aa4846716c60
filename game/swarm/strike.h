// "strike": what hits whom. Fills Health::pending, Strike::hits and Senses; Lua decides what they mean.
//
// Invariant: a creature whose pending damage already kills it is not hit again in the same step, so shots are
// not wasted on the dead; strikes come in row order. Damage only adds up here: dying, effects, score and the
// hero's wounds are Lua's. Not here either: enemy shots and pick-ups, which are few.
#pragma once

#include "ecs/result.h"
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
    /// An enemy's cells; rows stay where they are while the system runs.
    struct Target {
        Health* health;
        Velocity* velocity;
        const Enemy* enemy;
        Entity entity;
    };

    void gather(World& world, Senses& senses);
    void touch_hero(const Hero& hero, Senses& senses) const;
    void deal(Position at, Strike& strike);
    void hit(const Target& target, const Disc& disc, Position at, Strike& strike) const;

    Query* enemies_;  ///< terms: Position, Body, Enemy, Velocity (write), Health (write)
    Query* strikes_;  ///< terms: Position, Strike (write)
    Grid grid_;
    std::vector<Target> targets_;  ///< by disc index
};

}  // namespace perigee::swarm
