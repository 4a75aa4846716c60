// "motion": every position follows its velocity, and creatures stay in the arena.
//
// Invariant: it runs between "flock", which decides velocities, and "strike", which uses the resulting
// positions. Only it and Lua change positions. While the game is paused (Clock::running false) it does
// nothing.
#pragma once

#include "ecs/base/result.h"

namespace perigee {
class Query;
class World;
struct SystemContext;
}  // namespace perigee

namespace perigee::swarm {

class MotionSystem {
public:
    /// Expects: bind_components succeeded.
    explicit MotionSystem(World& world);
    Result<void> run(SystemContext& context);

private:
    Query* moving_;  ///< terms: Position (write), Velocity, optional Body
};

}  // namespace perigee::swarm
