// Steps over chunks, and over the runs of rows in them.
#include "scripting/mods/internal/script_visit.h"

#include "ecs/query/canonical_columns.h"
#include "ecs/world/world.h"
#include "scripting/mods/internal/query_work.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/script_system.h"

#include <new>

namespace perigee::internal {

ScriptVisit::ScriptVisit(ScriptMod& mod, ScriptSystem& system, const Query& query, bool takes_runs,
                         std::span<const ComponentId> terms, std::size_t slot)
    : mod_(mod),
      system_(system),
      query_(query),
      takes_runs_(takes_runs),
      visit_(mod.runtime.world()),
      views_(terms, mod.memory, slot) {
    views_.show(visit_);
}

ScriptVisit::~ScriptVisit() = default;

double ScriptVisit::steps_to_begin() const noexcept { return steps_of(query_, QueryWork::visit); }

void ScriptVisit::restart() noexcept {
    is_canonical_ = false;
    chunks_compared_ = 0;
}

ScriptVisit::Step ScriptVisit::begin() noexcept {
    if (!system_.is_visiting()) return Step::not_in_run;
    try {
        end();
        views_.restart();
        if (!is_canonical_) {
            make_canonical(query_, mod_.runtime.world().registry(), mod_.runtime.canonical_turn());
        }
        is_canonical_ = true;
        visit_.begin(query_);
    } catch (const std::bad_alloc&) {
        return Step::no_memory;
    }
    return Step::shown;
}

ScriptVisit::Step ScriptVisit::next() noexcept {
    try {
        return show_next();
    } catch (const std::bad_alloc&) {
        end();
        return Step::no_memory;
    }
}

ScriptVisit::Step ScriptVisit::show_next() {
    if (is_armed_) views_.disarm();
    is_armed_ = false;
    if (run_ == runs_.size()) {
        runs_.clear();
        run_ = 0;
        if (!visit_.next()) return Step::end;
        mark();
        if (takes_runs_) {
            views_.arm_runs(visit_.view(), mod_.runtime.next_epoch());
            is_armed_ = true;
            return Step::shown;
        }
        // The bits at the start of the chunk's visit count, even if the script changes them.
        visit_.view().for_each_run(
            [&](std::uint32_t first, std::uint32_t last) { runs_.emplace_back(first, last); });
    }
    const auto [first, last] = runs_[run_++];
    views_.arm(visit_.view(), first, last, mod_.runtime.next_epoch());
    is_armed_ = true;
    return Step::shown;
}

// What is written is compared at the end of the group, once for each chunk, if a reaction wants to know.
void ScriptVisit::mark() noexcept {
    const ChunkView& chunk = visit_.view();
    const bool is_first = chunk.index_in_query() >= chunks_compared_;
    if (is_first) chunks_compared_ = chunk.index_in_query() + 1;
    system_.mark_written(query_, chunk, is_first);
}

void ScriptVisit::end() noexcept {
    if (is_armed_) views_.disarm();
    is_armed_ = false;
    runs_.clear();
    run_ = 0;
    visit_.end();
}

}  // namespace perigee::internal
