// The first row of a chunk has number 0. These functions are for new rows, so row 0 starts a new chunk.
#include "ecs/prefab/chunk_start.h"

#include "ecs/archetype/archetype.h"
#include "ecs/archetype/entity_index.h"
#include "ecs/schema/registry.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

namespace perigee {

bool start_chunk(World& world, Entity entity, const ComponentValue& value) {
    if (!world.has(entity, value.component)) return world.change(entity, {&value, 1}, {});
    Location location;
    if (!world.entities().find(entity, location)) return false;
    return value.value == nullptr || location.row() != 0 || world.set(entity, value.component, value.value);
}

bool start_chunk(World& world, Entity entity, PrefabId prefab) {
    const Prefab& source = world.prefabs().get(prefab);
    for (const std::uint32_t number : source.extras) {
        const PrefabComponent& part = source.components[number];
        if (world.registry().info(part.component).kind() != ComponentKind::chunk) continue;
        if (!world.has(entity, part.component)) continue;  // removed since
        const std::byte* const value = part.value.empty() ? nullptr : part.value.data();
        if (!start_chunk(world, entity, {part.component, value})) return false;
    }
    return true;
}

bool has_chunk_components(const World& world, PrefabId prefab) noexcept {
    return !world.prefabs().get(prefab).archetype->chunk_values().empty();
}

}  // namespace perigee
