// perigee check --perf: runs a game for ten seconds of game time and reports the cost of each mod, and
// interpreted code.
//
// Invariant: mods are profiled one after another, since LuaJIT profiles one state at a time, and each once,
// since profiling discards the state's machine code at the end. Not here: errors (check.h).
#pragma once

#include "ecs/base/result.h"

namespace perigee {

struct CheckOptions;

/// Prints the table of mods (engine/profile/mod_stats.h). False when a system runs code that LuaJIT cannot
/// compile, or when systems failed. Errors: the game cannot be opened.
Result<bool> check_performance(const CheckOptions& options);

}  // namespace perigee
