// Random streams are the same on every machine, uniform, and independent by name.
#include "ecs/base/random.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace perigee {
namespace {

TEST_CASE("a seed gives the same numbers on every machine") {
    Random random(42);
    const std::array<std::uint64_t, 3> first{random.next(), random.next(), random.next()};
    CHECK(first == std::array<std::uint64_t, 3>{1546998764402558742ull, 6990951692964543102ull,
                                                12544586762248559009ull});
}

TEST_CASE("every random function gives the same values on every machine") {
    Random random(stream_seed(7, "next wave"));
    CHECK(stream_seed(7, "next wave") == 13647201610568632965ull);
    CHECK(random.unit() == 0x1.ce812a4d1caap-6);
    CHECK(random.range(-5, 640) == 0x1.314810b03410fp6);
    CHECK(random.integer(1, 6) == 1);
    CHECK(random.integer(-1000000000000, 1000000000000) == -41938911680);
    CHECK(random.next() == 15674339762214083983ull);
}

TEST_CASE("a stream continues from its saved state") {
    Random random(7);
    for (int i = 0; i < 10; ++i) static_cast<void>(random.next());
    const auto state = random.state();
    const std::uint64_t next = random.next();
    Random other(0);
    other.set_state(state);
    CHECK(other.next() == next);
}

TEST_CASE("real numbers are uniform in their half-open range") {
    Random random(1);
    std::array<int, 10> buckets{};
    for (int i = 0; i < 100000; ++i) {
        const double value = random.range(-5, 5);
        REQUIRE((value >= -5 && value < 5));
        ++buckets[static_cast<std::size_t>(value + 5)];
    }
    for (const int count : buckets) CHECK(std::abs(count - 10000) < 500);
    CHECK(random.range(3, 3) == 3);
}

TEST_CASE("integers are uniform in their range, both ends included") {
    Random random(2);
    std::array<int, 3> counts{};
    for (int i = 0; i < 30000; ++i) ++counts.at(static_cast<std::size_t>(random.integer(-1, 1) + 1));
    for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
    CHECK(random.integer(5, 5) == 5);
    static_cast<void>(
        random.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}

TEST_CASE("each of the 64 bits is set half of the time") {
    Random random(3);
    std::array<int, 64> set{};
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t drawn = random.next();
        for (std::size_t bit = 0; bit < 64; ++bit) set[bit] += static_cast<int>(drawn >> bit & 1);
    }
    for (const int count : set) CHECK(std::abs(count - 10000) < 400);
}

TEST_CASE("numbers from extreme ranges stay inside the range") {
    Random random(4);
    constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min(),
                           kHigh = std::numeric_limits<std::int64_t>::max();
    bool is_negative_seen = false, is_positive_seen = false;
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t half = random.integer(kLow, 0);
        REQUIRE(half <= 0);
        REQUIRE(random.integer(kHigh - 1, kHigh) >= kHigh - 1);
        const std::int64_t any = random.integer(kLow, kHigh);
        is_negative_seen |= any < 0;
        is_positive_seen |= any > 0;
        const double tight = random.range(1.0, std::nextafter(1.0, 2.0));
        REQUIRE(tight == 1.0);  // the high end is open
    }
    CHECK((is_negative_seen && is_positive_seen));
}

TEST_CASE("streams whose names differ in one letter have no numbers in common") {
    Random first(stream_seed(1, "spawn a")), second(stream_seed(1, "spawn b"));
    std::set<std::uint64_t> drawn;
    for (int i = 0; i < 1000; ++i) {
        drawn.insert(first.next());
        drawn.insert(second.next());
    }
    CHECK(drawn.size() == 2000);
}

TEST_CASE("streams differ by name and by game seed") {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t game = 0; game < 20; ++game) {
        for (const char* name : {"", "a", "b", "ab", "ba", "next wave"})
            seeds.insert(stream_seed(game, name));
    }
    CHECK(seeds.size() == 20 * 6);
}

}  // namespace
}  // namespace perigee
