// One look-up, which is logged.
#include "ecs/schedule/resource_access.h"

#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/log_access.h"
#include "ecs/world/world.h"

namespace perigee {

std::byte* resource_of(World& world, ComponentId component, Access access) {
    std::byte* const value = world.resources().data(component);
    internal::log_access(world, component, access, value);
    return value;
}

}  // namespace perigee
