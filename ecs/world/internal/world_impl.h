// Inline functions of world.h that need the complete World.
#pragma once

#include "ecs/world/world.h"

namespace perigee {

// The address of a component's value; null when the entity is dead or has no such value. Inline, because
// random access is two cache misses and little else.
inline std::byte* World::cell(Entity entity, ComponentId component, std::uint32_t row_bytes,
                              Location& location) const noexcept {
    if (!index_.find(entity, location)) [[unlikely]]
        return special_cell(entity, component);
    const ColumnPlace place = graph_.column_place(units_.archetype[location.unit()], component);
    return place.has_column() ? cell_at(location, place, row_bytes) : special_cell(entity, component);
}

inline std::byte* World::cell_at(Location location, ColumnPlace place,
                                 std::uint32_t row_bytes) const noexcept {
    return pool_.address(location.unit()) + std::size_t{place.line} * kCacheLine +
           std::size_t{location.row()} * row_bytes;
}

// Removes a row whose entity moves or dies, and updates the record of the entity that moves into the hole.
inline void World::take_row(Location location, Archetype& archetype) noexcept {
    const Entity moved =
        archetype.remove(units_.chunk_index[location.unit()], location.row(), change_version_);
    if (!moved) return;
    if (archetype.is_destroyed()) [[unlikely]] {
        index_.hold(moved, location);
    } else {
        index_.place(moved, location);
    }
}

}  // namespace perigee
