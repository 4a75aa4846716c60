// Intervals in steps: the rate never drifts, and the elapsed times add up.
#include "ecs/schedule/internal/step_timer.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

namespace perigee::internal {
namespace {

constexpr double kStep = 1.0 / 60.0;

// The steps, counted from 1, in which a timer was due.
std::vector<int> due_steps(StepTimer timer, int steps) {
    std::vector<int> due;
    for (int step = 1; step <= steps; ++step) {
        if (timer.advance(1, kStep)) due.push_back(step);
    }
    return due;
}

TEST_CASE("a timer without an interval is due in every step") {
    CHECK(due_steps(StepTimer(0), 4) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("a timer is first due after one interval") {
    CHECK(due_steps(StepTimer(0.1), 20) == std::vector<int>{6, 12, 18});
    CHECK(due_steps(StepTimer(1.0), 130) == std::vector<int>{60, 120});
}

TEST_CASE("an interval of one and a half steps alternates between two steps and one") {
    CHECK(due_steps(StepTimer(1.5 * kStep), 9) == std::vector<int>{2, 3, 5, 6, 8, 9});
}

TEST_CASE("an interval shorter than a step is due once per step and never catches up") {
    StepTimer timer(kStep / 10);
    for (int step = 0; step < 100; ++step) {
        REQUIRE(timer.advance(1, kStep));
        REQUIRE(timer.elapsed() == kStep);
    }
    CHECK_FALSE(timer.advance(0, kStep));
}

TEST_CASE("intervals do not drift over a day of steps") {
    const double interval = GENERATE(0.1, 0.25, 0.3, 1.0, 1.0 / 3.0, 0.7, 7.0);
    StepTimer timer(interval);
    constexpr std::uint64_t kSteps = 60 * 60 * 60 * 24;
    std::uint64_t runs = 0;
    for (std::uint64_t step = 0; step < kSteps; ++step) runs += timer.advance(1, kStep) ? 1 : 0;
    const double expected = static_cast<double>(kSteps) * kStep / interval;
    CHECK(static_cast<double>(runs) == Approx(expected).margin(1.0).epsilon(0));
}

TEST_CASE("elapsed times are whole steps and add up to the time of the steps") {
    const double interval = GENERATE(0.05, 0.1, 0.43, 1.0);
    StepTimer timer(interval);
    double sum = 0;
    int last_due = 0;
    for (int step = 1; step <= 1000; ++step) {
        if (!timer.advance(1, kStep)) continue;
        REQUIRE(timer.elapsed() == (step - last_due) * kStep);
        sum += timer.elapsed();
        last_due = step;
    }
    REQUIRE(last_due != 0);
    CHECK(sum == Approx(last_due * kStep));
}

TEST_CASE("several steps at once make a timer due once") {
    StepTimer timer(0.1);
    CHECK(timer.advance(15, kStep));
    CHECK(timer.elapsed() == 15 * kStep);
    CHECK_FALSE(timer.advance(2, kStep));
    CHECK(timer.advance(1, kStep));
}

TEST_CASE("a reset timer starts at zero") {
    StepTimer timer(0.1);
    timer.advance(5, kStep);
    timer.reset();
    CHECK(due_steps(timer, 7) == std::vector<int>{6});
}

}  // namespace
}  // namespace perigee::internal
