// The system that the current thread works for.
//
// Invariant: while a system runs, each thread that works for it (the calling thread and its workers) has its
// scope; outside systems a thread has none. The world reads from the scope what differs between systems that
// run in parallel: the version that marks their writes, their last run, what they may access, and the source
// of their new ids. A scope lives on the stack of the code that runs the system.
#pragma once

#include "ecs/base/change_version.h"

#include <cstdint>
#include <utility>

namespace perigee {

class World;
struct SystemDesc;

namespace internal {
class AccessLog;
class IdPool;
class StageTurns;
struct StepEndChanges;
}  // namespace internal

struct RunScope {
    const World* world = nullptr;
    const SystemDesc* system = nullptr;     ///< null: access is unrestricted
    ChangeVersion version = 0;              ///< marks what this run writes
    ChangeVersion since = 0;                ///< version of this system's last run
    internal::IdPool* ids = nullptr;        ///< null: taken directly from the world
    internal::StageTurns* turns = nullptr;  ///< of the systems that may run at the same time; null: alone
    std::uint32_t place = 0;                ///< in the stage
    internal::AccessLog* log = nullptr;     ///< null: no log
    bool is_exclusive = false;              ///< the world is not locked
    internal::StepEndChanges* changes = nullptr;  ///< those that wait for the end of the step

    bool is_parallel() const noexcept { return turns != nullptr; }
};

namespace internal {
inline constinit thread_local const RunScope* t_run_scope = nullptr;
}  // namespace internal

/// The calling thread's scope in this world; null outside systems.
inline const RunScope* run_scope(const World& world) noexcept {
    const RunScope* const scope = internal::t_run_scope;
    return scope != nullptr && scope->world == &world ? scope : nullptr;
}

/// While it exists, the calling thread works for `scope` (null: for none).
class EnterScope {
public:
    explicit EnterScope(const RunScope* scope) noexcept
        : before_(std::exchange(internal::t_run_scope, scope)) {}
    ~EnterScope() { internal::t_run_scope = before_; }
    EnterScope(const EnterScope&) = delete;
    EnterScope& operator=(const EnterScope&) = delete;

private:
    const RunScope* before_;
};

/// Waits until all systems of the same stage that precede this thread's system have ended. Returns at once
/// outside systems and in systems that run alone. The code after it runs in system order, one system at a
/// time, for any number of threads. Meant for rare calls that access something other than components, such as
/// a log, an asset store or a list of sounds. Cost: the system's own threads are idle meanwhile.
void wait_for_turn();

}  // namespace perigee
