// Finding all chunks whose archetype has the components one asks for.
//
// Invariant: a query's match list is flat and resolved: archetypes and the places of the terms in them,
// extended when an archetype is born, so that a query made before or after its archetypes sees the same.
// Order: archetypes by birth, chunks by number, or the order that was asked for. Visiting a chunk with write
// access marks the written columns as changed. A query that filters nothing but archetypes is visited by a
// plain loop; everything else goes through FilteredVisit.
#pragma once

#include "ecs/change_version.h"
#include "ecs/chunk_view.h"
#include "ecs/component.h"
#include "ecs/field_type.h"
#include "ecs/query_filter.h"
#include "ecs/registry.h"
#include "ecs/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

enum class Access : std::uint8_t { read, write };

struct QueryTerm {
    ComponentId component;
    Access access = Access::read;
    bool is_optional = false;
    bool operator==(const QueryTerm&) const = default;
};

/// Rows in order of one number of a component, which is a term that is not optional; equal ones by entity.
/// NaN comes last, also when descending.
struct OrderBy {
    ComponentId component;
    std::string field;  ///< path of a scalar: "layer", "position.y"
    bool is_descending = false;
    bool operator==(const OrderBy&) const = default;
};

/// Rows of one value of a shared component. A value that nobody has matches nothing, until somebody has it.
struct SharedFilter {
    ComponentId component;
    std::vector<std::byte> value;  ///< as World::set takes it
    bool operator==(const SharedFilter&) const = default;
};

/// What to match. Terms are columns to use, in the order in which views number them; `any` needs at least one
/// of its components, `without` none of them; both only filter. An enableable component counts as there where
/// it is enabled, except as an optional term. Entities that were destroyed and are held match only where a
/// cleanup component or the tag Destroyed is asked for.
struct QueryDesc {
    std::vector<QueryTerm> terms;
    std::vector<ComponentId> any;
    std::vector<ComponentId> without;
    /// A chunk passes when one of these changed since the reader last ran, or rows came or went; they need
    /// not be terms. Empty: every chunk.
    std::vector<ComponentId> changed = {};
    std::vector<SharedFilter> shared = {};
    std::optional<OrderBy> order_by = {};
    bool include_disabled = false;  ///< enabled bits do not matter
    bool operator==(const QueryDesc&) const = default;
};

/// Checks what a query names.
/// Errors: an id that is not a component of the registry, one that is named twice, an order that is none, a
/// shared
///         value of the wrong size or kind.
Result<void> check_query(const QueryDesc& desc, const ComponentRegistry& registry);

class Query {
public:
    /// Made by World::query. Expects: check_query.
    Query(QueryDesc desc, const ComponentRegistry& registry, const SharedStore& values);
    ~Query();
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    const QueryDesc& desc() const noexcept { return desc_; }
    /// About what it takes, with what it keeps of each archetype.
    std::size_t bytes() const noexcept {
        return sizeof(Query) + term_count_bytes() +
               matches_.size() * (sizeof(QueryMatch) + sizeof(Resolved) + term_count_bytes());
    }

    /// Adds the archetype if it matches. Called by the world for each archetype, in order of birth.
    /// Throws std::bad_alloc, and then nothing changed.
    void consider(Archetype& archetype);
    /// Takes the last archetype that was considered back, since it did not come into being.
    void retract(const Archetype& archetype) noexcept;

    /// Changes places with another one, whoever holds their addresses.
    void exchange(Query& other) noexcept;

    /// The archetypes that may have rows for the query; see is_plain.
    std::span<const QueryMatch> matches() const noexcept { return matches_; }

    /// All rows of all matches belong to the query, in the order in which they lie.
    bool is_plain() const noexcept { return is_plain_; }

    /// Entities and chunks that a visit would show to a reader that last ran at `since`.
    /// Cost: a step per archetype; of a query that is not plain, per chunk; chunks of an ordered one are only
    ///       known once its rows are sorted.
    std::uint64_t entity_count(ChangeVersion since = 0) const;
    std::uint32_t chunk_count(ChangeVersion since = 0) const;
    /// The entities themselves, in order of chunks. Cost: allocates.
    std::vector<Entity> entities(ChangeVersion since = 0) const;

    /// Calls fn(ChunkView&) for each chunk; written columns are marked as changed at `version`. `since` is
    /// when the reader last ran, for `changed`. Expects: no structural change meanwhile (World::each_chunk
    /// locks the world; prefer it).
    template <typename Function>
    void visit_chunks(ChangeVersion version, ChangeVersion since, Function&& fn) const {
        if (is_plain_) {
            visit_all(version, fn);
        } else {
            for (FilteredVisit visit(*this, version, since); visit.next();) fn(visit.view());
        }
    }

private:
    friend class FilteredVisit;
    friend class SortedRows;

    /// What to sort by, resolved.
    struct Order {
        std::uint32_t term;
        std::uint32_t offset;  ///< bytes from the start of the component
        std::uint32_t size;
        FieldType type;
        bool is_descending;
    };

    template <typename Function> void visit_all(ChangeVersion version, Function& fn) const {
        std::uint32_t index = 0;
        std::uint64_t first_row = 0;
        for (const QueryMatch& match : matches_) {
            Archetype& archetype = *match.archetype;
            const ChunkSlot* slots = archetype.chunks();
            for (std::uint32_t chunk = 0, count = archetype.chunk_count(); chunk < count; ++chunk) {
                mark_written(match, chunk, version);
                ChunkView view(match, slots[chunk], chunk, index++, first_row);
                first_row += slots[chunk].row_count;
                fn(view);
            }
        }
    }
    void mark_written(const QueryMatch& match, std::uint32_t chunk, ChangeVersion version) const noexcept {
        for (const std::uint32_t term : written_terms_) {
            const std::uint32_t slot = match.terms[term].version_slot;
            if (slot != kNoColumn) match.archetype->set_version(chunk, slot, version);
        }
    }
    bool matches(const Archetype& archetype) const noexcept;
    bool filters_rows(ComponentId component) const noexcept;
    RowFilter row_filter_of(const Archetype& archetype) const;

    std::size_t term_count_bytes() const noexcept {
        return (desc_.terms.size() + desc_.changed.size() + desc_.shared.size()) * sizeof(TermPlace);
    }

    /// What the matches point to.
    struct Resolved {
        std::vector<TermPlace> places;  ///< terms, then changed, then shared
        RowFilter rows;
    };

    QueryDesc desc_;
    const ComponentRegistry& registry_;
    const SharedStore& values_;
    std::vector<std::uint32_t> written_terms_;
    std::vector<std::uint32_t> term_bytes_;  ///< of a row; 0 without a column
    std::optional<Order> order_;
    bool is_plain_;
    bool wants_held_ = false;
    std::vector<QueryMatch> matches_;
    std::vector<std::unique_ptr<Resolved>> resolved_;  ///< per match
    /// Memory of the last ordered visit, for the next; owned.
    mutable std::atomic<SortedRows*> spare_rows_{nullptr};
};

}  // namespace perigee
