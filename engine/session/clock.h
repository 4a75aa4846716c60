// FixedClock: turns real time into a whole number of simulation steps.
//
// Invariant: the backlog it keeps is always less than one step, and no time is lost or invented by rounding:
// the backlog is counted in integer units of 1/(rate * 1e9) seconds, so after any sequence of frames steps
// taken + steps dropped = floor(total time * rate). It does not read a clock: the caller passes the frame
// time, so tests and replays can choose it.
#pragma once

#include <cstdint>

namespace perigee {

/// The work of one frame.
struct ClockFrame {
    int steps = 0;                    ///< fixed steps to run now, 0 .. FixedClock::Desc::max_steps
    double alpha = 0.0;               ///< how far real time is past the last step, in steps, 0 <= alpha < 1
    std::uint64_t dropped_steps = 0;  ///< steps dropped because the machine was too slow
};

class FixedClock {
public:
    struct Desc {
        std::uint32_t steps_per_second = 60;
        /// The cap that breaks the spiral of death: a frame slower than this many steps slows the game down
        /// instead of making the next frame slower still.
        int max_steps = 5;
    };

    FixedClock() : FixedClock(Desc{}) {}
    /// Expects: steps_per_second in 1 .. 1000 and max_steps >= 1.
    explicit FixedClock(const Desc& desc);

    /// Advances by the length of a frame. Units: nanoseconds, capped at 10 s (after a debugger pause
    /// or a suspended laptop).
    ClockFrame advance(std::uint64_t elapsed_nanoseconds) noexcept;

    /// Forgets the backlog: after a restart, a load or a pause the next frame starts from zero.
    void reset() noexcept { backlog_ = 0; }

    std::uint32_t steps_per_second() const noexcept { return desc_.steps_per_second; }
    double step_seconds() const noexcept { return 1.0 / desc_.steps_per_second; }

private:
    Desc desc_;
    std::uint64_t backlog_ = 0;  // units of 1 / (steps_per_second * 1e9) s; one step is 1e9 units
};

}  // namespace perigee
