// Which system this thread works for at the moment.
//
// Invariant: while a system runs, each thread that works for it (the one that called it, and those that help
// with its chunks) has its scope; outside of systems a thread has none. The world asks the scope for what
// differs between systems that run side by side: the version that marks their writes, when they last ran,
// what they may touch, and where their new ids come from. Lent: a scope lives on the stack of whoever runs
// the system.
#pragma once

#include "ecs/change_version.h"

#include <cstdint>
#include <utility>

namespace perigee {

class World;
struct SystemDesc;

namespace internal {
class AccessLog;
class IdPool;
class StageTurns;
}  // namespace internal

struct RunScope {
    const World* world = nullptr;
    const SystemDesc* system = nullptr;     ///< null: anything may be touched
    ChangeVersion version = 0;              ///< marks what this run writes
    ChangeVersion since = 0;                ///< version of this system's last run
    internal::IdPool* ids = nullptr;        ///< null: straight from the world
    internal::StageTurns* turns = nullptr;  ///< of the systems that may run at the same time; null: alone
    std::uint32_t place = 0;                ///< in the stage
    internal::AccessLog* log = nullptr;     ///< null: nobody wants to know

    bool is_beside_others() const noexcept { return turns != nullptr; }
};

namespace internal {
inline constinit thread_local const RunScope* t_run_scope = nullptr;
}  // namespace internal

/// The calling thread's scope in this world; null outside of systems.
inline const RunScope* run_scope(const World& world) noexcept {
    const RunScope* const scope = internal::t_run_scope;
    return scope != nullptr && scope->world == &world ? scope : nullptr;
}

/// While it lives, the calling thread works for `scope` (null: for none).
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

/// Returns once all systems that run at the same time and come before this thread's in the order have ended;
/// at once outside of systems and in those that run alone. What comes after it happens in system order, one
/// system at a time, however many threads there are: for the rare call of a system that reaches what is not
/// a component, such as a log, a store of assets or a list of sounds. Cost: the system's own threads do
/// nothing meanwhile.
void wait_for_turn();

}  // namespace perigee
