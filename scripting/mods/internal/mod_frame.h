// The time that all systems of one mod use per step, and which of them run next when that exceeds the mod's
// allowance.
//
//   debt        what was used, less the allowance of each step; carried over
//   postponed   while the debt is above the allowance, due systems wait (SystemDesc::must_wait)
//   round       none runs twice until each has run once, so all get their turn, in system order
//   long run    a run that players notice as a stutter counts as kStepsOfLongRun late steps, if time counts
//               at all
//   suspended   after kMaxLateSteps late steps (each step that is not late takes one back), every
//               system of the mod fails with the reason
//
// Invariant: postponing for fuel depends only on fuel, so it is the same in each run. Postponing for time is
// not repeatable, and is recorded. Simulation and presentation have one ModFrame each, so neither depends on
// the other. The game itself is never postponed. Not here: limits of one run (fuel_tank.h).
#pragma once

#include <cstdint>
#include <string>

namespace perigee::internal {

/// The allowance of a mod per step, for all of its systems; 0: unlimited.
struct FrameAllowance {
    double fuel = 0;
    double seconds = 0;
};

class ModFrame {
public:
    void set_allowance(FrameAllowance allowance) noexcept { allowance_ = allowance; }

    /// Called when a system of the mod is due in this step. `turn`: stored per system, initially 0. Returns
    /// whether it waits.
    bool must_wait(std::uint64_t tick, std::uint64_t& turn) noexcept;
    /// Adds what a run used.
    void add(double fuel, double seconds) noexcept;

    /// Why no system of the mod runs any more, as a message; empty while they run.
    std::string suspended() const;
    /// Clears the debt; called when its files run again.
    void forgive() noexcept;
    /// True if a system was ever postponed for time.
    bool has_used_clock() const noexcept { return has_used_clock_; }
    /// Seconds of debt that do not count: the clock also measures other work of the machine.
    static constexpr double kLeniency = 0.012;
    static constexpr int kMaxLateSteps = 300;
    static constexpr double kLongRun = 0.020;  ///< seconds: with the game's own work, more than two frames
    static constexpr int kStepsOfLongRun = 60;

private:
    void begin(std::uint64_t tick) noexcept;
    bool is_over_fuel() const noexcept { return allowance_.fuel > 0 && fuel_ >= allowance_.fuel; }
    bool is_over_time() const noexcept {
        return allowance_.seconds > 0 && seconds_ >= allowance_.seconds + kLeniency;
    }

    FrameAllowance allowance_;
    std::uint64_t tick_ = ~std::uint64_t{0};
    std::uint64_t round_ = 0;
    bool has_put_off_ = false;  ///< in this step, for a system that has not had its turn
    bool has_used_clock_ = false;
    int late_steps_ = 0;
    double fuel_ = 0;          ///< debt
    double seconds_ = 0;       ///< debt
    double late_seconds_ = 0;  ///< used while late steps were counted
    double late_fuel_ = 0;
    double counted_steps_ = 0;
};

}  // namespace perigee::internal
