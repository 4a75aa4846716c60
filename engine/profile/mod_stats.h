// The table of each mod's cost, and of the code that LuaJIT cannot compile: for `perigee run --stats` and
// `perigee check --perf`.
//
// Invariant: mods are in load order. Times are from this machine and run; no game may depend on them. Not
// here: the table of systems (run_stats.h).
#pragma once

#include "scripting/sandbox/jit_health.h"
#include "scripting/tools/jit_profile.h"

#include <functional>
#include <map>
#include <string>

namespace perigee {

class Schedule;
class ScriptRuntime;

using JitTimes = std::map<std::string, JitTime, std::less<>>;

/// Milliseconds and rows of the mod's systems, memory, fuel, allocations and machine code, per run of the
/// simulation where that makes sense; then one line for each place that is not compiled. `profiles` adds the
/// shares of interpretation and garbage collection for the mods that it contains. Then the memory charged to
/// each mod, by kind, and the same for each system of a mod; `system_profiles` uses names in the schedule.
/// Shape: lines, each ended by \n; the first is the head.
std::string mod_stats(Schedule& schedule, const ScriptRuntime& scripts, const JitTimes& profiles = {},
                      const JitTimes& system_profiles = {});

/// The first place in a system that is not compiled, as text; "" if there is none.
std::string interpreted_place(const ScriptRuntime& scripts);

/// "weather/main.lua:14, system 'weather:blow': makes a function in the loop; make it outside"
std::string text_of(const JitProblem& problem, const std::string& mod);

}  // namespace perigee
