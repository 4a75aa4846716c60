// Runs systems stage by stage, then plays back their commands.
#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/internal/reaction_loops.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace perigee {

namespace {

std::int64_t now() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

double milliseconds_between(std::int64_t start, std::int64_t end) noexcept {
    return static_cast<double>(end - start) * 1e-6;
}

// Sets a flag to true during its lifetime, also when a system throws.
class Flag {
public:
    explicit Flag(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    ~Flag() { flag_ = false; }
    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;

private:
    bool& flag_;
};

// The end of a call of a system.
class EndOfJobs {
public:
    EndOfJobs(Jobs& jobs, WorkerPool* workers) noexcept : jobs_(jobs) { jobs_.use_workers(workers); }
    ~EndOfJobs() {
        if (!jobs_.is_idle()) jobs_.forget();
    }
    EndOfJobs(const EndOfJobs&) = delete;
    EndOfJobs& operator=(const EndOfJobs&) = delete;

private:
    Jobs& jobs_;
};

// Scripts handle their own errors; exceptions that arrive here are not from Lua.
template <typename Function> Result<void> without_exceptions(const std::string& system, Function&& function) {
    try {
        return function();
    } catch (const std::bad_alloc& exception) {
        return Error{errors::system_threw(system, exception.what()), ErrorKind::out_of_memory};
    } catch (const std::exception& exception) {
        return Error{errors::system_threw(system, exception.what())};
    }
}

}  // namespace

// ---- running ----

// Seconds of steps since the node's last run: from its own interval, or from its group.
double Schedule::elapsed_of(const Node& node, const TickTime& time) noexcept {
    if (node.desc.every > 0) return node.timer.elapsed();
    return node.parent != nullptr && node.parent->elapsed > 0 ? node.parent->elapsed : time.dt;
}

Result<void> Schedule::run_group(std::string_view name, const TickTime& time) {
    Node* const group = find_group(name);
    ECS_EXPECTS(group != nullptr, name);
    ECS_EXPECTS(!is_running_, "a group run from inside a system");
    if (Result<void> prepared = prepare(*group); !prepared) return prepared;
    world_.store().guard().wait_for_work();
    begin_tick(time);
    last_time_ = time;
    if (!group->is_presentation) next_tick_ = time.tick + 1;
    run_once(*group, time);
    if (!group->is_presentation) run_requested(time);
    if (!group->is_presentation && !is_in_step_) run_step_end();
    if (has_waiting_commands()) return {};
    // Every text and blob that counts is in the world. Scripts can tell when a blob is freed, so that must
    // not depend on the number of frames.
    if (world_.blobs().wants_sweep() && !group->is_presentation) collect_blobs(world_);
    if (world_.texts().wants_sweep()) collect_texts(world_);
    return {};
}

Result<void> Schedule::run_step(const TickTime& time) {
    if (Result<void> resolved = resolve_step(); !resolved) return resolved;
    Result<void> result;
    {
        const Flag in_step(is_in_step_);
        // A copy in memory that stays: a group may end with changes that make another order, or run a step.
        Nodes groups = std::exchange(running_step_, {});
        groups = step_;
        for (Node* const group : groups) {
            if (!is_engine_group(SystemId{group->index}) && !wants_run(*group, 1, time)) continue;
            if (Result<void> ran = run_group(group->desc.name, time); !ran && result) result = ran;
        }
        running_step_ = std::move(groups);
    }
    run_step_end();
    return result;
}

void Schedule::run_once(Node& group, const TickTime& time) {
    {
        const Flag running(is_running_);
        run_nodes(group, time);
        if (!group.is_presentation && play_back_late(group)) react(time);
    }
    run_deferred_changes();
}

void Schedule::run_nodes(Node& group, const TickTime& time) {
    const std::int64_t start = clock_ = now();
    group.elapsed = elapsed_of(group, time);
    const std::uint64_t steps = group.take_steps(time);
    for (const Nodes& stage : group.stages) run_stage(group, stage, steps, time);
    play_back(group);
    if (!group.is_presentation) react(time);
    group.status.times.add(milliseconds_between(start, clock_));
    ++group.status.run_count;
    trace(TraceSpan::Kind::group, group, start, clock_, 0);
}

void Schedule::run_stage(Node& group, const Nodes& stage, std::uint64_t steps, const TickTime& time) {
    Nodes& due = group.due;
    due.clear();
    for (Node* node : stage) {
        if (node->desc.reacts_to && !node->is_pending) continue;
        if (wants_run(*node, steps, time)) due.push_back(node);
    }
    if (due.empty()) return;
    if (due.front()->is_group) {
        run_nodes(*due.front(), time);
    } else {
        if (due.front()->desc.is_exclusive) synchronise(group);
        run_systems(group, due, time);
    }
}

bool Schedule::wants_run(Node& node, std::uint64_t steps, const TickTime& time) {
    if (!node.is_active()) return false;
    node.is_late = node.timer.advance(steps, time.dt, node.is_late);
    if (!node.is_late) return false;
    if (node.desc.must_wait && (holds(node, node.desc.must_wait, time) || node.status.is_suspended))
        return false;
    node.is_late = false;
    return is_due(node, time);
}

// A node whose condition throws fails.
bool Schedule::holds(Node& node, const SystemCondition& condition, const TickTime& time) {
    bool holds = false;
    const Result<void> asked = without_exceptions(node.desc.name, [&]() -> Result<void> {
        holds = condition(context_of(node, time));
        return {};
    });
    if (!asked) fail(node, asked.error());
    return holds;
}

bool Schedule::is_due(Node& node, const TickTime& time) {
    if (node.desc.needs_rows && node.query != nullptr) {
        const std::span<const QueryMatch> matches = node.query->matches();
        if (std::all_of(matches.begin(), matches.end(),
                        [](const QueryMatch& match) { return match.archetype->chunk_count() == 0; }))
            return false;
    }
    if (node.desc.run_if && !holds(node, node.desc.run_if, time)) return false;
    if (node.steps_wanted != 0) --node.steps_wanted;
    return true;
}

// Runs the systems of one stage. With or without threads, versions, ids and failures are in system order.
void Schedule::run_systems(Node& group, const Nodes& due, const TickTime& time) {
    const bool is_exclusive = due.front()->desc.is_exclusive;  // then it is the only one
    std::optional<World::Lock> lock;
    if (!is_exclusive) lock.emplace(world_);
    const bool is_parallel = due.size() > 1;
    double expected = 0;
    if (is_parallel) group.turns.begin(static_cast<std::uint32_t>(due.size()));
    for (std::uint32_t place = 0; place < due.size(); ++place) {
        Node& node = *due[place];
        node.version = world_.advance_change_version();
        expected += node.status.times.last();
        if (is_parallel) node.ids.fill(world_);
    }
    const bool uses_workers = is_parallel && workers_ != nullptr && expected >= min_parallel_milliseconds_;
    const auto run_one = [&](std::uint32_t place, std::uint32_t) {
        Node& node = *due[place];
        if (uses_workers) node.start_nanoseconds = now();
        const RunScope scope{&world_,
                             &node.desc,
                             node.version,
                             node.last_run_version,
                             is_parallel ? &node.ids : nullptr,
                             is_parallel ? &group.turns : nullptr,
                             place,
                             is_recording_ ? &node.log : nullptr,
                             is_exclusive,
                             &node.changes};
        run_system(node, scope, time);
        if (is_parallel) group.turns.end(place);
    };
    const auto count = static_cast<std::uint32_t>(due.size());
    if (uses_workers) {
        workers_->run(count, run_one, Wake::at_once);
        clock_ = now();
    } else {
        for (std::uint32_t place = 0; place < count; ++place) {
            // One clock reading ends one span and begins the next.
            due[place]->start_nanoseconds = clock_;
            run_one(place, 0);
            clock_ = due[place]->end_nanoseconds;
        }
    }
    if (is_parallel) {
        for (std::size_t place = due.size(); place-- > 0;) due[place]->ids.drain(world_);
        if (is_recording_) check_overlaps(due);
    }
    for (Node* node : due) finish_system(*node);
    if (moment_handler_) {
        for (const Node* node : due) report_moment(ScheduleMoment::Kind::ran, *node);
    }
}

SystemContext Schedule::context_of(Node& node, const TickTime& time) noexcept {
    return {world_,
            node.commands,
            node.events,
            node.random,
            node.query,
            time,
            elapsed_of(node, time),
            node.last_run_version,
            &node.desc,
            workers_,
            &node.jobs,
            node.is_pending ? &node.batch : nullptr};
}

// Called on any thread.
void Schedule::run_system(Node& node, const RunScope& scope, const TickTime& time) {
    const EnterScope working_for(&scope);
    SystemContext context = context_of(node, time);
    node.log.clear();
    node.lane = workers_ != nullptr ? workers_->lane() : 0;
    node.outcome = {};
    if (!node.is_started && node.desc.on_start) node.outcome = guarded(node, node.desc.on_start, context);
    if (node.outcome.ok()) {
        node.is_started = true;
        node.outcome = guarded(node, node.desc.run, context);
    }
    node.end_nanoseconds = now();
}

// Its jobs end with it, also if it failed.
Result<void> Schedule::guarded(Node& node, const SystemFunction& function, SystemContext& context) {
    const EndOfJobs end_of_jobs(node.jobs, workers_);
    return without_exceptions(node.desc.name, [&] {
        Result<void> result = function(context);
        if (result && !node.jobs.is_idle()) node.jobs.complete_all();
        if (result) node.commands.finish_sorting();
        return result;
    });
}

void Schedule::finish_system(Node& node) {
    const double milliseconds = milliseconds_between(node.start_nanoseconds, node.end_nanoseconds);
    const bool is_slow =
        slow_handler_ && milliseconds > slow_milliseconds_ && milliseconds > 2 * node.status.times.worst();
    node.status.times.add(milliseconds);
    ++node.status.run_count;
    trace(TraceSpan::Kind::system, node, node.start_nanoseconds, node.end_nanoseconds, node.lane);
    if (!node.outcome) {
        fail(node, node.outcome.error());
    } else if (const std::size_t refused = node.commands.refused_count(); refused != 0) {
        fail(node, Error{errors::presentation_commands(node.desc.name, refused)});
    } else if (node.events.refused_count() != 0) {
        fail(node, Error{errors::presentation_events(node.desc.name)});
    } else if (const std::optional<ComponentId> event = node.events.overflow()) {
        fail_for_too_many(node, *event);
    } else if (node.parent->is_presentation && !node.changes.list.empty()) {
        fail(node, Error{errors::presentation_step_end(node.desc.name)});
    } else {
        node.last_run_version = node.version;
    }
    for (std::function<Result<void>()>& change : node.changes.list)
        step_end_.push_back({node.index, std::move(change)});
    node.changes.list.clear();
    node.events.mark_read();
    if (is_slow) slow_handler_(status(SystemId{node.index}));
}

void Schedule::check_overlaps(const Nodes& ran) {
    std::vector<const internal::AccessLog*> logs;
    for (const Node* node : ran) logs.push_back(&node->log);
    const std::optional<internal::AccessOverlap> overlap = internal::find_overlap(logs);
    if (!overlap) return;
    Node& second = *ran[overlap->second];
    second.outcome = Error{errors::access_overlap(second.desc.name, ran[overlap->first]->desc.name,
                                                  world_.registry().info(overlap->component).schema.name)};
}

// Changes from two ticks ago are no longer new.
void Schedule::begin_tick(const TickTime& time) {
    if (time.tick == last_time_.tick) return;
    world_.events().begin_tick();
    for (const std::unique_ptr<Node>& node : nodes_)
        if (node != nullptr) node->events.trim_when_idle();
}

// Delivers events in system order. If there is no room for all events of a system, it fails, and its commands
// are dropped too.
void Schedule::deliver_events(Node& node) {
    if (const std::optional<ComponentId> refused = node.events.deliver()) fail_for_too_many(node, *refused);
}

void Schedule::fail_for_too_many(Node& node, ComponentId event) {
    const EventStore& events = world_.events();
    fail(node, Error{errors::too_many_events(node.desc.name, world_.registry().info(event).schema.name,
                                             events.max_count(event), events.max_bytes())});
}

void Schedule::play_back(Node& group) {
    const std::int64_t start = clock_;
    // A separate version: systems that ran in this group have yet to see the changes of the commands.
    world_.advance_change_version();
    for (Node* node : group.order) {
        if (!node->events.is_empty()) loops_->watch(*node, [&] { deliver_events(*node); });
    }
    bool has_played = false;
    for (Node* node : group.playback) {
        if (node->commands.is_empty()) continue;
        play_back_node(*node);
        has_played = true;
    }
    if (!group.is_presentation) world_.store().settle_relations();  // systems may have written dead targets
    if (has_played) clock_ = now();
    trace(TraceSpan::Kind::playback, group, start, clock_, 0);
}

void Schedule::play_back_node(Node& node) {
    node.is_playing_back = true;
    loops_->watch(node, [&] { play_back_commands(node); });
    node.is_playing_back = false;
    report_moment(ScheduleMoment::Kind::played_back, node);
}

void Schedule::play_back_commands(Node& node) {
    const PlaybackReport report = node.commands.play_back();
    node.status.commands += report;
    if (report.unrecorded != 0) {
        fail(node, Error{errors::records_refused(node.desc.name, report.unrecorded, report.stopped)});
    } else if (report.stopped != 0) {
        fail(node, Error{errors::playback_stopped(node.desc.name, report.stopped)});
    } else if (!report.thrown.empty()) {
        fail(node, Error{errors::system_threw(node.desc.name, report.thrown)});
    } else if (report.failed != 0 && report.refused) {
        std::string why = node.commands.limit() != nullptr ? node.commands.limit()->refusal() : std::string();
        if (why.empty()) why = errors::memory_refused(*report.refused);
        fail(node, Error{errors::playback_refused(node.desc.name, report.failed, why)});
    }
}

// Outside runs: the world is not locked, and commands take effect at once.
Result<void> Schedule::call_outside(Node& node, const SystemFunction& function) {
    if (!function) return {};
    SystemContext context = context_of(node, last_time_);
    Result<void> result = guarded(node, function, context);
    if (result) deliver_events(node);
    if (result) {
        play_back_commands(node);
    } else {
        node.commands.drop();
        node.events.drop();
    }
    report_moment(ScheduleMoment::Kind::called, node);
    return result;
}

void Schedule::at_step_end(std::function<Result<void>()> change) {
    const RunScope* const scope = run_scope(world_);
    if (scope != nullptr && scope->changes != nullptr)
        scope->changes->list.push_back(std::move(change));
    else
        step_end_.push_back({kNoNode, std::move(change)});
}

void Schedule::run_step_end() {
    if (step_end_.empty()) return;
    const Flag ending(is_ending_step_);
    const LateDeclarations late(world_.store().registry());
    // Changes that these ask for wait for the end of the next step.
    for (StepEndChange& one : std::exchange(step_end_, {})) {
        Node* const node = one.node == kNoNode ? nullptr : nodes_[one.node].get();
        if (node != nullptr && node->status.is_suspended) continue;
        // It may remove the system.
        const std::string system = node != nullptr ? node->desc.name : std::string();
        const Result<void> done = without_exceptions(system, one.change);
        if (!done && node != nullptr && nodes_[one.node].get() == node) fail(*node, done.error());
    }
}

void Schedule::run_deferred_changes() {
    // A change may add further ones.
    for (std::size_t i = 0; i < deferred_changes_.size(); ++i)
        std::function<void()>(std::move(deferred_changes_[i]))();
    deferred_changes_.clear();
}

void Schedule::fail(Node& node, Error error) {
    node.commands.drop();
    node.events.drop();
    node.changes.list.clear();
    node.status.is_suspended = true;
    node.status.error = std::move(error.message);
    node.status.error_kind = error.kind;
    if (error_handler_) error_handler_(status(SystemId{node.index}));
}

void Schedule::report_moment(ScheduleMoment::Kind kind, const Node& node) const {
    if (moment_handler_ && !node.parent->is_presentation) moment_handler_({kind, node.desc});
}

void Schedule::trace(TraceSpan::Kind kind, const Node& node, std::int64_t start, std::int64_t end,
                     std::uint32_t lane) const {
    if (trace_handler_)
        trace_handler_({kind, node.desc.name, node.desc.group, lane, start, end, node.desc.is_exclusive});
}

}  // namespace perigee
