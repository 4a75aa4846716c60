// Stopwatch: measures how long work takes, for statistics. Nothing that a game sees may depend on it.
#pragma once

#include <chrono>
#include <cstdint>

namespace perigee {

class Stopwatch {
public:
    /// Time since it was made or last restarted, in nanoseconds.
    std::uint64_t elapsed() const { return nanoseconds(Clock::now()); }

    /// Returns elapsed(), and begins again.
    std::uint64_t restart() {
        const Clock::time_point now = Clock::now();
        const std::uint64_t passed = nanoseconds(now);
        start_ = now;
        return passed;
    }

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t nanoseconds(Clock::time_point until) const {
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(until - start_).count());
    }
    Clock::time_point start_ = Clock::now();
};

}  // namespace perigee
