// The window on one chunk that a visit of a query lends, and how its terms were resolved.
//
// Invariant: a term's place is found once per archetype, so that a view is made of a few words and gives a
// column by one load. A view of an ordered query shows a scratch chunk of rows from anywhere, and looks the
// same. Which chunks are visited is query.h.
#pragma once

#include "ecs/archetype.h"
#include "ecs/component.h"
#include "ecs/contract.h"
#include "ecs/entity.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee {

struct ComponentInfo;
class SortedRows;
template <typename T> class BufferColumn;

inline constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

/// Where a component lies in the chunks of one archetype.
struct TermPlace {
    std::uint32_t offset = kNoColumn;  ///< bytes from the start of the chunk; kNoColumn without a column
    std::uint32_t size = 0;            ///< bytes of one row of the column
    std::uint32_t version_slot = kNoColumn;  ///< for Archetype::version; kNoColumn: only rows come and go
    bool is_present = false;                 ///< tags too
    const ComponentInfo* owning = nullptr;   ///< the type, when its cells refer to memory outside the chunk

    /// When the component of one chunk was last written, or rows came or went. Expects: is_present.
    std::uint32_t version(const Archetype& archetype, std::uint32_t chunk) const noexcept {
        return version_slot == kNoColumn ? archetype.chunks()[chunk].rows_version
                                         : archetype.version(chunk, version_slot);
    }
};

TermPlace place_of(const Archetype& archetype, ComponentId component) noexcept;

/// One archetype that matches, with the place of each term.
struct QueryMatch {
    Archetype* archetype = nullptr;
    const TermPlace* terms = nullptr;
    const TermPlace* changed = nullptr;  ///< of QueryDesc::changed
};

/// A borrowed window on the rows of one chunk.
///
/// Shape:     every column has row_count() elements; row i of each column is the same entity. Rows count from
///            0.
/// Lifetime:  until the next structural change or the end of the visit, whichever comes first.
/// Not for:   adding or removing components; record those in a CommandBuffer.
class ChunkView {
public:
    ChunkView(const QueryMatch& match, const ChunkSlot& slot, std::uint32_t chunk, std::uint32_t index = 0,
              std::uint64_t first_row = 0) noexcept
        : match_(&match), slot_(&slot), first_row_(first_row), chunk_(chunk), index_(index) {}

    /// Number of live rows, 1 .. chunk capacity (empty chunks do not exist).
    std::uint32_t row_count() const noexcept { return slot_->row_count; }
    std::span<const Entity> entities() const noexcept {
        return {Archetype::entities(*slot_), slot_->row_count};
    }

    /// Column of the query's `term`-th component. An optional term that this chunk lacks gives an empty span.
    /// Expects: term < term count, sizeof(T) equals the component's size (checked).
    template <typename T> std::span<T> column(std::size_t term) const noexcept {
        const TermPlace& place = match_->terms[term];
        if (place.offset == kNoColumn) return {};
        ECS_EXPECTS(place.size == sizeof(T));
        return {reinterpret_cast<T*>(slot_->data + place.offset), slot_->row_count};
    }

    /// Start of a term's column; null when absent or a tag.
    std::byte* column_data(std::size_t term) const noexcept {
        const std::uint32_t offset = match_->terms[term].offset;
        return offset == kNoColumn ? nullptr : slot_->data + offset;
    }
    /// Bytes from one row of the column to the next; 0 without a column.
    std::uint32_t row_bytes(std::size_t term) const noexcept { return match_->terms[term].size; }

    /// The buffers of a term, one per row: view.buffers<Point>(0)[row].push({1, 2}). An optional term that
    /// this chunk lacks gives none. Expects: the term is a buffer with elements of the size of T (checked).
    template <typename T> BufferColumn<T> buffers(std::size_t term) const;
    /// The cell of a buffer or object: in an ordered visit too the row's own and not a copy.
    std::byte* owning_cell(std::size_t term, std::uint32_t row) const noexcept;
    /// Its type; null for terms of other kinds.
    const ComponentInfo* owning_type(std::size_t term) const noexcept { return match_->terms[term].owning; }

    /// Is the term's component there? Only of optional terms that is a question.
    bool has(std::size_t term) const noexcept { return match_->terms[term].is_present; }

    /// Did anything write the term's column, or did rows come or go, after `version` (World::change_version
    /// at the reader's last run)?
    bool changed_since(std::size_t term, std::uint32_t version) const noexcept {
        const TermPlace& place = match_->terms[term];
        if (!place.is_present) return false;
        if (sorted_ != nullptr) [[unlikely]]
            return sorted_changed_since(term, version);
        return place.version(archetype(), chunk_) > version;
    }

    /// How many chunks this visit has shown before: the chunk's place in an array of Query::chunk_count
    /// results.
    std::uint32_t index_in_query() const noexcept { return index_; }
    /// How many rows this visit has shown before: where this chunk's rows start in an array of
    /// Query::entity_count results.
    std::uint64_t first_row_in_query() const noexcept { return first_row_; }

    /// Of the chunk's rows; in an ordered visit of the first row, and chunk_index counts nothing there.
    const Archetype& archetype() const noexcept { return *match_->archetype; }
    std::uint32_t chunk_index() const noexcept { return chunk_; }

private:
    friend class SortedRows;
    bool sorted_changed_since(std::size_t term, std::uint32_t version) const noexcept;

    const QueryMatch* match_;
    const ChunkSlot* slot_;
    std::uint64_t first_row_;
    std::uint32_t chunk_;
    std::uint32_t index_;
    const SortedRows* sorted_ = nullptr;  ///< the rows are copies that it made
};

}  // namespace perigee
