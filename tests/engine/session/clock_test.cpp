// The clock compared with the closed formula for its steps, for random frame lengths.
#include "engine/session/clock.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>

using perigee::ClockFrame;
using perigee::FixedClock;

TEST_CASE("a clock takes floor(total time * rate) steps whatever the frame lengths") {
    std::mt19937_64 random{20};
    for (int program = 0; program < 200; ++program) {
        const auto rate = static_cast<std::uint32_t>(1 + random() % 1000);
        const int max_steps = static_cast<int>(1 + random() % 9);
        FixedClock clock{{rate, max_steps}};
        std::uint64_t total_nanoseconds = 0;
        std::uint64_t steps = 0;
        for (int i = 0; i < 100; ++i) {
            const std::uint64_t elapsed = random() % 60'000'000;
            const ClockFrame frame = clock.advance(elapsed);
            total_nanoseconds += elapsed;
            steps += static_cast<std::uint64_t>(frame.steps) + frame.dropped_steps;
            REQUIRE(frame.steps >= 0);
            REQUIRE(frame.steps <= max_steps);
            REQUIRE((frame.dropped_steps == 0 || frame.steps == max_steps));
            REQUIRE(frame.alpha >= 0.0);
            REQUIRE(frame.alpha < 1.0);
            REQUIRE(steps == total_nanoseconds * rate / 1'000'000'000);
        }
    }
}

TEST_CASE("a frame of ten minutes runs at most max_steps steps") {
    FixedClock clock{{60, 5}};
    const ClockFrame frame = clock.advance(600'000'000'000);
    CHECK(frame.steps == 5);
    CHECK(frame.dropped_steps == 595);  // the frame counts as ten seconds
    CHECK(clock.advance(0).steps == 0);
}

TEST_CASE(
    "a display of twice the rate gets a step every second frame, and alpha is the position in between") {
    FixedClock clock{{50, 5}};
    int steps = 0;
    for (int i = 0; i < 100; ++i) {
        const ClockFrame frame = clock.advance(10'000'000);
        CHECK(frame.steps == i % 2);
        CHECK(frame.alpha == (i % 2 == 0 ? 0.5 : 0.0));
        steps += frame.steps;
    }
    CHECK(steps == 50);
}

TEST_CASE("reset drops the backlog") {
    FixedClock clock{{100, 5}};
    CHECK(clock.advance(9'999'999).steps == 0);
    clock.reset();
    CHECK(clock.advance(9'999'999).steps == 0);
    CHECK(clock.advance(1).steps == 1);
}
