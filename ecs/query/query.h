// Finds all chunks whose archetype has the requested components.
//
// Invariant: a query's match list is flat and resolved: archetypes with the columns of the terms in them. It
// grows when an archetype is created, so a query sees the same archetypes whether it was created before or
// after them. Order: archetypes by creation, chunks by number, or the order requested with OrderBy. Visiting
// a chunk with write access marks the written columns as changed. A query that filters only by archetype is
// visited by a plain loop; every other query goes through FilteredVisit.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/result.h"
#include "ecs/query/chunk_view.h"
#include "ecs/query/query_filter.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class ComponentRegistry;
class RelationIndex;
class SharedStore;

enum class Access : std::uint8_t { read, write };

struct QueryTerm {
    ComponentId component;
    Access access = Access::read;
    bool is_optional = false;
    bool operator==(const QueryTerm&) const = default;
};

/// Sorts rows by one number of a component, which must be a required term. Equal rows are ordered by entity.
/// NaN comes last, also when descending.
struct OrderBy {
    ComponentId component;
    std::string field;  ///< path of a scalar: "layer", "position.y"
    bool is_descending = false;
    bool operator==(const OrderBy&) const = default;
};

/// Rows with one value of a shared component. A value that no entity has matches nothing until one has it.
struct SharedFilter {
    ComponentId component;
    std::vector<std::byte> value;  ///< as World::set takes it
    bool operator==(const SharedFilter&) const = default;
};

/// Rows whose relation points at one entity; see relation_index.h. A visit decides when it begins.
struct RelatedFilter {
    ComponentId relation;
    Entity target;  ///< null matches nothing
    bool operator==(const RelatedFilter&) const = default;
};

/// What to match. Terms are the columns to use, in the order in which views number them. `any` requires at
/// least one of its components, `without` excludes them all; both only filter. An enableable component counts
/// as present only where it is enabled, except as an optional term. Destroyed entities (with cleanup
/// components left) match only queries that name a cleanup component or the tag Destroyed.
struct QueryDesc {
    std::vector<QueryTerm> terms;
    std::vector<ComponentId> any;
    std::vector<ComponentId> without;
    /// A chunk passes when one of these changed since the reader's last run, or rows were added or removed.
    /// They need not be terms. Empty: every chunk.
    std::vector<ComponentId> changed = {};
    std::vector<SharedFilter> shared = {};
    std::vector<RelatedFilter> related = {};
    std::optional<OrderBy> order_by = {};
    bool include_disabled = false;  ///< ignores enabled bits
    bool operator==(const QueryDesc&) const = default;
};

/// Checks the components, order and filters of a query.
/// Errors: an id that is not a component of the registry, an id named twice, an invalid order, a shared value
/// of the wrong size or kind, a related component that is not a relation.
Result<void> check_query(const QueryDesc& desc, const ComponentRegistry& registry);

class Query {
public:
    /// Made by World::query. Expects: check_query accepts `desc`.
    Query(QueryDesc desc, const ComponentRegistry& registry, const SharedStore& values,
          RelationIndex& relations);
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    const QueryDesc& desc() const noexcept { return desc_; }
    /// Approximate memory use, including the per-archetype data.
    std::size_t bytes() const noexcept {
        return sizeof(Query) + term_count_bytes() +
               matches_.size() * (sizeof(QueryMatch) + sizeof(Resolved) + term_count_bytes());
    }

    /// Adds the archetype if it matches. Called by the world for each archetype, in order of creation. Throws
    /// std::bad_alloc, and then nothing changed.
    void add_archetype(Archetype& archetype);
    /// Removes the archetype that was added last, because its creation failed.
    void remove_archetype(const Archetype& archetype) noexcept;
    /// Removes the dormant archetypes.
    void forget_dormant() noexcept;

    /// False for a query of another world.
    bool is_of(const ComponentRegistry& registry) const noexcept { return &registry_ == &registry; }

    /// Swaps contents with another query; addresses of both stay valid.
    void exchange(Query& other) noexcept;

    /// The archetypes that may have rows for the query; see is_plain.
    std::span<const QueryMatch> matches() const noexcept { return matches_; }

    /// True if all rows of all matches belong to the query, in storage order.
    bool is_plain() const noexcept { return is_plain_; }

    /// Entities and chunks that a visit would show to a reader that last ran at `since`.
    /// Cost: one step per archetype, or per chunk if the query is not plain. Counting the chunks of an
    /// ordered query sorts its rows.
    std::uint64_t entity_count(ChangeVersion since = 0) const;
    std::uint32_t chunk_count(ChangeVersion since = 0) const;
    /// Number of chunks of all matches, ignoring filters and order. Cost: one step per match.
    std::uint32_t stored_chunk_count() const noexcept;
    /// All entities that a visit would show, in chunk order. Cost: allocates.
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

    /// The sort key, resolved.
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

    /// The data that matches point to.
    struct Resolved {
        std::vector<TermPlace> places;  ///< terms, then changed, then shared
        RowFilter rows;
    };

    QueryDesc desc_;
    const ComponentRegistry& registry_;
    const SharedStore& values_;
    RelationIndex& relations_;
    std::vector<std::uint32_t> written_terms_;
    std::vector<std::uint32_t> term_bytes_;  ///< per row; 0 without a column
    std::optional<Order> order_;
    bool is_plain_;
    bool wants_destroyed_ = false;
    std::vector<QueryMatch> matches_;
    std::vector<std::unique_ptr<Resolved>> resolved_;  ///< per match
};

}  // namespace perigee
