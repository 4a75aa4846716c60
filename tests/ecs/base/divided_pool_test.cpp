// The shares of a pool: no member can take the share of another one.
#include "ecs/base/divided_pool.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace perigee {
namespace {

constexpr std::size_t kMax = 1'000'000;

std::size_t sum(const DividedPool& pool, std::size_t members) {
    std::size_t all = 0;
    for (std::size_t member = 0; member < members; ++member) all += pool.used(member);
    return all;
}

TEST_CASE("a game without mods has the whole pool") {
    DividedPool pool(kMax);
    CHECK(pool.take(0, kMax));
    CHECK_FALSE(pool.take(0, 1));
    pool.give_back(0, 10);
    CHECK(pool.take(0, 10));
}

TEST_CASE("mods cannot take the game's half of a pool") {
    DividedPool pool(kMax);
    pool.set_members(4);
    for (std::size_t mod = 1; mod < 4; ++mod) REQUIRE(pool.take(mod, pool.room(mod)));
    CHECK_FALSE(pool.take(1, 1));
    CHECK(sum(pool, 4) <= kMax / 2);
    CHECK(pool.take(0, kMax / 2));
}

TEST_CASE("each mod has a share that neither the game nor another mod can take") {
    DividedPool pool(kMax);
    pool.set_members(5);
    REQUIRE(pool.take(0, pool.room(0)));
    REQUIRE(pool.take(1, pool.room(1)));
    CHECK(pool.room(0) == 0);
    CHECK(pool.room(2) == kMax / 16);
}

TEST_CASE("in any order of requests a pool stays within its limit and shares stay available") {
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        const std::size_t members = 2 + random() % 20;
        DividedPool pool(kMax);
        pool.set_members(members);
        for (int step = 0; step < 200; ++step) {
            const std::size_t member = random() % members;
            if (random() % 4 == 0) {
                pool.give_back(member, random() % (pool.used(member) + 1));
            } else if (const std::size_t room = pool.room(member); room != 0) {
                REQUIRE(pool.take(member, 1 + random() % room));
                REQUIRE_FALSE(pool.take(member, pool.room(member) + 1));
            }
            REQUIRE(sum(pool, members) <= kMax);
            for (std::size_t other = 0; other < members; ++other)
                REQUIRE(pool.room(other) + pool.used(other) >= pool.share(other));
        }
    }
}

TEST_CASE("members that take at the same time divide the common part evenly") {
    DividedPool pool(kMax);
    pool.set_members(4);
    std::size_t all = 0;
    for (std::size_t member = 0; member < 4; ++member) all += pool.room(member, true);
    CHECK(all <= kMax);
    CHECK(all > kMax - 10);
}

TEST_CASE("an unlimited pool is not divided") {
    DividedPool pool;
    pool.set_members(3);
    CHECK(pool.room(1) == SIZE_MAX);
}

TEST_CASE("clearing a pool frees all of it") {
    DividedPool pool(kMax);
    pool.set_members(4);
    REQUIRE(pool.take(3, pool.room(3)));
    pool.clear();
    CHECK(pool.used(3) == 0);
    CHECK(pool.room(0) == kMax / 2 + kMax / 4);
}

}  // namespace
}  // namespace perigee
