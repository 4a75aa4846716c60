// The sorted rows of a query, shown as scratch chunks.
//
// Invariant: a scratch chunk contains copies of consecutive rows of the order, laid out like a chunk, with
// columns on 64-byte boundaries; rows that do not pass the query are left out. Rows share a scratch chunk
// only if they have the same terms of the query and the same values of its shared and chunk components. When
// the visit continues, columns and enabled bits that the query writes are copied back to the original rows.
// Until then the copies are authoritative: other writes to the original rows are lost.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/query/chunk_view.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <unordered_map>
#include <vector>

namespace perigee {

class Query;

class SortedRows {
public:
    explicit SortedRows(const Query& query);
    ~SortedRows();
    SortedRows(const SortedRows&) = delete;
    SortedRows& operator=(const SortedRows&) = delete;

    /// Collects the rows and sorts them. Cost: about 50 ns per row. The thread keeps the memory for its next
    /// ordered visit, of any query.
    void collect(ChangeVersion version, ChangeVersion since);

    /// Number of scratch chunks that next() would show for all rows.
    std::uint32_t chunk_count() const noexcept;

    /// Writes the previous rows back and copies the next ones into the scratch chunk. False at the end.
    bool next();
    ChunkView view() const noexcept;
    void write_back() noexcept;

    /// True if any row of the scratch chunk changed.
    bool changed_since(std::size_t term, ChangeVersion version) const noexcept;
    /// The memory that this thread keeps for its next ordered visit.
    static std::size_t kept_bytes() noexcept;

    /// The original cell of a buffer or object; cells are not copied. Expects: row < rows of the view.
    std::byte* owning_cell(std::size_t term, std::uint32_t row) const noexcept;

private:
    struct Row {
        std::uint64_t key;
        Entity entity;
        std::uint32_t source;
        std::uint32_t row;
    };
    /// A chunk that rows come from.
    struct Source {
        const QueryMatch* match;
        const ChunkSlot* slot;
        std::uint32_t chunk;
        std::uint32_t group;  ///< rows of different groups must not share a scratch chunk
    };
    struct AlignedDelete {
        void operator()(std::byte* bytes) const noexcept {
            ::operator delete[](bytes, std::align_val_t{kCacheLine});
        }
    };
    /// Large memory, which all queries of a thread share.
    struct Memory {
        std::vector<Row> rows;
        std::vector<Row> spare;  ///< for sorting
        std::unique_ptr<std::byte[], AlignedDelete> scratch;
        std::size_t scratch_bytes = 0;
    };
    static thread_local std::unique_ptr<Memory> t_memory;

    std::uint64_t key_of(const std::byte* value) const noexcept;
    std::uint32_t group_of(const Source& source);
    std::uint64_t kind_of(const Source& source) const noexcept;
    bool is_alike(const Source& a, const Source& b) const noexcept;
    void sort();
    std::uint32_t rows_together(std::size_t first) const noexcept;
    void gather();
    std::span<const Row> shown() const noexcept { return {rows_.data() + first_, slot_.row_count}; }
    std::byte* source_cell(const Row& row, std::size_t term) const noexcept;
    std::uint64_t& source_word(const Row& row, std::size_t term) const noexcept;
    void gather_bits(std::size_t term) noexcept;
    void write_bits_back(std::size_t term) noexcept;

    const Query& query_;
    ChangeVersion version_ = 0;
    std::uint32_t capacity_ = 0;
    std::unique_ptr<Memory> memory_;
    std::vector<Row>& rows_;
    std::vector<TermPlace> layout_;  ///< of the scratch chunk, if all terms are present
    std::vector<TermPlace> places_;  ///< of the current scratch chunk
    QueryMatch match_{};
    ChunkSlot slot_{nullptr, 0, kNoUnit, 0};

    std::vector<Source> sources_;
    std::vector<Source> groups_;                                           ///< the first of each
    std::unordered_multimap<std::uint64_t, std::uint32_t> group_by_kind_;  ///< hash of what is_alike compares
    bool has_chunk_values_ = false;
    std::size_t first_ = 0;    ///< of the rows in the scratch chunk
    std::uint32_t index_ = 0;  ///< of the scratch chunk
};

}  // namespace perigee
