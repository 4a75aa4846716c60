// Radix sort agrees with the stable sort of the standard library.
#include "ecs/base/internal/radix_sort.h"

#include <catch2/catch.hpp>

#include <random>

namespace perigee::internal {
namespace {

struct Row {
    std::uint64_t key;
    std::size_t number;
    bool operator==(const Row&) const = default;
};

TEST_CASE("radix sort is stable for any differing bytes of the keys") {
    std::mt19937_64 random(5);
    std::vector<Row> spare;
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t mask = random() & random() & random();
        std::vector<Row> rows(random() % 300);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {random() & mask, i};
        std::vector<Row> expected = rows;
        std::stable_sort(expected.begin(), expected.end(),
                         [](const Row& a, const Row& b) { return a.key < b.key; });
        radix_sort(rows, spare, [](const Row& row) { return row.key; });
        REQUIRE(rows == expected);
    }
}

}  // namespace
}  // namespace perigee::internal
