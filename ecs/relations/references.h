// References in rows: entity fields, and handles of texts and blobs when a row leaves its world.
//
// Invariant: only leaves that are references are touched. Nothing here spawns, destroys or moves an entity,
// but a shared value that changes moves its rows.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/schema.h"

#include <cstddef>
#include <cstring>
#include <span>

namespace perigee {

class World;

/// Replaces each entity reference of a value by map(entity); null references stay. For clones, prefabs and
/// moves between worlds. Returns the number changed.
/// Expects: `row` is a value (one element, for buffers) of the schema that `leaves` are of.
template <typename Map>
std::size_t remap_references(std::byte* row, std::span<const Leaf> leaves, Map&& map) {
    std::size_t changed = 0;
    for (const Leaf& leaf : leaves) {
        if (leaf.type != FieldType::entity) continue;
        Entity entity;
        std::memcpy(&entity, row + leaf.offset, sizeof entity);
        if (!entity) continue;
        const Entity mapped = map(entity);
        if (mapped == entity) continue;
        std::memcpy(row + leaf.offset, &mapped, sizeof mapped);
        ++changed;
    }
    return changed;
}

/// Sets references to entities that are not alive to null: in rows, buffers, chunk and shared values,
/// resources and prefabs. Columns without a change are not marked as changed. Returns the number of
/// references cleared. Expects: no query is being visited.
std::size_t clear_dangling_references(World& world);

/// Converts the text and blob handles of a value from another world to handles of `to`, by content. Expects:
/// both worlds declared the schema of `leaves`; `row` is a value (one element, for buffers) of it. Errors:
/// `to` has no room for the texts or blobs, or lacks the type of a blob; the row is then only partly changed.
Result<void> carry_handles(const World& from, World& to, std::span<const Leaf> leaves, std::byte* row);

}  // namespace perigee
