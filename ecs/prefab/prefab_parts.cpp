// Sets up the rows of a prefab beyond its image: long buffers, disabled bits, chunk values; and creates the
// parts of prefabs with children, level by level in runs, then links them to their roots.
#include "ecs/base/contract.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace perigee {

// Gives the rows of a run their prefab's extras. Returns how many succeeded: fewer only when memory is
// exhausted; the others are removed then.
std::uint32_t World::complete_run(const RowImage& image, Archetype& archetype, const Archetype::Run& run) {
    const ChunkSlot slot = archetype.chunks()[run.chunk];
    for (std::uint32_t i = 0; i < run.count; ++i) {
        if (write_extras(*image.extras, archetype, slot, run.row + i)) continue;
        for (std::uint32_t gone = run.count; gone > i; --gone) {  // from the end, so that none moves
            const Entity entity = Archetype::entities(slot)[run.row + gone - 1];
            undo_spawns({&entity, 1});
        }
        return i;
    }
    return run.count;
}

bool World::write_extras(const Prefab& prefab, Archetype& archetype, const ChunkSlot& slot,
                         std::uint32_t row) {
    for (const std::uint32_t number : prefab.extras) {
        const PrefabComponent& part = prefab.components[number];
        if (const int mask = archetype.mask_of(part.component); mask >= 0 && !part.is_enabled) {
            const MaskColumn& place = archetype.layout().masks[static_cast<std::size_t>(mask)];
            internal::set_row_bit(Archetype::mask_words(slot, place), row, false);
        }
        if (part.value.empty()) continue;
        const ComponentInfo& info = registry_.info(part.component);
        if (info.kind() == ComponentKind::buffer) {
            const int column = archetype.column_of(part.component);
            std::byte* cell =
                Archetype::cell(slot, archetype.layout().columns[static_cast<std::size_t>(column)], row);
            const auto length = static_cast<std::uint32_t>(part.value.size() / info.schema.size);
            DynamicBuffer buffer(cell, info, *buffers_, structure_version_);
            if (!buffer.assign(part.value.data(), length)) return false;
        } else if (info.kind() == ComponentKind::chunk) {
            const ComponentValue value{part.component, part.value.data()};
            write_given(slot, row, archetype, {&value, 1});
        }
    }
    return true;
}

// Lets an entity field of a new entity name another one.
void World::write_link(Entity entity, const PrefabPart::Link& link, Entity target) {
    const ComponentInfo& info = registry_.info(link.component);
    std::byte* value = edit(entity, link.component);
    if (info.kind() == ComponentKind::buffer) value = reinterpret_cast<BufferHeader*>(value)->elements();
    std::memcpy(value + link.offset, &target, sizeof target);
}

// Creates all descendants of `roots`, which were just created from the prefab. False when memory is
// exhausted; then no part exists, and the caller must remove the roots.
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
                write_link(made[part][i], link, made[link.part][i]);
            }
        }
    }
    return true;
}

// The number of roots created with all their parts: all or none.
std::size_t World::complete(const Prefab& prefab, std::span<const Entity> roots) {
    if (prefab.parts.empty() || roots.empty() || spawn_parts(prefab, roots)) return roots.size();
    undo_spawns(roots);
    return 0;
}

}  // namespace perigee
