// perigee check --perf: runs a game for ten seconds of its time and says what each mod costs, and what is
// interpreted.
//
// Invariant: one mod is profiled after the other, since LuaJIT profiles one state at a time, and each once,
// since it throws the machine code of the state away at the end.
// Not here: mistakes (check.h).
#pragma once

#include "ecs/result.h"
#include "game/command_line.h"

namespace perigee {

/// Prints the table of mods (engine/mod_stats.h). False when a system runs code that LuaJIT cannot compile,
/// or when systems failed. Errors: the game cannot be opened.
Result<bool> check_performance(const CheckOptions& options);

}  // namespace perigee
