// The parts of prefabs with children: made level by level in runs, then linked to their roots.
#include "ecs/contract.h"
#include "ecs/hierarchy.h"
#include "ecs/names.h"
#include "ecs/world.h"

#include <algorithm>
#include <cstring>

namespace perigee {

// Everything below `roots`, which were just made of the prefab. False when memory is exhausted; then no part
// is there, and the roots are the caller's to destroy.
bool World::spawn_parts(const Prefab& prefab, std::span<const Entity> roots) {
    const std::vector<PrefabPart>& parts = prefab.parts;
    std::vector<std::vector<Entity>> made(parts.size());
    made[0].assign(roots.begin(), roots.end());
    for (std::size_t part = 1; part < parts.size(); ++part) {
        const Prefab& image = prefabs_.get(parts[part].image);
        made[part].resize(roots.size());
        const std::size_t count =
            spawn_runs(*image.archetype, image_of(image), roots.size(), {}, made[part].data());
        if (count == roots.size()) continue;
        // Not linked to anything yet, so each dies alone.
        made[part].resize(count);
        for (std::size_t undo = part; undo > 0; --undo) {
            for (const Entity entity : made[undo]) {
                *edit<Parent>(entity) = Parent{};
                destroy(entity);
            }
        }
        return false;
    }
    for (std::size_t part = 1; part < parts.size(); ++part) {
        const std::vector<Entity>& parents = made[parts[part].parent];
        const bool has_name = !parts[part].name.empty();
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Entity child = made[part][i];
            Children& list = *edit<Children>(parents[i]);
            *edit<Parent>(child) = Parent{parents[i], Entity{}, list.last};
            if (list.last) edit<Parent>(list.last)->next_sibling = child;
            if (!list.first) list.first = child;
            list.last = child;
            ++list.count;
            if (has_name) internal::note_name(*this, child);
        }
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const PrefabPart::Link& link : parts[part].links) {
            for (std::size_t i = 0; i < roots.size(); ++i) {
                std::memcpy(edit(made[part][i], link.component) + link.offset, &made[link.part][i],
                            sizeof(Entity));
            }
        }
    }
    return true;
}

// How many of the roots stand with all their parts: all or none.
std::size_t World::complete(const Prefab& prefab, std::span<const Entity> roots) {
    if (prefab.parts.empty() || roots.empty() || spawn_parts(prefab, roots)) return roots.size();
    std::for_each(roots.rbegin(), roots.rend(), [this](Entity root) { destroy(root); });
    return 0;
}

}  // namespace perigee
