// A pool of threads that help the caller to run numbered tasks.
//
// Invariant: run() returns when every task was run exactly once. The caller works too: it never waits for a
// worker to wake up, only for tasks that a worker has begun. A task may call run() itself: the threads help
// with every active run, and the caller of a run waits only for threads that are busy in it. Tasks of one run
// share nothing through the pool, so results do not depend on the thread. Nothing is allocated per run. Not
// here: dependencies between tasks (jobs.h), priorities; a run is one flat loop.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace perigee {

/// Whether run() wakes sleeping threads.
enum class Wake : std::uint8_t {
    when_worth_it,  ///< once the first tasks show that the remaining work takes longer than waking
    at_once,        ///< for few long tasks
};

/// Which of the remaining tasks a thread takes.
enum class TaskOrder : std::uint8_t {
    in_order,        ///< the first
    from_both_ends,  ///< the caller from the front, workers from the back: in every run each core gets the
                     ///< same tasks
};

class WorkerPool {
public:
    /// Starts the threads, or fewer if the system refuses. 0 workers: everything runs on the caller.
    explicit WorkerPool(std::uint32_t worker_count);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Threads besides the caller.
    std::uint32_t worker_count() const noexcept { return static_cast<std::uint32_t>(threads_.size()); }
    /// The number of possible values of `worker_index`: the caller is 0, the threads follow. For per-worker
    /// scratch space.
    std::uint32_t lane_count() const noexcept { return worker_count() + 1; }
    /// The number of the calling thread: 0 for all threads outside this pool.
    std::uint32_t lane() const noexcept;

    /// Calls task(task_index, worker_index) once for each index below `task_count`, from several threads at
    /// once. Tasks of a run with the same worker_index never overlap, but a task that calls run() may be on
    /// the stack below tasks of that run. When tasks throw, all others still run, and then run() rethrows the
    /// exception of the lowest task index: the same one for any number of workers.
    /// Expects: only one thread outside this pool has active runs at a time.
    template <typename Task>
    void run(std::uint32_t task_count, Task&& task, Wake wake = Wake::when_worth_it,
             TaskOrder task_order = TaskOrder::in_order) {
        using Callable = std::remove_reference_t<Task>;
        const auto call = [](const void* context, std::uint32_t task_index, std::uint32_t worker_index) {
            (*static_cast<Callable*>(const_cast<void*>(context)))(task_index, worker_index);
        };
        run_tasks(task_count, call, std::addressof(task), wake, task_order);
    }

    /// A run started by start() and not yet waited for.
    class Started;

    /// Begins a run and returns at once; finish() does the rest. Starts nothing when there are no threads or
    /// too many active runs. Lifetime of the task: until finish().
    template <typename Task> Started start(std::uint32_t task_count, Task& task);
    /// Helps with the remaining tasks, waits for the others, and throws what run() would throw. Expects: the
    /// run was started; called once, by any thread.
    void finish(const Started& started);
    /// Finishes a run if all its tasks are done; otherwise returns false and does nothing.
    bool finish_if_done(const Started& started);

private:
    using TaskFunction = void (*)(const void* context, std::uint32_t task_index, std::uint32_t worker_index);

    /// The slot of an active run. Slots are reused and never move, so a late thread finds another run there
    /// or none, but never invalid memory.
    struct alignas(64) Loop {
        /// Number of the run in the high half, tasks not yet taken in the low half. A thread takes a task by
        /// a compare-and-swap to one less. It succeeds only if the run is still the one that was read, and
        /// then the data read from it is valid.
        std::atomic<std::uint64_t> claim{0};
        std::atomic<TaskFunction> function{nullptr};
        std::atomic<const void*> context{nullptr};
        std::atomic<std::uint32_t> task_count{0};
        std::atomic<bool> is_used{false};
        // These two are read by threads that have taken a task.
        TaskOrder task_order = TaskOrder::in_order;
        std::uint32_t caller = 0;  ///< its lane
        std::atomic<std::uint32_t> taken_first{0};
        std::atomic<std::uint32_t> taken_last{0};
        alignas(64) std::atomic<std::uint32_t> finished{0};
        std::atomic<bool> is_caller_asleep{false};
        std::exception_ptr error;  ///< guarded by error_mutex_
        std::uint32_t error_task = 0;
    };
    /// One bit of open_loops_ each; runs beyond that stay on their caller.
    static constexpr std::uint32_t kLoops = 32;

    void run_tasks(std::uint32_t task_count, TaskFunction function, const void* context, Wake wake,
                   TaskOrder task_order);
    Loop* open_loop(std::uint32_t task_count, TaskFunction function, const void* context,
                    TaskOrder task_order = TaskOrder::in_order) noexcept;
    void close_loop(Loop& loop, std::uint32_t task_count);
    Loop* start_tasks(std::uint32_t task_count, TaskFunction function, const void* context) noexcept;
    static void run_alone(std::uint32_t task_count, TaskFunction function, const void* context,
                          std::uint32_t lane);
    Loop* claim_loop() noexcept;
    void work(Loop& loop, std::uint32_t task_count, std::uint32_t lane, Wake wake) noexcept;
    void wake_sleepers() noexcept;
    bool run_one(Loop& loop, std::uint32_t lane) noexcept;
    static std::uint32_t task_for(Loop& loop, std::uint32_t in_order, std::uint32_t lane) noexcept;
    bool run_any(std::uint32_t lane) noexcept;
    void keep_error(Loop& loop, std::uint32_t task_index) noexcept;
    void serve(std::uint32_t lane) noexcept;
    bool has_tasks() const noexcept;
    void wait_for_tasks() noexcept;
    void wait_for_end(Loop& loop, std::uint32_t task_count) noexcept;

    std::array<Loop, kLoops> loops_;
    alignas(64) std::atomic<std::uint32_t> open_loops_{0};  ///< bit i: loops_[i] may have tasks to take

    alignas(64) std::atomic<std::uint32_t> sleeping_workers_{0};
    std::atomic<bool> is_ending_{false};
    std::mutex mutex_;
    std::condition_variable tasks_came_;
    std::condition_variable run_ended_;
    std::mutex error_mutex_;

    std::vector<std::thread> threads_;
};

class WorkerPool::Started {
public:
    explicit operator bool() const noexcept { return loop_ != nullptr; }

private:
    friend class WorkerPool;
    Started(Loop* loop, std::uint32_t task_count) noexcept : loop_(loop), task_count_(task_count) {}

    Loop* loop_;
    std::uint32_t task_count_;
};

template <typename Task> WorkerPool::Started WorkerPool::start(std::uint32_t task_count, Task& task) {
    const auto call = [](const void* context, std::uint32_t task_index, std::uint32_t worker_index) {
        (*static_cast<Task*>(const_cast<void*>(context)))(task_index, worker_index);
    };
    return Started(start_tasks(task_count, call, std::addressof(task)), task_count);
}

}  // namespace perigee
