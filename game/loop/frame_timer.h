// FrameTimer: how long frames take. The game never sees this clock, only the elapsed time of a frame.
#pragma once

#include "engine/base/stopwatch.h"

#include <cstdint>

namespace perigee {

class FrameTimer {
public:
    /// Returns the time since the last frame began. Units: nanoseconds, like all times here.
    std::uint64_t start_frame() { return frame_ = watch_.restart(); }
    /// The last result of start_frame().
    std::uint64_t frame_nanoseconds() const noexcept { return frame_; }
    /// The time since this frame began.
    std::uint64_t since_start() const { return watch_.elapsed(); }

private:
    Stopwatch watch_;
    std::uint64_t frame_ = 0;
};

}  // namespace perigee
