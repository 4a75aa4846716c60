// POSIX signals.
#include "game/program/stop_signal.h"

#include <atomic>
#include <csignal>

namespace perigee {

namespace {

std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

void note(int number) {
    int none = 0;
    noted.compare_exchange_strong(none, number);
}

}  // namespace

void note_stop_signals() noexcept {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = note;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        sigaction(number, &action, nullptr);
    }
}

int stop_signal() noexcept { return noted.load(); }

}  // namespace perigee
