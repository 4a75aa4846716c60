// Times of runs agree with a plain list.
#include "ecs/schedule/system_status.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace perigee {
namespace {

TEST_CASE("median and maximum cover the last 256 runs, the total all runs") {
    RunTimes times;
    CHECK(times.median() == 0);
    CHECK(times.worst() == 0);
    CHECK(times.last() == 0);
    std::mt19937 random(1);
    std::vector<double> all;
    double total = 0;
    for (int run = 0; run < 700; ++run) {
        const double milliseconds = static_cast<double>(random() % 1000) / 8;
        times.add(milliseconds);
        all.push_back(milliseconds);
        total += milliseconds;
        std::vector<double> last(
            all.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(all.size(), 256)), all.end());
        std::sort(last.begin(), last.end());
        REQUIRE(times.last() == milliseconds);
        REQUIRE(times.worst() == last.back());
        REQUIRE(times.median() == last[last.size() / 2]);
    }
    CHECK(times.count() == 700);
    CHECK(times.total() == Approx(total));
}

}  // namespace
}  // namespace perigee
