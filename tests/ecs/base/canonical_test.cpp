// Which bits are canonical, and how others are converted.
#include "ecs/base/canonical.h"

#include "ecs/base/random.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace perigee {
namespace {

TEST_CASE("numbers, infinities and the NaN that arithmetic produces are canonical") {
    volatile double zero = 0;
    for (const double number : {0.0, -0.0, 1.5, std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::infinity(), zero / zero, -(zero / zero)}) {
        CHECK(is_canonical(number));
        CHECK(is_canonical(static_cast<float>(number)));
        CHECK(std::bit_cast<std::uint64_t>(canonical(number)) == std::bit_cast<std::uint64_t>(number));
    }
}

TEST_CASE("a NaN with a payload becomes the canonical NaN, and other bits do not change") {
    Random random(3);
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t bits = random.next() | (i % 2 == 0 ? 0x7FF0000000000000 : 0);
        const auto wide = std::bit_cast<std::uint64_t>(canonical(std::bit_cast<double>(bits)));
        const bool is_nan = (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000;
        REQUIRE((is_nan ? (wide & 0x7FFFFFFFFFFFFFFF) == 0x7FF8000000000000 : wide == bits));
        const auto half = static_cast<std::uint32_t>(bits >> 32U) | (i % 2 == 0 ? 0x7F800000U : 0U);
        const auto narrow = std::bit_cast<std::uint32_t>(canonical(std::bit_cast<float>(half)));
        const bool is_narrow_nan = (half & 0x7FFFFFFF) > 0x7F800000;
        REQUIRE((is_narrow_nan ? (narrow & 0x7FFFFFFF) == 0x7FC00000 : narrow == half));
    }
}

}  // namespace
}  // namespace perigee
