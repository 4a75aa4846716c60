// perigee diff: reads two hash logs from disk and describes their difference.
//
// Invariant: the difference goes to standard output, read errors to standard error. Not here: the comparison
// (engine/replay/hash_diff.h).
#pragma once

#include <filesystem>

namespace CLI {
class App;
}

namespace perigee {

/// perigee diff: two hash logs.
struct DiffOptions {
    std::filesystem::path first;
    std::filesystem::path second;
};

void add_diff_options(CLI::App& command, DiffOptions& options);

/// Returns the exit status: 0 no difference, 1 the runs differ, 2 a log cannot be read.
int diff(const DiffOptions& options);

}  // namespace perigee
