// Iterates over every value of a component in the world, for code that must inspect all of them: the text
// sweep, the reference check.
//
// Invariant: rows in archetype, chunk and row order; each element of a buffer; a chunk component's value once
// per chunk. Not here: shared values, which each_shared_value visits once each.
#pragma once

#include "ecs/base/internal/row_bits.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/world.h"

namespace perigee::internal {

/// The bytes of a component in a row's cell: fn(value), or for buffers fn(element) for each.
template <typename Function>
void each_value_in_cell(const ComponentInfo& info, const std::byte* cell, Function&& fn) {
    if (info.kind() != ComponentKind::buffer) return fn(cell);
    const auto& header = *reinterpret_cast<const BufferHeader*>(cell);
    for (std::uint32_t i = 0; i < header.length; ++i)
        fn(header.elements() + std::size_t{i} * info.schema.size);
}

/// The storage of a component in one chunk, as far as it has any that belongs to the simulation.
struct StoredColumn {
    const Column* cells = nullptr;
    const std::byte* shared = nullptr;       ///< the value of all rows
    const std::uint64_t* enabled = nullptr;  ///< a bit per row

    bool is_disabled(std::uint32_t row) const noexcept {
        return enabled != nullptr && !row_bit(enabled, row);
    }
};

/// Expects: the archetype has the component. Lifetime: until the next structural change.
inline StoredColumn stored_column(const World& world, ComponentId component, const Archetype& archetype,
                                  const ChunkSlot& slot) {
    StoredColumn stored;
    if (const int place = archetype.shared_of(component); place >= 0) {
        const SharedIndex index = archetype.shared_value(slot.partition, static_cast<std::size_t>(place));
        stored.shared = world.shared().value(component, index);
    }
    const bool is_hidden = world.registry().info(component).schema.presentation;
    if (const int column = archetype.column_of(component); column >= 0 && !is_hidden) {
        stored.cells = &archetype.layout().columns[static_cast<std::size_t>(column)];
    }
    if (const int mask = archetype.mask_of(component); mask >= 0) {
        stored.enabled =
            Archetype::mask_words(slot, archetype.layout().masks[static_cast<std::size_t>(mask)]);
    }
    return stored;
}

/// Calls fn(Entity, const std::byte* cell) for each row's cell, and for each chunk component with the first
/// entity of its chunk; World::edit(entity, component) gives the same bytes. Expects: no structural change
/// meanwhile.
template <typename Function> void each_cell(const World& world, const ComponentInfo& info, Function&& fn) {
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        if (!archetype.has(info.id)) continue;
        const int column = archetype.column_of(info.id);
        const int chunk_value = archetype.chunk_value_of(info.id);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            const Entity* entities = Archetype::entities(slot);
            if (chunk_value >= 0)
                fn(entities[0], archetype.chunk_value(chunk, static_cast<std::size_t>(chunk_value)));
            if (column < 0) continue;
            const Column& cells = archetype.layout().columns[static_cast<std::size_t>(column)];
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                fn(entities[row], Archetype::cell(slot, cells, row));
            }
        }
    }
}

/// Calls fn(SharedIndex, const std::byte* value) for each value of a shared component.
template <typename Function>
void each_shared_value(const World& world, const ComponentInfo& info, Function&& fn) {
    if (!is_shared_kind(info.kind())) return;
    for (const SharedIndex index : world.shared().indices(info.id)) {
        fn(index, world.shared().value(info.id, index));
    }
}

}  // namespace perigee::internal
