// Steps in a ring: which are found, which are dropped, and what an abandoned future leaves.
#include "ecs/save/snapshot_ring.h"

#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

TEST_CASE("a ring finds the last step at or before the wanted one") {
    World world(tiny_chunks(16));
    declare_test_components(world);
    const Entity entity = world.spawn(Position{});
    SnapshotRing ring(world, std::size_t{64} << 20);
    CHECK(ring.find(5) == nullptr);
    CHECK(ring.oldest() == nullptr);
    for (std::uint64_t step = 10; step < 20; step += 2) {
        world.advance_change_version();
        world.set(entity, Position{static_cast<float>(step), 0});
        REQUIRE(ring.keep(step, std::make_shared<std::uint64_t>(step)).ok());
    }
    CHECK(ring.count() == 5);
    CHECK(ring.oldest()->step == 10);
    CHECK(ring.newest()->step == 18);
    CHECK(ring.find(9) == nullptr);
    CHECK(ring.find(10)->step == 10);
    CHECK(ring.find(15)->step == 14);
    CHECK(ring.find(99)->step == 18);
    CHECK(ring.find_after(9)->step == 10);
    CHECK(ring.find_after(10)->step == 12);
    CHECK(ring.find_after(18) == nullptr);
    CHECK(ring.oldest()->new_bytes == 0);
    CHECK(ring.newest()->new_bytes > 0);
    CHECK(*static_cast<const std::uint64_t*>(ring.find(13)->more.get()) == 12);
    REQUIRE(restore_snapshot(world, ring.find(13)->snapshot).ok());
    CHECK(world.get<Position>(entity)->x == 12);
    // The future from here on is another one.
    REQUIRE(ring.keep(14).ok());
    CHECK(ring.newest()->step == 14);
    CHECK(ring.count() == 3);
    ring.forget_from(15);
    CHECK(ring.count() == 3);
    REQUIRE(restore_snapshot(world, ring.newest()->snapshot).ok());
    CHECK(world.get<Position>(entity)->x == 12);
    ring.clear();
    CHECK(ring.count() == 0);
    CHECK(snapshot_memory(world).bytes == 0);
}

TEST_CASE("a ring drops the oldest steps beyond its limit, and shares what does not change") {
    World world(tiny_chunks(16));
    declare_test_components(world);
    std::vector<Entity> made;
    for (int i = 0; i < 1600; ++i) made.push_back(world.spawn(Position{}, Health{}));
    world.advance_change_version();
    SnapshotRing ring(world, 1);
    REQUIRE(ring.keep(0).ok());
    REQUIRE(ring.keep(1).ok());
    CHECK(ring.count() == 1);
    CHECK(ring.newest()->step == 1);
    const std::size_t one = snapshot_memory(world).bytes;
    ring.clear();

    SnapshotRing larger(world, 2 * one);
    for (std::uint64_t step = 0; step < 50; ++step) {
        world.advance_change_version();
        world.set(made[step], Position{1, 1});
        REQUIRE(larger.keep(step).ok());
        CHECK(snapshot_memory(world).bytes <= 2 * one);
    }
    CHECK(larger.count() > 20);  // each step changed one chunk of a hundred
    for (std::uint64_t step = 50; step < 60; ++step) {
        world.advance_change_version();
        for (const Entity entity : made) world.set(entity, Position{2, 2});
        REQUIRE(larger.keep(step).ok());
    }
    CHECK(larger.count() <= 4);
    CHECK(larger.newest()->step == 59);
}

}  // namespace perigee
