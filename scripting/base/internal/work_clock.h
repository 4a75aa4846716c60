// Cheap measurement of a thread's work time: the wall clock (20 ns) minus the time in which the thread did
// not run, which is read (300 ns) only for intervals of a millisecond or more.
//
// Invariant: each thread calls begin_step before its first start() in a step. From a long interval, all time
// without work since then or since the last long interval is subtracted. Not repeatable, like every clock.
#pragma once

#include <cstdint>

namespace perigee::internal {

class WorkClock {
public:
    /// Begins the step of this number on the calling thread, if it is a new one.
    static void begin_step(std::uint64_t step) noexcept;

    void start() noexcept;
    /// Seconds of work since start().
    double seconds() const noexcept;

private:
    double started_ = 0;
};

}  // namespace perigee::internal
