// Motion: positions follow velocities, and only creatures are kept in the arena.
#include "game/swarm/motion.h"

#include "tests/game/swarm/swarm_world.h"

#include <catch2/catch.hpp>

namespace perigee::swarm {
namespace {

using MotionWorld = SwarmWorld<MotionSystem>;

TEST_CASE("a second of steps moves things by their velocity") {
    MotionWorld swarm;
    const Entity shot = swarm.world.spawn(Position{10, 20}, Velocity{60, -30});
    for (int i = 0; i < 60; ++i) REQUIRE(swarm.step());
    CHECK(swarm.world.get<Position>(shot)->x == Approx(70));
    CHECK(swarm.world.get<Position>(shot)->y == Approx(-10));
}

TEST_CASE("creatures stay in the arena, shots fly out of it") {
    MotionWorld swarm;
    const Entity creature = swarm.world.spawn(Position{490, -490}, Velocity{6000, -6000}, Body{8});
    const Entity shot = swarm.world.spawn(Position{490, -490}, Velocity{6000, -6000});
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Position>(creature)->x == 500);
    CHECK(swarm.world.get<Position>(creature)->y == -500);
    CHECK(swarm.world.get<Position>(shot)->x == Approx(590));
}

TEST_CASE("the resource Hero follows the hero's entity, and stays where he died") {
    MotionWorld swarm;
    const Entity entity = swarm.world.spawn(Position{0, 0}, Velocity{60, 120});
    swarm.world.resource<Hero>().entity = entity;
    REQUIRE(swarm.step());
    CHECK(swarm.world.resource<Hero>().x == Approx(1));
    CHECK(swarm.world.resource<Hero>().y == Approx(2));
    swarm.world.destroy(entity);
    REQUIRE(swarm.step());
    CHECK(swarm.world.resource<Hero>().y == Approx(2));
}

TEST_CASE("nothing moves while the clock is stopped") {
    MotionWorld swarm;
    const Entity shot = swarm.world.spawn(Position{0, 0}, Velocity{60, 0});
    swarm.world.resource<Clock>().running = false;
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Position>(shot)->x == 0);
}

}  // namespace
}  // namespace perigee::swarm
