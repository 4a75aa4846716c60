// The resource usage of each mod of a runtime: memory, fuel, and what LuaJIT compiled, by system where
// possible. The schedule has times and rows (ecs/schedule/system_status.h). Not here: shares of time
// (jit_profile.h), text tables.
#pragma once

#include "ecs/base/memory_quota.h"
#include "scripting/sandbox/jit_health.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

struct ScriptSystemUsage {
    std::string name;                   ///< in the schedule
    double fuel = 0;                    ///< steps of all runs since its code was loaded
    std::uint64_t allocated_bytes = 0;  ///< by these runs, freed or not: the collector's workload
    double sorted_keys = 0;             ///< table keys that pairs sorted in these runs
};

struct ModUsage {
    std::string mod;
    bool has_loaded = false;
    std::size_t memory_bytes = 0;
    std::size_t peak_bytes = 0;
    PerMemoryKind<std::size_t> world_bytes;  ///< peak memory of the world charged to the mod
    std::size_t object_bytes = 0;            ///< values of object components
    std::size_t command_bytes = 0;           ///< command lists
    std::size_t system_bytes = 0;
    std::size_t observed_bytes = 0;    ///< old values and records for reactions
    std::size_t side_world_bytes = 0;  ///< without their Lua heaps
    std::size_t max_world_bytes = 0;   ///< limit for the sum of these
    std::size_t entities = 0;          ///< living ones charged to the mod
    std::size_t max_entities = 0;      ///< limit for these; SIZE_MAX: none
    JitHealth jit;
    std::vector<ScriptSystemUsage> systems;  ///< in order of declaration
};

/// Usage of all mods together, without the game (LimitsOfAllMods).
struct UsageOfAllMods {
    std::size_t lua_bytes = 0;
    std::size_t max_lua_bytes = 0;
    double load_seconds = 0;
    double max_load_seconds = 0;
};

}  // namespace perigee
