// Cheap measurement of a thread's work time: the wall clock (20 ns) minus the time given to other threads,
// which is read (300 ns) only where it matters.
//
// Invariant: begin_step is called before the first start of a step on each thread; time in which the thread
// did not run between that and the end of a long interval does not count. Not repeatable, like every clock.
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
