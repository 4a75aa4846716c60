// Jobs: work that a C++ system, or a host, splits up itself, with dependencies.
//
//     JobHandle sums = context.jobs->schedule_chunks(*context.query, [&](ChunkView& chunk) { … });
//     JobHandle total = context.jobs->schedule([&] { … }, {sums});
//     …
//     context.jobs->complete(total);
//
// Invariant: a job runs once, after all jobs that it depends on; its tasks run on any thread, in any order,
// and what they share they order by dependencies. A system's jobs count as the system: they may touch what it
// declared, their writes carry its version, and those that are left are completed when it returns. Jobs of a
// host, outside of systems, lock the world until a sync point: completing them, a structural change, a
// playback or a run of systems, each of which first waits for them. Values of object components are exchanged
// without waiting.
#pragma once

#include "ecs/parallel_query.h"
#include "ecs/query.h"
#include "ecs/run_scope.h"
#include "ecs/worker_pool.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <span>
#include <vector>

namespace perigee {

class World;

/// A job of one Jobs. The empty handle stands for one that was done long ago.
struct JobHandle {
    std::uint64_t number = 0;
    bool operator==(const JobHandle&) const = default;
};

class Jobs {
public:
    /// Without `workers` every job runs on the thread that completes it. Lifetime: within that of both.
    explicit Jobs(World& world, WorkerPool* workers = nullptr);
    /// Waits for all; what they threw and nobody asked for is gone.
    ~Jobs();
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    // ---- scheduling: by the thread that works with this object, or by a job of it. A job may begin at once.
    // ---- Functions are copied and live until the job has ended. Expects: dependencies are handles from
    // here.

    JobHandle schedule(std::function<void()> function, std::initializer_list<JobHandle> after = {});
    /// function(0) … function(count - 1), on several threads.
    JobHandle schedule_parallel(std::uint32_t count, std::function<void(std::uint32_t)> function,
                                std::initializer_list<JobHandle> after = {});
    /// function(chunk) for each chunk of the query as it is now; written columns are marked now. Chunks of an
    /// ordered query come one after the other. Lifetime of the query: until the job has ended.
    JobHandle schedule_chunks(const Query& query, std::function<void(ChunkView&)> function,
                              std::initializer_list<JobHandle> after = {});
    /// Done when all of them are.
    JobHandle combine(std::span<const JobHandle> jobs);

    // ---- completing

    /// Returns when the job has ended; meanwhile the caller works at this and other jobs. What the job threw
    /// leaves here, each time: of a parallel one the exception of the lowest task. When a dependency threw,
    /// the job does not run and counts as if it had thrown the same.
    void complete(JobHandle job);
    /// All jobs; throws what the first one scheduled threw, of those that threw. Afterwards all are
    /// forgotten.
    void complete_all();
    /// Waits for all, and keeps what they threw for complete.
    void wait() noexcept;
    /// The same, and then everything is forgotten, with what they threw.
    void forget() noexcept;

    /// Nothing to wait for and nothing to forget.
    bool is_idle() const noexcept { return !has_jobs_.load(std::memory_order_relaxed) && !is_locking_world_; }
    /// Has it ended? Does not wait.
    bool is_done(JobHandle job) const;

    /// For the owner of a pool that comes and goes. Expects: no job is left.
    void use_workers(WorkerPool* workers) noexcept { workers_ = workers; }

private:
    struct Job {
        std::function<void(std::uint32_t)> function;
        const RunScope* scope = nullptr;
        std::uint32_t task_count = 0;
        std::uint32_t next_task = 0;
        std::uint32_t unfinished_tasks = 0;
        std::uint32_t open_dependencies = 0;
        std::vector<Job*> dependents;
        std::exception_ptr error;
        std::uint64_t error_order = 0;  ///< of several, the lowest counts
        std::uint64_t number = 0;
        bool is_done = false;
    };
    using Lock = std::unique_lock<std::mutex>;

    JobHandle add(std::uint32_t task_count, std::function<void(std::uint32_t)> function,
                  std::span<const JobHandle> after);
    Job* find(JobHandle handle);
    bool has_ended(JobHandle handle) const;
    void make_ready(Job& job);
    void end(Job& job);
    bool run_one(Lock& lock);
    template <typename IsOver> void wait_until(Lock& lock, IsOver is_over);
    void wake_workers(Lock& lock);
    void work_until_idle();
    void begin_outside();
    void settle();

    World& world_;
    WorkerPool* workers_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;                ///< by number, from first_number_ on
    std::atomic<bool> has_jobs_ = false;  ///< asked without the lock, while a job may schedule others
    std::uint64_t first_number_ = 1;
    std::size_t open_jobs_ = 0;
    std::deque<Job*> ready_;  ///< with tasks to take; the first one first
    std::uint32_t workers_at_work_ = 0;
    std::vector<WorkerPool::Started> calls_for_help_;  ///< of this, not yet finished
    RunScope outside_;                                 ///< of jobs that belong to no system
    bool is_locking_world_ = false;
    std::function<void(std::uint32_t, std::uint32_t)> help_;  ///< what a thread of the pool does when called
};

/// A place per chunk of a query, so that tasks share nothing, and then one number of them, in the order of
/// chunks: the same for any number of threads, also for sums of floats.
template <typename Value> class ChunkResults {
public:
    /// Expects: filled and folded before chunks come or go.
    ChunkResults(const World& world, const Query& query, Value initial = {})
        : places_(query.chunk_count(world.reader_version()), Place{std::move(initial)}) {}

    Value& operator[](const ChunkView& chunk) { return places_[chunk.index_in_query()].value; }
    std::size_t size() const noexcept { return places_.size(); }

    /// fold(…fold(fold(value, chunk 0), chunk 1)…)
    template <typename Result, typename Fold> Result fold(Result value, Fold&& fold) const {
        for (const Place& place : places_) value = fold(std::move(value), place.value);
        return value;
    }

private:
    struct Place {
        Value value;
    };
    std::vector<Place> places_;
};

}  // namespace perigee
