// The options of `perigee run`, `perigee replay` and `perigee inspect`, which are all runs (play.h).
#pragma once

#include "game/program/run_options.h"

#include <string>

namespace CLI {
class App;
}

namespace perigee {

void add_run_options(CLI::App& run, RunOptions& options);
void add_replay_options(CLI::App& replay, RunOptions& options);
void add_inspect_options(CLI::App& inspect, RunOptions& options);

/// Completes parsed options. Returns why they contradict each other; empty if they do not.
std::string settle_run(RunOptions& options);
/// The same for a replay, which has no window if it writes files or prints a hash.
std::string settle_replay(RunOptions& options);
/// The same for a run that prints its results, without a picture.
std::string settle_inspect(RunOptions& options);

}  // namespace perigee
