// The integer arithmetic of the fixed steps: no time is stored as a float, so nothing drifts.
#include "engine/session/clock.h"

#include "ecs/base/contract.h"

#include <algorithm>

namespace perigee {

namespace {

constexpr std::uint64_t kUnitsPerStep = 1'000'000'000;
constexpr std::uint64_t kMaxFrameNanoseconds = 10'000'000'000;

}  // namespace

FixedClock::FixedClock(const Desc& desc) : desc_(desc) {
    ECS_EXPECTS(desc.steps_per_second >= 1 && desc.steps_per_second <= 1000);
    ECS_EXPECTS(desc.max_steps >= 1);
}

ClockFrame FixedClock::advance(std::uint64_t elapsed_nanoseconds) noexcept {
    // A nanosecond is steps_per_second units, so the sum stays exact: no float, hence no drift over hours.
    backlog_ += std::min(elapsed_nanoseconds, kMaxFrameNanoseconds) * desc_.steps_per_second;

    const std::uint64_t due = backlog_ / kUnitsPerStep;
    backlog_ %= kUnitsPerStep;

    ClockFrame frame;
    frame.steps = static_cast<int>(std::min<std::uint64_t>(due, static_cast<std::uint64_t>(desc_.max_steps)));
    frame.dropped_steps = due - static_cast<std::uint64_t>(frame.steps);
    frame.alpha = static_cast<double>(backlog_) / static_cast<double>(kUnitsPerStep);
    return frame;
}

}  // namespace perigee
