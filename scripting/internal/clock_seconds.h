// What a clock of the kernel shows, in seconds. Not repeatable, like every clock: nothing that a game does
// may follow from it, but for limits that say so.
#pragma once

#include <time.h>

namespace perigee::internal {

/// 0 for a clock that is not there, such as that of a thread that has ended.
inline double clock_seconds(clockid_t clock) noexcept {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace perigee::internal
