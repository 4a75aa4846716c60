// Reads a kernel clock, in seconds. Not repeatable: nothing in a game may depend on it, except limits that
// say so.
#pragma once

#include <time.h>

namespace perigee::internal {

/// 0 for a clock that does not exist, such as that of an ended thread.
inline double clock_seconds(clockid_t clock) noexcept {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace perigee::internal
