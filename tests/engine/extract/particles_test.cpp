// Emitters and bursts: how many particles there are, where they begin, and the limits.
#include "engine/extract/particles.h"

#include "ecs/schema/text_pool.h"
#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr float kDt = 1.0F / 64.0F;

ParticlePreset still_preset(std::string name) {
    ParticlePreset preset;
    preset.name = std::move(name);
    preset.speed = {0, 0};
    preset.rate = 64;
    preset.lifetime = {1, 1};
    return preset;
}

struct ParticleStage : ExtractStage {
    Particles particles;
    std::unique_ptr<EntityExtractor> extractor;

    ParticleStage() {
        declare_position<Position>();
        extractor = std::make_unique<EntityExtractor>(world, components);
    }
    Entity emitter(float x, std::string_view preset, float rate = 1.0F) {
        Emitter emitter;
        emitter.preset = world.texts().intern(preset).value();
        emitter.rate = rate;
        return spawn<Position>(x, 50, components.emitter, emitter);
    }
    void step(int count = 1) {
        for (int i = 0; i < count; ++i) extractor->step(particles, kDt);
    }
    std::span<const DrawItem> draw(float alpha = 1.0F) {
        list.clear();
        extractor->extract(images, alpha, 640, 360, list, &particles, kDt);
        list.sort(images);
        return list.items();
    }
};

}  // namespace

TEST_CASE("an emitter emits at its rate, multiplied by that of the preset, while it is active") {
    ParticleStage stage;
    REQUIRE(stage.particles.define(still_preset("dust"), 0));
    const Entity entity = stage.emitter(100, "dust", 0.5F);
    stage.step(64);
    CHECK(stage.particles.live_count() == 32);
    CHECK(stage.draw()[0].x == 100);
    stage.step(100);
    CHECK(stage.particles.live_count() == Approx(32).margin(1));
    reinterpret_cast<Emitter*>(stage.world.edit(entity, stage.components.emitter))->active = false;
    stage.step(70);
    CHECK(stage.particles.live_count() == 0);
}

TEST_CASE("a moving emitter emits along its way, and one that jumps does not") {
    ParticleStage stage;
    ParticlePreset preset = still_preset("dust");
    preset.rate = 6400;
    REQUIRE(stage.particles.define(preset, 0));
    const Entity entity = stage.emitter(100, "dust");
    stage.step();
    stage.world.edit<Position>(entity)->x = 164;
    stage.step();
    stage.world.edit<Position>(entity)->x = 564;
    stage.step();
    std::size_t between = 0;
    for (const DrawItem& item : stage.draw()) {
        CHECK((item.x <= 164 || item.x == 564));
        between += item.x > 100 && item.x < 164 ? 1 : 0;
    }
    CHECK(between > 90);
}

TEST_CASE("local particles follow their emitter, between two steps too") {
    ParticleStage stage;
    ParticlePreset preset = still_preset("aura");
    preset.is_local = true;
    REQUIRE(stage.particles.define(preset, 0));
    const Entity entity = stage.emitter(100, "aura");
    stage.step();
    stage.world.edit<Position>(entity)->x = 120;
    stage.step();
    REQUIRE(stage.draw().size() == 2);
    CHECK(stage.draw()[0].x == 120);
    CHECK(stage.draw(0.5F)[0].x == 110);
    stage.world.destroy(entity);
    const Entity other = stage.emitter(300, "aura");
    CHECK(other.index() == entity.index());
    stage.step();
    REQUIRE(stage.draw().size() == 1);
    CHECK(stage.draw()[0].x == 300);
}

TEST_CASE("a burst of local particles is where it is emitted, since it has no emitter") {
    ParticleStage stage;
    ParticlePreset preset = still_preset("aura");
    preset.is_local = true;
    preset.rate = 0;
    REQUIRE(stage.particles.define(preset, 0));
    stage.emitter(100, "aura");  // the first entity
    stage.particles.burst(0, 300, 200, 1);
    stage.step();
    REQUIRE(stage.draw().size() == 1);
    CHECK(stage.draw()[0].x == 300);
    CHECK(stage.draw()[0].y == 200);
}

TEST_CASE("a burst emits at once, as many as it says or the preset") {
    ParticleStage stage;
    ParticlePreset preset = still_preset("spark");
    preset.count = 7;
    REQUIRE(stage.particles.define(preset, 0));
    const std::uint32_t number = *stage.particles.find("spark");
    stage.particles.burst(number, 10, 20, -1);
    stage.particles.burst(number, 10, 20, 3);
    stage.particles.burst(number, std::numeric_limits<float>::quiet_NaN(), 20, 3);
    CHECK(stage.draw().empty());
    stage.step();
    CHECK(stage.draw().size() == 10);
    CHECK(stage.draw()[0].x == 10);
    for (std::size_t i = 0; i < 2 * Particles::kMaxBursts; ++i) stage.particles.burst(number, 10, 20, 1);
    stage.step();
    CHECK(stage.particles.live_count() == 10 + Particles::kMaxBursts);
    stage.particles.clear();
    CHECK(stage.draw().empty());
}

TEST_CASE("particles cover the sprites of their layer, and need no sort") {
    ParticleStage stage;
    REQUIRE(stage.particles.define(still_preset("spark"), 0));
    stage.particles.burst(0, 100, 50, 3);
    Sprite sprite;
    sprite.image = 1;
    stage.spawn<Position>(100, 50, stage.components.sprite, sprite);
    stage.step();
    const auto items = stage.draw();
    REQUIRE(items.size() == 4);
    CHECK(items[0].kind == DrawKind::sprite);
}

TEST_CASE("there are limits of particles in total and for a mod, which one message reports") {
    ParticleStage stage;
    REQUIRE(stage.particles.define(still_preset("game"), 0));
    REQUIRE(stage.particles.define(still_preset("mod:a"), 1));
    REQUIRE(stage.particles.define(still_preset("mod:b"), 1));
    stage.particles.burst(1, 100, 50, 30'000);
    stage.particles.burst(2, 100, 50, 1e9);
    stage.step();
    CHECK(stage.particles.live_count() == Particles::kMaxLiveOfMod);
    stage.particles.burst(0, 100, 50, 1e9);
    stage.step();
    CHECK(stage.particles.live_count() == Particles::kMaxLive);
    CHECK(stage.particles.take_reports() ==
          std::vector<std::string>{
              "particles of 'mod:b' are left out: there are at most 262144 at once, of one "
              "mod at most 32768"});
    stage.draw();
}

TEST_CASE("an unknown preset is reported once, and a mod has a limit of presets") {
    ParticleStage stage;
    REQUIRE(stage.particles.define(still_preset("dust"), 0));
    stage.emitter(100, "dsut");
    stage.step(3);
    CHECK(stage.particles.take_reports() ==
          std::vector<std::string>{"there is no preset of particles 'dsut'; did you mean 'dust'?"});
    for (std::size_t i = 1; i < Particles::kMaxPresets; ++i)
        REQUIRE(stage.particles.define(still_preset(std::to_string(i)), 0));
    CHECK(stage.particles.define(still_preset("more"), 0).error().message ==
          "preset 'more': there is no room for it; a mod has at most 256 presets");
    CHECK(stage.particles.define(still_preset("dust"), 0));
}

TEST_CASE("collisions are with the pixels that there are in each step, and end with them") {
    ParticleStage stage;
    ParticlePreset preset = still_preset("rain");
    preset.gravity_y = 6400;
    preset.collisions.grid = 7;
    preset.collisions.cell = 1000;
    preset.collisions.y = 60;
    preset.collisions.bounce = 0;
    std::vector<PackedColor> pixels{0xFF000000U};
    bool has_pixels = true;
    stage.particles.set_grids([&](const ParticleCollisions& collisions) {
        CHECK(collisions.grid == 7);
        return has_pixels ? CollisionGrid{pixels, 1, 1} : CollisionGrid{};
    });
    REQUIRE(stage.particles.define(preset, 0));
    stage.particles.burst(0, 100, 50, 1);
    stage.step(10);
    CHECK(stage.draw()[0].y == Approx(59).margin(1.1));
    pixels[0] = 0;
    stage.step(2);
    CHECK(stage.draw()[0].y > 62);
    pixels[0] = 1U << 24U;
    stage.particles.burst(0, 100, 50, 1);
    stage.step(10);
    CHECK(stage.draw().back().y == Approx(59).margin(1.1));
    has_pixels = false;
    stage.step(4);
    CHECK(stage.draw().back().y > 62);
}

TEST_CASE("local particles of a moving emitter stay out of walls") {
    ParticleStage stage;
    ParticlePreset preset = still_preset("aura");
    preset.is_local = true;
    preset.collisions.grid = 7;
    preset.collisions.x = 200;
    preset.collisions.cell = 500;
    const std::vector<PackedColor> pixels{0xFF000000U};
    stage.particles.set_grids([&](const ParticleCollisions&) { return CollisionGrid{pixels, 1, 1}; });
    REQUIRE(stage.particles.define(preset, 0));
    const Entity entity = stage.emitter(100, "aura");
    for (int i = 0; i < 12; ++i) {
        stage.step();
        stage.world.edit<Position>(entity)->x += 8;
        for (const DrawItem& item : stage.draw()) CHECK(item.x <= 200);
    }
    CHECK(stage.draw().size() == 12);
}
