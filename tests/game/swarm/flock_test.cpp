// Steering: each mode goes where it should, neighbours part, and no crowd is too dense to be affordable.
#include "game/swarm/flock.h"

#include "ecs/inspect/world_hash.h"
#include "tests/game/swarm/swarm_world.h"

#include <catch2/catch.hpp>

#include <cmath>

namespace perigee::swarm {
namespace {

using FlockWorld = SwarmWorld<FlockSystem>;

Flock mode(Mode value, float range = 0) {
    return {.speed = 60, .turn = 60, .range = range, .mode = static_cast<std::uint8_t>(value)};
}

TEST_CASE("a chaser heads for the hero at its speed, whatever the side") {
    FlockWorld swarm;
    for (int i = 0; i < 12; ++i) {
        const float angle = static_cast<float>(i) * 0.5236F;
        const float x = 200 * std::cos(angle), y = 200 * std::sin(angle);
        const Entity enemy = swarm.enemy(x, y);
        REQUIRE(swarm.step());
        const Velocity& velocity = *swarm.world.get<Velocity>(enemy);
        CHECK(velocity.x == Approx(-x * 0.3F).margin(0.1));
        CHECK(velocity.y == Approx(-y * 0.3F).margin(0.1));
        swarm.world.destroy(enemy);
    }
}

TEST_CASE("a creature that keeps its distance approaches, backs off, and circles in between") {
    FlockWorld swarm;
    const Entity far = swarm.enemy(300, 0, 8, mode(Mode::keep_distance, 100));
    const Entity near = swarm.enemy(0, 40, 8, mode(Mode::keep_distance, 100));
    const Entity right = swarm.enemy(-100, 0, 8, mode(Mode::keep_distance, 100));
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Velocity>(far)->x < -50);
    CHECK(swarm.world.get<Velocity>(near)->y > 50);
    CHECK(std::fabs(swarm.world.get<Velocity>(right)->x) < 1);
    CHECK(std::fabs(swarm.world.get<Velocity>(right)->y) > 20);
}

TEST_CASE("a creature that goes straight on ignores the hero") {
    FlockWorld swarm;
    Flock straight = mode(Mode::straight);
    straight.heading_y = 1;
    const Entity enemy = swarm.enemy(100, 0, 8, straight);
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Velocity>(enemy)->x == Approx(0).margin(0.01));
    CHECK(swarm.world.get<Velocity>(enemy)->y == Approx(60).margin(0.01));
}

TEST_CASE("a weaving creature swings to both sides of its path") {
    FlockWorld swarm;
    const Entity enemy = swarm.enemy(200, 0, 8, mode(Mode::weave));
    float least = 0, most = 0;
    for (int i = 0; i < 120; ++i) {
        REQUIRE(swarm.step());
        least = std::min(least, swarm.world.get<Velocity>(enemy)->y);
        most = std::max(most, swarm.world.get<Velocity>(enemy)->y);
    }
    CHECK(least < -30);
    CHECK(most > 30);
}

TEST_CASE("overlapping neighbours part, the lighter one faster, also from the very same spot") {
    FlockWorld swarm;
    Flock still = mode(Mode::straight);
    still.speed = 0;
    still.separation = 100;
    const Entity small = swarm.enemy(100, 0, 6, still);
    const Entity large = swarm.enemy(108, 0, 12, still);
    const Entity first = swarm.enemy(-200, 50, 8, still);
    const Entity second = swarm.enemy(-200, 50, 8, still);
    REQUIRE(swarm.step());
    const auto velocity = [&](Entity entity) { return *swarm.world.get<Velocity>(entity); };
    CHECK(velocity(small).x < 0);
    CHECK(velocity(large).x > 0);
    CHECK(-velocity(small).x > 2 * velocity(large).x);
    const float apart =
        std::hypot(velocity(first).x - velocity(second).x, velocity(first).y - velocity(second).y);
    CHECK(apart > 50);
}

TEST_CASE("aligning creatures adopt the direction of their neighbours") {
    FlockWorld swarm;
    Flock follower = mode(Mode::chase);
    follower.alignment = 1;
    const Entity enemy = swarm.enemy(100, 0, 8, follower);
    const Entity other = swarm.enemy(110, 0, 8, mode(Mode::straight));
    swarm.world.set(other, Velocity{0, 40});
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Velocity>(enemy)->y > 30);
}

TEST_CASE("nothing moves while the clock is stopped, and an invalid arena is an error of the system") {
    FlockWorld swarm;
    const Entity enemy = swarm.enemy(100, 0);
    swarm.world.resource<Clock>().running = false;
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Velocity>(enemy)->x == 0);
    swarm.world.resource<Clock>().running = true;
    swarm.world.resource<Arena>().right = -600;
    CHECK_FALSE(swarm.step());
}

TEST_CASE("ten thousand on one spot take bounded time, with the same result in every run") {
    const auto run = [] {
        FlockWorld swarm;
        for (int i = 0; i < 10000; ++i) swarm.enemy(50, 50);
        for (int i = 0; i < 3; ++i) REQUIRE(swarm.step());
        return world_hash(swarm.world);
    };
    CHECK(run() == run());
}

}  // namespace
}  // namespace perigee::swarm
