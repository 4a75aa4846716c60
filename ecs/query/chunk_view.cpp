// Resolves terms, and forwards calls of an ordered visit's view to SortedRows.
#include "ecs/query/chunk_view.h"

#include "ecs/query/sorted_rows.h"
#include "ecs/storage/shared_store.h"

namespace perigee {

TermPlace place_of(const Archetype& archetype, ComponentId component) noexcept {
    TermPlace place;
    place.component = component;
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
    if (const int mask = archetype.mask_of(component); mask >= 0) {
        const auto index = static_cast<std::size_t>(mask);
        place.mask = archetype.layout().masks[index].offset;
        if (place.offset == kNoColumn) place.version_slot = archetype.mask_slot(index);
    }
    if (const int shared = archetype.shared_of(component); shared >= 0) {
        place.is_shared = true;
        place.side_index = static_cast<std::uint16_t>(shared);
    }
    if (const int value = archetype.chunk_value_of(component); value >= 0) {
        const auto index = static_cast<std::size_t>(value);
        place.is_chunk_value = true;
        place.side_index = static_cast<std::uint16_t>(value);
        place.size = archetype.chunk_values()[index].size;
        place.version_slot = archetype.chunk_value_slot(index);
    }
    return place;
}

void ChunkView::refuse(const TermPlace& place, std::uint32_t type, std::string_view type_name,
                       TypedUse use) const {
    const TypeBindings& types = *match_->types;
    if (!types.allows(type, use)) types.refuse(type, type_name, use);
    if (types.find(type) != place.component)
        types.refuse_component(type_name, types.find(type), place.component);
    types.refuse_writing(type_name, place.component);
}

std::uint32_t ChunkView::enabled_count() const noexcept {
    if (enabled_ == nullptr) return row_count();
    int count = 0;
    for (std::uint32_t word = 0; word * 64 < row_count(); ++word) count += std::popcount(enabled_[word]);
    return static_cast<std::uint32_t>(count);
}

bool ChunkView::sorted_changed_since(std::size_t term, ChangeVersion version) const noexcept {
    return sorted_->changed_since(term, version);
}

std::byte* ChunkView::sorted_cell(std::size_t term, std::uint32_t row) const noexcept {
    return sorted_->owning_cell(term, row);
}

const std::byte* ChunkView::shared_data(std::size_t term) const noexcept {
    const TermPlace& place = term_place(term);
    if (!place.is_shared) return nullptr;
    return match_->values->value(archetype().shared_components()[place.side_index],
                                 archetype().shared_value(slot_->partition, place.side_index));
}

}  // namespace perigee
