// Handles one cell after another, by the kind of its component.
#include "ecs/archetype/internal/row_cells.h"

#include "ecs/storage/internal/owned_cells.h"

#include <cstddef>

namespace perigee::internal {

void RowCells::release(const Archetype& archetype, std::span<const OwningColumn> columns,
                       const ChunkSlot& slot, std::uint32_t first, std::uint32_t count) noexcept {
    for (const OwningColumn& owning : columns) {
        const Column& column = archetype.layout().columns[owning.column];
        for (std::uint32_t row = first; row < first + count; ++row) {
            release_cell(*owning.info, Archetype::cell(slot, column, row), buffers_, objects_);
        }
    }
}

bool RowCells::clone(const Archetype& archetype, const ChunkSlot& slot, std::uint32_t row) noexcept {
    const std::span<const OwningColumn> columns = archetype.owning_columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::byte* const cell = Archetype::cell(slot, archetype.layout().columns[columns[i].column], row);
        if (clone_cell(*columns[i].info, cell, cell, buffers_, objects_)) continue;
        release(archetype, columns.first(i), slot, row, 1);
        return false;
    }
    return true;
}

}  // namespace perigee::internal
