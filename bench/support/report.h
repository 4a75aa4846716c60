// The results as a table for people and as JSON for programs.
#pragma once

#include "bench/support/harness.h"

#include <string>
#include <vector>

namespace perigee::bench {

struct Measured {
    Case what;  ///< its prepare is not used here
    RowResult result;
};

/// One line per row, columns aligned; the machine and the compiler first.
std::string table_of(const std::vector<Measured>& rows, std::size_t rounds);

/// An array of {row, n, language, ours_ns, baseline, baseline_ns, ratio}.
std::string json_of(const std::vector<Measured>& rows);

}  // namespace perigee::bench
