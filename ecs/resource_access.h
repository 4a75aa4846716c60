// Resources whose type is known at run time only, as a system reaches them.
//
// Invariant: in debug builds each access is held against what the running system declared, and noted, as
// World::resource<T> does it. Hosts outside of systems may take the bytes from World::resources.
#pragma once

#include "ecs/component.h"
#include "ecs/system.h"

#include <cstddef>

namespace perigee {

class World;

/// The resource's bytes; null for what is no resource.
/// Expects: outside of systems, or the running one declared it (checked in debug builds).
std::byte* resource_of(World& world, ComponentId component, Access access);

}  // namespace perigee
