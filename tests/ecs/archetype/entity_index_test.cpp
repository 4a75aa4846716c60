// An entity id is valid for exactly one use of its slot, after any operations.
#include "ecs/archetype/entity_index.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <vector>

namespace perigee {
namespace {

TEST_CASE("[S7] a stale handle is recognised by its generation") {
    EntityIndex index(1000);
    const Entity first = index.reserve();
    index.place(first, Location{3, 4});
    REQUIRE(index.is_alive(first));
    index.release(first);
    const Entity second = index.reserve();
    CHECK(second.index() == first.index());
    CHECK(second.generation() == first.generation() + 1);
    CHECK_FALSE(index.is_alive(first));
    Location location{9, 9};
    CHECK_FALSE(index.find(first, location));
    CHECK(location.unit() == 9);
}

TEST_CASE("a slot whose generations are used up is retired and never valid again") {
    EntityIndex index(1000);
    const Entity old = index.reserve();
    index.release(old);
    index.set_next_generation(old.index(), Entity::kMaxGeneration);
    const Entity last = index.reserve();
    CHECK(last == entity_from_parts(old.index(), Entity::kMaxGeneration));
    index.place(last, Location{0, 0});
    index.release(last);
    CHECK(index.retired_count() == 1);
    CHECK_FALSE(index.is_alive(last));
    CHECK(index.reserve().index() != old.index());
}

TEST_CASE("an id that was never issued is not alive") {
    EntityIndex index(1000);
    static_cast<void>(index.reserve());
    CHECK_FALSE(index.is_alive(Entity{}));
    CHECK_FALSE(index.is_alive(entity_from_parts(0, 2)));
    CHECK_FALSE(index.is_alive(entity_from_parts(1, 1)));
    CHECK_FALSE(index.is_alive(entity_from_parts(0xFFFFFFFF, 1)));
}

TEST_CASE("a full index returns the null entity") {
    EntityIndex index(2);
    CHECK(index.reserve());
    CHECK(index.reserve());
    CHECK_FALSE(index.reserve());
    CHECK_FALSE(index.prepare(1));
}

TEST_CASE("after random operations the index agrees with a map of living entities") {
    EntityIndex index(1u << 20);
    std::mt19937 random(11);
    std::map<Entity, Location> alive;
    std::vector<Entity> dead;
    for (int step = 0; step < 50000; ++step) {
        const unsigned dice = random() % 10;
        if (dice < 5 || alive.empty()) {
            const Location location{static_cast<UnitIndex>(random() % 5000),
                                    static_cast<std::uint32_t>(random() % 2048)};
            const Entity entity = index.reserve();
            REQUIRE(index.is_reserved(entity));
            REQUIRE_FALSE(index.is_alive(entity));
            REQUIRE(alive.count(entity) == 0);
            index.place(entity, location);
            alive[entity] = location;
        } else {
            const auto victim = std::next(alive.begin(), static_cast<long>(random() % alive.size()));
            index.release(victim->first);
            dead.push_back(victim->first);
            alive.erase(victim);
        }
        if (step % 997 != 0) continue;
        for (const auto& [entity, expected] : alive) {
            Location found{0, 0};
            REQUIRE(index.find(entity, found));
            REQUIRE(found.unit() == expected.unit());
            REQUIRE(found.row() == expected.row());
        }
        for (const Entity entity : dead) REQUIRE_FALSE(index.is_alive(entity));
        REQUIRE(index.used_count() == alive.size());
    }
}

}  // namespace
}  // namespace perigee
