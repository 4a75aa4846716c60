// A queue of ready jobs, from which the pool's threads and completing callers take single tasks.
//
// The pool's threads are started by a run without a waiter (WorkerPool::start): each of its tasks works until
// no job is ready, so a call is needed only if fewer threads are active than there are tasks.
#include "ecs/parallel/jobs.h"

#include "ecs/base/contract.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace perigee {

namespace {

constexpr std::uint64_t kNoError = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Jobs::Jobs(World& world, WorkerPool* workers)
    : world_(world), workers_(workers), help_([this](std::uint32_t, std::uint32_t) { work_until_idle(); }) {}

Jobs::~Jobs() { wait(); }

// ---- scheduling ----

JobHandle Jobs::schedule(std::function<void()> function, std::initializer_list<JobHandle> after) {
    return add(
        1, [function = std::move(function)](std::uint32_t) { function(); }, after);
}

JobHandle Jobs::schedule_parallel(std::uint32_t count, std::function<void(std::uint32_t)> function,
                                  std::initializer_list<JobHandle> after) {
    return add(count, std::move(function), after);
}

JobHandle Jobs::schedule_chunks(const Query& query, std::function<void(ChunkView&)> function,
                                std::initializer_list<JobHandle> after) {
    if (query.desc().order_by) {
        return add(
            1,
            [this, &query, function = std::move(function)](std::uint32_t) {
                world_.each_chunk(query, function);
            },
            after);
    }
    internal::log_visit(world_, query, world_.reader_version());
    auto chunks = std::make_shared<const ChunkList>(query, world_.change_version(), world_.reader_version());
    const std::uint32_t count = chunks->size();
    return add(
        count,
        [chunks = std::move(chunks), function = std::move(function)](std::uint32_t chunk) {
            chunks->visit(chunk, chunk + 1, function);
        },
        after);
}

JobHandle Jobs::combine(std::span<const JobHandle> jobs) { return add(0, {}, jobs); }

JobHandle Jobs::add(std::uint32_t task_count, std::function<void(std::uint32_t)> function,
                    std::span<const JobHandle> after) {
    const RunScope* scope = run_scope(world_);
    // The world is not locked in an exclusive system either.
    const bool is_outside = scope == nullptr || scope->is_exclusive;
    if (is_outside) begin_outside(scope);
    Lock lock(mutex_);
    for (const JobHandle handle : after) {
        ECS_EXPECTS(handle.number < first_number_ + jobs_.size(), "a job of others", handle.number);
    }
    Job& job = jobs_.emplace_back();
    has_jobs_.store(true, std::memory_order_relaxed);
    job.function = std::move(function);
    job.scope = is_outside ? &outside_ : scope;
    job.task_count = task_count;
    job.unfinished_tasks = task_count;
    job.error_order = kNoError;
    job.number = first_number_ + jobs_.size() - 1;
    ++open_jobs_;
    for (const JobHandle handle : after) {
        Job* const earlier = find(handle);
        if (earlier == nullptr) continue;
        if (!earlier->is_done) {
            earlier->dependents.push_back(&job);
            ++job.open_dependencies;
        } else if (earlier->error && earlier->number < job.error_order) {
            job.error = earlier->error;
            job.error_order = earlier->number;
        }
    }
    if (job.open_dependencies == 0) make_ready(job);
    wake_workers(lock);
    return JobHandle{job.number};
}

// Null for forgotten jobs, which have ended.
Jobs::Job* Jobs::find(JobHandle handle) {
    return handle.number < first_number_ ? nullptr : &jobs_[handle.number - first_number_];
}

void Jobs::make_ready(Job& job) {
    if (job.error || job.task_count == 0) {
        end(job);
    } else {
        ready_.push_back(&job);
        changed_.notify_all();
    }
}

// Jobs that depend on it become ready, or fail with it.
void Jobs::end(Job& job) {
    std::vector<Job*> ended{&job};
    while (!ended.empty()) {
        Job& last = *ended.back();
        ended.pop_back();
        last.is_done = true;
        last.function = nullptr;
        --open_jobs_;
        for (Job* const next : last.dependents) {
            if (last.error && last.number < next->error_order) {
                next->error = last.error;
                next->error_order = last.number;
            }
            if (--next->open_dependencies != 0) continue;
            if (next->error || next->task_count == 0) {
                ended.push_back(next);
            } else {
                ready_.push_back(next);
            }
        }
        last.dependents.clear();
    }
    changed_.notify_all();
}

// ---- running ----

// Takes one task and runs it without holding the lock. False when no task is ready.
bool Jobs::run_one(Lock& lock) {
    if (ready_.empty()) return false;
    Job& job = *ready_.front();
    const std::uint32_t task = job.next_task++;
    if (job.next_task == job.task_count) ready_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
        const EnterScope working_for(job.scope);
        job.function(task);
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    if (error && task < job.error_order) {
        job.error = error;
        job.error_order = task;
    }
    if (--job.unfinished_tasks == 0) {
        end(job);
        wake_workers(lock);
    }
    return true;
}

// At most as many threads as there are tasks; active threads find further tasks themselves.
void Jobs::wake_workers(Lock& lock) {
    if (workers_ == nullptr || ready_.empty()) return;
    std::uint64_t tasks = 0;
    for (const Job* const job : ready_) tasks += job->task_count - job->next_task;
    const std::uint32_t idle =
        workers_->worker_count() - std::min(workers_->worker_count(), workers_at_work_);
    const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(tasks, idle));
    if (wanted == 0) return;
    workers_at_work_ += wanted;
    std::erase_if(calls_for_help_,
                  [this](const WorkerPool::Started& call) { return workers_->finish_if_done(call); });
    WorkerPool* const workers = workers_;
    lock.unlock();
    const WorkerPool::Started call = workers->start(wanted, help_);
    lock.lock();
    if (call) {
        calls_for_help_.push_back(call);
    } else {
        workers_at_work_ -= wanted;
    }
}

void Jobs::work_until_idle() {
    Lock lock(mutex_);
    while (run_one(lock)) {
    }
    --workers_at_work_;
}

// ---- completing ----

template <typename IsOver> void Jobs::wait_until(Lock& lock, IsOver is_over) {
    while (!is_over()) {
        if (!run_one(lock)) changed_.wait(lock, [&] { return is_over() || !ready_.empty(); });
    }
}

bool Jobs::has_ended(JobHandle handle) const {
    ECS_EXPECTS(handle.number < first_number_ + jobs_.size(), "a job of others", handle.number);
    return handle.number < first_number_ || jobs_[handle.number - first_number_].is_done;
}

bool Jobs::is_done(JobHandle handle) const {
    const Lock lock(mutex_);
    return has_ended(handle);
}

void Jobs::complete(JobHandle handle) {
    std::exception_ptr error;
    bool is_idle = false;
    {
        Lock lock(mutex_);
        wait_until(lock, [&] { return has_ended(handle); });
        if (const Job* const job = find(handle)) error = job->error;
        is_idle = open_jobs_ == 0;
    }
    if (is_idle) settle();
    if (error) std::rethrow_exception(error);
}

void Jobs::complete_all() {
    if (!has_jobs_.load(std::memory_order_relaxed)) return;
    wait();
    const auto failed = std::find_if(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.error; });
    const std::exception_ptr error = failed == jobs_.end() ? nullptr : failed->error;
    forget();
    if (error) std::rethrow_exception(error);
}

void Jobs::forget() noexcept {
    wait();
    if (jobs_.empty()) return;
    first_number_ += jobs_.size();
    jobs_.clear();
    has_jobs_.store(false, std::memory_order_relaxed);
}

void Jobs::wait() noexcept {
    if (is_idle()) return;
    {
        Lock lock(mutex_);
        wait_until(lock, [&] { return open_jobs_ == 0; });
    }
    settle();
}

// Waits until no thread works on these jobs, withdraws calls for help and unlocks the world. An active thread
// may call others, so this repeats until none is left.
void Jobs::settle() {
    for (;;) {
        std::vector<WorkerPool::Started> calls;
        {
            const Lock lock(mutex_);
            calls.swap(calls_for_help_);
        }
        if (calls.empty()) break;
        for (const WorkerPool::Started& call : calls) workers_->finish(call);
    }
    if (!is_locking_world_) return;
    world_.store().guard().remove_work(this);
    is_locking_world_ = false;
}

// ---- called by the world ----

void Jobs::begin_outside(const RunScope* scope) {
    if (is_locking_world_) return;
    world_.store().guard().add_work({this, [](void* jobs) noexcept { static_cast<Jobs*>(jobs)->wait(); }});
    is_locking_world_ = true;
    outside_ = scope != nullptr ? *scope : RunScope{};
    outside_.is_exclusive = false;
    outside_.world = &world_;
    outside_.version = world_.change_version();
}

}  // namespace perigee
