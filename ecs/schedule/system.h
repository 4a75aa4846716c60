// Declares a system: a name, its place in the order, the data it accesses, and a function to run.
//
// Invariant: a SystemDesc is a complete declaration; everything that a system reads or writes is listed in
// `query` and `access`. Ordering and running systems is the job of schedule.h. C++ and Lua systems are
// described by the same struct.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/random.h"
#include "ecs/base/result.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/query/query.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/observers.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

// The groups of every schedule. Further ones are declared inside kStep.
inline constexpr std::string_view kInitialization = "initialization";
inline constexpr std::string_view kSimulation = "simulation";
inline constexpr std::string_view kTransforms = "transforms";
inline constexpr std::string_view kPresentation = "presentation";
/// The group of all reactions. They are ordered among each other and run at the end of the other groups.
inline constexpr std::string_view kReactions = "reactions";
/// The parent of the top-level groups that run once per fixed step; no system is directly in it.
inline constexpr std::string_view kStep = "step";
/// Run once per fixed step, in this order.
inline constexpr std::array<std::string_view, 3> kStepGroups{kInitialization, kSimulation, kTransforms};
/// All groups of a frame, in this order.
inline constexpr std::array<std::string_view, 4> kFrameGroups{kInitialization, kSimulation, kTransforms,
                                                              kPresentation};

class SystemEvents;
class World;
struct SystemDesc;

/// Time as simulation code sees it. Counts fixed steps, never the wall clock.
struct TickTime {
    double dt = 1.0 / 60.0;  ///< seconds of one fixed step
    std::uint64_t tick = 0;  ///< number of the step, from 0
    double time = 0;         ///< tick * dt: seconds since the game began
    double alpha = 1;        ///< presentation only: position of the frame between the last two steps, 0 .. 1
};

class Jobs;
class WorkerPool;

/// Everything that a reaction reacts to in one run. Lifetime: the reaction's run.
struct ReactionBatch {
    EventBatch events;       ///< for events: the new ones
    ObservedBatch observed;  ///< for components: the affected entities, in the order of the changes
};

/// What a running system may use. Valid for the call.
struct SystemContext {
    World& world;
    CommandBuffer& commands;  ///< played back at the end of the group; dropped if the system fails; closed in
                              ///< `presentation`
    SystemEvents& events;     ///< delivered at the end of the group, dropped like commands
    Random& random;           ///< this system's own stream
    Query* query;             ///< null when the system declared none
    TickTime time;
    double elapsed = 0;  ///< seconds of fixed steps since this system's last run; time.dt without `every`

    /// World::change_version of this system's last successful run, 0 before the first. A column has changed
    /// when chunk.changed_since(term, last_run_version) is true: another writer wrote it since. This system's
    /// own writes do not count.
    ChangeVersion last_run_version = 0;

    const SystemDesc* system = nullptr;  ///< the declaration; null outside a schedule
    WorkerPool* workers = nullptr;       ///< worker threads for chunks; null: none, see parallel_query.h
    /// Jobs with dependencies, completed when the system returns; also without workers. Null outside a
    /// schedule.
    Jobs* jobs = nullptr;
    const ReactionBatch* batch = nullptr;  ///< of reactions
};

/// Data that a system accesses besides its rows: random access, resources, events. It filters nothing.
struct AccessDesc {
    std::vector<ComponentId> read;
    std::vector<ComponentId> write;
};

using SystemFunction = std::function<Result<void>(SystemContext&)>;
using SystemCondition = std::function<bool(const SystemContext&)>;

struct SystemDesc {
    std::string name;  ///< unique in the schedule; a mod's systems are "mod:name"
    std::string group{kSimulation};
    /// Names of systems and groups. Those of other groups order the groups: with `after` a system of another
    /// group, the whole group runs after that group. Reactions are ordered among each other only.
    std::vector<std::string> before;
    std::vector<std::string> after;
    double every = 0;  ///< seconds between runs, the first after one interval; 0: every step
    QueryDesc query;
    AccessDesc access;
    bool is_native = true;  ///< may write components owned by the engine
    /// Unknown names in `before` and `after` are not an error: the systems they name are optional.
    bool ignores_unknown_names = false;
    /// Other systems work without it: in an endless loop of reactions, optional ones are suspended first.
    bool is_optional = false;

    /// Systems with the same key never run in parallel and keep their order. All systems of a mod share one
    /// key.
    std::string serial_key = {};
    /// No other system runs in parallel, and it runs on the group's thread. A native system that declares
    /// neither query nor access is treated the same way and may access everything.
    bool is_alone = false;
    /// A sync point: it runs alone, on an unlocked world, and changes the world at once, through
    /// SystemContext::world. The commands that systems before it recorded for the end of its group, or of a
    /// group around it, are played back first. It may access everything. If it fails, its changes stay. Rows,
    /// buffers and chunks that it looked up end with its next structural change. Not in `presentation`, and
    /// not for reactions.
    bool is_exclusive = false;
    /// Skipped while no row matches its query.
    bool needs_rows = false;
    bool is_enabled = true;  ///< when it is added; Schedule::set_enabled switches it later

    /// Where its commands are played back: "end of NAME", the name of any group that ends after it in the
    /// step; "": with its own group. If that group does not run in a step, they are played back when the
    /// group of the step around it ends, so no command outlives a step. Not in `presentation`, and not for
    /// reactions.
    std::string commands = {};

    /// Makes it a reaction: it belongs to no group, and `group` is ignored. When triggered, it runs at the
    /// end of each group except `presentation`, before its events expire; see Schedule.
    std::optional<Trigger> reacts_to = {};
    /// Pays for the records and copies for the reaction; see observers.h. Lifetime: the system's.
    ObservationPayer* payer = nullptr;

    SystemCondition run_if = {};  ///< checked when it is due; must not write anything
    /// Checked first, in system order: true makes a due system wait. It stays due until it has run, and its
    /// elapsed time stays complete. Not for reactions.
    SystemCondition must_wait = {};
    SystemFunction run = {};  ///< an error drops the system's commands and suspends it

    // Lifecycle callbacks. An error counts as an error of `run`; an error of on_create rejects the system.
    SystemFunction on_create = {};   ///< once, when it is added; the world is not locked
    SystemFunction on_start = {};    ///< before the first run, and before the first after it was disabled
    SystemFunction on_stop = {};     ///< when it is disabled or removed, if it was started; not locked
    SystemFunction on_destroy = {};  ///< once, when it is removed, or with the schedule; not locked
};

/// A group inside another one, or in the step: runs all its systems, then plays their commands back. Its
/// members are ordered among each other, and the group itself among its siblings, like a system. A top-level
/// group that names no other runs between `simulation` and `transforms`.
struct GroupDesc {
    std::string name;                ///< unique among systems and groups
    std::string group{kSimulation};  ///< the parent group, or kStep for a top-level group
    std::vector<std::string> before = {};
    std::vector<std::string> after = {};
    double every = 0;                    ///< see SystemDesc
    SystemCondition run_if = {};         ///< see SystemDesc
    bool ignores_unknown_names = false;  ///< see SystemDesc
    bool is_enabled = true;              ///< see SystemDesc
};

/// The group that SystemDesc::commands names; empty if it does not begin with "end of ".
std::string_view playback_group(std::string_view commands) noexcept;

/// True if the system declares that it reads (write access counts too) or writes the component, in its query
/// or in `access`.
bool declares(const SystemDesc& system, ComponentId component, Access access) noexcept;

/// The components that the system declares as written, in its query or in `access`.
std::vector<ComponentId> written_by(const SystemDesc& system);

/// True for a system whose accesses are unknown: an exclusive one, or a native one with neither query nor
/// access.
bool is_undeclared(const SystemDesc& system) noexcept;

}  // namespace perigee
