// Cells that own memory outside the chunk: freed with their row, copied with a clone.
#include "ecs/world.h"

namespace perigee {

void World::release_cells(const Archetype& archetype, std::span<const OwningColumn> columns,
                          const ChunkSlot& slot, std::uint32_t first, std::uint32_t count) noexcept {
    for (const OwningColumn& owning : columns) {
        const Column& column = archetype.layout().columns[owning.column];
        for (std::uint32_t row = first; row < first + count; ++row) {
            release_cell(*owning.info, Archetype::cell(slot, column, row));
        }
    }
}

// After a row was copied byte by byte: its owning cells get memory of their own. False when there is none.
bool World::clone_cells(const Archetype& archetype, const ChunkSlot& slot, std::uint32_t row) noexcept {
    const std::span<const OwningColumn> columns = archetype.owning_columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::byte* cell = Archetype::cell(slot, archetype.layout().columns[columns[i].column], row);
        if (clone_cell(*columns[i].info, cell)) continue;
        release_cells(archetype, columns.first(i), slot, row, 1);
        return false;
    }
    return true;
}

void World::release_cell(const ComponentInfo&, std::byte*) noexcept {}

bool World::clone_cell(const ComponentInfo&, std::byte*) noexcept { return true; }

}  // namespace perigee
