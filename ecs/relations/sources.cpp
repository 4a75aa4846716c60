// One call of the index each.
#include "ecs/relations/sources.h"

#include "ecs/query/relation_index.h"
#include "ecs/world/internal/log_access.h"

namespace perigee {

std::vector<Entity> sources_of(World& world, ComponentId relation, Entity target) {
    std::vector<Entity> sources;
    world.store().relations().find(relation, target, sources);
#if PERIGEE_DEBUG_CHECKS
    const std::uint32_t bytes = world.registry().row_bytes(relation);
    for (const Entity source : sources)
        internal::log_access(world, relation, Access::read, world.store().cell(source, relation, bytes));
#endif
    return sources;
}

std::size_t source_count(World& world, ComponentId relation, Entity target) {
    return world.store().relations().count(relation, target);
}

}  // namespace perigee
