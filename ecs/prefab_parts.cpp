// The parts of prefabs with children: made level by level in runs, then linked to their roots.
#include "ecs/contract.h"
#include "ecs/hierarchy.h"
#include "ecs/names.h"
#include "ecs/world.h"

#include <cstring>
#include <new>
#include <vector>

namespace perigee {

// Everything below `roots`, which were just made of the prefab. False when memory is exhausted; then no part
// is there, and the roots are the caller's to take back.
bool World::spawn_parts(const Prefab& prefab, std::span<const Entity> roots) {
    const std::vector<PrefabPart>& parts = prefab.parts;
    std::vector<std::vector<Entity>> made;
    internal::NewNames names;
    try {
        made.resize(parts.size());
        made[0].assign(roots.begin(), roots.end());
        for (std::size_t part = 1; part < parts.size(); ++part) {
            const Prefab& image = prefabs_.get(parts[part].image);
            made[part].resize(roots.size());
            const std::size_t count =
                spawn_runs(*image.archetype, image_of(image), roots.size(), {}, made[part].data());
            made[part].resize(count);
            if (count != roots.size()) throw std::bad_alloc();
            if (parts[part].name.empty()) continue;
            for (const Entity child : made[part]) names.prepare(get<Name>(child)->text, child);
        }
    } catch (const std::bad_alloc&) {
        for (std::size_t part = made.size(); part-- > 1;) undo_spawns(made[part]);
        return false;
    }
    for (std::size_t part = 1; part < parts.size(); ++part) {
        const std::vector<Entity>& parents = made[parts[part].parent];
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Entity child = made[part][i];
            Children& list = *edit<Children>(parents[i]);
            *edit<Parent>(child) = Parent{parents[i], Entity{}, list.last};
            if (list.last) edit<Parent>(list.last)->next_sibling = child;
            if (!list.first) list.first = child;
            list.last = child;
            ++list.count;
        }
    }
    names.note(*this);
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
    undo_spawns(roots);
    return 0;
}

}  // namespace perigee
