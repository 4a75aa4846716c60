// The order of all systems of a world, and the one place that runs them.
//
// Invariant: the order inside a group depends only on the declarations (before/after, then name bytewise),
// never on registration. The world is locked while a system runs; commands are played back at the end of the
// group, in system order. `initialization`, `simulation` and `transforms` (for what follows from the
// simulation's commands) run once per fixed step in this order, `presentation` once per frame on a world that
// nobody may change: systems there that declare write access are refused, and one that records a command
// fails.
#pragma once

#include "ecs/result.h"
#include "ecs/system.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline constexpr std::string_view kInitialization = "initialization";
inline constexpr std::string_view kSimulation = "simulation";
inline constexpr std::string_view kTransforms = "transforms";
inline constexpr std::string_view kPresentation = "presentation";

struct SystemId {
    std::uint32_t index = 0xFFFFFFFF;
    constexpr auto operator<=>(const SystemId&) const noexcept = default;
};

/// What became of a system; for tools, error cards and tests.
struct SystemStatus {
    std::string name;
    std::string group;
    bool is_enabled = true;
    bool is_suspended = false;  ///< failed; runs again after resume()
    std::string error;          ///< of the last failure
    std::uint64_t run_count = 0;
    PlaybackReport commands;       ///< sum over all runs
    double last_milliseconds = 0;  ///< of run; playback excluded
};

class Schedule {
public:
    explicit Schedule(World& world, std::uint64_t seed = 0);
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    /// Adds a system. It first runs in the next run_group of its group, also when a running system adds it.
    /// Expects: `run` is set.
    /// Errors: an empty name or one in use; an unknown group; write access in `presentation`; an `every` that
    ///         is negative or no number; those of World::query. Nothing changes.
    Result<SystemId> add(SystemDesc desc);

    /// Checks names in before/after and computes the order. Called by run_group when something changed.
    /// Expects: no system is running.
    /// Errors: unknown system names (all, with suggestions), or a cycle, printed as a loop: "a -> b -> a".
    Result<void> resolve_order();

    /// Runs one group once and plays its commands back.
    /// Expects: the group exists, no system is running.
    /// Errors: only those of resolve_order, and then nothing runs; failing systems are suspended and reported
    ///         through on_error.
    Result<void> run_group(std::string_view group, const TickTime& time);

    void set_enabled(SystemId system, bool is_enabled);
    void resume(SystemId system);
    std::optional<SystemId> find(std::string_view name) const noexcept;
    SystemStatus status(SystemId system) const;
    std::size_t system_count() const noexcept;

    /// Names of a group's systems in the order in which they run.
    /// Expects: the group exists, resolve_order succeeds.
    std::vector<std::string> order(std::string_view group);

    /// Called for each failure, after the system was suspended and its commands were dropped.
    void on_error(std::function<void(const SystemStatus&)> handler);

    /// All random streams start again from `seed`, all `every` timers at zero, and everything counts as
    /// changed.
    void reset(std::uint64_t seed);

private:
    struct System;
    struct Group;
    Group* find_group(std::string_view name) const noexcept;
    Result<void> check(const SystemDesc& desc) const;
    Result<void> check_owners(const SystemDesc& desc) const;
    static std::vector<ComponentId> written_by(const SystemDesc& desc);
    Result<void> resolve_group(Group& group);
    void run_system(System& system, const TickTime& time);
    void fail(System& system, std::string message);
    System& system_at(SystemId id) const;

    World& world_;
    std::uint64_t seed_;
    std::vector<std::unique_ptr<System>> systems_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::map<ComponentId, std::string> owners_;  ///< of cleanup components: who wrote them first
    std::function<void(const SystemStatus&)> error_handler_;
    bool is_running_ = false;
};

}  // namespace perigee
