// The buffers of one chunk: what ChunkView::buffers gives.
//
// Invariant: row i is the buffer of the chunk's i-th entity. Like the view, it is lent for the visit; the
// handles that it gives check themselves (buffer.h).
#pragma once

#include "ecs/buffer.h"
#include "ecs/chunk_view.h"

#include <cstddef>
#include <cstdint>

namespace perigee {

template <typename T> class BufferColumn {
public:
    BufferColumn(const ChunkView& view, std::size_t term) : view_(view), term_(term) {}

    std::uint32_t size() const noexcept { return view_.has(term_) ? view_.row_count() : 0; }
    BufferView<T> operator[](std::uint32_t row) const {
        ECS_EXPECTS(row < size(), row, size());
        const Archetype::BufferSource& source = view_.archetype().buffer_source;
        return BufferView<T>(view_.owning_cell(term_, row), *view_.owning_type(term_), *source.pool,
                             *source.structure_version);
    }

private:
    ChunkView view_;
    std::size_t term_;
};

template <typename T> BufferColumn<T> ChunkView::buffers(std::size_t term) const {
    const ComponentInfo* const info = owning_type(term);
    ECS_EXPECTS(!has(term) || (info != nullptr && info->kind() == ComponentKind::buffer), term);
    ECS_EXPECTS(!has(term) || info->schema.size == sizeof(T), info->schema.name, info->schema.size);
    return BufferColumn<T>(*this, term);
}

}  // namespace perigee
