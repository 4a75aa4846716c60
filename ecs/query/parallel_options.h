// When a parallel visit is worth it, and the size of its tasks. Results do not depend on these options.
#pragma once

#include <cstdint>

namespace perigee {

struct ParallelOptions {
    std::uint64_t min_rows = 50'000;  ///< with fewer rows the caller visits alone; lower it for expensive
                                      ///< rows
    std::uint32_t task_rows = 4096;   ///< approximate rows per task
};

}  // namespace perigee
