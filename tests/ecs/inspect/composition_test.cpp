// The hash of an archetype is that of its set of names, in each world.
#include "ecs/inspect/composition.h"

#include "ecs/schema/registry.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace perigee {
namespace {

Schema named(const std::string& name) {
    Schema schema;
    schema.name = name;
    schema.fields.resize(1);
    schema.fields[0].name = "x";
    schema.fields[0].type = FieldType::f32;
    return schema;
}

TEST_CASE("[S9] equal sets of components have one hash in all worlds, and other sets have others") {
    std::mt19937 random(9);
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i) names.push_back("C" + std::to_string(i));
    std::map<std::set<std::string>, std::uint64_t> hash_of;
    std::map<std::uint64_t, std::set<std::string>> set_of;
    for (int turn = 0; turn < 5; ++turn) {
        World world;
        std::shuffle(names.begin(), names.end(), random);
        std::vector<ComponentId> ids;
        for (const std::string& name : names) ids.push_back(world.declare(named(name)).value());
        for (int i = 0; i < 200; ++i) {
            std::shuffle(ids.begin(), ids.end(), random);
            const std::vector<ComponentId> some(ids.begin(), ids.begin() + random() % 7);
            std::set<std::string> set;
            for (const ComponentId id : some) set.insert(world.registry().info(id).schema.name);
            const std::uint64_t hash = composition_hash(some, world.registry());
            REQUIRE(hash_of.emplace(set, hash).first->second == hash);
            REQUIRE(set_of.emplace(hash, set).first->second == set);
            const Archetype& archetype = *world.archetype(some).value();
            REQUIRE(composition_hash(world, archetype) == hash);
            REQUIRE(find_archetype(world, hash) == &archetype);
        }
    }
    CHECK(hash_of.size() > 200);
}

TEST_CASE("[S9] an archetype is found by its hash, or by the text of it, while it exists") {
    World world;
    declare_test_components(world);
    const std::vector<ComponentId> ids{world.id<Position>(), world.id<Frozen>()};
    const std::uint64_t hash = composition_hash(ids, world.registry());
    CHECK(find_archetype(world, hash) == nullptr);
    const Entity entity = world.spawn(Position{});
    world.add<Frozen>(entity);
    CHECK(find_archetype(world, hash) == world.archetype_of(entity));
    CHECK(composition_from_text(composition_text(hash)) == hash);
    CHECK(composition_text(0xabc) == "0000000000000abc");
    // A hash that a file or a message has stays what it is.
    CHECK(composition_text(hash) == "3e8d2551f704794b");
    for (const char* wrong : {"", "12", "00000000000000xy", "0000000000000abc0", "-000000000000abc"})
        CHECK_FALSE(composition_from_text(wrong));
}

}  // namespace
}  // namespace perigee
