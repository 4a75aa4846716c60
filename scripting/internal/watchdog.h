// The watchdog: a run that takes longer on the clock than it may is ended from outside, whatever it does.
//
//   the limit is reached     a flag that charged code, tick and native loops look at; and a signal to the
//   thread, which
//                            sets a hook: interpreted code ends at its next instruction
//   some grace later         the signal gives the whole state up (call_frame.h), when the thread is in Lua
//   and not in
//                            C++ of ours or of a library
//
// One thread serves all states of the process. It lives while there is a state, looks every 10 ms at which
// runs are under way, and so costs a run two stores. A run counts as too long when the wall clock says so and
// its thread has worked for half of that time (a busy machine is not the script's fault), or when the wall
// clock says eight times so (it waits for something). What the watchdog ends is not the same in each run. Not
// here: fuel, which is (fuel_tank.h).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace perigee::internal {

class WatchedRun {
public:
    WatchedRun();
    ~WatchedRun();
    WatchedRun(const WatchedRun&) = delete;
    WatchedRun& operator=(const WatchedRun&) = delete;

    /// The calling thread begins a run, and ends it. `grace`: seconds from when it must stop to when its
    /// state is given up.
    void begin(double seconds, double grace) noexcept;
    void end() noexcept;

    /// Has the run lasted longer than it may?
    bool must_stop() const noexcept { return must_stop_.load(std::memory_order_relaxed); }
    const std::atomic<bool>& stop_flag() const noexcept { return must_stop_; }
    /// And longer than anything that can be stopped takes to do so?
    bool may_give_up() const noexcept { return may_give_up_.load(std::memory_order_relaxed); }

    /// The signal that the watchdog sends to the thread of a run that must stop. One of another sender is
    /// passed on to the handler that was there before.
    static int stop_signal() noexcept { return SIGRTMIN + 6; }

private:
    friend class Watchdog;

    std::atomic<std::uint64_t> number_ = 0;  ///< odd while a run is under way
    std::atomic<double> seconds_ = 0;        ///< what it may take
    std::atomic<double> grace_ = 0;
    std::atomic<pid_t> thread_ = 0;
    std::atomic<bool> must_stop_ = false;
    std::atomic<bool> may_give_up_ = false;

    // ---- the watchdog's own notes
    std::uint64_t seen_number_ = 0;
    double seen_at_ = 0;
    double worked_then_ = 0;
};

}  // namespace perigee::internal
