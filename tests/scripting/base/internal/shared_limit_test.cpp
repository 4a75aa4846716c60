// Reserved parts, and the common half.
#include "scripting/base/internal/shared_limit.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

using perigee::internal::SharedLimit;

TEST_CASE("half of a limit is reserved in equal parts, the other half is first come, first served") {
    SharedLimit all{1000};
    all.divide(5);
    CHECK(all.part() == 100);
    CHECK(all.room(0) == 600);
    CHECK(all.move(0, 600));
    CHECK(all.room(600) == 0);
    CHECK(all.room(0) == 100);
    CHECK(all.move(0, 100));
    CHECK_FALSE(all.move(100, 101));
    CHECK(all.used() == 701);
    CHECK_FALSE(all.move(600, 601));
    CHECK(all.move(101, 99));
    CHECK(all.move(601, 500));
    CHECK(all.room(500) == 100);
    CHECK(all.used() == 599);
}

TEST_CASE("all members together stay below the limit, whatever they request") {
    SharedLimit all{10'000};
    all.divide(7);
    std::array<std::size_t, 7> has{};
    std::uint32_t chance = 1;
    for (int i = 0; i < 10'000; ++i) {
        chance = chance * 1664525U + 1013904223U;
        std::size_t& own = has[(chance >> 8U) % has.size()];
        const std::size_t wanted = chance % 3 == 0 ? own / 2 : own + (chance >> 16U) % 400;
        if (wanted < own || wanted - own <= all.room(own)) {
            CHECK(all.move(own, wanted));
            own = wanted;
        }
        std::size_t sum = 0;
        for (const std::size_t amount : has) sum += amount;
        REQUIRE(sum == all.used());
        REQUIRE(sum <= all.limit());
        for (const std::size_t amount : has) REQUIRE(amount + all.room(amount) >= all.part());
    }
}

TEST_CASE("members that take at the same time each get an equal part of the common half") {
    SharedLimit all{1000};
    all.divide(5);
    CHECK(all.room(0, true) == 200);
    CHECK(all.move(0, 300));
    CHECK(all.room(300, true) == 60);
    CHECK(all.room(0, true) == 160);
    all.set_limit(2000);
    all.divide(2);
    CHECK(all.part() == 500);
    CHECK(all.used() == 0);
}

TEST_CASE("members change their amounts from several threads") {
    SharedLimit all{1'000'000};
    all.divide(4);
    std::vector<std::thread> threads;
    for (int member = 0; member < 4; ++member)
        threads.emplace_back([&all] {
            std::size_t own = 0;
            for (std::size_t i = 0; i < 20'000; ++i) {
                const std::size_t next = i * 7919 % 400'000;
                static_cast<void>(all.move(own, next));
                own = next;
            }
            static_cast<void>(all.move(own, 0));
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(all.used() == 0);
    CHECK(all.room(0) == all.part() + all.limit() / 2);
}
