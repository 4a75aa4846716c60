// Equal values share one entry, which is freed with its last reference.
#include "ecs/storage/shared_store.h"

#include "ecs/world/world.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <map>
#include <random>

namespace perigee {
namespace {

struct Fixture {
    Fixture() {
        declare_test_components(world);
        declare_kind_components(world);
    }
    const ComponentInfo& team() const { return world.registry().info(world.id<Team>()); }
    World world;
    SharedStore store;
};

const std::byte* bytes_of(const Team& team) { return reinterpret_cast<const std::byte*>(&team); }

TEST_CASE("[K4] values are compared by content: pad bytes do not count") {
    Fixture fixture;
    Team a{1, 2}, b{1, 2};
    std::memset(reinterpret_cast<std::byte*>(&b) + 1, 0x5A, 3);
    const SharedIndex first = fixture.store.intern(fixture.team(), bytes_of(a));
    CHECK(fixture.store.intern(fixture.team(), bytes_of(b)) == first);
    CHECK(fixture.store.reference_count(fixture.team().id, first) == 2);
    CHECK(fixture.store.intern(fixture.team(), bytes_of(Team{1, 3})) != first);
}

TEST_CASE("[K4] reference counts agree with a map, and an entry without references is freed") {
    Fixture fixture;
    std::mt19937 random(3);
    std::map<int, std::pair<SharedIndex, int>> model;
    for (int i = 0; i < 20'000; ++i) {
        const int id = static_cast<int>(random() % 40);
        const Team team{static_cast<std::uint8_t>(id), 0};
        const auto known = model.find(id);
        if (random() % 2 == 0) {
            const SharedIndex index = fixture.store.intern(fixture.team(), bytes_of(team));
            if (known != model.end()) REQUIRE(index == known->second.first);
            auto& [kept, count] = model.try_emplace(id, index, 0).first->second;
            REQUIRE(kept == index);
            ++count;
        } else if (known != model.end()) {
            fixture.store.release(fixture.team().id, known->second.first);
            if (--known->second.second == 0) model.erase(known);
        }
        const bool is_there = model.count(id) != 0;
        REQUIRE(fixture.store.find(fixture.team(), bytes_of(team)).has_value() == is_there);
    }
    CHECK(fixture.store.indices(fixture.team().id).size() == model.size());
}

}  // namespace
}  // namespace perigee
