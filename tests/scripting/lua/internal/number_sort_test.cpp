// Sorting by digits, compared with the standard library.
#include "scripting/lua/internal/number_sort.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace perigee::internal {
namespace {

std::vector<double> sorted(std::vector<double> numbers) {
    std::vector<double> scratch(numbers.size());
    sort_numbers(numbers.data(), numbers.size(), scratch.data());
    return numbers;
}

std::vector<double> sorted_by_standard(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    return numbers;
}

}  // namespace

TEST_CASE("numbers of every size and sign are sorted as the standard library does") {
    std::mt19937_64 random(7);
    for (int round = 0; round < 400; ++round) {
        std::vector<double> numbers(random() % 300);
        for (double& number : numbers) {
            const std::uint64_t kind = random() % 5;
            const auto bits = random();
            number = kind == 0   ? static_cast<double>(static_cast<std::int64_t>(bits % 100) - 50)
                     : kind == 1 ? static_cast<double>(bits % 20000) + 0x1p33
                     : kind == 2 ? static_cast<double>(static_cast<std::int64_t>(bits))
                     : kind == 3 ? static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-60
                                 : std::bit_cast<double>(bits);
            if (std::isnan(number)) number = 0;
        }
        CHECK(sorted(numbers) == sorted_by_standard(numbers));
    }
}

TEST_CASE("the largest and smallest numbers are sorted") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<double> numbers = {kInfinity,  1,
                                         -1,         std::numeric_limits<double>::denorm_min(),
                                         -kInfinity, -std::numeric_limits<double>::max(),
                                         0,          0x1p53,
                                         -0x1p53};
    CHECK(sorted(numbers) == sorted_by_standard(numbers));
    CHECK(std::signbit(sorted({0.0, -0.0}).front()));
}

TEST_CASE("lists of no, one and equal numbers stay as they are") {
    CHECK(sorted({}).empty());
    CHECK(sorted({4}) == std::vector<double>{4});
    CHECK(sorted({4, 4, 4}) == std::vector<double>{4, 4, 4});
}

}  // namespace perigee::internal
