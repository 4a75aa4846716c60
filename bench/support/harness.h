// Two ways of doing the same work, measured alternately.
//
// Invariant: a ratio compares only figures of the same round. In each round both sides are measured
// back to back, the side that goes first alternates, and a row's ratio is the median of its rounds' ratios.
// Machines drift and are shared; pairs drift together. Not here: what is measured (the *_bench.cpp files),
// and why not Google Benchmark: it finishes one case before it starts the next.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perigee::bench {

/// How much work one sample is.
struct Effort {
    double batch_seconds = 0.0005;  ///< repeatable loops: one batch is at least this long …
    std::size_t batches = 21;       ///< … and the sample is the median of this many
    std::size_t repeats = 3;        ///< work that needs a fresh set-up: the median of this many
};

/// One measurement of one side: nanoseconds (or bytes) per entity. Owns what it needs from call to call.
using Sample = std::function<double(const Effort&)>;

struct Sides {
    Sample ours;
    Sample baseline;
};

/// One row of the table. `prepare` runs when the row's turn comes; its sides are destroyed after the row.
struct Case {
    std::string row;
    std::size_t n = 0;
    std::string language;  ///< "c++" or "lua": what the side called ours is written in
    std::string baseline;  ///< what the other side is
    std::function<Sides()> prepare;
};

std::vector<Case> iterate_cases();
std::vector<Case> enabled_cases();
std::vector<Case> parallel_cases();
std::vector<Case> schedule_cases();
std::vector<Case> structural_cases();
std::vector<Case> bulk_cases();
std::vector<Case> value_cases();
std::vector<Case> transform_cases();
std::vector<Case> memory_cases();
std::vector<Case> lua_cases();
std::vector<Case> lua_view_cases();
std::vector<Case> lua_table_cases();
std::vector<Case> lua_query_cases();
std::vector<Case> event_cases();
std::vector<Case> snapshot_cases();
std::vector<Case> save_cases();
std::vector<Case> rewind_cases();

struct RowResult {
    double ours = 0;      ///< median over the rounds, per entity
    double baseline = 0;  ///< the same
    double ratio = 0;     ///< median of the rounds' own ratios
};

/// Measures both sides `rounds` times, alternating. The first turn of each side is a warm-up and not counted.
RowResult measure(const Sides& sides, const Effort& effort, std::size_t rounds);

double median(std::vector<double> values);

/// Makes the compiler believe that `value` is used and that all memory may have been read.
template <typename T> void keep(const T& value) { asm volatile("" : : "g"(&value) : "memory"); }

/// A value that the compiler cannot know.
template <typename T> T opaque(T value) {
    asm volatile("" : "+g"(value) : : "memory");
    return value;
}

/// Counts the time that this thread was running, page faults included. The time of other threads does not
/// count.
inline constexpr clockid_t kThreadClock = CLOCK_THREAD_CPUTIME_ID;
/// Counts elapsed time: for work on several threads.
inline constexpr clockid_t kWallClock = CLOCK_MONOTONIC;

template <clockid_t kClock = kThreadClock> class Stopwatch {
public:
    double seconds() const { return now() - start_; }

private:
    static double now() {
        timespec time{};
        clock_gettime(kClock, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }
    double start_ = now();
};

/// Time of a loop that may run again and again over `n` entities: ns per entity.
template <clockid_t kClock = kThreadClock, typename Body>
double time_loop(const Effort& effort, std::size_t n, Body&& body) {
    body();
    std::size_t passes = 1;
    std::vector<double> batches;
    while (batches.size() < effort.batches) {
        const Stopwatch<kClock> watch;
        for (std::size_t pass = 0; pass < passes; ++pass) body();
        const double seconds = watch.seconds();
        if (seconds < effort.batch_seconds) {
            const double wanted = 1.2 * effort.batch_seconds / std::max(seconds, 1e-9);
            passes = static_cast<std::size_t>(static_cast<double>(passes) * std::min(wanted, 100.0)) + 1;
            continue;
        }
        batches.push_back(seconds * 1e9 / (static_cast<double>(passes) * static_cast<double>(n)));
    }
    return median(std::move(batches));
}

/// Time of work that uses up what it works on: `set_up` makes a fresh state, `body` gets it and is timed.
template <typename SetUp, typename Body>
double time_once(const Effort& effort, std::size_t n, SetUp&& set_up, Body&& body) {
    std::vector<double> times;
    for (std::size_t repeat = 0; repeat < effort.repeats; ++repeat) {
        auto state = set_up();
        const Stopwatch<> watch;
        body(state);
        times.push_back(watch.seconds() * 1e9 / static_cast<double>(n));
    }
    return median(std::move(times));
}

}  // namespace perigee::bench
