// Taking tasks, spinning for a moment, then sleeping.
//
// Sleeping is safe by the usual pair: who sleeps announces it and then looks once more; who brings news
// publishes it and then looks for sleepers. Both in one total order, so that at least one of them sees the
// other.
#include "ecs/worker_pool.h"

#include "ecs/contract.h"

#include <utility>

namespace perigee {
namespace {

// Some microseconds: longer than the gap between two runs of one step, shorter than waking a thread.
constexpr int kSpins = 128;

void pause_briefly() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

constexpr std::uint32_t tasks_left(std::uint64_t claim) noexcept { return static_cast<std::uint32_t>(claim); }

}  // namespace

WorkerPool::WorkerPool(std::uint32_t worker_count) {
    threads_.reserve(worker_count);
    for (std::uint32_t worker = 1; worker <= worker_count; ++worker) {
        try {
            threads_.emplace_back([this, worker] { serve(worker); });
        } catch (const std::exception&) {
            break;  // No thread or no memory to be had: the workers there are, and the caller, do it all.
        }
    }
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_.store(true);
    }
    tasks_came_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

// ---- the caller ----

void WorkerPool::run_tasks(std::uint32_t task_count, TaskFunction function, const void* context) {
    const bool was_running = is_running_.exchange(true);
    ECS_EXPECTS(!was_running, "a run of a worker pool inside or beside another one");
    finished_.store(0, std::memory_order_relaxed);
    function_.store(function, std::memory_order_relaxed);
    context_.store(context, std::memory_order_relaxed);
    task_count_.store(task_count, std::memory_order_relaxed);
    const std::uint64_t run = (claim_.load(std::memory_order_relaxed) >> 32) + 1;
    claim_.store(run << 32 | task_count);
    if (task_count > 1 && sleeping_workers_.load() != 0) {
        {
            const std::lock_guard lock(mutex_);
        }  // Whoever is about to sleep is asleep now, or has seen the tasks.
        tasks_came_.notify_all();
    }
    while (run_one(0)) {
    }
    wait_for_end(task_count);
    const std::exception_ptr error = std::exchange(error_, nullptr);
    is_running_.store(false);
    if (error) std::rethrow_exception(error);
}

void WorkerPool::wait_for_end(std::uint32_t task_count) noexcept {
    const auto has_ended = [&] { return finished_.load() == task_count; };
    for (int spin = 0; spin < kSpins; ++spin) {
        if (has_ended()) return;
        pause_briefly();
    }
    std::unique_lock lock(mutex_);
    is_caller_asleep_.store(true);
    run_ended_.wait(lock, has_ended);
    is_caller_asleep_.store(false);
}

// ---- everyone ----

bool WorkerPool::run_one(std::uint32_t worker_index) noexcept {
    std::uint64_t claim = claim_.load(std::memory_order_acquire);
    for (;;) {
        if (tasks_left(claim) == 0) return false;
        const TaskFunction function = function_.load(std::memory_order_relaxed);
        const void* const context = context_.load(std::memory_order_relaxed);
        const std::uint32_t task_count = task_count_.load(std::memory_order_relaxed);
        if (!claim_.compare_exchange_weak(claim, claim - 1, std::memory_order_acq_rel,
                                          std::memory_order_acquire))
            continue;
        const std::uint32_t task_index = task_count - tasks_left(claim);
        try {
            function(context, task_index, worker_index);
        } catch (...) {
            keep_error(task_index);
        }
        // Nothing of the run may be touched after this: the caller may have returned.
        if (finished_.fetch_add(1) + 1 == task_count && worker_index != 0 && is_caller_asleep_.load()) {
            { const std::lock_guard lock(mutex_); }
            run_ended_.notify_one();
        }
        return true;
    }
}

void WorkerPool::keep_error(std::uint32_t task_index) noexcept {
    const std::lock_guard lock(error_mutex_);
    if (error_ != nullptr && error_task_ <= task_index) return;
    error_ = std::current_exception();
    error_task_ = task_index;
}

// ---- the workers ----

bool WorkerPool::has_tasks() const noexcept { return tasks_left(claim_.load()) != 0; }

void WorkerPool::serve(std::uint32_t worker_index) noexcept {
    while (!is_ending_.load()) {
        while (run_one(worker_index)) {
        }
        wait_for_tasks();
    }
}

void WorkerPool::wait_for_tasks() noexcept {
    for (int spin = 0; spin < kSpins; ++spin) {
        if (has_tasks() || is_ending_.load()) return;
        pause_briefly();
    }
    std::unique_lock lock(mutex_);
    sleeping_workers_.fetch_add(1);
    tasks_came_.wait(lock, [&] { return has_tasks() || is_ending_.load(); });
    sleeping_workers_.fetch_sub(1);
}

}  // namespace perigee
