// perigee diff: two hash logs read from disk, and what their difference is in words.
//
// Invariant: what is found goes to standard output, what cannot be read to standard error. The comparison
// itself is engine/hash_diff.h.
#pragma once

#include "game/command_line.h"

namespace perigee {

/// Returns the exit status: 0 no difference, 1 the runs differ, 2 a log cannot be read.
int diff(const DiffOptions& options);

}  // namespace perigee
