// The view of one chunk during a query visit, and its resolved terms.
//
// Invariant: a term's place is resolved once per archetype, so a view consists of a few words and returns a
// column with one load. Typed access is checked when a column is asked for, not per row: the type is the one
// bound to the term's component, and const where the query reads. A view of an ordered query shows a scratch
// chunk with rows of any chunks and has the same interface. query.h decides which chunks are visited.
#pragma once

#include "ecs/archetype/archetype.h"
#include "ecs/base/change_version.h"
#include "ecs/base/contract.h"
#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "ecs/schema/type_bindings.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace perigee {

struct ComponentInfo;
class SortedRows;
template <typename T> class BufferColumn;
struct RowFilter;

inline constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

/// The place of a component in the chunks of one archetype.
struct TermPlace {
    std::uint32_t offset = kNoColumn;  ///< bytes from the start of the chunk; kNoColumn without a column
    std::uint32_t size = 0;            ///< bytes of one row of the column, or of the chunk's value
    std::uint32_t version_slot = kNoColumn;  ///< for Archetype::version; kNoColumn: only adding and removing
                                             ///< rows counts
    std::uint32_t mask = kNoColumn;          ///< its enabled bits: bytes from the start of the chunk
    std::uint16_t side_index = 0;            ///< index into Archetype::shared_components or chunk_values
    bool is_present = false;                 ///< true for tags too
    const ComponentInfo* owning = nullptr;   ///< the type, when its cells refer to memory outside the chunk
    bool is_shared = false;
    bool is_chunk_value = false;
    bool is_read_only = false;  ///< the query reads it
    ComponentId component;

    /// When the component of one chunk was last written, or rows were added or removed. Expects: is_present.
    ChangeVersion version(const Archetype& archetype, std::uint32_t chunk) const noexcept {
        return version_slot == kNoColumn ? archetype.chunks()[chunk].rows_version
                                         : archetype.version(chunk, version_slot);
    }
};

TermPlace place_of(const Archetype& archetype, ComponentId component) noexcept;

/// One archetype that matches, with the place of each term.
struct QueryMatch {
    Archetype* archetype = nullptr;
    const TermPlace* terms = nullptr;
    const TermPlace* changed = nullptr;   ///< of QueryDesc::changed
    const TermPlace* shared = nullptr;    ///< of QueryDesc::shared
    const RowFilter* rows = nullptr;      ///< enabled bits that a row must have; null: none
    const SharedStore* values = nullptr;  ///< of shared components
    const TypeBindings* types = nullptr;  ///< the C++ types of the terms
    std::uint32_t term_count = 0;
};

/// A borrowed view of the rows of one chunk.
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
    /// Expects: term < term count; T is bound to the component, and const unless the query writes it
    /// (checked).
    template <typename T> std::span<T> column(std::size_t term) const {
        const TermPlace& place = typed_term<T>(term, TypedUse::column);
        if (place.offset == kNoColumn) return {};
        return {reinterpret_cast<T*>(slot_->data + place.offset), slot_->row_count};
    }

    /// Start of a term's column; null when absent or of a kind without one.
    std::byte* column_data(std::size_t term) const noexcept {
        const std::uint32_t offset = term_place(term).offset;
        return offset == kNoColumn ? nullptr : slot_->data + offset;
    }
    /// Bytes from one row of the column to the next.
    std::uint32_t row_bytes(std::size_t term) const noexcept { return term_place(term).size; }

    /// The buffers of a term, one per row: view.buffers<Point>(0)[row].push({1, 2}). An optional term that
    /// this chunk lacks gives none. Rows of BufferColumn<const T> are spans.
    /// Expects: T is bound to the term's component, a buffer; const unless the query writes it (checked).
    template <typename T> BufferColumn<T> buffers(std::size_t term) const;
    /// The cell of a buffer or object. In an ordered visit too, it is the original cell and not a copy.
    std::byte* owning_cell(std::size_t term, std::uint32_t row) const noexcept {
        if (sorted_ != nullptr) [[unlikely]]
            return sorted_cell(term, row);
        return column_data(term) + std::size_t{row} * row_bytes(term);
    }
    /// The buffer's or object's type; null for terms of other kinds.
    const ComponentInfo* owning_type(std::size_t term) const noexcept { return term_place(term).owning; }

    /// True if the chunk has the term's component. Always true for required terms.
    bool has(std::size_t term) const noexcept { return term_place(term).is_present; }

    /// True if the row passes the query's enableable components. Columns contain all rows, including those
    /// that do not pass.
    bool is_enabled(std::uint32_t row) const noexcept {
        return enabled_ == nullptr || (enabled_[row / 64] >> (row % 64) & 1) != 0;
    }
    /// is_enabled for 64 rows from row 64 * word on, one bit each, as of the start of this chunk's visit;
    /// bits past the last row are zero.
    std::uint64_t enabled_word(std::uint32_t word) const noexcept {
        if (enabled_ != nullptr) return enabled_[word];
        const std::uint32_t rows = slot_->row_count - word * 64;
        return rows >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
    }
    /// All enabled words; null when every row passes.
    const std::uint64_t* enabled_words() const noexcept { return enabled_; }
    std::uint32_t enabled_count() const noexcept;
    /// Calls fn(first, last) for each run of rows that pass: first .. last - 1.
    template <typename Function> void for_each_run(Function&& fn) const;

    /// The enabled bits of one term's component in the chunk, to read or, with write access, to change. Null
    /// when absent or of another kind.
    std::uint64_t* term_mask(std::size_t term) const noexcept {
        const std::uint32_t offset = term_place(term).mask;
        return offset == kNoColumn ? nullptr : reinterpret_cast<std::uint64_t*>(slot_->data + offset);
    }

    /// The chunk's value of a shared component; null when it is absent or of another kind.
    const std::byte* shared_data(std::size_t term) const noexcept;
    /// The chunk's value of a chunk component; null in the same cases. To change it, the query must have
    /// write access.
    std::byte* chunk_value_data(std::size_t term) const noexcept {
        const TermPlace& place = term_place(term);
        return place.is_chunk_value ? match_->archetype->chunk_value(chunk_, place.side_index) : nullptr;
    }
    /// Expects: T is bound to the term's component, which is shared and present (checked).
    template <typename T> const T& shared(std::size_t term) const {
        static_cast<void>(typed_term<const T>(term, TypedUse::shared));
        const std::byte* data = shared_data(term);
        ECS_EXPECTS(data != nullptr, term);
        return *reinterpret_cast<const T*>(data);
    }
    /// Expects: T is bound to the term's component, a chunk component that is present; const unless the query
    /// writes it (checked).
    template <typename T> T& chunk_value(std::size_t term) const {
        static_cast<void>(typed_term<T>(term, TypedUse::chunk_value));
        std::byte* data = chunk_value_data(term);
        ECS_EXPECTS(data != nullptr, term);
        return *reinterpret_cast<T*>(data);
    }

    /// True if the term's column was written, or rows were added or removed, after `version`
    /// (World::change_version at the reader's last run).
    bool changed_since(std::size_t term, ChangeVersion version) const noexcept {
        const TermPlace& place = term_place(term);
        if (!place.is_present) return false;
        if (sorted_ != nullptr) [[unlikely]]
            return sorted_changed_since(term, version);
        return place.version(archetype(), chunk_) > version;
    }

    /// Promises that this visit writes only canonical floats to the term's column (canonical_columns.h).
    void mark_canonical(std::size_t term) const noexcept {
        const TermPlace& place = term_place(term);
        if (place.offset != kNoColumn && sorted_ == nullptr)
            match_->archetype->mark_canonical(chunk_, place.version_slot);
    }

    /// Number of chunks shown before in this visit: an index into an array of Query::chunk_count results.
    std::uint32_t index_in_query() const noexcept { return index_; }
    /// Number of passing rows shown before in this visit: where this chunk's rows start in an array of
    /// Query::entity_count results.
    std::uint64_t first_row_in_query() const noexcept { return first_row_; }

    /// The archetype of the chunk's rows. In an ordered visit it is that of the first row, and chunk_index
    /// has no meaning.
    const Archetype& archetype() const noexcept { return *match_->archetype; }
    std::uint32_t chunk_index() const noexcept { return chunk_; }

private:
    friend class ChunkList;
    friend class FilteredVisit;
    friend class SortedRows;
    const TermPlace& term_place(std::size_t term) const noexcept {
        ECS_DEBUG_EXPECTS(term < match_->term_count, "a term that the query does not have", term);
        return match_->terms[term];
    }
    template <typename T> const TermPlace& typed_term(std::size_t term, TypedUse use) const {
        ECS_EXPECTS(term < match_->term_count, "a term that the query does not have", term,
                    match_->term_count);
        const TermPlace& place = match_->terms[term];
        const std::uint32_t type = type_number<std::remove_const_t<T>>();
        const bool may_be_written = std::is_const_v<T> || !place.is_read_only;
        if (!match_->types->fits(type, place.component, use) || !may_be_written) [[unlikely]]
            refuse(place, type, type_name<std::remove_const_t<T>>(), use);
        return place;
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(const TermPlace& place, std::uint32_t type,
                                                       std::string_view type_name, TypedUse use) const;
    bool sorted_changed_since(std::size_t term, ChangeVersion version) const noexcept;
    std::byte* sorted_cell(std::size_t term, std::uint32_t row) const noexcept;

    const QueryMatch* match_;
    const ChunkSlot* slot_;
    std::uint64_t first_row_;
    std::uint32_t chunk_;
    std::uint32_t index_;
    const std::uint64_t* enabled_ = nullptr;  ///< null: all rows pass
    const SortedRows* sorted_ = nullptr;      ///< null unless the rows are its copies
};

template <typename Function> void ChunkView::for_each_run(Function&& fn) const {
    constexpr std::uint32_t kNoRun = 0xFFFFFFFF;
    std::uint32_t first = enabled_ == nullptr ? 0 : kNoRun;
    for (std::uint32_t word = 0; enabled_ != nullptr && word * 64 < row_count(); ++word) {
        const std::uint64_t bits = enabled_[word];
        for (std::uint32_t at = 0; at < 64;) {
            if (first == kNoRun) {
                if (bits >> at == 0) break;
                at += static_cast<std::uint32_t>(std::countr_zero(bits >> at));
                first = word * 64 + at;
            }
            at += static_cast<std::uint32_t>(std::countr_one(bits >> at));
            if (at == 64) break;  // The run may continue in the next word.
            fn(first, word * 64 + at);
            first = kNoRun;
        }
    }
    if (first != kNoRun) fn(first, row_count());
}

}  // namespace perigee
