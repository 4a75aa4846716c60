// Visits a query's chunks from several threads at once.
//
// Invariant: every chunk is visited once, by one thread. The thread and the order are unspecified, so a task
// writes only to its own rows and its own slot in a result array. The result is then the same for any number
// of workers. Chunks are listed and written columns marked before the first task starts. An ordered query, or
// one with few rows, is visited by the caller alone. Tasks must not visit queries themselves; use Lookup to
// read other entities.
#pragma once

#include "ecs/parallel/worker_pool.h"
#include "ecs/query/parallel_options.h"
#include "ecs/world/internal/log_access.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace perigee {

/// The chunks of one visit, listed so that they can be visited in any order.
class ChunkList {
public:
    /// Lists the chunks for a reader whose last run was at `since` and marks written columns at `version`.
    /// Expects: no structural change while the list is in use.
    ChunkList(const Query& query, ChangeVersion version, ChangeVersion since);

    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(views_.size()); }
    std::uint64_t row_count() const noexcept { return row_count_; }

    /// Calls fn(ChunkView&) for the chunks first .. last - 1. May be called from several threads at once.
    template <typename Function> void visit(std::uint32_t first, std::uint32_t last, Function&& fn) const {
        for (std::uint32_t i = first; i < last; ++i) {
            ChunkView view = views_[i];
            RowBits enabled;
            if (view.enabled_ != nullptr) {
                passing_rows(*view.match_->rows, *view.slot_, enabled);
                view.enabled_ = enabled.data();
            }
            fn(view);
        }
    }

private:
    std::vector<ChunkView> views_;
    std::uint64_t row_count_ = 0;
};

/// Calls fn(ChunkView&) or fn(ChunkView&, worker_index) from several threads at once, with the world locked.
template <typename Function>
void each_chunk_parallel(World& world, const Query& query, WorkerPool& pool, Function&& fn,
                         const ParallelOptions& options = {}) {
    const auto call = [&fn](ChunkView& view, std::uint32_t worker_index) {
        if constexpr (std::is_invocable_v<Function&, ChunkView&, std::uint32_t>) {
            fn(view, worker_index);
        } else {
            fn(view);
        }
    };
    const bool is_alone = query.desc().order_by || pool.worker_count() == 0;
    if (is_alone || (query.is_plain() && query.entity_count() < options.min_rows)) {
        world.each_chunk(query, [&call, lane = pool.lane()](ChunkView& view) { call(view, lane); });
        return;
    }
    const World::Lock lock(world);
    internal::log_visit(world, query, world.reader_version());
    const ChunkList list(query, world.change_version(), world.reader_version());
    if (list.size() < 2 || list.row_count() < options.min_rows) {
        list.visit(0, list.size(), [&call, lane = pool.lane()](ChunkView& view) { call(view, lane); });
        return;
    }
    const std::uint64_t rows_per_chunk = list.row_count() / list.size() + 1;
    const auto chunks_per_task = static_cast<std::uint32_t>(options.task_rows / rows_per_chunk + 1);
    const std::uint32_t tasks = (list.size() + chunks_per_task - 1) / chunks_per_task;
    const RunScope* const outer = run_scope(world);
    RunScope shared = outer != nullptr ? *outer : RunScope{};
    shared.is_exclusive = false;  // the lock above holds for all of its threads
    const RunScope* const scope = outer != nullptr ? &shared : nullptr;
    const auto visit = [&](std::uint32_t task, std::uint32_t worker_index) {
        const EnterScope working_for(scope);
        const std::uint32_t first = task * chunks_per_task;
        list.visit(first, std::min(first + chunks_per_task, list.size()),
                   [&](ChunkView& view) { call(view, worker_index); });
    };
    // The next visit finds most rows in the cache of the core that needs them.
    pool.run(tasks, visit, Wake::when_worth_it, TaskOrder::from_both_ends);
}

/// fold(…fold(fold(initial, map(chunk 0)), map(chunk 1))…): map runs on several threads, once per chunk, and
/// results are stored per chunk; fold runs on the caller in chunk order. So sums of floats are the same for
/// any number of workers.
template <typename Value, typename Map, typename Fold>
Value reduce_chunks(World& world, const Query& query, WorkerPool& pool, Value initial, Map map, Fold fold,
                    const ParallelOptions& options = {}) {
    static_assert(!std::is_same_v<Value, bool>, "neighbours in a vector<bool> share a word");
    std::vector<Value> results(query.chunk_count(world.reader_version()), initial);
    each_chunk_parallel(
        world, query, pool, [&](ChunkView& view) { results[view.index_in_query()] = map(view); }, options);
    for (Value& result : results) initial = fold(std::move(initial), std::move(result));
    return initial;
}

template <typename... Parameters>
template <typename Function>
void TypedQuery<Parameters...>::each_parallel(WorkerPool& pool, Function fn,
                                              const ParallelOptions& options) const {
    internal::expect_no_pointer<Function>();
    perigee::each_chunk_parallel(
        *world_, *query_, pool,
        [&fn](const ChunkView& view) { visit_rows(view, fn, std::index_sequence_for<Parameters...>{}); },
        options);
}

template <typename... Parameters>
template <typename Function>
void TypedQuery<Parameters...>::each_parallel(WorkerPool& pool, Function fn) const {
    each_parallel(pool, std::move(fn), ParallelOptions{});
}

}  // namespace perigee
