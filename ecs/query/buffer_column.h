// The buffers of one chunk, returned by ChunkView::buffers.
//
// Invariant: row i is the buffer of the chunk's i-th entity. Like the view, it is valid for the visit; its
// handles check themselves (buffer.h). Read-only rows are spans.
#pragma once

#include "ecs/query/chunk_view.h"
#include "ecs/storage/buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace perigee {

template <typename T> class BufferColumn {
public:
    /// The type of a row: BufferView<T>, or std::span<const U> when T is const U.
    using Row = std::conditional_t<std::is_const_v<T>, std::span<T>, BufferView<std::remove_const_t<T>>>;

    BufferColumn(const ChunkView& view, std::size_t term) : view_(view), term_(term) {
        if (view.has(term)) type_ = type_of(view, term);
    }

    std::uint32_t size() const noexcept { return view_.has(term_) ? view_.row_count() : 0; }
    Row operator[](std::uint32_t row) const {
        ECS_EXPECTS(row < size(), row, size());
        return made(view_, term_, row, type_);
    }

    /// Expects: the term is present.
    static Row row_of(const ChunkView& view, std::size_t term, std::uint32_t row) {
        return made(view, term, row, type_of(view, term));
    }

private:
    // Spans need none.
    static BufferType type_of(const ChunkView& view, std::size_t term) {
        return std::is_const_v<T> ? BufferType{} : buffer_type(*view.owning_type(term));
    }
    static Row made(const ChunkView& view, std::size_t term, std::uint32_t row, BufferType type) {
        std::byte* const cell = view.owning_cell(term, row);
        if constexpr (std::is_const_v<T>) {
            const auto* header = reinterpret_cast<const BufferHeader*>(cell);
            return {reinterpret_cast<T*>(header->elements()), header->length};
        } else {
            const Archetype::BufferSource& source = view.archetype().buffer_source;
            return Row(cell, type, *source.pool, *source.structure_version);
        }
    }

    ChunkView view_;
    std::size_t term_;
    BufferType type_;
};

template <typename T> BufferColumn<T> ChunkView::buffers(std::size_t term) const {
    static_cast<void>(typed_term<T>(term, TypedUse::buffer));
    return BufferColumn<T>(*this, term);
}

}  // namespace perigee
