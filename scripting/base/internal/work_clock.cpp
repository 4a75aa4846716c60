// Two kernel clocks, and their difference.
#include "scripting/base/internal/work_clock.h"

#include "scripting/base/internal/clock_seconds.h"

#include <algorithm>

namespace perigee::internal {

namespace {

constexpr double kShort = 0.001;  // seconds: an interval that need not be measured more precisely

double not_worked() noexcept {
    return clock_seconds(CLOCK_MONOTONIC) - clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

constinit thread_local std::uint64_t t_step = ~std::uint64_t{0};
constinit thread_local double t_not_worked = 0;  // seconds, at its last reading

}  // namespace

void WorkClock::begin_step(std::uint64_t step) noexcept {
    if (step == t_step) return;
    t_step = step;
    t_not_worked = not_worked();
}

void WorkClock::start() noexcept { started_ = clock_seconds(CLOCK_MONOTONIC); }

double WorkClock::seconds() const noexcept {
    const double passed = clock_seconds(CLOCK_MONOTONIC) - started_;
    if (passed < kShort) return passed;
    const double before = t_not_worked;
    t_not_worked = not_worked();
    return std::max(passed - (t_not_worked - before), 0.0);
}

}  // namespace perigee::internal
