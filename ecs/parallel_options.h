// When a visit from several threads is worth it, and in what portions.
#pragma once

#include <cstdint>

namespace perigee {

struct ParallelOptions {
    std::uint64_t least_rows = 50'000;  ///< with fewer the caller visits alone; lower it for heavy rows
    std::uint32_t task_rows = 4096;     ///< rows that a thread takes at a time, about
};

}  // namespace perigee
