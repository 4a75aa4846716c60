// What presets may ask for besides the common: random sizes, pulls, angles along the way, and frames over a
// life. Slow models of single particles, and all of it among walls.
#include "tests/engine/particles/pool_stage.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr ParticleOrigin kMiddle{320, 180, 320, 180, 0, 0};

std::vector<DrawItem> copy_of(std::span<const DrawItem> items) { return {items.begin(), items.end()}; }

}  // namespace

TEST_CASE("a particle has a size of its own, as much as the preset says, for its whole life") {
    PoolStage stage;
    stage.preset.speed = {0, 0};
    stage.preset.size_variation = 0.5F;
    const float sizes[] = {20, 10};
    stage.preset.sizes = size_curve(sizes);
    stage.pool.emit(stage.preset, 3000, kMiddle, kNow);
    const std::vector<DrawItem> first = copy_of(stage.draw());
    REQUIRE(first.size() == 3000);
    double sum = 0, smallest = 99, largest = 0;
    for (const DrawItem& item : first) {
        CHECK(item.w == item.h);
        sum += item.w;
        smallest = std::min<double>(smallest, item.w);
        largest = std::max<double>(largest, item.w);
    }
    CHECK(sum / 3000 == Approx(10).margin(0.2));  // a radius
    CHECK(smallest == Approx(5).margin(0.1));
    CHECK(largest == Approx(15).margin(0.1));
    for (int i = 0; i < 63; ++i) stage.pool.update(stage.preset, kParticleStep);
    const auto last = stage.draw();
    for (std::size_t i = 0; i < last.size(); ++i) CHECK(last[i].w == Approx(first[i].w / 2).epsilon(0.02));
}

TEST_CASE("large particles of random sizes are drawn as soon as a part of them is in view") {
    PoolStage stage;
    stage.preset.speed = {0, 0};
    stage.preset.size_variation = 1;
    stage.preset.sizes = ParticlePreset::constant_curve(100.0F);
    stage.pool.emit(stage.preset, 500, {-95, 180, -95, 180, 0, 0}, kNow);
    const auto shown = stage.draw();
    CHECK(std::ranges::any_of(shown, [](const DrawItem& item) { return item.x + item.w > 0; }));
    for (const DrawItem& item : shown) CHECK(item.w >= 0);
}

TEST_CASE("particles are pulled away from where their emitter was, and around it, as a slow model says") {
    for (const bool is_local : {false, true}) {
        PoolStage stage;
        ParticlePreset& preset = stage.preset;
        preset.is_local = is_local;
        preset.area = {AreaShape::rectangle, 200, 100, 0, false};
        preset.speed = {50, 50};
        preset.direction = preset.spread = 0;
        preset.lifetime = {2, 2};
        preset.gravity_y = 40;
        preset.drag = 0.3F;
        preset.radial = {-150, -150};
        preset.tangential = {90, 90};
        const float factors[] = {1.0F, 0.5F};
        preset.speed_factors = speed_curve(factors);
        stage.pool.emit(preset, 300, {320, 180, 320, 180, 0, is_local ? 1U : 0U}, kNow);
        const ParticlePlace places[] = {{}, {320, 180}};
        const std::vector<DrawItem> first = copy_of(stage.draw(0, places));
        for (int i = 0; i < 60; ++i) stage.pool.update(preset, kParticleStep);
        const auto last = stage.draw(0, places);
        REQUIRE(last.size() == 300);
        const double kept = std::pow(0.7, kDt);
        for (std::size_t n = 0; n < 300; ++n) {
            double x = first[n].x, y = first[n].y, vx = 50, vy = 0;
            for (int i = 1; i <= 60; ++i) {
                const double dx = x - 320, dy = y - 180, away = std::hypot(dx, dy);
                vx = (vx + (-150 * dx - 90 * dy) / away * kDt) * kept;
                vy = (vy + (-150 * dy + 90 * dx) / away * kDt) * kept + 40 * kDt;
                const double factor = 1 - i / 128.0 / 2;
                x += vx * factor * kDt;
                y += vy * factor * kDt;
            }
            CAPTURE(n);
            REQUIRE(last[n].x == Approx(x).margin(1.5));
            REQUIRE(last[n].y == Approx(y).margin(1.5));
        }
    }
}

TEST_CASE("pulls are ranges, and at its centre a particle stays") {
    PoolStage stage;
    stage.preset.speed = {0, 0};
    stage.preset.radial = {0, 64};
    stage.pool.emit(stage.preset, 1, kMiddle, kNow);
    for (int i = 0; i < 30; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].x == 320);
    stage.pool.clear();
    stage.preset.area = {AreaShape::ring, 20, 20, 0, false};
    stage.pool.emit(stage.preset, 500, kMiddle, kNow);
    for (int i = 0; i < 32; ++i) stage.pool.update(stage.preset, kParticleStep);
    float nearest = 99, farthest = 0;
    for (const DrawItem& item : stage.draw()) {
        const float away = std::hypot(item.x - 320, item.y - 180);
        nearest = std::min(nearest, away);
        farthest = std::max(farthest, away);
    }
    CHECK(nearest == Approx(10).margin(0.5));
    CHECK(farthest == Approx(18.25).margin(0.5));  // 1, 2 … 32 px a second
}

namespace {

float turns_apart(std::uint16_t angle, float radians) {
    const auto wanted = static_cast<std::uint16_t>(static_cast<std::int64_t>(radians * 65536 / (2 * kPi)));
    return std::fabs(static_cast<float>(static_cast<std::int16_t>(angle - wanted)));
}

}  // namespace

TEST_CASE("a particle faces the way in which it moves, all around") {
    PoolStage stage;
    stage.preset.kind = DrawKind::rectangle;
    stage.preset.faces_velocity = true;
    stage.preset.spread = 0;
    stage.preset.speed = {30, 30};
    for (int i = 0; i < 720; ++i) {
        const float turn = static_cast<float>(i) * kPi / 360;
        stage.pool.emit(stage.preset, 1, {320, 180, 320, 180, turn, 0}, kNow);
    }
    for (int step = 0; step < 2; ++step) {  // also before their first step
        const auto items = stage.draw();
        REQUIRE(items.size() == 720);
        for (std::size_t i = 0; i < items.size(); ++i)
            CHECK(turns_apart(items[i].angle, static_cast<float>(i) * kPi / 360) <= 3);
        stage.pool.update(stage.preset, kParticleStep);
    }
}

TEST_CASE("gravity turns a particle that faces its way, and its rotation counts from it") {
    PoolStage stage;
    stage.preset.kind = DrawKind::rectangle;
    stage.preset.faces_velocity = true;
    stage.preset.spread = stage.preset.direction = 0;
    stage.preset.speed = {64, 64};
    stage.preset.rotation = {0.5F, 0.5F};
    stage.preset.gravity_y = 64;
    stage.preset.lifetime = {9, 9};
    stage.pool.emit(stage.preset, 1, kMiddle, kNow);
    for (int i = 0; i < 64; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(turns_apart(stage.draw()[0].angle, kPi / 4 + 0.5F) <= 3);
    stage.preset.kind = DrawKind::circle;  // has no angle
    CHECK(stage.draw()[0].angle == 0);
}

TEST_CASE("a particle that a curve turns back faces the way back, and one that stands keeps its angle") {
    PoolStage stage;
    stage.preset.kind = DrawKind::rectangle;
    stage.preset.faces_velocity = true;
    stage.preset.spread = 0;
    stage.preset.direction = 1;
    stage.preset.speed = {64, 64};
    const float factors[] = {1, 0, 0, -1};
    stage.preset.speed_factors = speed_curve(factors);
    stage.pool.emit(stage.preset, 1, kMiddle, kNow);
    for (int i = 0; i < 32; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(turns_apart(stage.draw()[0].angle, 1) <= 3);
    for (int i = 0; i < 28; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(turns_apart(stage.draw()[0].angle, 1 + kPi) <= 3);
    stage.pool.clear();
    stage.preset.speed_factors = speed_curve(std::span{factors}.last(1));
    stage.pool.emit(stage.preset, 1, kMiddle, kNow);
    CHECK(turns_apart(stage.draw()[0].angle, 1 + kPi) <= 3);
    stage.pool.clear();
    stage.preset.speed = {0, 0};
    stage.pool.emit(stage.preset, 1, kMiddle, kNow);
    stage.pool.update(stage.preset, kParticleStep);
    CHECK(turns_apart(stage.draw()[0].angle, 1) <= 3);
}

TEST_CASE("an arrow that stops at a wall points where it flew, and one that bounces points away from it") {
    for (const HitResponse response : {HitResponse::stop, HitResponse::bounce}) {
        FloorStage stage;
        stage.preset.kind = DrawKind::rectangle;
        stage.preset.faces_velocity = true;
        stage.preset.speed = {300, 300};
        stage.preset.direction = kPi / 4;
        stage.preset.collisions.bounce = 1;
        stage.preset.collisions.response = response;
        stage.emit(1, {300, 50, 300, 50, 0, 0});
        stage.update(40);
        const float flew = response == HitResponse::stop ? kPi / 4 : -kPi / 4;
        CHECK(turns_apart(stage.draw()[0].angle, flew) <= 3);
    }
}

TEST_CASE("the frames of a preset follow each other in a life, in batches as in items") {
    PoolStage few, many;
    for (PoolStage* stage : {&few, &many}) {
        stage->images.add(3, 64, 16);
        REQUIRE(stage->images.set_grid(3, 16, 16));
        stage->preset.image = 3;
        stage->preset.speed = {0, 0};
        const std::uint16_t frames[] = {2, 0, 3};
        stage->preset.frames = frame_curve(frames);
    }
    few.pool.emit(few.preset, 10, kMiddle, kNow);
    many.pool.emit(many.preset, 2000, kMiddle, kNow);
    std::vector<std::uint32_t> seen;
    for (int i = 0; i < 64; ++i) {
        const auto items = few.draw(), of_batch = many.draw();
        CHECK(many.list.runs()[0].looks != 0);
        CHECK(of_batch[0] == items[0]);
        if (seen.empty() || seen.back() != items[0].ref) seen.push_back(items[0].ref);
        few.pool.update(few.preset, kParticleStep);
        many.pool.update(many.preset, kParticleStep);
    }
    const auto frame = [&](std::uint32_t number) { return few.images.frame_of(3, number); };
    CHECK(seen == std::vector<std::uint32_t>{frame(2), frame(0), frame(3)});
}

TEST_CASE("each frame keeps its proportions, and an empty rectangle of an atlas shows the first frame") {
    PoolStage stage;
    stage.images.add(3, 64, 64);
    const ImageFrame rectangles[] = {{3, 0, 0, 16, 16}, {3, 0, 0, 0, 0}, {3, 0, 0, 16, 32}};
    REQUIRE(stage.images.set_frames(3, rectangles));
    stage.preset.image = 3;
    stage.preset.speed = {0, 0};
    const std::uint16_t frames[] = {0, 1, 2};
    stage.preset.frames = frame_curve(frames);
    stage.pool.emit(stage.preset, 1, kMiddle, kNow);
    const DrawItem first = stage.draw()[0];
    CHECK(first.h == 8);
    for (int i = 0; i < 32; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].ref == first.ref);
    for (int i = 0; i < 28; ++i) stage.pool.update(stage.preset, kParticleStep);
    CHECK(stage.draw()[0].w == 8);
    CHECK(stage.draw()[0].h == 16);
}

TEST_CASE("a preset may ask for more while its particles live, and for less again") {
    PoolStage stage;
    stage.preset.kind = DrawKind::rectangle;
    stage.preset.lifetime = {9, 9};
    stage.preset.speed = {20, 20};
    const ParticlePreset plain = stage.preset;
    stage.pool.emit(stage.preset, 200, kMiddle, kNow);
    stage.preset.size_variation = 0.5F;
    stage.preset.faces_velocity = true;
    stage.preset.radial = {5, 9};
    for (const DrawItem& item : stage.draw()) CHECK(item.w == 8);
    stage.pool.update(stage.preset, kParticleStep);
    stage.pool.emit(stage.preset, 200, kMiddle, kNow);
    const std::vector<DrawItem> items = copy_of(stage.draw());
    REQUIRE(items.size() == 400);
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK(items[i].w == 8);
        CHECK(turns_apart(items[i].angle, std::atan2(items[i].y - 180, items[i].x - 320)) <= 20);
    }
    CHECK(std::any_of(items.begin() + 200, items.end(), [](const DrawItem& item) { return item.w != 8; }));
    stage.preset = plain;
    stage.pool.update(stage.preset, kParticleStep);
    for (const DrawItem& item : stage.draw()) CHECK(item.w == 8);
}

TEST_CASE("all options at once keep particles out of walls, and the same seed makes the same picture [P16]") {
    FloorStage first, second;
    for (FloorStage* stage : {&first, &second}) {
        ParticlePreset& preset = stage->preset;
        preset.kind = DrawKind::rectangle;
        preset.area = {AreaShape::cloud, 60, 10, 0.2F, true};
        preset.spread = 1;
        preset.speed = {0, 400};
        preset.lifetime = {0.3F, 2};
        preset.gravity_y = 300;
        preset.radial = {-200, 900};
        preset.tangential = {-100, 500};
        preset.size_variation = 1;
        preset.faces_velocity = true;
        const float factors[] = {1, 3, -1, 0.5F};
        preset.speed_factors = speed_curve(factors);
        for (int i = 0; i < 150; ++i) {
            stage->update();
            stage->emit(30, {300, 40, 300, 40, 0, 0});
        }
    }
    CHECK(first.pool.size() > 1024);
    const auto items = first.draw(0.4F * kDt);
    CHECK(std::ranges::equal(items, second.draw(0.4F * kDt)));
    for (const DrawItem& item : items)
        if (item.x > 100 && item.x < 540) CHECK(item.y <= 100);
}

TEST_CASE("whatever the numbers of a preset are, what is drawn is finite") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const double number : {kNan, 1e300, -1e300, 0.0, 1e-30}) {
        PoolStage stage;
        for (std::size_t field = 0; field < kParticleFields.size(); ++field)
            set_particle_field(stage.preset, field, number, -number);
        stage.preset.faces_velocity = true;
        stage.preset.size_variation = 1;
        stage.preset.kind = DrawKind::rectangle;
        for (int i = 0; i < 100; ++i) {
            stage.pool.update(stage.preset, kParticleStep);
            stage.pool.emit(stage.preset, 20, kMiddle, kParticleStep);
        }
        for (const DrawItem& item : stage.draw()) {
            CHECK(std::isfinite(item.x + item.y));
            CHECK(std::isfinite(item.w + item.h));
        }
    }
}
