// The native half of Perigee Swarm: three systems over components that its schema.lua declares.
//
// A game requests them with "native": ["swarm"]. Order in the group "simulation": flock, motion, strike; Lua
// systems name them in before and after. Not here: anything about weapons, waves, damage or score.
#pragma once

#include "ecs/base/result.h"

namespace perigee {
class Schedule;
class World;
}  // namespace perigee

namespace perigee::swarm {

/// Binds the components and adds the systems.
/// Errors: a component that is missing or laid out differently; a system name in use.
Result<void> add_systems(World& world, Schedule& schedule);

}  // namespace perigee::swarm
