// Cameras of entities between two steps, their part of the screen, and their points.
#include "engine/extract/views.h"

#include "engine/extract/extract.h"
#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace perigee;
using namespace perigee::test;

namespace {

struct Stage : ExtractStage {
    Stage() { declare_position<Position>(); }
    Entity spawn(float x, float y, const CameraView& view) {
        return ExtractStage::spawn<Position>(x, y, components.view, view);
    }
    CameraView& view_of(Entity entity) {
        return *reinterpret_cast<CameraView*>(world.edit(entity, components.view));
    }
};

std::vector<EntityView> between(const EntityExtractor& extractor, float alpha, double seconds = 0,
                                float shake = 1) {
    std::vector<EntityView> views;
    extractor.views()->collect_between(extractor.previous(), alpha, seconds, shake, views);
    return views;
}

}  // namespace

TEST_CASE("views come in their order, and those of equal order by entity [P11]") {
    Stage stage;
    EntityExtractor extractor{stage.world, stage.components};
    const Entity third = stage.spawn(0, 0, {.canvas = {}, .layers = {}, .order = 2});
    const Entity first = stage.spawn(0, 0, {});
    const Entity second = stage.spawn(0, 0, {});
    const auto views = between(extractor, 1);
    REQUIRE(views.size() == 3);
    CHECK(views[0].entity == first);
    CHECK(views[1].entity == second);
    CHECK(views[2].entity == third);
    for (int i = 0; i < 40; ++i) stage.spawn(0, 0, {});
    CHECK(between(extractor, 1).size() == Views::kMax);
}

TEST_CASE("a camera is drawn between two steps, unless it jumps") {
    Stage stage;
    EntityExtractor extractor{stage.world, stage.components};
    const Entity camera = stage.spawn(100, 50, {.canvas = {}, .layers = {}, .zoom = 2});
    extractor.remember();
    stage.world.edit<Position>(camera)->x = 110;
    stage.view_of(camera).zoom = 3;
    stage.view_of(camera).rotation = 0.5F;
    CHECK(between(extractor, 0.5F)[0].camera == DrawCamera{105, 50, 2.5F, 0.25F});
    CHECK(between(extractor, 1)[0].camera == DrawCamera{110, 50, 3, 0.5F});
    stage.view_of(camera).rotation = 3;
    stage.world.edit<Position>(camera)->x = 5000;
    CHECK(between(extractor, 0.5F)[0].camera == DrawCamera{5000, 50, 2.5F, 3});
}

TEST_CASE("a camera of numbers that are not finite can be drawn") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    Stage stage;
    EntityExtractor extractor{stage.world, stage.components};
    stage.spawn(kNan, 1, {.canvas = {}, .layers = {}, .zoom = kNan, .rotation = kNan});
    stage.spawn(0, 0, {.canvas = {}, .layers = {}, .zoom = -1});
    for (const EntityView& view : between(extractor, 0.5F)) CHECK(view.camera.is_drawable());
    CHECK(viewport_of({.canvas = {}, .layers = {}, .left = kNan, .width = kNan}, 100, 100) ==
          DrawClip{0, 0, 0, 100});
    CHECK(viewport_of({.canvas = {}, .layers = {}, .left = -5, .width = 1e30F}, 100, 100) ==
          DrawClip{0, 0, 100, 100});
}

TEST_CASE("halves of a screen of any size touch") {
    for (const float width : {100.0F, 101.0F, 1279.0F}) {
        const DrawClip left = viewport_of({.canvas = {}, .layers = {}, .width = 0.5F}, width, 50);
        const DrawClip right =
            viewport_of({.canvas = {}, .layers = {}, .left = 0.5F, .width = 0.5F}, width, 50);
        CHECK(left.x + left.width == right.x);
        CHECK(right.x + right.width == width);
    }
}

TEST_CASE("points of the screen and of the world belong together in any view") {
    const DrawClip viewport{320, 10, 300, 200};
    for (const float rotation : {0.0F, 0.7F, -2.0F}) {
        const DrawCamera camera{40, -30, 1.5F, rotation};
        const ViewPoint world = to_world(camera, viewport, {400, 100});
        const ViewPoint screen = to_screen(camera, viewport, world);
        CHECK(screen.x == Approx(400));
        CHECK(screen.y == Approx(100));
        // The same as what is drawn.
        const DrawMatrix matrix = camera_matrix(camera, viewport.width, viewport.height);
        const auto drawn = matrix.apply(static_cast<float>(world.x), static_cast<float>(world.y));
        CHECK(drawn.x + viewport.x == Approx(400));
        CHECK(drawn.y + viewport.y == Approx(100));
    }
}

TEST_CASE("a camera shakes by the square of its trauma, and can be kept still [P12]") {
    Stage stage;
    EntityExtractor extractor{stage.world, stage.components};
    const Entity camera = stage.spawn(100, 50, {.canvas = {}, .layers = {}, .zoom = 2});
    Shake shake{.trauma = 1, .distance = 10, .angle = 0.1F};
    stage.world.add(camera, stage.components.shake, &shake);
    const auto farthest = [&](float trauma, float strength) {
        reinterpret_cast<Shake*>(stage.world.edit(camera, stage.components.shake))->trauma = trauma;
        float distance = 0, angle = 0;
        for (int i = 0; i < 400; ++i) {
            const DrawCamera now = between(extractor, 1, i / 60.0, strength)[0].camera;
            CHECK(now == between(extractor, 1, i / 60.0, strength)[0].camera);
            distance = std::max(distance, std::fabs(now.x - 100));
            angle = std::max(angle, std::fabs(now.rotation));
        }
        if (trauma >= 0) CHECK(angle <= 0.1F * trauma * trauma * strength);
        return distance;
    };
    const float full = farthest(1, 1);
    CHECK(full > 3);
    CHECK(full <= 5);  // 10 px of the screen
    CHECK(farthest(0.5F, 1) == Approx(full / 4).epsilon(0.01));
    CHECK(farthest(1, 0.5F) == Approx(full / 2).epsilon(0.01));
    CHECK(farthest(0, 1) == 0);
    CHECK(farthest(1, 0) == 0);
    CHECK(farthest(std::numeric_limits<float>::quiet_NaN(), 1) == 0);
    std::vector<EntityView> seen;
    extractor.views()->collect(seen);
    CHECK(seen[0].camera == DrawCamera{100, 50, 2});  // what scripts see
}

TEST_CASE("what a turned camera sees is drawn") {
    Stage stage;
    EntityExtractor extractor{stage.world, stage.components};
    Sprite sprite;
    sprite.image = 1;
    stage.ExtractStage::spawn<Position>(320, 495, stage.components.sprite, sprite);  // below the screen
    CHECK(stage.extract(extractor).empty());
    stage.camera().rotation = 1.5707963F;  // its width is upright now
    CHECK(stage.extract(extractor).size() == 1);
}
