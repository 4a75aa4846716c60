// Overlaps agree with a comparison of all pairs of ranges.
#include "ecs/query/internal/access_log.h"

#include <catch2/catch.hpp>

#include <array>
#include <memory>
#include <random>
#include <vector>

namespace perigee::internal {
namespace {

TEST_CASE("an overlap is a byte in two logs that at least one of them wrote") {
    std::mt19937 random(9);
    std::array<std::byte, 400> memory{};
    int found = 0;
    for (int round = 0; round < 3000; ++round) {
        std::array<AccessLog, 4> logs;
        for (AccessLog& log : logs) {
            for (std::uint32_t i = 0, count = random() % 3; i < count; ++i) {
                log.add(memory.data() + random() % 360, random() % 40, ComponentId{3}, random() % 4 == 0);
            }
        }
        bool is_expected = false;
        for (std::size_t a = 0; a < logs.size(); ++a) {
            for (std::size_t b = a + 1; b < logs.size(); ++b) {
                for (const AccessLog::Range& x : logs[a].ranges()) {
                    for (const AccessLog::Range& y : logs[b].ranges()) {
                        is_expected |= x.first < y.last && y.first < x.last && (x.is_written || y.is_written);
                    }
                }
            }
        }
        const std::array<const AccessLog*, 4> all{&logs[0], &logs[1], &logs[2], &logs[3]};
        const std::optional<AccessOverlap> overlap = find_overlap(all);
        REQUIRE(overlap.has_value() == is_expected);
        if (overlap) {
            ++found;
            REQUIRE(overlap->first < overlap->second);
            REQUIRE(overlap->component == ComponentId{3});
        }
    }
    CHECK(found > 100);
    CHECK(found < 2900);
}

TEST_CASE("empty ranges are not recorded, and a cleared log is empty") {
    AccessLog log;
    std::byte cell{};
    log.add(nullptr, 4, ComponentId{1}, true);
    log.add(&cell, 0, ComponentId{1}, true);
    CHECK(log.ranges().empty());
    log.add(&cell, 1, ComponentId{1}, true);
    CHECK(log.ranges().size() == 1);
    log.clear();
    CHECK(log.ranges().empty());
}

}  // namespace
}  // namespace perigee::internal
