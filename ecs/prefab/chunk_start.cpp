#include "ecs/world/new_entity.h"

#include "ecs/world/internal/entity_store.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

namespace perigee {

bool start_chunk(World& world, Entity entity, const ComponentValue& value) {
    internal::EntityStore& store = world.store();
    if (!world.has(entity, value.component)) return world.change(entity, {&value, 1}, {});
    Location location;
    if (!store.locate(entity, location)) return false;
    store.write_given(store.slot_at(location), location.row(), store.archetype_at(location), {&value, 1});
    return true;
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
