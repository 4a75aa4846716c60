// Runs of units never overlap, are aligned and reused, and merge when they are freed.
#include "ecs/archetype/chunk_pool.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace perigee {
namespace {

constexpr std::uint32_t kUnitBytes = 16 * 1024;

struct Run {
    UnitIndex first;
    std::uint32_t count;
    std::byte mark;
};

TEST_CASE("random runs of 1, 2 and 4 units never overlap and keep their content") {
    ChunkPool pool(kUnitBytes, std::size_t{64} << 20);
    std::mt19937 random(7);
    std::vector<Run> live;
    std::size_t used = 0;
    for (int step = 0; step < 20000; ++step) {
        if (live.empty() || (random() % 5 < 3 && used < 3000)) {
            const std::uint32_t count = 1u << (random() % 3);
            const UnitIndex first = pool.allocate(count);
            REQUIRE(first != kNoUnit);
            REQUIRE(first % count == 0);
            const auto mark = static_cast<std::byte>(random());
            for (std::uint32_t unit = 0; unit < count; ++unit) {
                pool.address(first + unit)[0] = mark;
                pool.address(first + unit)[kUnitBytes - 1] = mark;
            }
            live.push_back(Run{first, count, mark});
            used += count;
        } else {
            const std::size_t victim = random() % live.size();
            const Run run = live[victim];
            for (std::uint32_t unit = 0; unit < run.count; ++unit) {
                REQUIRE(pool.address(run.first + unit)[0] == run.mark);
                REQUIRE(pool.address(run.first + unit)[kUnitBytes - 1] == run.mark);
            }
            pool.release(run.first, run.count);
            used -= run.count;
            live[victim] = live.back();
            live.pop_back();
        }
        REQUIRE(pool.stats().units_in_use == used);
    }
}

TEST_CASE("freed units merge into larger runs") {
    ChunkPool pool(kUnitBytes, std::size_t{2} << 20);  // 128 units
    std::vector<UnitIndex> units;
    for (UnitIndex unit = pool.allocate(1); unit != kNoUnit; unit = pool.allocate(1)) units.push_back(unit);
    CHECK(units.size() == 128);
    CHECK(pool.allocate(4) == kNoUnit);
    for (const UnitIndex unit : units) pool.release(unit, 1);
    for (int run = 0; run < 32; ++run) CHECK(pool.allocate(4) == static_cast<UnitIndex>(run * 4));
    CHECK(pool.allocate(1) == kNoUnit);
}

TEST_CASE("the lowest free unit is used first") {
    ChunkPool pool(kUnitBytes, std::size_t{4} << 20);
    for (UnitIndex expected = 0; expected < 20; ++expected) CHECK(pool.allocate(1) == expected);
    pool.release(13, 1);
    pool.release(5, 1);
    CHECK(pool.allocate(1) == 5);
    CHECK(pool.allocate(1) == 13);
}

TEST_CASE("a column uses all sets of the cache, not the same ones in every chunk") {
    ChunkPool pool(kUnitBytes, std::size_t{64} << 20);
    constexpr std::size_t kSets = 2048, kLine = 64, kColumnBytes = 5 * 1024;
    std::vector<int> lines_in_set(kSets, 0);
    constexpr int kChunks = 156;
    for (int chunk = 0; chunk < kChunks; ++chunk) {
        const UnitIndex unit = pool.allocate(1);
        const auto column = reinterpret_cast<std::uintptr_t>(pool.address(unit)) / kLine;
        for (std::size_t line = 0; line < kColumnBytes / kLine; ++line)
            ++lines_in_set[(column + line) % kSets];
    }
    // 156 columns of 80 lines over 2,048 sets: six lines per set if they were spread evenly.
    CHECK(*std::min_element(lines_in_set.begin(), lines_in_set.end()) >= 3);
    CHECK(*std::max_element(lines_in_set.begin(), lines_in_set.end()) <= 9);
}

TEST_CASE("warming a pool commits the requested units") {
    ChunkPool pool(kUnitBytes, std::size_t{64} << 20);
    REQUIRE(pool.warm(300));
    CHECK(pool.stats().units_committed >= 300);
    CHECK(pool.stats().units_in_use == 0);
    CHECK_FALSE(pool.warm(100000));
}

}  // namespace
}  // namespace perigee
