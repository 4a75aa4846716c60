// Points of the screen and the entities there.
#include "engine/extract/entity_at.h"

#include "ecs/storage/resource_store.h"
#include "engine/extract/components.h"
#include "tests/engine/game_folder.h"

#include <cstring>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("the entity at a point is the nearest one, seen by the camera") {
    GameFolder game{
        "local ecs = require 'ecs'\n"
        "for i = 1, 5 do ecs.world:spawn(ecs.components.Position { x = i * 100, y = 50 }) end\n"
        "function update() end",
        "require('ecs').component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })"};
    const auto engine = game.play();
    World& world = engine->session().world();
    const Entity second = entity_at(world, 205, 52, 1280, 720);
    REQUIRE(second);
    CHECK(entity_at(world, 200 + kEntityReach / 2, 50, 1280, 720) == second);
    CHECK_FALSE(entity_at(world, 200, 50 + 2 * kEntityReach, 1280, 720));
    Camera camera{200, 50, 2, false};
    std::memcpy(world.resources().data(*world.registry().find(kCameraName)), &camera, sizeof camera);
    CHECK(entity_at(world, 640, 360, 1280, 720) == second);
    CHECK(entity_at(world, 840, 360, 1280, 720) != second);
    CHECK_FALSE(entity_at(world, 740, 360, 1280, 720));
    GameFolder without{"function update() end"};
    CHECK_FALSE(entity_at(without.play()->session().world(), 1, 1, 1280, 720));
}
