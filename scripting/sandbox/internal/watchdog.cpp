// The thread that checks all runs, and the handler of its signal.
#include "scripting/sandbox/internal/watchdog.h"

#include "scripting/base/internal/clock_seconds.h"
#include "scripting/sandbox/internal/call_frame.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace perigee::internal {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(10);
// While no run is in progress: waking the thread costs more than a small game does in a frame.
constexpr auto kLookEveryIdle = std::chrono::milliseconds(50);
constexpr double kWorkShare = 0.5;   // of the limit: a run that worked less waited for the machine
constexpr double kMaxWallShare = 8;  // times the limit: then even a run that only waits ends

// The kernel's number for the processor clock of any thread: MAKE_THREAD_CPUCLOCK of linux/posix-timers.h.
clockid_t work_clock(pid_t thread) noexcept {
    return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3U | 6U);
}

pid_t this_thread() noexcept {
    static thread_local const auto number = static_cast<pid_t>(syscall(SYS_gettid));
    return number;
}

struct sigaction g_handler_before {};

void on_signal(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    if (!CallFrame::stop(context)) {
        // Not the watchdog's, or it came when the run had ended.
        if ((g_handler_before.sa_flags & SA_SIGINFO) != 0 && g_handler_before.sa_sigaction != nullptr)
            g_handler_before.sa_sigaction(signal, info, context);
        else if (g_handler_before.sa_handler != SIG_DFL && g_handler_before.sa_handler != SIG_IGN)
            g_handler_before.sa_handler(signal);
    }
    errno = error;
}

void install_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        CallFrame::prepare();
        struct sigaction action {};
        action.sa_sigaction = on_signal;
        // The handler may leave by a jump, so the signal is not blocked during it.
        action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(WatchedRun::stop_signal(), &action, &g_handler_before);
    });
}

}  // namespace

class Watchdog {
public:
    static Watchdog& of_process() {
        static Watchdog watchdog;
        return watchdog;
    }

    void add(WatchedRun& run) {
        install_handler();
        const std::lock_guard lock(mutex_);
        runs_.push_back(&run);
        if (runs_.size() == 1) start();
    }
    void remove(WatchedRun& run) {
        std::thread ended;
        {
            const std::lock_guard lock(mutex_);
            std::erase(runs_, &run);
            if (runs_.empty()) {
                ++generation_;
                ended = std::move(thread_);
            }
        }
        changed_.notify_all();
        if (ended.joinable()) ended.join();
    }

private:
    // Signals of the program go to its own threads: a host may wait for them in one place.
    void start() {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([this, generation = generation_] { watch(generation); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void watch(std::uint64_t generation) {
        std::unique_lock lock(mutex_);
        while (generation == generation_) {
            const double now = clock_seconds(CLOCK_MONOTONIC);
            bool is_idle = true;
            for (WatchedRun* run : runs_) is_idle = !look(*run, now) && is_idle;
            changed_.wait_for(lock, is_idle ? kLookEveryIdle : kLookEvery);
        }
    }

    // Whether the run is in progress.
    static bool look(WatchedRun& run, double now) {
        const std::uint64_t number = run.number_.load(std::memory_order_acquire);
        if (number % 2 == 0) return false;
        const pid_t thread = run.thread_.load(std::memory_order_relaxed);
        if (number != run.seen_number_) {
            run.seen_number_ = number;
            run.seen_at_ = now;
            run.worked_then_ = -1;
            return true;
        }
        const double limit = run.seconds_.load(std::memory_order_relaxed);
        const double took = now - run.seen_at_;
        const double worked = clock_seconds(work_clock(thread));
        if (run.worked_then_ < 0) run.worked_then_ = worked;
        if (took < limit || (worked - run.worked_then_ < kWorkShare * limit && took < kMaxWallShare * limit))
            return true;
        // The run may end at any moment, and another may begin: begin() takes both flags back.
        run.must_stop_.store(true, std::memory_order_relaxed);
        if (took > limit + run.grace_.load(std::memory_order_relaxed))
            run.may_give_up_.store(true, std::memory_order_relaxed);
        if (run.number_.load(std::memory_order_acquire) != number) {
            run.must_stop_.store(false, std::memory_order_relaxed);
            run.may_give_up_.store(false, std::memory_order_relaxed);
            return true;
        }
        syscall(SYS_tgkill, getpid(), thread, WatchedRun::stop_signal());
        return true;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<WatchedRun*> runs_;
    std::thread thread_;
    std::uint64_t generation_ = 0;  ///< of the thread
};

WatchedRun::WatchedRun() { Watchdog::of_process().add(*this); }

WatchedRun::~WatchedRun() { Watchdog::of_process().remove(*this); }

void WatchedRun::begin(double seconds, double grace) noexcept {
    grace_.store(grace, std::memory_order_relaxed);
    seconds_.store(seconds, std::memory_order_relaxed);
    thread_.store(this_thread(), std::memory_order_relaxed);
    must_stop_.store(false, std::memory_order_relaxed);
    may_give_up_.store(false, std::memory_order_relaxed);
    number_.fetch_add(1, std::memory_order_release);
}

void WatchedRun::end() noexcept { number_.fetch_add(1, std::memory_order_release); }

}  // namespace perigee::internal
