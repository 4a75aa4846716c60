// Names and paths agree with a walk over all entities; errors of set_name.
#include "ecs/relations/names.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("random naming, renaming and destroying agrees with a map of names") {
    World world(tiny_chunks());
    std::map<Entity, std::string> names;  // of the living; in order of index
    std::mt19937 random(11);
    std::vector<Entity> known{world.spawn()};
    names[known[0]];
    for (int step = 0; step < 4000; ++step) {
        const Entity entity = known[random() % known.size()];
        const bool is_alive = names.count(entity) != 0;
        const std::string name = random() % 5 == 0 ? "" : "name " + std::to_string(random() % 6);
        switch (random() % 8) {
            case 0:
                if (const Entity made = world.spawn()) names[known.emplace_back(made)];
                break;
            case 1:
                if (const Entity made = world.clone(entity)) names[known.emplace_back(made)];
                break;
            case 2:
                world.destroy(entity);
                names.erase(entity);
                break;
            default:
                REQUIRE(set_name(world, entity, name).ok() == is_alive);
                if (is_alive) names[entity] = name;
                break;
        }
        if (step % 500 == 0) collect_texts(world);
        for (int i = 0; i < 6; ++i) {
            const std::string wanted = "name " + std::to_string(i);
            Entity first;
            for (const auto& [named, its_name] : names) {
                if (its_name == wanted && (!first || named.index() < first.index())) first = named;
            }
            REQUIRE(find_named(world, wanted) == first);
        }
    }
    for (const auto& [entity, name] : names) CHECK(name_of(world, entity) == name);
    world.clear();
    CHECK(find_named(world, "name 1") == Entity{});
}

TEST_CASE("a path finds an entity by the names of its parents, for any order of naming") {
    World world;
    const Entity fleet = world.spawn(), ship = world.spawn(), other = world.spawn();
    const Entity free_turret = world.spawn(), turret = world.spawn(), second = world.spawn();
    for (const Entity entity : {ship, other}) {
        set_name(world, entity, "ship").value();
        set_parent(world, entity, fleet).value();
    }
    set_name(world, fleet, "fleet").value();
    for (const Entity entity : {free_turret, turret, second}) set_name(world, entity, "turret").value();
    set_parent(world, turret, ship).value();
    set_parent(world, second, other).value();
    CHECK(find_named(world, "turret") == free_turret);
    CHECK(find_named(world, "ship/turret") == turret);
    CHECK(find_named(world, "fleet/ship/turret") == turret);
    world.destroy(ship);
    CHECK(find_named(world, "fleet/ship/turret") == second);
    CHECK(find_named(world, "fleet/turret") == Entity{});
    CHECK(find_named(world, "ship/fleet") == Entity{});
    CHECK(find_named(world, "") == Entity{});
    CHECK(find_named(world, "ship/") == Entity{});
}

TEST_CASE("set_name refuses dead entities, slashes and names without room") {
    WorldConfig config = tiny_chunks();
    config.reserved_chunk_bytes = 64 * 1024;
    config.max_text_bytes = 300;
    World world(config);
    const Entity dead = world.spawn(), entity = world.spawn();
    world.destroy(dead);
    CHECK(find_named(world, "a") == Entity{});
    CHECK(set_name(world, dead, "a").error().message ==
          "set_name 'a': entity " + std::to_string(dead.bits) + " is not alive");
    CHECK_THAT(set_name(world, entity, "a/b").error().message,
               Contains("'a/b': expected a name without '/'"));
    CHECK_THAT(set_name(world, entity, std::string(400, 'x')).error().message, Contains("texts"));
    while (world.spawn()) {
    }
    CHECK(set_name(world, entity, "a").error().message ==
          "set_name 'a': the row would be too wide, or memory is exhausted");
    CHECK(name_of(world, entity).empty());
}

TEST_CASE("declaring names fails when the component's name is in use") {
    World world;
    Schema schema;
    schema.name = "Name";
    schema.kind = ComponentKind::tag;
    world.declare(std::move(schema)).value();
    CHECK_THAT(declare_names(world).error().message, Contains("'Name' is already declared"));
    CHECK(name_of(world, world.spawn()).empty());
}

}  // namespace
}  // namespace perigee
