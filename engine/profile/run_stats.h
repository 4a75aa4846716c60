// The table of the cost of each system and group of a schedule, for `perigee run --stats`.
//
// Invariant: groups and systems are in running order, members below their group. Times are from this machine
// and run; no game may depend on them.
#pragma once

#include <string>

namespace perigee {

class Schedule;

/// Median and worst milliseconds of the last runs, the current matches of queries, and the share of the total
/// time of the top-level groups. Shape: lines, each ended by \n; the first is the head.
std::string run_stats(Schedule& schedule);

}  // namespace perigee
