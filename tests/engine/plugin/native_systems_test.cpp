// Known, unknown and failing names.
#include "engine/plugin/native_systems.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/schedule/schedule.h"
#include "ecs/transform/transform.h"
#include "ecs/transform/transform_3d.h"
#include "ecs/world/world.h"
#include "tests/engine/game_folder.h"
#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("native systems are found by name, and each gets the world and the schedule of its engine") {
    World world;
    Schedule schedule{world};
    NativeSystems native;
    int runs = 0;
    native.add("swarm", [&](World& given, Schedule& given_schedule) -> Result<void> {
        CHECK(&given == &world);
        CHECK(&given_schedule == &schedule);
        ++runs;
        return {};
    });
    native.add("broken", [](World&, Schedule&) -> Result<void> { return Error{"no component 'Boid'"}; });
    CHECK(native.install("swarm", world, schedule));
    CHECK(runs == 1);
    CHECK(native.install("broken", world, schedule).error().message ==
          "native systems 'broken': no component 'Boid'");
    CHECK(native.install("swram", world, schedule).error().message ==
          "mod.json: 'native': this program has no systems 'swram'; did you mean 'swarm'?");
    CHECK(native.install("physics", world, schedule).error().message ==
          "mod.json: 'native': this program has no systems 'physics'");
}

TEST_CASE("every program has transforms: a child follows its parent [T1]") {
    World world;
    Schedule schedule{world};
    REQUIRE(NativeSystems{}.install("transforms", world, schedule));
    const Entity parent = world.spawn(LocalTransform{});
    const Entity child = world.spawn(LocalTransform{});
    world.edit<LocalTransform>(parent)->x = 10;
    world.edit<LocalTransform>(child)->x = 2;
    REQUIRE(set_parent(world, child, parent).ok());
    REQUIRE(schedule.run_group(kTransforms, {}).ok());
    CHECK(world.get<WorldTransform>(child)->x == 12);
}

TEST_CASE("what the engine computes is read-only, and the error does not ask for a declaration") {
    test::GameFolder game{R"(
local ecs = require "ecs"
local C = ecs.components
local e = ecs.world:spawn(C.LocalTransform)
print(select(2, pcall(function() ecs.world:get(e, C.WorldTransform).x = 1 end)))
)"};
    game.write("mod.json", R"({"native": ["transforms"]})");
    const NativeSystems native;
    EngineConfig config = game.config();
    config.native = &native;
    const std::unique_ptr<Engine> engine = test::GameFolder::play(std::move(config));
    INFO(game.log);
    REQUIRE(engine->has_loaded());
    CHECK(test::contains(game.log, "component 'WorldTransform' is read-only: only the engine writes it"));
}

TEST_CASE("every program has 3D transforms: a child follows its parent [T1]") {
    World world;
    Schedule schedule{world};
    REQUIRE(NativeSystems{}.install("transforms_3d", world, schedule));
    const Entity parent = world.spawn(Translation{{10, 0, 5}});
    const Entity child = world.spawn(Translation{{2, 0, 1}});
    REQUIRE(set_parent(world, child, parent).ok());
    REQUIRE(schedule.run_group(kTransforms, {}).ok());
    CHECK(transformed(world.get<LocalToWorld>(child)->value, {}) == Vec3{12, 0, 6});
    World other;
    Schedule its_schedule{other};
    Schema schema;
    schema.name = "Scale";
    schema.kind = ComponentKind::tag;
    REQUIRE(other.declare(schema));
    CHECK(NativeSystems{}
              .install("transforms_3d", other, its_schedule)
              .error()
              .message.starts_with("native systems 'transforms_3d': "));
}

TEST_CASE("a name can be added only once") {
    NativeSystems native;
    native.add("a", {});
    const ContractWatch watch;
    CHECK_THROWS_AS(native.add("a", {}), BrokenContract);
}
