// Resolving terms, and what a view of gathered rows must ask their collector.
#include "ecs/chunk_view.h"

#include "ecs/sorted_rows.h"

namespace perigee {

TermPlace place_of(const Archetype& archetype, ComponentId component) noexcept {
    TermPlace place;
    place.is_present = archetype.has(component);
    if (const int column = archetype.column_of(component); column >= 0) {
        const Column& found = archetype.layout().columns[static_cast<std::size_t>(column)];
        place.offset = found.offset;
        place.size = found.size;
        place.version_slot = static_cast<std::uint32_t>(column);
        for (const OwningColumn& owning : archetype.owning_columns()) {
            if (owning.column == place.version_slot) place.owning = owning.info;
        }
    }
    return place;
}

bool ChunkView::sorted_changed_since(std::size_t term, std::uint32_t version) const noexcept {
    return sorted_->changed_since(term, version);
}

std::byte* ChunkView::owning_cell(std::size_t term, std::uint32_t row) const noexcept {
    if (sorted_ != nullptr) return sorted_->owning_cell(term, row);
    return column_data(term) + std::size_t{row} * row_bytes(term);
}

}  // namespace perigee
