// A named query of a Lua system, as the run visits it: for chunk in ctx.queries.towers:chunks() do … end.
//
// Invariant: a query has one visit at a time, whose chunk is armed in a set of views of its own, so visits of
// different queries nest. Beginning again, the end of the run, and an error end a visit. Not here: the chunks
// of a system's `query`, one per call (script_system.h).
#pragma once

#include "ecs/schedule/query_visit.h"
#include "scripting/views/view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perigee {
class ScriptSystem;
}

namespace perigee::internal {

struct ScriptMod;

class ScriptVisit {
public:
    /// `slot`: its number among the queries of the system, from 1.
    ScriptVisit(ScriptMod& mod, ScriptSystem& system, const Query& query, bool takes_runs,
                std::span<const ComponentId> terms, std::size_t slot);
    ~ScriptVisit();

    /// The results, as numbers for Lua.
    enum class Step : std::int32_t { end, shown, no_memory = -1, not_in_run = -2 };

    // ---- called by compiled Lua code
    /// Begins a visit; `shown` means that it is before the first chunk. Charges nothing: see steps_to_begin.
    Step begin() noexcept;
    /// Arms the views for the next chunk, or with enabled bits for the next run of rows; `end` after the last
    /// one.
    Step next() noexcept;
    /// The steps of fuel that begin() costs.
    double steps_to_begin() const noexcept;

    /// Called before each run of the system.
    void restart() noexcept;
    /// Disarms the views.
    void end() noexcept;

    const Query& query() const noexcept { return query_; }
    ViewSet& views() noexcept { return views_; }

private:
    Step show_next();
    void mark() noexcept;

    ScriptMod& mod_;
    ScriptSystem& system_;
    const Query& query_;
    bool takes_runs_;
    QueryVisit visit_;
    ViewSet views_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        runs_;  ///< of the chunk, from run_ on still to be shown
    std::size_t run_ = 0;
    bool is_armed_ = false;
    bool is_canonical_ = false;          ///< checked in this run
    std::uint32_t chunks_compared_ = 0;  ///< that this run has been charged for
};

}  // namespace perigee::internal
