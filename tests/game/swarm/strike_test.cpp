// Which enemies are hit, compared with a full search.
#include "game/swarm/strike.h"

#include "ecs/base/random.h"
#include "tests/game/swarm/swarm_world.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace perigee::swarm {
namespace {

using StrikeWorld = SwarmWorld<StrikeSystem>;

bool overlap(const StrikeWorld& swarm, Entity enemy, float x, float y, float radius) {
    const Position& at = *swarm.world.get<Position>(enemy);
    const float touch = radius + swarm.world.get<Body>(enemy)->radius;
    const float dx = at.x - x, dy = at.y - y;
    return dx * dx + dy * dy < touch * touch;
}

std::vector<Entity> crowd(StrikeWorld& swarm, Random& random, std::size_t count) {
    std::vector<Entity> enemies;
    for (std::size_t i = 0; i < count; ++i) {
        // Some beyond the arena, one kind as large as a boss.
        enemies.push_back(swarm.enemy(static_cast<float>(random.range(-600, 600)),
                                      static_cast<float>(random.range(-600, 600)),
                                      i % 50 == 0 ? 38.0F : static_cast<float>(random.range(4, 14))));
    }
    return enemies;
}

TEST_CASE("fields hurt exactly the enemies that a full search finds") {
    Random random(3);
    for (int round = 0; round < 10; ++round) {
        StrikeWorld swarm;
        const std::vector<Entity> enemies = crowd(swarm, random, 400);
        for (const Entity enemy : enemies) swarm.world.edit<Health>(enemy)->current = 1e9F;
        struct Field {
            float x, y, radius, damage;
        };
        std::vector<Field> fields;
        for (int i = 0; i < 25; ++i) {
            const Field field{static_cast<float>(random.range(-600, 600)),
                              static_cast<float>(random.range(-600, 600)),
                              static_cast<float>(random.range(2, 150)), static_cast<float>(1 << (i % 5))};
            fields.push_back(field);
            swarm.world.spawn(Position{field.x, field.y},
                              Strike{.damage = field.damage, .radius = field.radius, .period = 1});
        }
        REQUIRE(swarm.step());
        for (const Entity enemy : enemies) {
            float expected = 0;
            for (const Field& field : fields) {
                if (overlap(swarm, enemy, field.x, field.y, field.radius)) expected += field.damage;
            }
            REQUIRE(swarm.world.get<Health>(enemy)->pending == expected);
        }
    }
}

TEST_CASE("a bolt hits pierce + 1 enemies, each once, and then is spent") {
    StrikeWorld swarm;
    std::vector<Entity> enemies;
    for (int i = 0; i < 6; ++i) enemies.push_back(swarm.enemy(100.0F + static_cast<float>(i), 0));
    const Entity bolt = swarm.world.spawn(Position{100, 0}, Strike{.damage = 3, .radius = 4, .pierce = 2});
    for (int i = 0; i < 4; ++i) REQUIRE(swarm.step());
    const auto hit_once = [&](Entity enemy) { return swarm.world.get<Health>(enemy)->pending == 3; };
    CHECK(std::count_if(enemies.begin(), enemies.end(), hit_once) == 3);
    CHECK(swarm.world.get<Strike>(bolt)->pierce == -1);
    CHECK(swarm.world.get<Strike>(bolt)->hits == 0);  // of this step, not of all
}

TEST_CASE("an enemy that already dies in this step is not hit again") {
    StrikeWorld swarm;
    const Entity enemy = swarm.enemy(0, 0);
    const Entity first = swarm.world.spawn(Position{0, 0}, Strike{.damage = 100, .radius = 4});
    const Entity second = swarm.world.spawn(Position{0, 0}, Strike{.damage = 100, .radius = 4});
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Health>(enemy)->pending == 100);
    CHECK(swarm.world.get<Strike>(first)->hits == 1);
    CHECK(swarm.world.get<Strike>(second)->pierce == 0);
}

TEST_CASE("a field with a period pauses in between") {
    StrikeWorld swarm;
    const Entity enemy = swarm.enemy(0, 0);
    swarm.world.spawn(Position{0, 0}, Strike{.damage = 1, .radius = 4, .period = 10});
    for (int i = 0; i < 40; ++i) REQUIRE(swarm.step());
    CHECK(swarm.world.get<Health>(enemy)->pending == 4);
}

TEST_CASE("a push goes away from the strike and is weaker for the heavy") {
    StrikeWorld swarm;
    const Entity light = swarm.enemy(5, 0);
    const Entity heavy = swarm.enemy(0, -5);
    swarm.world.edit<Enemy>(heavy)->mass = 4;
    swarm.world.spawn(Position{0, 0}, Strike{.damage = 1, .radius = 9, .push = 80, .period = 1});
    REQUIRE(swarm.step());
    CHECK(swarm.world.get<Velocity>(light)->x == Approx(80));
    CHECK(swarm.world.get<Velocity>(heavy)->y == Approx(-20));
}

TEST_CASE("the hero's senses agree with a full search") {
    Random random(8);
    for (int round = 0; round < 20; ++round) {
        StrikeWorld swarm;
        const std::vector<Entity> enemies =
            crowd(swarm, random, static_cast<std::size_t>(random.integer(0, 300)));
        Hero& hero = swarm.world.resource<Hero>();
        hero.x = static_cast<float>(random.range(-400, 400));
        hero.y = static_cast<float>(random.range(-400, 400));
        hero.radius = 40;
        REQUIRE(swarm.step());
        const Senses& senses = swarm.world.resource<Senses>();

        const auto touching = std::count_if(enemies.begin(), enemies.end(), [&](Entity enemy) {
            return overlap(swarm, enemy, hero.x, hero.y, hero.radius);
        });
        CHECK(senses.touching == touching);
        CHECK(senses.bite_sum == Approx(5.0 * static_cast<double>(touching)));
        CHECK(senses.bite == (touching > 0 ? 5 : 0));
        CHECK(senses.enemies == enemies.size());

        std::vector<double> distances;
        for (const Entity enemy : enemies) {
            const Position& at = *swarm.world.get<Position>(enemy);
            distances.push_back(std::hypot(at.x - hero.x, at.y - hero.y));
        }
        std::sort(distances.begin(), distances.end());
        REQUIRE(senses.count == std::min(kRadarSize, distances.size()));
        for (std::size_t i = 0; i < senses.count; ++i) {
            CHECK(senses.distance[i] == Approx(distances[i]));
            const Position& at = *swarm.world.get<Position>(senses.entity[i]);
            CHECK(at.x == senses.x[i]);
            CHECK(at.y == senses.y[i]);
        }
    }
}

}  // namespace
}  // namespace perigee::swarm
