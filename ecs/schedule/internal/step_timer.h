// Whether a system with an interval is due, counted in fixed steps.
//
// Invariant: run number k happens in the first step whose end reaches k intervals, so the rate never drifts.
// There is at most one run per step: an interval shorter than a step means every step. The sum of all elapsed
// times is the time of the steps. It uses no clock: the same steps give the same runs.
#pragma once

#include <cmath>
#include <cstdint>

namespace perigee::internal {

class StepTimer {
public:
    /// 0: due with every step.
    explicit StepTimer(double interval_seconds) noexcept : interval_(interval_seconds) {}

    /// Advances by `steps` steps of `step_seconds`. True when the system is due; then elapsed() restarts with
    /// the next call. `is_late`: it was due before and did not run, so it is still due.
    bool advance(std::uint64_t steps, double step_seconds, bool is_late = false) noexcept {
        if (was_due_ && !is_late) unspent_steps_ = 0;
        steps_ += steps;
        unspent_steps_ += steps;
        step_seconds_ = step_seconds;
        // The interval keeps counting, even if it is late.
        was_due_ = reaches_next_run() || is_late;
        return was_due_;
    }

    /// Seconds since the previous time it was due; a whole number of steps.
    double elapsed() const noexcept { return static_cast<double>(unspent_steps_) * step_seconds_; }

    /// Continues where another timer is, with its own interval.
    void continue_from(const StepTimer& other) noexcept {
        const double interval = interval_;
        *this = other;
        interval_ = interval;
    }

    void reset() noexcept { *this = StepTimer(interval_); }

    /// Everything but the interval.
    struct State {
        double step_seconds = 0, intervals_done = 0;
        std::uint64_t steps = 0, unspent_steps = 0;
        bool was_due = false;
    };
    State state() const noexcept {
        return {step_seconds_, intervals_done_, steps_, unspent_steps_, was_due_};
    }
    void set_state(const State& state) noexcept {
        step_seconds_ = state.step_seconds;
        intervals_done_ = state.intervals_done;
        steps_ = state.steps;
        unspent_steps_ = state.unspent_steps;
        was_due_ = state.was_due;
    }

private:
    bool reaches_next_run() noexcept {
        if (interval_ <= 0) return true;
        // 60 steps of 1/60 s must make a second although the product may be slightly less because of
        // rounding.
        constexpr double kRoundUp = 1 + 1e-12;
        const double intervals = static_cast<double>(steps_) * step_seconds_ / interval_ * kRoundUp;
        const double whole = std::floor(intervals);
        if (whole <= intervals_done_) return false;
        intervals_done_ = whole;
        return true;
    }

    double interval_;
    double step_seconds_ = 0;
    double intervals_done_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t unspent_steps_ = 0;
    bool was_due_ = false;
};

}  // namespace perigee::internal
