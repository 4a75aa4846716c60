// play: one run of the program, from its options to its exit status.
#pragma once

#include "game/program/run_options.h"

namespace perigee {

/// Plays a game to its end. The hash goes to standard output, everything else to standard error.
/// Returns the exit status: 0, or 1 after saying what went wrong.
int play(const RunOptions& options);

}  // namespace perigee
