// Streams are the same everywhere, fair, and independent by name.
#include "ecs/random.h"

#include <catch2/catch.hpp>

#include <array>
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

TEST_CASE("a stream continues where its state was saved") {
    Random random(7);
    for (int i = 0; i < 10; ++i) static_cast<void>(random.next());
    const auto state = random.state();
    const std::uint64_t next = random.next();
    Random other(0);
    other.set_state(state);
    CHECK(other.next() == next);
}

TEST_CASE("real numbers stay inside their half-open range and fill it evenly") {
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

TEST_CASE("whole numbers reach both ends and no further, without bias") {
    Random random(2);
    std::array<int, 3> counts{};
    for (int i = 0; i < 30000; ++i) ++counts.at(static_cast<std::size_t>(random.integer(-1, 1) + 1));
    for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
    CHECK(random.integer(5, 5) == 5);
    static_cast<void>(
        random.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
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
