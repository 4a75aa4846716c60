// FrameTimer: how long frames take. The game never sees this clock, only the elapsed time of a frame.
#pragma once

#include <chrono>
#include <cstdint>

namespace perigee {

class FrameTimer {
public:
    /// Returns the time since the last frame began. Units: nanoseconds, like all times here.
    std::uint64_t start_frame() {
        const Clock::time_point now = Clock::now();
        frame_ = nanoseconds(start_, now);
        start_ = now;
        return frame_;
    }
    /// The last result of start_frame().
    std::uint64_t frame_nanoseconds() const noexcept { return frame_; }
    /// The time since this frame began.
    std::uint64_t since_start() const { return nanoseconds(start_, Clock::now()); }

private:
    using Clock = std::chrono::steady_clock;
    static std::uint64_t nanoseconds(Clock::time_point from, Clock::time_point to) {
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(to - from).count());
    }
    Clock::time_point start_ = Clock::now();
    std::uint64_t frame_ = 0;
};

}  // namespace perigee
