// Creates the parts of prefabs with children, level by level in runs, then links them to their roots.
#include "ecs/prefab/internal/prefab_parts.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/internal/row_runs.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <cstring>
#include <new>
#include <vector>

namespace perigee {

namespace {

// Sets an entity field of a new entity.
void write_link(World& world, Entity entity, const PrefabPart::Link& link, Entity target) {
    const ComponentInfo& info = world.registry().info(link.component);
    std::byte* value = world.edit(entity, link.component);
    if (info.kind() == ComponentKind::buffer) value = reinterpret_cast<BufferHeader*>(value)->elements();
    std::memcpy(value + link.offset, &target, sizeof target);
}

}  // namespace

bool internal::spawn_parts(World& world, const Prefab& prefab, std::span<const Entity> roots) {
    const std::vector<PrefabPart>& parts = prefab.parts;
    std::vector<std::vector<Entity>> made;
    internal::NewNames names;
    try {
        made.resize(parts.size());
        made[0].assign(roots.begin(), roots.end());
        for (std::size_t part = 1; part < parts.size(); ++part) {
            const Prefab& image = world.prefabs().get(parts[part].image);
            made[part].resize(roots.size());
            const std::size_t count = spawn_runs(world.store(), *image.archetype, image_of(image),
                                                 roots.size(), {}, made[part].data());
            made[part].resize(count);
            if (count != roots.size()) throw std::bad_alloc();
            if (parts[part].name.empty()) continue;
            for (const Entity child : made[part]) names.prepare(world.get<Name>(child)->text, child);
        }
    } catch (const std::bad_alloc&) {
        for (std::size_t part = made.size(); part-- > 1;) undo_spawns(world.store(), made[part]);
        return false;
    }
    for (std::size_t part = 1; part < parts.size(); ++part) {
        const std::vector<Entity>& parents = made[parts[part].parent];
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Entity child = made[part][i];
            Children& list = *world.edit<Children>(parents[i]);
            *world.edit<Parent>(child) = Parent{parents[i], Entity{}, list.last};
            if (list.last) world.edit<Parent>(list.last)->next_sibling = child;
            if (!list.first) list.first = child;
            list.last = child;
            ++list.count;
        }
    }
    names.add_to_index(world);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const PrefabPart::Link& link : parts[part].links) {
            for (std::size_t i = 0; i < roots.size(); ++i) {
                write_link(world, made[part][i], link, made[link.part][i]);
            }
        }
    }
    return true;
}

}  // namespace perigee
