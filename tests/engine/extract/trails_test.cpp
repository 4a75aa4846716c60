// The ribbon behind an entity: its length, its width and colour, and when it begins again.
#include "engine/extract/trails.h"

#include "engine/extract/particles.h"
#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr float kDt = 1.0F / 64.0F;

struct TrailStage : ExtractStage {
    EntityExtractor extractor;
    Particles particles;
    TrailStage() : extractor((declare_position<Position>(), world), components) {}
    Entity spawn_trail(float x, const Trail& trail = {}) {
        return spawn<Position>(x, 100, components.trail, trail);
    }
    // A step that moves the entity to x.
    void move(Entity entity, float x) {
        extractor.remember();
        world.edit<Position>(entity)->x = x;
        extractor.step(particles, kDt);
    }
    // The corners of the only ribbon.
    std::span<const MeshPoint> ribbon(float alpha = 1.0F) {
        const auto items = extract(extractor, alpha);
        return items.size() == 1 ? list.mesh(items[0]) : std::span<const MeshPoint>{};
    }
};

float leftmost(std::span<const MeshPoint> points) { return std::ranges::min(points, {}, &MeshPoint::x).x; }
float rightmost(std::span<const MeshPoint> points) { return std::ranges::max(points, {}, &MeshPoint::x).x; }

}  // namespace

TEST_CASE("a ribbon goes from where the entity was some steps ago to where it is") {
    TrailStage stage;
    Trail trail;
    trail.length = 4;
    const Entity entity = stage.spawn_trail(100, trail);
    for (int step = 1; step <= 10; ++step) stage.move(entity, 100.0F + 10.0F * static_cast<float>(step));
    CHECK(rightmost(stage.ribbon()) == 200);
    CHECK(leftmost(stage.ribbon()) == 170);
    CHECK(rightmost(stage.ribbon(0.5F)) == 195);
    CHECK(leftmost(stage.ribbon(0.5F)) == 165);
    for (int step = 0; step < 4; ++step) stage.move(entity, 200);
    CHECK(stage.ribbon().empty());
}

TEST_CASE("width and colour of a ribbon fade to its end") {
    TrailStage stage;
    Trail trail;
    trail.length = 2;
    trail.width = 8;
    trail.end_width = 4;
    trail.color = {200, 100, 0, 255};
    const Entity entity = stage.spawn_trail(100, trail);
    for (int step = 1; step <= 3; ++step) stage.move(entity, 100.0F + 10.0F * static_cast<float>(step));
    const auto points = stage.ribbon();
    REQUIRE(points.size() == 6);
    for (const MeshPoint& point : points) {
        const bool is_head = point.x == 130;
        CHECK(std::fabs(point.y - 100) == (is_head ? 4 : 3));
        CHECK((point.color & 0xFFFFFFU) == 0x0064C8U);
        CHECK(point.color >> 24U == (is_head ? 255 : 128));
    }
}

TEST_CASE("a trail begins again after a jump, and for another entity") {
    TrailStage stage;
    const Entity entity = stage.spawn_trail(100);
    stage.move(entity, 110);
    stage.move(entity, 120);
    CHECK(rightmost(stage.ribbon()) == 120);
    stage.move(entity, 500);
    CHECK(stage.ribbon().empty());
    stage.move(entity, 510);
    CHECK(leftmost(stage.ribbon()) == 500);
    stage.world.destroy(entity);
    const Entity other = stage.spawn_trail(300);
    CHECK(other.index() == entity.index());
    stage.move(other, 310);
    CHECK(stage.ribbon().empty());
    stage.move(other, 320);
    CHECK(leftmost(stage.ribbon()) == 310);
    stage.extractor.begin_world();
    CHECK(stage.ribbon().empty());
}

TEST_CASE("trails without a size, out of view or with numbers that are not finite draw nothing") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    TrailStage stage;
    Trail none;
    none.length = 0;
    Trail thin;
    thin.width = 0;
    Trail infinite;
    infinite.width = std::numeric_limits<float>::infinity();
    const Entity entities[] = {stage.spawn_trail(100, none), stage.spawn_trail(100, thin),
                               stage.spawn_trail(100, infinite), stage.spawn_trail(5000)};
    for (const Entity entity : entities) stage.world.edit<Position>(entity)->x -= 10;
    stage.extractor.step(stage.particles, kDt);
    for (const Entity entity : entities) stage.world.edit<Position>(entity)->x += 20;
    stage.extractor.step(stage.particles, kDt);
    CHECK(stage.extract(stage.extractor).empty());
    CHECK(stage.extractor.undrawn().count == 1);
    const Entity lost = stage.spawn_trail(100);
    stage.move(lost, 110);
    stage.move(lost, kNan);
    CHECK(stage.extract(stage.extractor).empty());
    stage.move(lost, 130);
    stage.move(lost, 140);
    CHECK(stage.extract(stage.extractor).size() == 1);
}

TEST_CASE("a trail remembers at most 64 steps, and gone entities free their memory for others") {
    TrailStage stage;
    Trail trail;
    trail.length = 1000;
    const Entity entity = stage.spawn_trail(0, trail);
    for (int step = 1; step <= 100; ++step) stage.move(entity, static_cast<float>(step));
    CHECK(leftmost(stage.ribbon()) == 37);
    stage.world.destroy(entity);
    for (int round = 0; round < 50; ++round) {
        const Entity next = stage.spawn_trail(100);
        stage.move(next, 110);
        stage.move(next, 120);
        CHECK(stage.ribbon().size() == 6);
        stage.world.destroy(next);
    }
}
