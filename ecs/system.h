// What a system is: a name, its place in the order, what it touches, and a function to run.
//
// Invariant: a SystemDesc is a complete declaration; everything that a system reads or writes stands in
// `query` and `access`. How systems are ordered and run is schedule.h. C++ and Lua systems are described by
// the same struct.
#pragma once

#include "ecs/change_version.h"
#include "ecs/command_buffer.h"
#include "ecs/event_store.h"
#include "ecs/observers.h"
#include "ecs/query.h"
#include "ecs/random.h"
#include "ecs/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class SystemEvents;
class World;
struct SystemDesc;

/// Time as simulation code sees it. Counts fixed steps, never the wall clock.
struct TickTime {
    double dt = 1.0 / 60.0;  ///< seconds of one fixed step
    std::uint64_t tick = 0;  ///< number of the step, from 0
    double time = 0;         ///< tick * dt: seconds since the game began
    double alpha = 1;        ///< presentation only: how far between the last two steps the picture is, 0 .. 1
};

class Jobs;
class WorkerPool;

/// What a reaction reacts to, all at once. Lifetime: the reaction's run.
struct ReactionBatch {
    EventBatch events;       ///< of an event: those that are new
    ObservedBatch observed;  ///< of a component: whom it happened to, in the order in which it did
};

/// What a running system may use. Lent for the call.
struct SystemContext {
    World& world;
    CommandBuffer& commands;  ///< played back at the end of the group; dropped if the system fails; closed in
                              ///< `presentation`
    SystemEvents& events;     ///< delivered at the end of the group, dropped like commands
    Random& random;           ///< this system's own stream
    Query* query;             ///< null when the system declared none
    TickTime time;
    double elapsed = 0;  ///< seconds of fixed steps since this system last ran; time.dt without `every`

    /// World::change_version of this system's last successful run, 0 before the first. A column is news when
    /// chunk.changed_since(term, last_run_version): others wrote it since, this system's own writes excluded.
    ChangeVersion last_run_version = 0;

    const SystemDesc* system = nullptr;  ///< the declaration; null outside a schedule
    WorkerPool* workers = nullptr;       ///< threads that help with chunks; null: none, see parallel_query.h
    Jobs* jobs =
        nullptr;  ///< work with dependencies, completed when the system returns; null in the same cases
    const ReactionBatch* batch = nullptr;  ///< of reactions
};

/// Data that a system touches besides the rows of its query: random access, resources, events. Does not
/// filter.
struct AccessDesc {
    std::vector<ComponentId> read;
    std::vector<ComponentId> write;
};

using SystemFunction = std::function<Result<void>(SystemContext&)>;
using SystemCondition = std::function<bool(const SystemContext&)>;

struct SystemDesc {
    std::string name;  ///< unique in the schedule; a mod's systems are "mod:name"
    std::string group = "simulation";
    std::vector<std::string> before;  ///< names of systems in the same group
    std::vector<std::string> after;
    double every = 0;  ///< seconds between runs, the first after one interval; 0: every step
    QueryDesc query;
    AccessDesc access;
    bool is_native = true;  ///< may write what the engine owns
    /// A name in before or after that nobody in its group has is no mistake: what it names may be left out.
    bool ignores_unknown_names = false;

    /// Systems of one key never run at the same time, and keep their order. A mod's systems have one.
    std::string serial_key = {};
    /// Nothing runs beside it, and the thread that runs the group runs it. A native system that declares
    /// neither query nor access counts as one, and may touch everything.
    bool is_alone = false;
    /// Not run while no row matches its query.
    bool needs_rows = false;

    /// Makes it a reaction: it belongs to no group, and `group` is ignored. It runs at the end of each group
    /// but `presentation`, when there is something for it, before that is old; see Schedule.
    std::optional<Trigger> reacts_to = {};

    SystemCondition run_if = {};  ///< asked when it is due; without writing anything
    /// Asked first, in system order: must it wait, although it is due? It stays due until it has run, and to
    /// it no time has passed that it did not see. Not for reactions.
    SystemCondition must_wait = {};
    SystemFunction run = {};  ///< an error drops the system's commands and suspends it

    // The system's life. An error of one counts as one of `run`, that of on_create refuses the system.
    SystemFunction on_create = {};   ///< once, when it is added; the world is not locked
    SystemFunction on_start = {};    ///< before the first run, and before the first after it was disabled
    SystemFunction on_stop = {};     ///< when it is disabled or removed, if it was started; not locked
    SystemFunction on_destroy = {};  ///< once, when it is removed, or with the schedule; not locked
};

/// A group inside another one: runs all its systems, then plays their commands back. Its members are ordered
/// among each other, and the group itself among its siblings, like a system.
struct GroupDesc {
    std::string name;                  ///< unique among systems and groups
    std::string group = "simulation";  ///< the one it is in
    std::vector<std::string> before = {};
    std::vector<std::string> after = {};
    double every = 0;                    ///< see SystemDesc
    SystemCondition run_if = {};         ///< see SystemDesc
    bool ignores_unknown_names = false;  ///< see SystemDesc
};

/// Does the system declare that it reads (write access counts too) or writes the component, in its query or
/// besides?
bool declares(const SystemDesc& system, ComponentId component, Access access) noexcept;

/// Is it a native system with neither query nor access, so that nobody knows what it touches?
bool is_undeclared(const SystemDesc& system) noexcept;

}  // namespace perigee
