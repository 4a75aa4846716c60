// Visits only the chunks and rows of a query that pass its filters, or rows in an order.
//
// Invariant: only a chunk that passes is visited, counted, numbered and has its written columns marked. All
// filters are evaluated per chunk, when the visit reaches it, except for relations, whose rows are found when
// it begins. Not here: matching archetypes.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/query/chunk_view.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

class Query;
class SortedRows;

/// The enabled bits that filter the rows of one archetype: offsets of their words in the chunk.
struct RowFilter {
    std::vector<std::uint32_t> required;
    std::vector<std::uint32_t> any;  ///< empty: no such filter
    std::vector<std::uint32_t> excluded;

    bool is_empty() const noexcept { return required.empty() && any.empty() && excluded.empty(); }
};

/// One bit per row of a chunk.
using RowBits = std::array<std::uint64_t, kMaxChunkRows / 64>;

/// Computes which rows of a chunk pass; bits past the last row are zero. Returns the number that pass.
std::uint32_t passing_rows(const RowFilter& filter, const ChunkSlot& slot, RowBits& bits) noexcept;

/// Iterates over the chunks of a query: for (FilteredVisit visit(query, version, since); visit.next();)
/// use(visit.view()); Expects: no structural change meanwhile; the query lives.
class FilteredVisit {
public:
    /// `version` marks written columns, `since` is the reader's last run. Sorted if the query has an order.
    FilteredVisit(const Query& query, ChangeVersion version, ChangeVersion since);
    /// Visits in chunk order even for ordered queries, and marks nothing: for counting and collecting.
    FilteredVisit(const Query& query, ChangeVersion since);
    ~FilteredVisit();
    FilteredVisit(const FilteredVisit&) = delete;
    FilteredVisit& operator=(const FilteredVisit&) = delete;

    /// Advances to the next chunk; the first call to the first. False at the end.
    bool next();
    /// Lifetime: until next().
    ChunkView& view() noexcept { return view_; }

    const QueryMatch& match() const noexcept { return *match_; }
    /// Rows of the current chunk that pass.
    std::uint32_t passing_rows() const noexcept { return passing_rows_; }

private:
    bool next_chunk() noexcept;
    bool passes(const ChunkSlot& slot) noexcept;
    void find_related();
    std::uint32_t keep_related(const ChunkSlot& slot) noexcept;
    bool has_values(const ChunkSlot& slot) const noexcept;
    bool has_changed() const noexcept;

    const Query& query_;
    ChangeVersion version_;
    ChangeVersion since_;
    bool is_marking_;
    const QueryMatch* match_;
    const QueryMatch* end_;
    std::uint32_t next_chunk_ = 0;
    std::uint32_t index_ = 0;
    std::uint64_t first_row_ = 0;
    std::uint32_t passing_rows_ = 0;
    ChunkView view_;
    RowBits enabled_;
    std::vector<SharedIndex> wanted_;  ///< numbers of QueryDesc::shared
    std::vector<Location> related_;    ///< rows that pass QueryDesc::related, sorted
    std::unique_ptr<SortedRows> sorted_;
};

}  // namespace perigee
