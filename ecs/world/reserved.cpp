// Ids from the system's pool or the world's index; rows from an archetype's image or a prefab's.
#include "ecs/world/reserved.h"

#include "ecs/world/internal/id_pool.h"
#include "ecs/world/internal/row_runs.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

namespace perigee {

Entity reserve_entity(World& world) {
    const RunScope* const scope = run_scope(world);
    EntityIndex& index = world.store().index();
    return scope != nullptr && scope->ids != nullptr ? scope->ids->take(index) : index.reserve();
}

bool is_reserved(const World& world, Entity entity) noexcept { return world.entities().is_reserved(entity); }

void release_reserved(World& world, Entity entity) noexcept {
    if (!is_reserved(world, entity)) return;
    const RunScope* const scope = run_scope(world);
    if (scope != nullptr && scope->ids != nullptr) {
        scope->ids->give_back(entity);
    } else {
        world.store().index().release(entity);
    }
}

bool place_reserved(World& world, Entity entity, Archetype& archetype) {
    return world.store().place_image(entity, archetype, internal::image_of(archetype));
}

bool place_reserved(World& world, Entity entity, PrefabId id) {
    internal::EntityStore& store = world.store();
    const Prefab& prefab = world.prefabs().get(id);
    return store.place_image(entity, *prefab.archetype, internal::image_of(prefab)) &&
           internal::complete_roots(store, prefab, {&entity, 1}) == 1;
}

bool place_clone(World& world, Entity reserved, Entity original) {
    if (internal::clone_to(world.store(), reserved, original)) return true;
    release_reserved(world, reserved);
    return false;
}

std::size_t place_reserved(World& world, std::span<const Entity> entities, Archetype& archetype) {
    return internal::place_runs(world.store(), entities, archetype, internal::image_of(archetype));
}

std::size_t place_reserved(World& world, std::span<const Entity> entities, PrefabId id) {
    internal::EntityStore& store = world.store();
    const Prefab& prefab = world.prefabs().get(id);
    const std::size_t born =
        internal::place_runs(store, entities, *prefab.archetype, internal::image_of(prefab));
    return internal::complete_roots(store, prefab, entities.first(born));
}

}  // namespace perigee
