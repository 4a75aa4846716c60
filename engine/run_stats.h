// The table of what each system and group of a schedule costs, for `perigee run --stats`.
//
// Invariant: groups and systems stand in the order in which they run, members below their group. Times are of
// this machine and this run; nothing that a game does may depend on them.
#pragma once

#include <string>

namespace perigee {

class Schedule;

/// Median and worst milliseconds of the last runs, what the queries match now, and the share of all the time
/// that the groups of the top took. Shape: lines, each ended by \n; the first is the head.
std::string run_stats(Schedule& schedule);

}  // namespace perigee
