// perigee diff: reads two hash logs from disk and describes their difference.
//
// Invariant: the difference goes to standard output, read errors to standard error. Not here: the comparison
// (engine/replay/hash_diff.h).
#pragma once

#include "game/program/command_line.h"

namespace perigee {

/// Returns the exit status: 0 no difference, 1 the runs differ, 2 a log cannot be read.
int diff(const DiffOptions& options);

}  // namespace perigee
