// RoomSet agrees with std::set under random inserts and erases.
#include "ecs/base/internal/room_set.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>

namespace perigee::internal {
namespace {

TEST_CASE("an empty room set has no lowest member") {
    RoomSet set;
    CHECK(set.is_empty());
    CHECK(set.lowest() == RoomSet::kNone);
    set.erase(12345);
    CHECK(set.is_empty());
}

TEST_CASE("a room set returns its lowest member after any operations") {
    const std::uint32_t range = GENERATE(3u, 64u, 65u, 5000u, 300000u);
    std::mt19937 random(range);
    RoomSet set;
    std::set<std::uint32_t> model;
    for (int step = 0; step < 20000; ++step) {
        const std::uint32_t number = static_cast<std::uint32_t>(random()) % range;
        if ((random() & 1) != 0) {
            set.insert(number);
            model.insert(number);
        } else {
            set.erase(number);
            model.erase(number);
        }
        REQUIRE(set.contains(number) == (model.count(number) != 0));
        REQUIRE(set.lowest() == (model.empty() ? RoomSet::kNone : *model.begin()));
    }
    set.clear();
    CHECK(set.is_empty());
}

}  // namespace
}  // namespace perigee::internal
