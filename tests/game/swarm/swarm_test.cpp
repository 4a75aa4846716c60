// How the native systems get into a schedule.
#include "game/swarm/swarm.h"

#include "tests/game/swarm/swarm_world.h"

#include <catch2/catch.hpp>

namespace perigee::swarm {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("the native systems run in the order flock, motion, strike") {
    World world;
    declare_creatures(world);
    declare_resources(world);
    Schedule schedule(world, 1);
    REQUIRE(add_systems(world, schedule));
    CHECK(schedule.order(kSimulation) == std::vector<std::string>{"flock", "motion", "strike"});
}

TEST_CASE("a game that does not declare the components gets an error and no system") {
    World world;
    declare_resources(world);
    Schedule schedule(world, 1);
    const Result<void> added = add_systems(world, schedule);
    REQUIRE_FALSE(added);
    CHECK_THAT(added.error().message, Contains("Position"));
    CHECK(schedule.system_count() == 0);
}

TEST_CASE("a system name that is taken is an error") {
    World world;
    declare_creatures(world);
    declare_resources(world);
    Schedule schedule(world, 1);
    REQUIRE(add_systems(world, schedule));
    const Result<void> again = add_systems(world, schedule);
    REQUIRE_FALSE(again);
    CHECK_THAT(again.error().message, Contains("flock"));
}

}  // namespace
}  // namespace perigee::swarm
