// Where a camera goes after its target, and the systems that move it.
#include "engine/extract/camera_moves.h"

#include "ecs/schedule/schedule.h"
#include "engine/extract/extract.h"
#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr float kDt = 1.0F / 60.0F;
using EntityPoint = PreviousPositions::Point;

struct Stage : ExtractStage {
    Schedule schedule{world};
    ScreenSize screen{640, 360};
    Entity target, camera;
    Stage() {
        declare_position<Position>();
        target = world.spawn(Position{500, 400});
        camera = ExtractStage::spawn<Position>(0, 0, components.view,
                                               CameraView{.canvas = {}, .layers = {}, .zoom = 2});
        EntityExtractor extractor{world, components};
        REQUIRE(add_camera_systems(world, schedule, components, extractor.position(), screen));
        REQUIRE(schedule.resolve_order());
    }
    void follow(Follow follow) {
        follow.target = target;
        world.add(camera, components.follow, &follow);
    }
    Position step() {
        REQUIRE(schedule.run_step({.dt = kDt}));
        return *world.get<Position>(camera);
    }
};

}  // namespace

TEST_CASE("a camera jumps to its target at first, and then glides") {
    Follow follow{.target = {}, .lag = 0.5F};
    EntityPoint at = followed(follow, {0, 0}, {1000, 0}, 0, 0, kDt);
    CHECK(at.x == 1000);
    follow.arrived = true;
    float before = 0;
    for (int i = 0; i < 30; ++i) {  // half a second
        at = followed(follow, {before, 0}, {1000, 0}, 0, 0, kDt);
        CHECK(at.x > before);
        before = at.x;
    }
    CHECK(before == Approx(1000 * (1 - std::exp(-1.0))).epsilon(0.001));
    follow.lag = 0;
    CHECK(followed(follow, {0, 0}, {1000, 7}, 0, 0, kDt).y == 7);
}

TEST_CASE("a target moves freely in the dead zone, and pushes its edge") {
    const Follow follow{.target = {}, .dead_width = 100, .dead_height = 40, .lag = 0, .arrived = true};
    CHECK(followed(follow, {0, 0}, {50, -20}, 0, 0, kDt).x == 0);
    const EntityPoint pushed = followed(follow, {0, 0}, {60, -25}, 0, 0, kDt);
    CHECK(pushed.x == 10);
    CHECK(pushed.y == -5);
}

TEST_CASE("a camera shows nothing outside of its bounds, if they are large enough") {
    const Follow follow{.target = {},
                        .lag = 0,
                        .bounds_left = 0,
                        .bounds_top = 0,
                        .bounds_right = 1000,
                        .bounds_bottom = 100};
    CHECK(followed(follow, {}, {-500, 0}, 320, 180, kDt).x == 320);
    CHECK(followed(follow, {}, {5000, 0}, 320, 180, kDt).x == 680);
    CHECK(followed(follow, {}, {0, 900}, 320, 180, kDt).y == 50);  // the middle
    const Follow none{.target = {}, .lag = 0};
    CHECK(followed(none, {}, {-500, 0}, 320, 180, kDt).x == -500);
}

TEST_CASE("the system moves each camera after its target, within what its view shows") {
    Stage stage;
    stage.follow({.target = {}, .offset_x = 10, .lag = 0, .bounds_right = 600, .bounds_bottom = 450});
    const Position at = stage.step();
    CHECK(at.x == 600 - 640 / 2 / 2);
    CHECK(at.y == 450 - 360 / 2 / 2);
    stage.world.edit<Position>(stage.target)->x = 300;
    CHECK(stage.step().x == 310);
    stage.world.destroy(stage.target);
    CHECK(stage.step().x == 310);
}

TEST_CASE("a camera stays where it is when its target has no place") {
    Stage stage;
    stage.follow({.target = {}, .lag = 0});
    CHECK(stage.step().x == 500);
    stage.world.edit<Position>(stage.target)->x = std::numeric_limits<float>::quiet_NaN();
    CHECK(stage.step().x == 500);
    stage.world.edit<Position>(stage.target)->x = std::numeric_limits<float>::max();
    CHECK(std::isfinite(stage.step().x));
    Follow self;
    self.target = stage.camera;
    stage.world.set(stage.camera, stage.components.follow, &self);
    CHECK(std::isfinite(stage.step().x));
}

TEST_CASE("trauma ends by itself") {
    Stage stage;
    const Shake shake{.trauma = 7, .decay = 6};
    stage.world.add(stage.camera, stage.components.shake, &shake);
    const auto trauma = [&] {
        return reinterpret_cast<const Shake*>(stage.world.get(stage.camera, stage.components.shake))->trauma;
    };
    stage.step();
    CHECK(trauma() == Approx(0.9));
    for (int i = 0; i < 20; ++i) stage.step();
    CHECK(trauma() == 0);
}
