// Orders all systems of a world and is the only place that runs them.
//
// Invariant: the order inside a group depends only on the declarations (before/after, then name bytewise),
// never on registration. A name from another group orders the groups. The result of a run depends on the
// order and the declared access, never on the number of threads. Groups nest and are ordered like systems.
// The world is locked while systems run. At the end of the group, events are delivered and commands played
// back, in system order. `initialization`, `simulation` and `transforms` (for what follows from the
// simulation's commands) run once per fixed step in this order, `presentation` once per frame on a read-only
// world: systems there that declare write access are refused, a system that records a command fails, and
// systems never run in parallel. A system may name another group for its commands; those that are played back
// together are in system order, which is the order of a whole step. internal/stage_plan.h describes how
// systems share threads. An exclusive system is a sync point: it runs alone on an unlocked world, after the
// commands recorded before it.
//
// Reactions wait for events or component changes. When a group has ended, the triggered reactions run in a
// round, in their order. Then their commands are played back, their events delivered, and the next round
// begins. When reactions are still triggered after kMaxRounds, those that trigger each other in a loop are
// suspended and lose their batches; the others continue.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schedule/system.h"
#include "ecs/schedule/system_status.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct RunScope;
class ScheduleState;

namespace internal {
class ByteReader;
class ReactionLoops;
struct ScheduleNode;
}  // namespace internal

/// Identifies a system or a group. Ids are never reused.
struct SystemId {
    std::uint32_t index = 0xFFFFFFFF;
    constexpr auto operator<=>(const SystemId&) const noexcept = default;
};

/// Two systems of one group that write the same component without a declared order; their names decide which
/// runs first.
struct UnorderedWrites {
    std::string first;
    std::string second;
    std::string component;
};

class Schedule {
public:
    static constexpr int kMaxRounds = 32;
    static constexpr int kRoundsUnwatched = 16;  ///< from the next round on, causes of triggers are recorded

    explicit Schedule(World& world, std::uint64_t seed = 0);
    ~Schedule();  ///< removes all systems, the last one added first
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    // ---- systems and groups. Expects, everywhere: not called by a system that runs in parallel; declare
    // ---- is_alone for a system that changes the schedule.

    /// Adds a system. It first runs in the next run_group of its group, even when a running system adds it.
    /// Expects: `run` is set.
    /// Errors: an empty name or one in use; an unknown group; write access in `presentation` to other than
    /// presentation data (Schema::presentation), and access to presentation data elsewhere; a negative or NaN
    /// `every`; the errors of World::query and on_create. On error nothing changes.
    Result<SystemId> add(SystemDesc desc);
    /// Adds a group inside another one.
    /// Errors: as with systems.
    Result<SystemId> add_group(GroupDesc desc);

    /// Removes a system: on_stop, then on_destroy. While a group runs, removal happens at its end; a system
    /// may remove itself. Removing a removed system does nothing. Expects: not a group.
    void remove(SystemId system);
    /// Replaces a system by another; name, id, timers and random stream stay. While a group runs, replacement
    /// happens at its end, and errors go to on_error.
    /// Errors: as with add; then the old system stays.
    Result<void> replace(SystemId system, SystemDesc desc);
    /// Changes the declaration of a system in place. No lifecycle callback runs, timers continue, and unread
    /// events are still delivered to it. Statistics and suspension are cleared. Expects: no group is running.
    /// Errors: as with add; then nothing changed.
    Result<void> renew(SystemId system, SystemDesc desc);
    /// The same for a group. Expects: not a group of the engine.
    Result<void> renew_group(SystemId group, GroupDesc desc);
    /// The error that add, or renew of `renewed`, would return. No lifecycle callback runs.
    Result<void> check_system(SystemDesc desc, std::optional<SystemId> renewed = std::nullopt) const;

    /// Disables (on_stop) or enables a system or group. While a group runs, on_stop is called at its end. The
    /// switch survives renew and replace. Cost: none while disabled.
    void set_enabled(SystemId system, bool is_enabled);
    /// Leaves a system out, or takes it in again, without touching its switch: for hosts that stop the
    /// systems of a part that is broken.
    void leave_out(SystemId system, bool is_left_out);
    /// True if it and all groups around it are enabled, not left out, not suspended and not paused.
    bool is_active(SystemId system) const;
    /// Runs a group once more when the running run_group ends, and if none runs, when the next one ends that
    /// is not in `presentation`. The group's own switch, `every` and `run_if` do not count; those of its
    /// members do. Several requests are one. Those that come while requested groups run wait for the next
    /// run_group. Expects: a group outside `presentation`.
    void run_later(SystemId group);
    /// Calls `change` at the end of the running step, or of the next one if none runs: when run_step ends, or
    /// run_group outside a step. Then no system runs and the world is not locked, so it may declare types,
    /// prefabs, queries and systems, in any system of the simulation, parallel ones too (on the system's own
    /// thread). Changes are called in system order. Those of a system that fails are dropped; an error of a
    /// change suspends the system that asked for it and drops its other changes of this step. An error of a
    /// change that no running system asked for is dropped, so report it in the change.
    /// A system that a change adds must fit into the order, or add returns the error. Types that a change
    /// declares count in the world hash once they are used (component_hash). When restore goes back to a
    /// time before a change, its types and prefabs stay, and its systems do not exist until added again.
    void at_step_end(std::function<Result<void>()> change);
    /// Pauses a system or group, without on_stop.
    void set_paused(SystemId system, bool is_paused);
    /// Lets a paused system or group run this many more times.
    void step(SystemId system, std::uint64_t runs = 1);
    /// Lets a failed system run again.
    void resume(SystemId system);

    // ---- order ----

    /// Checks names in before/after and computes the order. Called by run_group when something changed.
    /// Expects: no system is running.
    /// Errors: unknown system names (all, with suggestions), or a cycle, printed as a loop: "a -> b -> a".
    Result<void> resolve_order();
    /// The top-level groups of a step, in order. Expects: resolve_order succeeds.
    std::vector<std::string> step_groups();
    /// Names of a group's systems and groups in the order in which they run.
    /// Expects: the group exists, resolve_order succeeds.
    std::vector<std::string> order(std::string_view group);
    /// The same, grouped into stages: the systems of one stage may run in parallel.
    std::vector<std::vector<std::string>> stages(std::string_view group);
    /// Pairs of systems that need a declared order. Expects: resolve_order succeeds.
    std::vector<UnorderedWrites> unordered_writes();

    // ---- running ----

    /// Sets the worker threads to use from now on; null for none. Systems that together took less than
    /// `milliseconds` in their last run do not use threads. The result is the same either way. Lifetime: the
    /// schedule's, or until the next call.
    void use_workers(WorkerPool* workers, double milliseconds = 0.05) noexcept {
        workers_ = workers;
        min_parallel_milliseconds_ = milliseconds;
    }

    /// Runs one group once and plays its commands back.
    /// Expects: the group exists, no system is running.
    /// Errors: only those of resolve_order, and then nothing runs; failing systems are suspended and reported
    ///         through on_error.
    Result<void> run_group(std::string_view group, const TickTime& time);
    /// The time of the last run_group.
    const TickTime& last_time() const noexcept { return last_time_; }
    /// The step after the last one; 0 before the first. Presentation is no step.
    std::uint64_t next_tick() const noexcept { return next_tick_; }
    /// True inside run_group.
    bool is_running() const noexcept { return is_running_; }

    /// Runs all groups of a step, in order: the engine's and those declared in kStep. What runs per frame,
    /// `presentation`, is left to run_group.
    /// Expects: no system is running.
    /// Errors: the first one of run_group; the other groups run.
    Result<void> run_step(const TickTime& time);

    /// Random streams of the host that belong to the state, by name; see state(). `each` calls its argument
    /// with each of them, between steps. Lifetime: what it refers to must outlive the schedule, or until it
    /// is set to null.
    using HostStreams =
        std::function<void(const std::function<void(std::string_view name, Random& stream)>&)>;
    void set_host_streams(HostStreams each) { host_streams_ = std::move(each); }

    /// Restarts all random streams from `seed` and all `every` timers from zero. Everything counts as
    /// changed, and no event is pending.
    void reset(std::uint64_t seed);

    /// What systems and groups know of their earlier runs: timers, random streams, change versions and events
    /// that they have seen, and whether they are enabled or suspended; and the host's random streams. For
    /// restoring a world with it (ecs/save/). Throws std::bad_alloc. Expects: no system is running.
    ScheduleState state() const;
    /// Goes back to that state. No lifecycle callback runs. A system that is newer starts as if it had just
    /// been added; a paused one stays paused. Expects: the same; the world was restored to the same time.
    void restore(const ScheduleState& state) noexcept;
    /// A state that ScheduleState::write wrote, for the systems and groups that this schedule has by their
    /// names; others are left out. Errors of a system are not read: one that is suspended stays so. Fails the
    /// reader if the bytes are no state. Throws std::bad_alloc.
    ScheduleState read_state(internal::ByteReader& from) const;

    // ---- look-up and reporting ----

    /// Finds a system or group by name. One that restore has taken back to before its time is not found.
    std::optional<SystemId> find(std::string_view name) const noexcept;
    SystemStatus status(SystemId system) const;
    /// The current declaration. Lifetime: until the system is replaced or removed.
    const SystemDesc& description(SystemId system) const;
    std::size_t system_count() const noexcept { return system_count_; }
    /// True for `presentation` and the groups inside it. Expects: the group exists.
    bool is_presentation(std::string_view group) const;
    /// True for a group that every schedule has.
    bool is_engine_group(SystemId group) const noexcept;
    /// All systems and groups in the order added; the engine's groups first.
    std::vector<SystemId> all() const;

    /// Called for each failure, after the system is suspended and its commands are dropped.
    void on_error(std::function<void(const SystemStatus&)> handler);
    /// Called when a run took longer than `milliseconds`, and again each time it doubles.
    void on_slow(double milliseconds, std::function<void(const SystemStatus&)> handler);
    /// Called for each run, playback and group, on the thread that runs the group, after it has ended.
    void on_trace(std::function<void(const TraceSpan&)> handler);
    /// Called on the thread that runs the group, in system order: for each system after it ran, even if it
    /// failed, after its commands were played back, if it had any, and after a callback outside of its runs.
    /// Systems of one stage are reported after all of them ran; none of them wrote what another wrote. Not
    /// called in `presentation`, where only presentation data changes. The handler may read the world.
    void on_moment(std::function<void(const ScheduleMoment&)> handler);
    /// From now on each stage is checked for memory that one system wrote while another used it; the later
    /// system fails. Has an effect only in builds with debug checks. Cost: one record per column and look-up.
    void record_access(bool is_recording) noexcept { is_recording_ = is_recording; }

private:
    using Node = internal::ScheduleNode;
    using Nodes = std::vector<Node*>;

    Node* find_node(std::string_view name) const noexcept;
    Node* find_group(std::string_view name) const noexcept;
    Node& node_at(SystemId id) const;
    Node& add_node(SystemDesc&& desc, Node* parent);
    Node& add_again(Node& earlier, SystemDesc&& desc);
    void drop_node(Node& node);
    Result<void> check(const SystemDesc& desc, const Node* replaced) const;
    Result<void> check_group(SystemDesc desc, const Node* replaced) const;
    std::vector<std::string_view> names_of_groups() const;
    Result<void> check_presentation_data(const SystemDesc& desc, bool is_presentation) const;
    Result<void> check_owners(const SystemDesc& desc, const Node* replaced) const;
    Result<Query*> query_of(const SystemDesc& desc) const;
    void set_up(Node& node, Query* query);
    std::vector<ComponentId> events_of(const std::vector<ComponentId>& types) const;
    void claim_owned(const Node& node);
    void release_owned(const Node& node);
    void expect_may_change() const;
    Result<void> replace_now(Node& node, SystemDesc&& desc);
    static SystemDesc described(GroupDesc&& group);
    void move_to(Node& node, Node* group);
    void mark_stale(Node* group) noexcept;
    static void clear_statistics(Node& node) noexcept;
    void remove_now(Node& node);

    Result<Nodes> ordered(const Nodes& members, const Node* group) const;
    Result<void> resolve_step();
    Result<void> resolve_group(Node& group);
    Result<void> prepare(Node& group);
    Result<void> plan_playback();
    bool is_order_known() const noexcept;
    Result<void> plan_playback_of(Node& group);
    Result<void> check_commands(const SystemDesc& desc, const Node& group) const;
    void plan_group(Node& group) const;
    void run_nodes(Node& group, const TickTime& time);
    void run_stage(Node& group, const Nodes& stage, std::uint64_t steps, const TickTime& time);
    bool wants_run(Node& node, std::uint64_t steps, const TickTime& time);
    bool holds(Node& node, const SystemCondition& condition, const TickTime& time);
    bool is_due(Node& node, const TickTime& time);
    static double elapsed_of(const Node& node, const TickTime& time) noexcept;
    void run_systems(Node& group, const Nodes& due, const TickTime& time);
    void run_system(Node& node, const RunScope& scope, const TickTime& time);
    void finish_system(Node& node);
    void begin_tick(const TickTime& time);
    void react(const TickTime& time);
    bool collect_batch(Node& reaction);
    bool collect_batches();
    void discard_batch(Node& reaction);
    void observe(const SystemDesc& reaction);
    void unobserve(const SystemDesc& reaction);
    void suspend_loops();
    Result<void> check_reaction(const SystemDesc& desc) const;
    void play_back(Node& group);
    void play_back_node(Node& node);
    bool play_back_late(const Node& ended);
    bool has_waiting_commands() const noexcept;
    void synchronise(Node& group);
    void play_back_commands(Node& node);
    void deliver_events(Node& node);
    void fail_for_too_many(Node& node, ComponentId event);
    void check_overlaps(const Nodes& ran);
    void run_deferred_changes();
    void run_step_end();
    void stop_when_off(SystemId system);
    void run_once(Node& group, const TickTime& time);
    void run_requested(const TickTime& time);
    Result<void> call_outside(Node& node, const SystemFunction& function);
    Result<void> guarded(Node& node, const SystemFunction& function, SystemContext& context);
    SystemContext context_of(Node& node, const TickTime& time) noexcept;
    void stop(Node& node);
    void fail(Node& node, Error error);
    void report_moment(ScheduleMoment::Kind kind, const Node& node) const;
    void trace(TraceSpan::Kind kind, const Node& node, std::int64_t start, std::int64_t end,
               std::uint32_t lane) const;

    World& world_;
    std::uint64_t seed_;
    WorkerPool* workers_ = nullptr;
    double min_parallel_milliseconds_ = 0;      ///< stages that took less use no threads
    std::vector<std::unique_ptr<Node>> nodes_;  ///< by SystemId; null if removed; top-level groups first
    Node* reactions_ = nullptr;                 ///< the group of all reactions
    std::size_t system_count_ = 0;
    std::map<ComponentId, std::string> owners_;            ///< per cleanup component: the first system that
                                                           ///< declared write access
    std::vector<std::function<void()>> deferred_changes_;  ///< changes that wait for the end of the run
    std::vector<SystemId> requested_;                      ///< groups to run once more, see run_later
    struct StepEndChange {
        std::uint32_t node;  ///< index, or kNoNode
        std::function<Result<void>()> change;
    };
    static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
    std::vector<StepEndChange> step_end_;
    HostStreams host_streams_;
    std::function<void(const SystemStatus&)> error_handler_;
    std::function<void(const SystemStatus&)> slow_handler_;
    double slow_milliseconds_ = 0;
    std::function<void(const TraceSpan&)> trace_handler_;
    std::function<void(const ScheduleMoment&)> moment_handler_;
    TickTime last_time_;
    std::uint64_t next_tick_ = 0;
    std::int64_t clock_ = 0;  ///< last clock reading of the running group, in nanoseconds
    Nodes step_;              ///< the top-level groups of a step, in order
    Nodes running_step_;      ///< memory for the copy of step_ that run_step walks
    bool is_step_stale_ = true;
    Nodes detached_;                 ///< systems whose commands are not played back with their own group
    bool is_playback_stale_ = true;  ///< the lists of the groups and detached_
    bool is_running_ = false;
    bool is_in_step_ = false;      ///< inside run_step
    bool is_ending_step_ = false;  ///< calls step_end_
    bool is_recording_ = false;
    std::unique_ptr<internal::ReactionLoops> loops_;
};

}  // namespace perigee
