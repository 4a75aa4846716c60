// Finding all chunks whose archetype has the components one asks for.
//
// Invariant: a query's match list is flat and resolved: archetype and column offsets, extended when an
// archetype is born, so that a query made before or after its archetypes sees the same. Order: archetypes by
// birth, chunks by number. Visiting a chunk with write access marks the written columns as changed.
#pragma once

#include "ecs/archetype.h"
#include "ecs/component.h"
#include "ecs/contract.h"
#include "ecs/entity.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

enum class Access : std::uint8_t { read, write };

struct QueryTerm {
    ComponentId component;
    Access access = Access::read;
    bool is_optional = false;
    bool operator==(const QueryTerm&) const = default;
};

/// What to match. Terms are columns to use, in the order in which views number them; `any` needs at least one
/// of its components, `without` none of them; both only filter.
struct QueryDesc {
    std::vector<QueryTerm> terms;
    std::vector<ComponentId> any;
    std::vector<ComponentId> without;
    bool operator==(const QueryDesc&) const = default;
};

inline constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

/// One archetype that matches, with the byte offset and column index of each term (kNoColumn: absent, or a
/// tag).
struct QueryMatch {
    Archetype* archetype;
    const std::uint32_t* offsets;
    const std::uint32_t* columns;
};

/// A borrowed window on the rows of one chunk.
///
/// Shape:     every column has row_count() elements; row i of each column is the same entity. Rows count from
/// 0. Lifetime:  until the next structural change or the end of the visit, whichever comes first. Not for:
/// adding or removing components; record those in a CommandBuffer.
class ChunkView {
public:
    ChunkView(const QueryMatch& match, const ChunkSlot& slot, std::uint32_t chunk) noexcept
        : match_(&match), slot_(&slot), chunk_(chunk) {}

    /// Number of live rows, 1 .. chunk capacity (empty chunks do not exist).
    std::uint32_t row_count() const noexcept { return slot_->row_count; }
    std::span<const Entity> entities() const noexcept {
        return {Archetype::entities(*slot_), slot_->row_count};
    }

    /// Column of the query's `term`-th component. An optional term that this chunk lacks gives an empty span.
    /// Expects: term < term count, sizeof(T) equals the component's size (checked).
    template <typename T> std::span<T> column(std::size_t term) const noexcept {
        const std::uint32_t offset = match_->offsets[term];
        if (offset == kNoColumn) return {};
        ECS_EXPECTS(archetype().layout().columns[match_->columns[term]].size == sizeof(T));
        return {reinterpret_cast<T*>(slot_->data + offset), slot_->row_count};
    }

    /// Start of a term's column; null when absent or a tag.
    std::byte* column_data(std::size_t term) const noexcept {
        const std::uint32_t offset = match_->offsets[term];
        return offset == kNoColumn ? nullptr : slot_->data + offset;
    }

    /// Did anything write the term's column after `version` (World::change_version at the reader's last run)?
    bool changed_since(std::size_t term, std::uint32_t version) const noexcept {
        const std::uint32_t column = match_->columns[term];
        return column != kNoColumn && archetype().version(chunk_, column) > version;
    }

    const Archetype& archetype() const noexcept { return *match_->archetype; }
    std::uint32_t chunk_index() const noexcept { return chunk_; }

private:
    const QueryMatch* match_;
    const ChunkSlot* slot_;
    std::uint32_t chunk_;
};

class Query {
public:
    /// Made by World::query.
    explicit Query(QueryDesc desc);
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    const QueryDesc& desc() const noexcept { return desc_; }

    /// Adds the archetype if it matches. Called by the world for each archetype, in order of birth.
    void consider(Archetype& archetype);

    std::span<const QueryMatch> matches() const noexcept { return matches_; }
    std::uint64_t entity_count() const noexcept;
    std::uint32_t chunk_count() const noexcept;

    /// Calls fn(ChunkView&) for each chunk; written columns are marked as changed at `version`.
    /// Expects: no structural change meanwhile (World::each_chunk locks the world; prefer it).
    template <typename Function> void visit_chunks(std::uint32_t version, Function&& fn) const {
        for (const QueryMatch& match : matches_) {
            Archetype& archetype = *match.archetype;
            const ChunkSlot* slots = archetype.chunks();
            for (std::uint32_t chunk = 0, count = archetype.chunk_count(); chunk < count; ++chunk) {
                for (const std::uint32_t term : written_terms_) {
                    if (match.columns[term] != kNoColumn)
                        archetype.set_version(chunk, match.columns[term], version);
                }
                ChunkView view(match, slots[chunk], chunk);
                fn(view);
            }
        }
    }

private:
    bool matches(const Archetype& archetype) const noexcept;

    QueryDesc desc_;
    std::vector<std::uint32_t> written_terms_;
    std::vector<QueryMatch> matches_;
    std::vector<std::unique_ptr<std::uint32_t[]>> resolved_;  ///< offsets, then columns, per match
};

}  // namespace perigee
