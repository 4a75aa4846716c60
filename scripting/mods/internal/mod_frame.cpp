// Debts, rounds, and suspension.
#include "scripting/mods/internal/mod_frame.h"

#include "scripting/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee::internal {

void ModFrame::begin(std::uint64_t tick) noexcept {
    if (tick == tick_) return;
    tick_ = tick;
    if (std::exchange(has_put_off_, false)) {
        ++late_steps_;
    } else {
        ++round_;
        late_steps_ = std::max(late_steps_ - 1, 0);
    }
    if (late_steps_ == 0) late_fuel_ = late_seconds_ = counted_steps_ = 0;
    ++counted_steps_;
    fuel_ = std::max(fuel_ - allowance_.fuel, 0.0);
    seconds_ = std::max(seconds_ - allowance_.seconds, 0.0);
}

bool ModFrame::must_wait(std::uint64_t tick, std::uint64_t& turn) noexcept {
    if (allowance_.fuel <= 0 && allowance_.seconds <= 0) return false;
    begin(tick);
    if (late_steps_ >= kMaxLateSteps) return false;  // it runs, and fails with the reason
    if (turn > round_) return true;
    if (is_over_fuel() || is_over_time()) {
        has_used_clock_ |= !is_over_fuel();
        has_put_off_ = true;
        return true;
    }
    turn = round_ + 1;
    return false;
}

void ModFrame::add(double fuel, double seconds) noexcept {
    fuel_ += fuel;
    seconds_ += seconds;
    late_fuel_ += fuel;
    late_seconds_ += seconds;
    if (allowance_.seconds > 0 && seconds >= std::max(kLongRun, allowance_.seconds)) {
        late_steps_ += kStepsOfLongRun;
        has_used_clock_ = true;
    }
}

std::string ModFrame::suspended() const {
    if (late_steps_ < kMaxLateSteps) return {};
    constexpr double kMillion = 1e6;
    return fmt::format(messages::kModTakesTooMuch, late_seconds_ / counted_steps_ * 1e3,
                       late_fuel_ / counted_steps_ / kMillion, allowance_.seconds * 1e3,
                       allowance_.fuel / kMillion);
}

void ModFrame::forgive() noexcept {
    late_steps_ = 0;
    fuel_ = seconds_ = late_fuel_ = late_seconds_ = counted_steps_ = 0;
    has_put_off_ = false;
}

}  // namespace perigee::internal
