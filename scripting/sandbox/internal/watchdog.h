// The watchdog ends, from outside, every run that exceeds its wall-clock limit.
//
//   the limit is reached     a flag, read by charged code, tick and native loops; and a signal to the
//                            thread, which sets a hook: interpreted code ends at its next instruction
//   some grace later         the signal gives the whole state up (call_frame.h), if the thread is in Lua
//                            and not in our C++ or a library
//
// One thread serves all states of the process. It exists while there is a state and checks the active runs
// every 10 ms, or every 50 ms while there are none, so a run costs two stores and may last 50 ms longer than
// its limit. A run is too long if it exceeds the limit on the wall clock and its thread has worked for half
// of that time (a busy machine is not the script's fault), or if it exceeds eight times the limit (it waits
// for something). The watchdog is not repeatable. Not here: fuel, which is repeatable (fuel_tank.h).
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

    /// The calling thread begins and ends a run. `grace`: seconds from the request to stop until the state is
    /// given up.
    void begin(double seconds, double grace) noexcept;
    void end() noexcept;

    /// True if the run exceeded its limit.
    bool must_stop() const noexcept { return must_stop_.load(std::memory_order_relaxed); }
    const std::atomic<bool>& stop_flag() const noexcept { return must_stop_; }
    /// True if the grace period has passed too.
    bool may_give_up() const noexcept { return may_give_up_.load(std::memory_order_relaxed); }

    /// The signal that the watchdog sends to the thread of a run that must stop. A signal from another sender
    /// is passed on to the previous handler.
    static int stop_signal() noexcept { return SIGRTMIN + 6; }

private:
    friend class Watchdog;

    std::atomic<std::uint64_t> number_ = 0;  ///< odd during a run
    std::atomic<double> seconds_ = 0;        ///< its limit
    std::atomic<double> grace_ = 0;
    std::atomic<pid_t> thread_ = 0;
    std::atomic<bool> must_stop_ = false;
    std::atomic<bool> may_give_up_ = false;

    // ---- the watchdog's own records
    std::uint64_t seen_number_ = 0;
    double seen_at_ = 0;
    double worked_then_ = 0;
};

}  // namespace perigee::internal
