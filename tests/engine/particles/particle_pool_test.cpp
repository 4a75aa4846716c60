// The loops of one pool against a slow model.
#include "engine/particles/particle_pool.h"

#include "tests/engine/particles/pool_stage.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("particles begin in the disc of their origin, with the speed and direction of the preset") {
    PoolStage stage;
    stage.preset.speed = {64, 64};
    stage.preset.direction = 0;
    stage.preset.spread = 0;
    stage.pool.emit(stage.preset, 100, {100, 50, 100, 50, std::numbers::pi_v<float> / 2, 0}, kParticleStep);
    for (const DrawItem& item : stage.draw()) {
        CHECK(item.kind == DrawKind::circle);
        CHECK(item.x == Approx(100));
        CHECK(item.y >= 50);
        CHECK(item.y <= 51);  // what it moved in the rest of the step
        CHECK(item.w == 4);   // half of the size
    }
    stage.pool.clear();
    stage.preset.area.width = stage.preset.area.height = 20;
    stage.preset.speed = {0, 0};
    stage.pool.emit(stage.preset, 500, {100, 50, 100, 50, 0, 0}, kParticleStep);
    float farthest = 0;
    for (const DrawItem& item : stage.draw())
        farthest = std::max(farthest, std::hypot(item.x - 100, item.y - 50));
    CHECK(farthest <= 10.001F);
    CHECK(farthest > 9);
}

TEST_CASE("particles fly away from the middle of their area, or towards it") {
    PoolStage stage;
    stage.preset.speed = {64, 64};
    stage.preset.spread = 0;
    stage.preset.area = {AreaShape::rectangle, 100, 40, 0.5F, true};
    for (const bool is_inward : {false, true}) {
        stage.pool.clear();
        stage.preset.direction = is_inward ? std::numbers::pi_v<float> : 0.0F;
        stage.pool.emit(stage.preset, 300, {300, 150, 300, 150, 2, 0}, kNow);
        const auto from = stage.draw();
        const std::vector<DrawItem> before{from.begin(), from.end()};
        stage.pool.update(stage.preset, kParticleStep);
        const auto after = stage.draw();
        REQUIRE(after.size() == 300);
        for (std::size_t i = 0; i < after.size(); ++i) {
            const float away = std::hypot(before[i].x - 300, before[i].y - 150);
            if (away < 2) continue;
            const float part = 1 + (is_inward ? -1 : 1) / away;  // 1 px in a step
            CHECK(after[i].x == Approx(300 + (before[i].x - 300) * part).margin(1e-3));
            CHECK(after[i].y == Approx(150 + (before[i].y - 150) * part).margin(1e-3));
        }
    }
    stage.preset.area = {AreaShape::line, 0, 0, 0, true};  // a point has no outside
    stage.preset.direction = 0;
    stage.pool.clear();
    stage.pool.emit(stage.preset, 1, {300, 150, 300, 150, 0, 0}, kNow);
    stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].x == 301);
    CHECK(stage.draw()[0].y == 150);
}

TEST_CASE("gravity and drag change the speed, and the picture is between two steps") {
    PoolStage stage;
    stage.preset.speed = {0, 0};
    stage.preset.gravity_y = 64;
    stage.preset.lifetime = {10, 10};
    stage.pool.emit(stage.preset, 1, {100, 50, 100, 50, 0, 0}, kNow);
    for (int i = 0; i < 64; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].y == Approx(50 + 64 * 65 / 2 / 64.0F));  // speed 1, 2, … 64 px a second
    CHECK(stage.draw(kDt)[0].y == Approx(stage.draw()[0].y - 1));
    stage.preset.gravity_y = 0;
    stage.preset.drag = 0.5F;
    for (int i = 0; i < 64; ++i) stage.pool.update(stage.preset, kParticleStep);
    const float before = stage.draw()[0].y;
    stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].y - before == Approx(0.5).margin(0.01));
}

TEST_CASE("the curve of the speed is what a slow model says, and leaves the speed as it is") {
    PoolStage stage;
    const float factors[] = {2.0F, 0.0F, -1.0F, 0.5F};
    stage.preset.speed_factors = speed_curve(factors);
    stage.preset.speed = {40, 40};
    stage.preset.direction = stage.preset.spread = 0;
    stage.preset.gravity_y = 30;
    stage.preset.drag = 0.25F;
    stage.preset.lifetime = {2, 2};
    for (int i = 0; i < 300; ++i) stage.pool.emit(stage.preset, 1, {100, 50, 100, 50, 0, 0}, kNow);
    double x = 100, y = 50, vx = 40, vy = 0;
    const double kept = std::pow(0.75, kDt);
    for (int i = 1; i < 128; ++i) {
        const DrawItem before = stage.draw()[0];
        stage.pool.update(stage.preset, kParticleStep);
        vx = vx * kept;
        vy = vy * kept + 30 * kDt;
        const double at = i / 128.0 * 3;  // in the points
        const auto point = static_cast<std::size_t>(at);
        const double factor =
            factors[point] + (factors[std::min<std::size_t>(point + 1, 3)] - factors[point]) * (at - point);
        x += vx * factor * kDt;
        y += vy * factor * kDt;
        CAPTURE(i, factor);
        REQUIRE(stage.draw()[299].x == Approx(x).margin(1.5));
        REQUIRE(stage.draw()[299].y == Approx(y).margin(1.5));
        REQUIRE(stage.draw(kDt)[0].x == Approx(before.x));  // between two steps
        REQUIRE(stage.draw(kDt)[0].y == Approx(before.y));
    }
    stage.preset.speed_factors = ParticlePreset::constant_curve(1.0F);  // on with the speed that it kept
    const float last = stage.draw()[0].x;
    stage.preset.lifetime = {9, 9};
    CHECK(stage.draw()[0].x - stage.draw(kDt)[0].x == Approx(vx * kDt).margin(0.01));
    CHECK(stage.draw()[0].x == last);
}

TEST_CASE("particles live as long as the preset says, keep their order, and dead ones are not drawn") {
    PoolStage stage;
    stage.preset.speed = {0, 0};
    stage.preset.lifetime = {0.1F, 2.0F};
    for (int x = 0; x < 600; ++x)
        stage.pool.emit(stage.preset, 1, {static_cast<float>(x), 50, static_cast<float>(x), 50, 0, 0}, kNow);
    std::size_t before = 600;
    for (int i = 0; i < 130; ++i) {
        const auto items = stage.draw();
        CHECK(items.size() == stage.pool.live_count());
        CHECK(items.size() <= before);
        CHECK(stage.pool.size() - stage.pool.live_count() <= stage.pool.size() / 8);
        before = items.size();
        for (std::size_t n = 1; n < items.size(); ++n) REQUIRE(items[n].x > items[n - 1].x);
        stage.pool.update(stage.preset, kParticleStep);
    }
    CHECK(stage.pool.live_count() == 0);
}

TEST_CASE("size, colour and turn follow the life of a particle") {
    PoolStage stage;
    stage.images.add(3, 32, 16);
    stage.preset.image = 3;
    stage.preset.speed = {0, 0};
    stage.preset.spin = {std::numbers::pi_v<float>, std::numbers::pi_v<float>};
    stage.preset.blend = BlendMode::add;
    stage.preset.layer = 7;
    const float sizes[] = {64, 0};
    const std::uint32_t colors[] = {0xFFFFFFFF, 0};
    stage.preset.sizes = size_curve(sizes);
    stage.preset.colors = color_curve(colors);
    stage.pool.emit(stage.preset, 1, {100, 50, 100, 50, 0, 0}, kNow);
    for (int i = 0; i < 32; ++i) stage.pool.update(stage.preset, kParticleStep);
    const DrawItem item = stage.draw()[0];
    CHECK(item.kind == DrawKind::sprite);
    CHECK(item.w == Approx(32).margin(1.1));
    CHECK(item.h == item.w / 2);
    CHECK((item.color & 0xFFU) == Approx(128).margin(4));
    CHECK(item.angle == Approx(16384).margin(2));
    CHECK(item.blend() == BlendMode::add);
    CHECK(item.origin_x == 64);
    CHECK(stage.list.dump(stage.images).find("world 7 sprite") != std::string::npos);
}

TEST_CASE("local particles are drawn around their owner, and end with it") {
    PoolStage stage;
    stage.preset.is_local = true;
    stage.preset.speed = {0, 0};
    stage.pool.emit(stage.preset, 2, {0, 0, 500, 300, 0, 1}, kNow);
    stage.pool.emit(stage.preset, 1, {0, 0, 500, 300, 0, 2}, kNow);
    const ParticlePlace places[] = {{}, {10, 20}, {30, 40}};
    const auto items = stage.draw(0, places);
    REQUIRE(items.size() == 3);
    CHECK(items[0].x == 10);
    CHECK(items[2].y == 40);
    stage.pool.remove_of(1);
    CHECK(stage.draw(0, places).size() == 1);
}

TEST_CASE("particles out of view are not drawn, and the same seed makes the same picture") {
    PoolStage first, second;
    for (PoolStage* stage : {&first, &second}) {
        stage->preset.speed = {0, 5000};
        stage->preset.lifetime = {0.2F, 1.5F};
        for (int i = 0; i < 100; ++i) {
            stage->pool.update(stage->preset, kParticleStep);
            stage->pool.emit(stage->preset, 20, {320, 180, 320, 180, 0, 0}, kParticleStep);
        }
    }
    const auto items = first.draw();
    CHECK(items.size() < first.pool.live_count());
    CHECK(items.size() > 100);
    CHECK(std::ranges::equal(items, second.draw()));
    for (const DrawItem& item : items) {
        CHECK(item.x + item.w >= -8);
        CHECK(item.x - item.w <= 648);
    }
}

TEST_CASE("new particles do not begin behind a wall, and the picture between two steps shows none in it") {
    FloorStage stage;
    stage.preset.speed = {2000, 3000};
    stage.preset.gravity_y = 500;
    for (int i = 0; i < 60; ++i) {
        stage.update();
        stage.emit(20, {300, 98, 300, 98, 0, 0});
        for (const float back : {0.0F, 0.3F * kDt, kDt})
            for (const DrawItem& item : stage.draw(back)) REQUIRE(item.y <= 100);
    }
}

TEST_CASE(
    "with a curve of the speed particles stay above the floor, and bounce with the speed that they have") {
    FloorStage stage;
    const float factors[] = {4.0F, 4.0F, 0.01F, -3.0F, 1.0F};
    stage.preset.speed_factors = speed_curve(factors);
    stage.preset.speed = {0, 900};
    stage.preset.spread = 0.5F;
    stage.preset.lifetime = {0.5F, 3};
    stage.preset.gravity_y = 300;
    for (int i = 0; i < 200; ++i) {
        stage.update();
        stage.emit(5, {300, 98, 300, 98, 0, 0});
        for (const float back : {0.0F, 0.3F * kDt, kDt})
            for (const DrawItem& item : stage.draw(back))
                if (item.x > 50 && item.x < 590) REQUIRE(item.y <= 100);
    }
    stage.pool.clear();
    stage.preset.speed_factors = ParticlePreset::constant_curve(2.0F);
    stage.preset.spread = stage.preset.gravity_y = 0;
    stage.preset.speed = {320, 320};
    stage.emit(1, {300, 95, 300, 95, 0, 0}, 0);
    stage.update();  // 10 px: 5 to the floor, and half of the others back
    CHECK(stage.draw()[0].y == Approx(97.5).margin(0.05));
    stage.update();
    CHECK(stage.draw()[0].y == Approx(92.5).margin(0.05));
}

TEST_CASE("local particles with a curve of the speed stay above the floor, if they or their emitter move") {
    FloorStage stage;
    stage.preset.is_local = true;
    stage.preset.speed = {0, 300};
    stage.preset.lifetime = {2, 2};
    const float factors[] = {0.0F, 0.001F, 3.0F, -2.0F};
    stage.preset.speed_factors = speed_curve(factors);
    stage.emit(200, {300, 50, 300, 50, 0, 1}, 0);
    float y = 50;
    for (int i = 0; i < 100; ++i) {
        const float from = y;
        y = 50 + 30 * std::sin(static_cast<float>(i) / 5);
        const ParticleOwnerStep owners[] = {{}, {300, from, 300, y}};
        stage.update(1, owners);
        const ParticlePlace places[] = {{}, {300, y}};
        for (const DrawItem& item : stage.draw(0, places)) REQUIRE(item.y <= 100.001F);
    }
}

TEST_CASE("particles come to rest on the floor, and fall when it is gone") {
    FloorStage stage;
    stage.preset.speed = {0, 100};
    stage.preset.gravity_y = 500;
    stage.emit(50, {300, 50, 300, 50, 0, 0});
    stage.update(300);
    for (const DrawItem& item : stage.draw()) CHECK(item.y == Approx(100).margin(0.2));
    std::ranges::fill(stage.pixels, 0U);
    stage.update(10);
    for (const DrawItem& item : stage.draw()) CHECK(item.y > 102);
}

TEST_CASE("what has stopped stays, until the preset has no walls any more") {
    FloorStage stage;
    stage.preset.speed = {100, 100};
    stage.preset.gravity_x = 300;
    stage.preset.collisions.response = HitResponse::stop;
    stage.emit(1, {300, 50, 300, 50, 0, 0});
    stage.update(100);
    const DrawItem at = stage.draw()[0];
    CHECK(at.y == Approx(100).margin(0.1));
    CHECK(at.x < 400);
    std::ranges::fill(stage.pixels, 0U);
    stage.update(10);
    CHECK(stage.draw()[0].x == at.x);
    CHECK(stage.draw(kDt)[0].x == at.x);
    for (int i = 0; i < 10; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].x > at.x + 1);
    stage.update(10);  // walls again
    CHECK(stage.draw()[0].x > at.x + 5);
}

TEST_CASE("particles that die at a wall are dead at once, also in the step in which they begin") {
    FloorStage stage;
    stage.preset.speed = {640, 640};
    stage.preset.collisions.response = HitResponse::die;
    stage.emit(100, {300, 99, 300, 99, 0, 0});
    CHECK(stage.pool.live_count() < 25);
    CHECK(stage.draw().size() == stage.pool.live_count());
    stage.update(2);
    CHECK(stage.pool.live_count() == 0);
    CHECK(stage.draw().empty());
    stage.emit(100, {300, 90, 300, 90, 0, 0});
    stage.emit(10, {300, 10, 300, 10, 0, 0});
    stage.update(2);
    CHECK(stage.pool.live_count() == 10);
    CHECK(stage.draw().size() == 10);
}

TEST_CASE("local particles hit the walls of the world, whoever moves") {
    FloorStage stage;
    stage.preset.is_local = true;
    stage.preset.speed = {0, 0};
    stage.preset.collisions.bounce = 0.5F;
    stage.emit(1, {300, 95, 300, 95, 0, 1}, 0);
    // Their owner goes down through the floor.
    const ParticleOwnerStep down[] = {{}, {300, 95, 300, 105}};
    stage.update(1, down);
    const ParticlePlace below[] = {{}, {300, 105}};
    CHECK(stage.draw(0, below)[0].y == Approx(97.5).margin(0.1));
    const ParticleOwnerStep rests[] = {{}, {300, 105, 300, 105}};
    stage.update(1, rests);
    const float once = stage.draw(0, below)[0].y;
    CHECK(once < 93);  // it bounces off with half the speed of its owner, and loses the owner's own

    stage.pool.clear();
    stage.preset.collisions.response = HitResponse::stop;
    stage.emit(1, {300, 95, 300, 95, 0, 1}, 0);
    stage.update(1, down);
    CHECK(stage.draw(0, below)[0].y == Approx(100).margin(0.1));
    const ParticleOwnerStep more[] = {{}, {300, 105, 330, 135}};
    const ParticlePlace lowest[] = {{}, {330, 135}};
    stage.update(1, more);
    CHECK(stage.draw(0, lowest)[0].y == Approx(100).margin(0.1));
    CHECK(stage.draw(0, lowest)[0].x == Approx(300).margin(0.1));
}

TEST_CASE("thousands of particles are a batch, which shows what items would") {
    PoolStage few, many;
    few.preset.rotation = many.preset.rotation = {0, 6};
    few.preset.kind = many.preset.kind = DrawKind::rectangle;
    few.preset.speed = many.preset.speed = {0, 900};
    for (PoolStage* stage : {&few, &many}) {
        for (int i = 0; i < 30; ++i) {
            stage->pool.update(stage->preset, kParticleStep);
            stage->pool.emit(stage->preset, 34, {320, 180, 320, 180, 0, 0}, kParticleStep);
        }
    }
    CHECK(few.pool.size() == 1020);
    many.pool.emit(many.preset, 4, {320, 180, 320, 180, 0, 0}, kParticleStep);
    const std::span<const DrawItem> items = few.draw(0.3F * kDt), of_batch = many.draw(0.3F * kDt);
    CHECK(few.list.runs()[0].looks == 0);
    CHECK(many.list.runs()[0].looks != 0);
    REQUIRE(of_batch.size() == items.size() + 4);
    CHECK(std::ranges::equal(items, of_batch.first(items.size())));
}
