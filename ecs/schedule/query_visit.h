// The chunks of a query one by one, for code that takes turns between queries or stops early.
//
// Invariant: while a visit is open, the world is locked, and only chunks that were shown have their written
// columns marked as changed. changed() also answers for columns that the visit itself marks: it compares
// their versions from before. World::each_chunk is simpler where it is enough.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/query/query.h"
#include "ecs/query/query_filter.h"
#include "ecs/world/world.h"

#include <optional>
#include <vector>

namespace perigee {

class QueryVisit {
public:
    /// Lifetime: the world's. The memory of one visit serves the next.
    explicit QueryVisit(World& world) noexcept : world_(world) {}
    QueryVisit(const QueryVisit&) = delete;
    QueryVisit& operator=(const QueryVisit&) = delete;

    /// Starts before the first chunk, and ends the visit that is open. In an order, the rows are sorted here.
    /// `since`: the reader's last run; without it, that of the running system. Throws std::bad_alloc, and
    /// then no visit is open. Expects: the query lives until the visit ends.
    void begin(const Query& query, ChangeVersion since);
    void begin(const Query& query) { begin(query, world_.reader_version()); }
    /// Advances to the next chunk, at first to the first one. At the end it ends the visit and returns false.
    bool next();
    /// Ends the visit early. In an order, the copies are written back.
    void end() noexcept;
    bool is_open() const noexcept { return visit_.has_value(); }
    /// True if the query has an order. Expects: is_open().
    bool is_in_order() const noexcept { return query_->desc().order_by.has_value(); }

    /// Expects: next() has returned true.
    ChunkView& view() noexcept { return visit_->view(); }

    /// True if the component was written in the current chunk, or rows were added to the chunk or removed
    /// from it, after the reader's last run and before this visit. It need not be a term. False if the chunk
    /// lacks it. Expects: as view(), and a query without an order, whose rows come from several chunks.
    bool changed(ComponentId component) noexcept;
    /// True if rows were added to the current chunk or removed from it. Expects: the same.
    bool rows_changed() noexcept;

private:
    void mark_written() noexcept;

    World& world_;
    const Query* query_ = nullptr;
    ChangeVersion since_ = 0;
    std::vector<ChangeVersion> before_;  ///< versions of the written terms before this visit
    std::optional<World::Lock> lock_;
    std::optional<FilteredVisit> visit_;
    const Query* logged_query_ = nullptr;  ///< in the run with logged_version_
    ChangeVersion logged_version_ = 0;
};

}  // namespace perigee
