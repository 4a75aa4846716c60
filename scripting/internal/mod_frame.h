// What all systems of one mod together take in a step, and whose turn it is when that is more than the mod
// may.
//
//   debt        what was taken, less what each step allows; it is carried over
//   put off     while the debt is above what is allowed, systems that are due wait (SystemDesc::must_wait)
//   round       until each of them has run once, none runs twice: so all get their turn, in system order
//   long run    a run that a player sees as a stutter counts as kStepsOfLongRun late steps, where time counts at
//               all
//   suspended   after kMostLateSteps steps of putting off (each step without counts one back), every system
//   of
//               the mod fails with the reason
//
// Invariant: what is put off for fuel follows from the fuel alone, so it is the same in each run. What is put
// off for time is not, and is noted. Simulation and presentation have one each, so neither depends on the
// other. The game itself has its whole frame: it is never put off. Not here: what one run may take
// (fuel_tank.h).
#pragma once

#include <cstdint>
#include <string>

namespace perigee::internal {

/// What a mod may take in a step, over all of its systems; 0: as much as it likes.
struct FrameAllowance {
    double fuel = 0;
    double seconds = 0;
};

class ModFrame {
public:
    void set_allowance(FrameAllowance allowance) noexcept { allowance_ = allowance; }

    /// A system of the mod is due in this step. `turn`: the system's own, 0 at first. Returns whether it
    /// waits.
    bool must_wait(std::uint64_t tick, std::uint64_t& turn) noexcept;
    /// One has run.
    void add(double fuel, double seconds) noexcept;

    /// Why no system of the mod runs any more, as a message; empty while they do.
    std::string suspended() const;
    /// Its files run again: all is forgiven.
    void forgive() noexcept;
    /// Was a system ever put off for time?
    bool has_used_clock() const noexcept { return has_used_clock_; }
    /// Seconds of debt that are not counted against a mod: the clock also shows what else the machine does.
    static constexpr double kLeniency = 0.012;
    static constexpr int kMostLateSteps = 300;
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
    bool has_put_off_ = false;  ///< in this step, a system that has not had its turn
    bool has_used_clock_ = false;
    int late_steps_ = 0;
    double fuel_ = 0;          ///< debt
    double seconds_ = 0;       ///< debt
    double late_seconds_ = 0;  ///< taken while late steps were counted
    double late_fuel_ = 0;
    double counted_steps_ = 0;
};

}  // namespace perigee::internal
