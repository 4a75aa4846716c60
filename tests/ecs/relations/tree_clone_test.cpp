// Clones of trees: values, order, names and all kinds of references, also when memory runs out.
#include "ecs/relations/tree_clone.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/world.h"
#include "tests/ecs/check_world.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace perigee {
namespace {

struct Aim {
    Entity target;
};
struct Crew {
    Entity ship;
};
struct Seen {
    Entity who;
};

// A ship with a turret with a barrel, and a flag; each aims at the next one, and at a rock far away.
struct Fleet {
    Fleet() {
        declare_test_components(world);
        declare_kind_components(world);
        world.declare<Aim>("Aim", field("target", &Aim::target)).value();
        world.declare<Crew>("Crew", ComponentKind::shared, field("ship", &Crew::ship)).value();
        Schema seen;
        seen.name = "Seen";
        seen.kind = ComponentKind::buffer;
        seen.buffer_capacity = 1;
        seen.fields.resize(1);
        seen.fields[0].name = "who";
        seen.fields[0].type = FieldType::entity;
        world.declare(seen).value();
        world.bind<Seen>("Seen", field("who", &Seen::who)).value();
        rock = world.spawn(Position{9, 9});
        ship = world.spawn(Position{1, 0}, Aim{});
        turret = world.spawn(Position{2, 0}, Aim{ship}, Crew{ship}, Voice{3});
        barrel = world.spawn(Position{3, 0}, Aim{rock}, Crew{rock});
        flag = world.spawn(Position{4, 0}, Shield{2});
        world.edit<Aim>(ship)->target = barrel;
        world.set_enabled(flag, world.id<Shield>(), false);
        world.add(flag, world.id<Seen>());
        for (const Entity who : {rock, turret, ship}) world.buffer<Seen>(flag).push({who});
        set_parent(world, ship, rock).value();
        set_parent(world, turret, ship).value();
        set_parent(world, flag, ship).value();
        set_parent(world, barrel, turret).value();
        set_name(world, ship, "ship").value();
        set_name(world, turret, "turret").value();
    }
    World world{tiny_chunks(3)};
    Entity rock, ship, turret, barrel, flag;
};

std::vector<Entity> listed(const World& world, Entity parent) {
    std::vector<Entity> all;
    for (const Entity child : children(world, parent)) all.push_back(child);
    return all;
}

TEST_CASE("cloning a tree keeps its order, names and values, and internal references point to the clones") {
    Fleet fleet;
    World& world = fleet.world;
    const Entity ship = clone_tree(world, fleet.ship);
    REQUIRE(world.is_alive(ship));
    CHECK_FALSE(parent_of(world, ship));
    CHECK(name_of(world, ship).empty());
    REQUIRE(listed(world, ship).size() == 2);
    const Entity turret = listed(world, ship)[0], flag = listed(world, ship)[1];
    const Entity barrel = listed(world, turret).at(0);
    CHECK(name_of(world, turret) == "turret");
    CHECK(*world.get<Position>(barrel) == Position{3, 0});
    CHECK(depth_of(world, barrel) == 2);
    CHECK(world.get<Aim>(ship)->target == barrel);
    CHECK(world.get<Aim>(turret)->target == ship);
    CHECK(world.get<Aim>(barrel)->target == fleet.rock);
    CHECK(world.get<Crew>(turret)->ship == ship);
    CHECK(world.get<Crew>(fleet.turret)->ship == fleet.ship);
    CHECK(world.get<Crew>(barrel)->ship == fleet.rock);
    CHECK_FALSE(world.has<Voice>(turret));
    CHECK_FALSE(world.is_enabled(flag, world.id<Shield>()));
    const std::span<const Seen> seen = world.elements<Seen>(flag);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0].who == fleet.rock);
    CHECK(seen[1].who == turret);
    CHECK(seen[2].who == ship);
    CHECK(world.elements<Seen>(fleet.flag)[2].who == fleet.ship);
    check_world(world, 0);
    CHECK_FALSE(clone_tree(world, Entity{}));
    const Entity alone = clone_tree(world, fleet.barrel);
    CHECK(child_count(world, alone) == 0);
}

TEST_CASE("wherever memory runs out, the clone of a tree is complete or not created") {
    for (std::uint64_t first = 0;; ++first) {
        Fleet fleet;
        const std::size_t before = fleet.world.entity_count();
        Entity copy;
        {
            const RefusedMemory refused(first, first % 2 == 0 ? 1 : RefusedMemory::kNever);
            copy = clone_tree(fleet.world, fleet.ship);
        }
        check_world(fleet.world, 0);
        CHECK(fleet.world.entity_count() == before + (copy ? 4 : 0));
        if (copy) CHECK(internal::subtree_of(fleet.world, copy).size() == 4);
        if (!RefusedMemory::was_refused()) break;
        if (!copy) CHECK(clone_tree(fleet.world, fleet.ship));
        check_world(fleet.world, 0);
    }
}

}  // namespace
}  // namespace perigee
