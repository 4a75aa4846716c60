// Jobs: work with dependencies that a C++ system or a host schedules itself.
//
//     JobHandle sums = context.jobs->schedule_chunks(*context.query, [&](ChunkView& chunk) { … });
//     JobHandle total = context.jobs->schedule([&] { … }, {sums});
//     …
//     context.jobs->complete(total);
//
// Invariant: a job runs once, after all jobs that it depends on; its tasks run on any thread, in any order;
// access to shared data must be ordered by dependencies. A system's jobs count as the system: they may access
// what it declared, their writes carry its version, and unfinished jobs are completed when it returns. Jobs
// of a host, outside systems, lock the world until a sync point: completing them, a structural change, a
// playback or a run of systems; each of these first waits for them. Values of object components are exchanged
// without waiting.
#pragma once

#include "ecs/parallel/parallel_query.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/query/query.h"
#include "ecs/world/run_scope.h"

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

/// Refers to a job of one Jobs object. The empty handle means a finished job.
struct JobHandle {
    std::uint64_t number = 0;
    bool operator==(const JobHandle&) const = default;
};

class Jobs {
public:
    /// Without `workers` every job runs on the thread that completes it. Lifetime: must not outlive the world
    /// or the pool.
    explicit Jobs(World& world, WorkerPool* workers = nullptr);
    /// Waits for all jobs; exceptions that were not collected are discarded.
    ~Jobs();
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    // ---- scheduling: by the thread that works with this object, or by a job of it. A job may begin at once.
    // ---- Functions are copied and live until the job has ended.
    // ---- Expects: `after` has handles of this object.

    JobHandle schedule(std::function<void()> function, std::initializer_list<JobHandle> after = {});
    /// function(0) … function(count - 1), on several threads.
    JobHandle schedule_parallel(std::uint32_t count, std::function<void(std::uint32_t)> function,
                                std::initializer_list<JobHandle> after = {});
    /// function(chunk) for each chunk that the query has now; written columns are marked now. Chunks of an
    /// ordered query run one after the other. Lifetime of the query: until the job has ended.
    JobHandle schedule_chunks(const Query& query, std::function<void(ChunkView&)> function,
                              std::initializer_list<JobHandle> after = {});
    /// A job that is done when all of these are.
    JobHandle combine(std::span<const JobHandle> jobs);

    // ---- completing

    /// Returns when the job has ended; meanwhile the caller works on this and other jobs. Rethrows the job's
    /// exception on each call; for a parallel job, that of the lowest task. If a dependency threw, the job
    /// does not run and counts as having thrown the same exception.
    void complete(JobHandle job);
    /// Completes all jobs and rethrows the exception of the earliest scheduled job that threw. Afterwards all
    /// are forgotten.
    void complete_all();
    /// Waits for all and keeps their exceptions for complete.
    void wait() noexcept;
    /// Waits for all, then forgets all jobs and their exceptions.
    void forget() noexcept;

    /// True if there is nothing to wait for and nothing to forget.
    bool is_idle() const noexcept { return !has_jobs_.load(std::memory_order_relaxed) && !is_locking_world_; }
    /// True if the job has ended. Does not wait.
    bool is_done(JobHandle job) const;

    /// For an owner that replaces the pool. Expects: no job is left.
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
        std::uint64_t error_order = 0;  ///< the lowest one counts
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
    void begin_outside(const RunScope* scope);
    void settle();

    World& world_;
    WorkerPool* workers_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;                ///< by number, from first_number_ on
    std::atomic<bool> has_jobs_ = false;  ///< read without the lock, while a job may schedule others
    std::uint64_t first_number_ = 1;
    std::size_t open_jobs_ = 0;
    std::deque<Job*> ready_;  ///< jobs with tasks left, in order
    std::uint32_t workers_at_work_ = 0;
    std::vector<WorkerPool::Started> calls_for_help_;  ///< of this object, not yet finished
    RunScope outside_;                                 ///< for jobs outside systems
    bool is_locking_world_ = false;
    std::function<void(std::uint32_t, std::uint32_t)> help_;  ///< called on a thread of the pool
};

/// One slot per chunk of a query, so that tasks share nothing, folded into one result in chunk order. The
/// result is the same for any number of threads, even for sums of floats.
template <typename Value> class ChunkResults {
public:
    /// Expects: filled and folded before chunks are added or removed.
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
