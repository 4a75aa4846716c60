// The list of the demos' native systems.
#include "game/program/native_systems.h"

#include "game/swarm/swarm.h"

namespace perigee {

NativeSystems native_systems() {
    NativeSystems systems;
    systems.add("swarm", swarm::add_systems);
    return systems;
}

}  // namespace perigee
