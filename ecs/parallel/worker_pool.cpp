// Threads take tasks, spin for a moment when there are none, and then sleep.
//
// Sleeping is safe by the usual protocol: a sleeper announces itself and then checks once more; a publisher
// publishes work and then checks for sleepers. Both are in one total order, so at least one of them sees the
// other.
#include "ecs/parallel/worker_pool.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

namespace perigee {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than the gap between two runs of one step, too short to be noticeable as load.
constexpr std::chrono::microseconds kSpinTime{40};
// Cost and delay of waking a thread: with less remaining work than this, the caller is faster alone.
constexpr std::chrono::microseconds kWakeTime{60};
// Pauses between two clock readings.
constexpr int kSpins = 32;

void pause_briefly() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

// Waits until `is_over` returns true, or for kSpinTime. Returns whether it did.
template <typename Predicate> bool spin_until(Predicate is_over) noexcept {
    const Clock::time_point end = Clock::now() + kSpinTime;
    do {
        for (int spin = 0; spin < kSpins; ++spin) {
            if (is_over()) return true;
            pause_briefly();
        }
    } while (Clock::now() < end);
    return is_over();
}

constexpr std::uint32_t tasks_left(std::uint64_t claim) noexcept { return static_cast<std::uint32_t>(claim); }

// The pool of the thread, and its number there.
struct Membership {
    const WorkerPool* pool = nullptr;
    std::uint32_t lane = 0;
};
thread_local Membership t_membership;

}  // namespace

WorkerPool::WorkerPool(std::uint32_t worker_count) {
    threads_.reserve(worker_count);
    for (std::uint32_t lane = 1; lane <= worker_count; ++lane) {
        try {
            threads_.emplace_back([this, lane] { serve(lane); });
        } catch (const std::exception&) {
            break;  // No more threads or no memory: the existing workers and the caller do all work.
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

std::uint32_t WorkerPool::lane() const noexcept { return t_membership.pool == this ? t_membership.lane : 0; }

// ---- the caller ----

void WorkerPool::run_tasks(std::uint32_t task_count, TaskFunction function, const void* context, Wake wake,
                           TaskOrder task_order) {
    const std::uint32_t own_lane = lane();
    Loop* const loop = task_count > 1 ? open_loop(task_count, function, context, task_order) : nullptr;
    if (loop == nullptr) {
        run_alone(task_count, function, context, own_lane);
        return;
    }
    work(*loop, task_count, own_lane, wake);
    close_loop(*loop, task_count);
}

// From now on threads may take tasks. Null when there are no threads, or no slot for another run.
WorkerPool::Loop* WorkerPool::open_loop(std::uint32_t task_count, TaskFunction function, const void* context,
                                        TaskOrder task_order) noexcept {
    Loop* const loop = !threads_.empty() ? claim_loop() : nullptr;
    if (loop == nullptr) return nullptr;
    loop->finished.store(0, std::memory_order_relaxed);
    loop->function.store(function, std::memory_order_relaxed);
    loop->context.store(context, std::memory_order_relaxed);
    loop->task_count.store(task_count, std::memory_order_relaxed);
    loop->task_order = task_order;
    loop->caller = lane();
    loop->taken_first.store(0, std::memory_order_relaxed);
    loop->taken_last.store(0, std::memory_order_relaxed);
    const std::uint64_t run = (loop->claim.load(std::memory_order_relaxed) >> 32) + 1;
    loop->claim.store(run << 32 | task_count);
    open_loops_.fetch_or(1u << static_cast<std::uint32_t>(loop - loops_.data()));
    return loop;
}

// Expects: every task was taken.
void WorkerPool::close_loop(Loop& loop, std::uint32_t task_count) {
    open_loops_.fetch_and(~(1u << static_cast<std::uint32_t>(&loop - loops_.data())));
    wait_for_end(loop, task_count);
    const std::exception_ptr error = std::exchange(loop.error, nullptr);
    loop.is_used.store(false, std::memory_order_release);
    if (error) std::rethrow_exception(error);
}

WorkerPool::Loop* WorkerPool::start_tasks(std::uint32_t task_count, TaskFunction function,
                                          const void* context) noexcept {
    Loop* const loop = task_count > 0 ? open_loop(task_count, function, context) : nullptr;
    if (loop != nullptr && sleeping_workers_.load() != 0) wake_sleepers();
    return loop;
}

void WorkerPool::finish(const Started& started) {
    const std::uint32_t own_lane = lane();
    while (run_one(*started.loop_, own_lane)) {
    }
    close_loop(*started.loop_, started.task_count_);
}

bool WorkerPool::finish_if_done(const Started& started) {
    if (started.loop_->finished.load() != started.task_count_) return false;
    close_loop(*started.loop_, started.task_count_);
    return true;
}

void WorkerPool::run_alone(std::uint32_t task_count, TaskFunction function, const void* context,
                           std::uint32_t lane) {
    std::exception_ptr error;
    for (std::uint32_t task = 0; task < task_count; ++task) {
        try {
            function(context, task, lane);
        } catch (...) {
            if (!error) error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

WorkerPool::Loop* WorkerPool::claim_loop() noexcept {
    for (Loop& loop : loops_) {
        if (!loop.is_used.load(std::memory_order_relaxed) &&
            !loop.is_used.exchange(true, std::memory_order_acquire)) {
            return &loop;
        }
    }
    return nullptr;
}

// Takes tasks until none is left. Wakes sleepers as soon as the measured task time makes it worthwhile.
void WorkerPool::work(Loop& loop, std::uint32_t task_count, std::uint32_t lane, Wake wake) noexcept {
    bool may_wake = sleeping_workers_.load() != 0;
    if (may_wake && wake == Wake::at_once) {
        wake_sleepers();
        may_wake = false;
    }
    const Clock::time_point start = may_wake ? Clock::now() : Clock::time_point{};
    for (std::uint32_t done = 1; run_one(loop, lane); ++done) {
        if (!may_wake) continue;
        const std::uint32_t left = task_count - std::min(done, task_count);
        if ((Clock::now() - start) * left < kWakeTime * done) continue;
        wake_sleepers();
        may_wake = false;
    }
}

void WorkerPool::wake_sleepers() noexcept {
    { const std::lock_guard lock(mutex_); }  // now each thread is either asleep or has seen the tasks
    tasks_came_.notify_all();
}

void WorkerPool::wait_for_end(Loop& loop, std::uint32_t task_count) noexcept {
    const auto has_ended = [&] { return loop.finished.load() == task_count; };
    if (has_ended() || spin_until(has_ended)) return;
    std::unique_lock lock(mutex_);
    loop.is_caller_asleep.store(true);
    run_ended_.wait(lock, has_ended);
    loop.is_caller_asleep.store(false);
}

// ---- everyone ----

bool WorkerPool::run_one(Loop& loop, std::uint32_t lane) noexcept {
    std::uint64_t claim = loop.claim.load(std::memory_order_acquire);
    for (;;) {
        if (tasks_left(claim) == 0) return false;
        const TaskFunction function = loop.function.load(std::memory_order_relaxed);
        const void* const context = loop.context.load(std::memory_order_relaxed);
        const std::uint32_t task_count = loop.task_count.load(std::memory_order_relaxed);
        if (!loop.claim.compare_exchange_weak(claim, claim - 1, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
            continue;
        const std::uint32_t task_index = task_for(loop, task_count - tasks_left(claim), lane);
        try {
            function(context, task_index, lane);
        } catch (...) {
            keep_error(loop, task_index);
        }
        // After this only the run's slot may be accessed: the caller may have returned.
        if (loop.finished.fetch_add(1) + 1 == task_count && loop.is_caller_asleep.load()) {
            { const std::lock_guard lock(mutex_); }
            run_ended_.notify_all();
        }
        return true;
    }
}

// Returns the task for the thread that took the `in_order`-th claim. There are as many claims as tasks, so
// the two ends never cross.
std::uint32_t WorkerPool::task_for(Loop& loop, std::uint32_t in_order, std::uint32_t lane) noexcept {
    if (loop.task_order == TaskOrder::in_order) return in_order;
    if (lane == loop.caller) return loop.taken_first.fetch_add(1, std::memory_order_relaxed);
    const std::uint32_t task_count = loop.task_count.load(std::memory_order_relaxed);
    return task_count - 1 - loop.taken_last.fetch_add(1, std::memory_order_relaxed);
}

void WorkerPool::keep_error(Loop& loop, std::uint32_t task_index) noexcept {
    const std::lock_guard lock(error_mutex_);
    if (loop.error != nullptr && loop.error_task <= task_index) return;
    loop.error = std::current_exception();
    loop.error_task = task_index;
}

// ---- the workers ----

bool WorkerPool::has_tasks() const noexcept {
    for (std::uint32_t open = open_loops_.load(); open != 0; open &= open - 1) {
        if (tasks_left(loops_[static_cast<std::size_t>(std::countr_zero(open))].claim.load()) != 0)
            return true;
    }
    return false;
}

bool WorkerPool::run_any(std::uint32_t lane) noexcept {
    for (std::uint32_t open = open_loops_.load(); open != 0; open &= open - 1) {
        if (run_one(loops_[static_cast<std::size_t>(std::countr_zero(open))], lane)) return true;
    }
    return false;
}

void WorkerPool::serve(std::uint32_t lane) noexcept {
    t_membership = {this, lane};
    while (!is_ending_.load()) {
        while (run_any(lane)) {
        }
        wait_for_tasks();
    }
}

void WorkerPool::wait_for_tasks() noexcept {
    const auto is_over = [&] { return has_tasks() || is_ending_.load(); };
    if (spin_until(is_over)) return;
    std::unique_lock lock(mutex_);
    sleeping_workers_.fetch_add(1);
    tasks_came_.wait(lock, is_over);
    sleeping_workers_.fetch_sub(1);
}

}  // namespace perigee
