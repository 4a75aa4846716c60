// What one mod may use. Defaults suit a game's own scripts; a manifest and the player's settings change them.
// Fuel and log lines are counted, so they end a run at the same place each time; memory and time are not, and
// what they end is marked as not replayable. Not here: the counting (scripting/internal/fuel_tank.h).
#pragma once

#include <cstddef>

namespace perigee {

struct ScriptLimits {
    /// Steps of one run of a system, an initialiser, a command of a console: turns of loops, calls, and what
    /// library functions do. Compiled loops do some hundred million steps a second.
    double fuel_per_run = 10e6;
    /// Steps of one file that is loaded, with all that it requires.
    double fuel_per_load = 200e6;
    /// Bytes: above it, what runs ends with an error, unless a collection brings the memory below.
    std::size_t memory_soft = std::size_t{128} << 20;
    /// Bytes: the wall. What it ends may leave the state unusable.
    std::size_t memory_hard = std::size_t{1} << 30;
    /// Bytes that one run may take in all, freed ones counted: joining long strings takes time and no fuel.
    std::size_t memory_per_run = std::size_t{8} << 30;
    /// On the clock, for what takes time without using fuel, such as comparing long strings: of one run in a
    /// frame, and of a file that loads. What runs on is ended (internal/watchdog.h).
    double seconds_per_run = 0.5;
    double seconds_per_load = 5;
    /// From when it must stop to when its whole state is given up, because it does not.
    double seconds_of_grace = 0.25;
    /// Of all systems of the mod together in one step; what is above waits for later steps
    /// (internal/mod_frame.h). 0: as much as it likes. Not of the game itself, whose frame it is.
    double fuel_per_step = 2e6;
    double seconds_per_step = 0.004;
    /// Lines that the mod's own code may log in one step.
    int log_lines = 1000;
    /// Bytes of these lines together.
    std::size_t log_bytes = std::size_t{64} << 10;
    /// False: loops are not charged and nothing ends a run. For measuring, and for code as trusted as the
    /// engine.
    bool counts_fuel = true;
};

/// What all mods of a game may use together; the game itself is not counted. Half of each is divided evenly,
/// each part kept for its mod, and half goes to who comes first (internal/shared_limit.h).
struct LimitsOfAllMods {
    /// Bytes that their Lua states hold. Like memory_soft: what runs into it ends with an error.
    std::size_t lua_memory = std::size_t{1} << 30;
    /// Of processor time, for all their files when a game is loaded.
    double load_seconds = 20;
};

}  // namespace perigee
