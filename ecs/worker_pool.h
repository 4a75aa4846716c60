// A few threads that help the caller to work through numbered tasks.
//
// Invariant: run() returns when every task was run exactly once, and the caller works too: it never waits for
// a worker to wake up, only for tasks that a worker has begun. A task may call run() itself: the threads help
// with every run that is under way, and whoever waits at the end of one waits only for threads that are busy
// in it. Tasks of one run share nothing through the pool, so results depend on the tasks alone, not on who
// ran them. Nothing is allocated per run. Not here: dependencies between tasks (jobs.h), priorities; a run is
// one flat loop.
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

/// Whether run() wakes threads that went to sleep.
enum class Wake : std::uint8_t {
    when_worth_it,  ///< once the first tasks show that there is work left for longer than waking takes
    at_once,        ///< for few long tasks
};

/// Which of the tasks that are left a thread takes.
enum class Share : std::uint8_t {
    in_order,        ///< the first
    from_both_ends,  ///< the caller the first, others the last: run after run, each core meets the same tasks
};

class WorkerPool {
public:
    /// Starts the threads; fewer when the system gives no more. 0 workers: everything runs on the caller.
    explicit WorkerPool(std::uint32_t worker_count);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Threads besides the caller.
    std::uint32_t worker_count() const noexcept { return static_cast<std::uint32_t>(threads_.size()); }
    /// Numbers that `worker_index` may have: the caller is 0, the threads follow. For scratch space per
    /// worker.
    std::uint32_t lane_count() const noexcept { return worker_count() + 1; }
    /// The number of the calling thread: 0 for all that are not of this pool.
    std::uint32_t lane() const noexcept;

    /// Calls task(task_index, worker_index) once for each index below `task_count`, from several threads at
    /// once. Tasks of a run with the same worker_index never overlap, but a task that calls run() may find
    /// itself below the tasks of that. When tasks throw, all others still run, and then the exception of the
    /// lowest task index leaves run(): the same one however many workers there are.
    /// Expects: of the threads that are not of this pool, one at a time has runs under way.
    template <typename Task>
    void run(std::uint32_t task_count, Task&& task, Wake wake = Wake::when_worth_it,
             Share share = Share::in_order) {
        using Callable = std::remove_reference_t<Task>;
        const auto call = [](const void* context, std::uint32_t task_index, std::uint32_t worker_index) {
            (*static_cast<Callable*>(const_cast<void*>(context)))(task_index, worker_index);
        };
        run_tasks(task_count, call, std::addressof(task), wake, share);
    }

    /// A run that nobody waits for yet: see start().
    class Started;

    /// Begins what run() does and returns at once; finish() does the rest. Not started when there are no
    /// threads, or too many runs at once: then nothing happens. Lifetime of the task: until finish().
    template <typename Task> Started start(std::uint32_t task_count, Task& task);
    /// Helps with the tasks that are left, waits for the others, and throws what run() would throw.
    /// Expects: it was started; once, by any thread.
    void finish(const Started& started);
    /// Finishes a run of which all tasks are done; else false, and nothing happens.
    bool finish_if_done(const Started& started);

private:
    using TaskFunction = void (*)(const void* context, std::uint32_t task_index, std::uint32_t worker_index);

    /// The place of a run while it lasts. Places are used again and again and never move, so a thread that
    /// comes too late finds another run there, or none, but never a hole.
    struct alignas(64) Loop {
        /// Number of the run in the high half, tasks not yet taken in the low half. Whoever takes a task
        /// swaps in one less; that succeeds only while the run is still the one that was read, and then what
        /// was read of it holds.
        std::atomic<std::uint64_t> claim{0};
        std::atomic<TaskFunction> function{nullptr};
        std::atomic<const void*> context{nullptr};
        std::atomic<std::uint32_t> task_count{0};
        std::atomic<bool> is_used{false};
        Share share = Share::in_order;  ///< this and the next: read by whoever has taken a task
        std::uint32_t caller = 0;       ///< its lane
        std::atomic<std::uint32_t> taken_first{0};
        std::atomic<std::uint32_t> taken_last{0};
        alignas(64) std::atomic<std::uint32_t> finished{0};
        std::atomic<bool> is_caller_asleep{false};
        std::exception_ptr error;  ///< guarded by error_mutex_
        std::uint32_t error_task = 0;
    };
    static constexpr std::uint32_t kLoops =
        32;  ///< bits of open_loops_; runs beyond that stay on their caller

    void run_tasks(std::uint32_t task_count, TaskFunction function, const void* context, Wake wake,
                   Share share);
    Loop* open_loop(std::uint32_t task_count, TaskFunction function, const void* context,
                    Share share = Share::in_order) noexcept;
    void close_loop(Loop& loop, std::uint32_t task_count);
    Loop* start_tasks(std::uint32_t task_count, TaskFunction function, const void* context) noexcept;
    static void run_alone(std::uint32_t task_count, TaskFunction function, const void* context,
                          std::uint32_t lane);
    Loop* take_loop() noexcept;
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
