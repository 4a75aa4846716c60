// The table of what each mod costs, and what LuaJIT cannot compile of it: for `perigee run --stats` and
// `perigee check --perf`.
//
// Invariant: mods stand in load order. Times are of this machine and this run; nothing that a game does may
// depend on them. Not here: the table of systems (run_stats.h).
#pragma once

#include "scripting/jit_health.h"
#include "scripting/jit_profile.h"

#include <functional>
#include <map>
#include <string>

namespace perigee {

class Schedule;
class ScriptRuntime;

using JitTimes = std::map<std::string, JitTime, std::less<>>;

/// Milliseconds and rows of the mod's systems, memory, fuel, what they allocate, and machine code, each per
/// run of the simulation where that makes sense; then one line for each place that is not compiled.
/// `profiles` adds what share of the time is interpreted and goes into garbage collection, for the mods that
/// it names. Behind it what each mod makes the process hold, by kind of memory, and the same for each system of a mod; `system_profiles` is by their names in the
/// schedule. Shape: lines, each ended by \n; the first is the head.
std::string mod_stats(Schedule& schedule, const ScriptRuntime& scripts, const JitTimes& profiles = {},
                      const JitTimes& system_profiles = {});

/// The first place in a system that is not compiled, as text; "" while all are.
std::string interpreted_place(const ScriptRuntime& scripts);

/// "weather/main.lua:14, system 'weather:blow': makes a function in the loop; make it outside"
std::string text_of(const JitProblem& problem, const std::string& mod);

}  // namespace perigee
