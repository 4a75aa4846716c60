// How long a thread has worked on something, cheaply: the wall clock (20 ns), and less what the machine gave
// to others meanwhile, which is asked (300 ns) only where it matters.
//
// Invariant: begin_step is called before the first start of a step on each thread; time in which the thread
// did not run between that and the end of a long stretch does not count. Not repeatable, like every clock.
#pragma once

#include <cstdint>

namespace perigee::internal {

class WorkClock {
public:
    /// A step of this number begins on the calling thread, if it is another one than before.
    static void begin_step(std::uint64_t step) noexcept;

    void start() noexcept;
    /// Seconds of work since start().
    double seconds() const noexcept;

private:
    double started_ = 0;
};

}  // namespace perigee::internal
