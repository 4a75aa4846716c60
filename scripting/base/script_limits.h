// The limits of one mod. Defaults suit a game's own scripts; a manifest and the player's settings change
// them. Fuel and log lines are counted deterministically, so they end a run at the same place each time.
// Memory and time are not, and a run that they end is marked as not replayable. Not here: the counting
// (scripting/sandbox/internal/fuel_tank.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee {

struct ScriptLimits {
    /// Steps of one run of a system, an initialiser or a console command: loop iterations, calls, and the
    /// work of library functions. Compiled loops do some hundred million steps per second.
    double fuel_per_run = 10e6;
    /// Steps of loading one file, with all files that it requires.
    double fuel_per_load = 200e6;
    /// Bytes: above it, the run ends with an error, unless a garbage collection brings the memory below.
    std::size_t memory_soft = std::size_t{128} << 20;
    /// Bytes: the hard limit. A run that it ends may leave the state unusable.
    std::size_t memory_hard = std::size_t{1} << 30;
    /// Bytes that one run may allocate in total, including freed ones: joining long strings takes time,
    /// but no fuel.
    std::size_t memory_per_run = std::size_t{8} << 30;
    /// Wall-clock limits for work that uses no fuel, such as comparing long strings: for one run in a frame,
    /// and for loading a file. The watchdog ends longer runs (scripting/sandbox/internal/watchdog.h).
    double seconds_per_run = 0.5;
    double seconds_per_load = 5;
    /// Time between the request to stop and discarding the whole state if the run does not stop.
    double seconds_of_grace = 0.25;
    /// For all systems of the mod together in one step; the excess is postponed to later steps
    /// (scripting/mods/internal/mod_frame.h). 0: unlimited. Does not apply to the game itself.
    double fuel_per_step = 2e6;
    double seconds_per_step = 0.004;
    /// Living entities at a time, of a mod; for the game only the world's own limit applies. Native systems
    /// pass over half a million transforms in 4 ms.
    std::size_t entities = 500'000;
    /// Lines that the mod's own code may log per step.
    int log_lines = 1000;
    /// Bytes of these lines together.
    std::size_t log_bytes = std::size_t{64} << 10;
    /// False: loops are not charged and nothing ends a run. For measurements, and for code that you trust
    /// like the engine.
    bool counts_fuel = true;
};

/// Limits of single values, names and lists, the same for every mod. Those of fields are in
/// ecs/schema/schema.h.
inline constexpr std::size_t kMaxNameBytes = 200;         ///< of a system, group, prefab or service
inline constexpr std::size_t kMaxListedNames = 256;       ///< in one list of a system, such as `after`
inline constexpr std::size_t kMaxQueries = 8;             ///< named ones of a system; see lua_memory.h
inline constexpr std::size_t kMaxChanges = 64;            ///< in each of the two lists of `change`
inline constexpr std::size_t kMaxTypes = 4096;            ///< components, resources and events of a mod
inline constexpr std::size_t kMaxPrefabs = 10'000;        ///< of a mod
inline constexpr std::size_t kMaxPatches = 1000;          ///< of prefabs, by a mod
inline constexpr std::size_t kMaxOrderNames = 50'000;     ///< of a mod; in order within half a second
inline constexpr std::size_t kMaxSideWorlds = 8;          ///< of a mod
inline constexpr std::uint32_t kMaxSideSteps = 600;       ///< of a side world in one call
inline constexpr std::size_t kMaxWaiting = 256;           ///< messages between worlds that were not received
inline constexpr std::size_t kMaxWaitingBytes = 1 << 20;  ///< of these messages, in each direction
inline constexpr int kMaxTableDepth = 16;                 ///< of tables for other mods and for files
inline constexpr int kMaxChildLevels = 64;                ///< of prefabs, data files and paths to entities

/// The limits of all mods of a game together; the game itself does not count. Half of each limit is divided
/// evenly and reserved per mod; the other half is first come, first served (internal/shared_limit.h).
struct LimitsOfAllMods {
    /// Bytes of their Lua states. Like memory_soft: a run that reaches it ends with an error.
    std::size_t lua_memory = std::size_t{1} << 30;
    /// Processor time for all their files when a game is loaded.
    double load_seconds = 20;
    /// Living entities.
    std::size_t entities = 1'000'000;
};

/// What mods may add to a prefab of the game or of another mod, since the one that spawns it pays: entities
/// of one copy, and bytes of their rows with buffers.
struct PatchLimits {
    std::size_t parts;
    std::size_t bytes;
};
inline constexpr PatchLimits kPatchOfMod{32, std::size_t{8} << 10};
inline constexpr PatchLimits kPatchOfAll{64, std::size_t{16} << 10};

}  // namespace perigee
