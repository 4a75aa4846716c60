// What each mod of a runtime uses: memory, fuel and what LuaJIT made of its code, by system where it can be
// told apart. Times and rows are the schedule's (ecs/system_status.h). Not here: shares of time
// (jit_profile.h), tables of text.
#pragma once

#include "ecs/memory_quota.h"
#include "scripting/jit_health.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

struct ScriptSystemUsage {
    std::string name;                   ///< in the schedule
    double fuel = 0;                    ///< steps of all runs since its code was loaded
    std::uint64_t allocated_bytes = 0;  ///< by them, given back or not: what the collector has to do
    double sorted_keys = 0;             ///< of tables, that pairs has put in order for them
};

struct ModUsage {
    std::string mod;
    bool has_loaded = false;
    std::size_t memory_bytes = 0;
    std::size_t peak_bytes = 0;
    PerMemoryKind<std::size_t> world_bytes;  ///< that the world was made to hold, at its fullest
    std::size_t object_bytes = 0;            ///< values of object components
    std::size_t command_bytes = 0;           ///< lists of commands
    std::size_t system_bytes = 0;
    std::size_t most_world_bytes = 0;  ///< that all of these may be together
    JitHealth jit;
    std::vector<ScriptSystemUsage> systems;  ///< in the order in which they were declared
};

/// Of all mods together, without the game (LimitsOfAllMods).
struct UsageOfAllMods {
    std::size_t lua_bytes = 0;
    std::size_t most_lua_bytes = 0;
    double load_seconds = 0;
    double most_load_seconds = 0;
};

}  // namespace perigee
