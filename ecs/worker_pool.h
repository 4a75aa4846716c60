// A few threads that help the caller to work through numbered tasks.
//
// Invariant: run() returns when every task was run exactly once, and the caller works too: it never waits for
// a worker to wake up, only for tasks that a worker has begun. Tasks of one run share nothing through the
// pool, so results depend on the tasks alone, not on who ran them. Nothing is allocated per run. Not here:
// dependencies between tasks, queues, priorities; a run is one flat loop.
#pragma once

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

    /// Calls task(task_index, worker_index) once for each index below `task_count`, from several threads at
    /// once. Tasks with the same worker_index never overlap. When tasks throw, all others still run, and then
    /// the exception of the lowest task index leaves run(): the same one however many workers there are.
    /// Expects: no other run of this pool is under way, neither by another thread nor around this call.
    template <typename Task> void run(std::uint32_t task_count, Task&& task) {
        using Callable = std::remove_reference_t<Task>;
        const auto call = [](const void* context, std::uint32_t task_index, std::uint32_t worker_index) {
            (*static_cast<Callable*>(const_cast<void*>(context)))(task_index, worker_index);
        };
        run_tasks(task_count, call, std::addressof(task));
    }

private:
    using TaskFunction = void (*)(const void* context, std::uint32_t task_index, std::uint32_t worker_index);

    void run_tasks(std::uint32_t task_count, TaskFunction function, const void* context);
    bool run_one(std::uint32_t worker_index) noexcept;
    void keep_error(std::uint32_t task_index) noexcept;
    void serve(std::uint32_t worker_index) noexcept;
    bool has_tasks() const noexcept;
    void wait_for_tasks() noexcept;
    void wait_for_end(std::uint32_t task_count) noexcept;

    /// Number of the run in the high half, tasks not yet taken in the low half. Whoever takes a task swaps in
    /// one less; that succeeds only while the run is still the one that was read, and then what was read of
    /// it holds.
    alignas(64) std::atomic<std::uint64_t> claim_{0};
    alignas(64) std::atomic<std::uint32_t> finished_{0};
    alignas(64) std::atomic<std::uint32_t> task_count_{0};
    std::atomic<TaskFunction> function_{nullptr};
    std::atomic<const void*> context_{nullptr};
    std::atomic<bool> is_running_{false};

    std::atomic<std::uint32_t> sleeping_workers_{0};
    std::atomic<bool> is_caller_asleep_{false};
    std::atomic<bool> is_ending_{false};
    std::mutex mutex_;
    std::condition_variable tasks_came_;
    std::condition_variable run_ended_;

    std::mutex error_mutex_;
    std::exception_ptr error_;
    std::uint32_t error_task_ = 0;

    std::vector<std::thread> threads_;
};

}  // namespace perigee
