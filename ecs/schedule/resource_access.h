// Access of systems to resources whose type is known only at run time.
//
// Invariant: in debug builds each access is checked against the running system's declaration and recorded, as
// in World::resource<T>. Hosts outside systems may take the bytes from World::resources.
#pragma once

#include "ecs/schedule/system.h"
#include "ecs/schema/component.h"

#include <cstddef>

namespace perigee {

class World;

/// The resource's bytes; null if the id is not a resource.
/// Expects: called outside systems, or the running system declared it (checked in debug builds).
std::byte* resource_of(World& world, ComponentId component, Access access);

}  // namespace perigee
