// An extractor that keeps the items of unchanged chunks against one that has seen nothing before.
#include "engine/extract/internal/kept_sprites.h"

#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

struct Other {
    float value = 0;
};

Sprite square() {
    Sprite sprite;
    sprite.image = 1;
    return sprite;
}

struct KeptStage : ExtractStage {
    std::mt19937 random{23};
    std::vector<Entity> all;
    std::unique_ptr<EntityExtractor> extractor;

    KeptStage() {
        declare_position<Position>();
        REQUIRE(world.declare<Other>("Other", field("value", &Other::value)));
        extractor = std::make_unique<EntityExtractor>(world, components);
    }
    float real(int low, int high) {
        return static_cast<float>(low) +
               static_cast<float>(random() % 1000) * static_cast<float>(high - low) / 1000;
    }
    Sprite random_sprite() {
        Sprite sprite;
        sprite.image = random() % 8 == 0 ? static_cast<std::uint32_t>(random() % 4) : 1;
        sprite.layer = static_cast<std::int16_t>(random() % 8 == 0);
        sprite.rotation = random() % 2 == 0 ? 0 : real(0, 6);
        return sprite;
    }
    void spawn_one() {
        all.push_back(spawn<Position>(real(-400, 400), real(-300, 300), components.sprite, random_sprite()));
        if (random() % 4 == 0) world.add(all.back(), world.id<Other>());
    }
    Position& position(Entity entity) {
        return *reinterpret_cast<Position*>(world.edit(entity, world.id<Position>()));
    }
    // In painting order, without what is kept beside the picture.
    std::vector<DrawItem> picture(EntityExtractor& from) {
        extract(from);
        const float half_width = 320 / list.camera.zoom, half_height = 180 / list.camera.zoom;
        std::vector<DrawItem> seen;
        for (const DrawRun& run : list.runs())
            for (const DrawItem& item : list.items_of(run)) {
                const float reach = 2 * (item.w + item.h);
                if (std::fabs(item.x - list.camera.x) <= half_width + reach &&
                    std::fabs(item.y - list.camera.y) <= half_height + reach)
                    seen.push_back(item);
            }
        return seen;
    }
    std::size_t kept_runs() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(list.runs(), [](const DrawRun& run) { return run.kept != nullptr; }));
    }
};

}  // namespace

TEST_CASE("whatever changes, what is kept looks as what is extracted anew") {
    KeptStage stage;
    for (int i = 0; i < 1500; ++i) stage.spawn_one();
    std::size_t kept = 0;
    for (int frame = 0; frame < 600; ++frame) {
        stage.world.advance_change_version();
        switch (stage.random() % 40) {
            case 0:
                stage.position(stage.all[stage.random() % stage.all.size()]).x += 3;
                break;
            case 1:
                stage.spawn_one();
                break;
            case 2: {
                const std::size_t at = stage.random() % stage.all.size();
                stage.world.destroy(stage.all[at]);
                stage.all.erase(stage.all.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
            case 3:
                stage.position(stage.all[stage.random() % stage.all.size()]).y =
                    std::numeric_limits<float>::quiet_NaN();
                break;
            case 4:
                stage.camera() = {stage.real(-500, 500), stage.real(-500, 500), stage.real(1, 4) / 2, 0,
                                  stage.random() % 4 == 0};
                break;
            case 5:
                stage.images.set_grid(1, stage.random() % 2 == 0 ? 16 : 32, 16);
                break;
            default:
                break;
        }
        if (stage.random() % 2 == 0) stage.extractor->remember();
        const std::vector<DrawItem> shown = stage.picture(*stage.extractor);
        kept += stage.kept_runs();
        EntityExtractor fresh{stage.world, stage.components};
        REQUIRE((shown == stage.picture(fresh)));
        REQUIRE(stage.extractor->undrawn().count == fresh.undrawn().count);
    }
    CHECK(kept > 20);
}

TEST_CASE(
    "a chunk is kept once it is unchanged since a step, and moves as smoothly as before when it moves") {
    KeptStage stage;
    const Entity entity = stage.spawn<Position>(100, 0, stage.components.sprite, square());
    for (int i = 0; i < 20; ++i) stage.spawn<Position>(100, 0, stage.components.sprite, square());
    const auto frame = [&](float alpha) {
        stage.world.advance_change_version();
        return stage.extract(*stage.extractor, alpha).empty() ? stage.list.items_of(stage.list.runs()[0])[0].x
                                                              : stage.list.items()[0].x;
    };
    stage.extractor->remember();
    stage.position(entity).x = 110;
    CHECK(frame(0.5F) == 105);
    CHECK(frame(0.75F) == 107.5F);  // unchanged since the last frame, but not since the step
    CHECK(stage.kept_runs() == 0);
    stage.extractor->remember();
    CHECK(frame(0.5F) == 110);
    CHECK(stage.kept_runs() == 1);
    stage.extractor->remember();
    stage.position(entity).x = 120;
    CHECK(frame(0.5F) == 115);
    CHECK(stage.kept_runs() == 0);
}

TEST_CASE("nothing is kept from the world before") {
    KeptStage stage;
    for (int i = 0; i < 20; ++i) stage.spawn<Position>(100, 0, stage.components.sprite, square());
    for (int i = 0; i < 3; ++i) {
        stage.extractor->remember();
        stage.extract(*stage.extractor);
    }
    REQUIRE(stage.kept_runs() == 1);
    stage.extractor->begin_world();
    stage.extract(*stage.extractor);
    CHECK(stage.kept_runs() == 0);
}

TEST_CASE("what the camera does not see of kept sprites is not drawn, and little of much is copied") {
    KeptStage stage;
    for (int i = 0; i < 100; ++i)
        stage.spawn<Position>(static_cast<float>(i) * 100, 0, stage.components.sprite, square());
    const auto count_at = [&](float x) {
        stage.camera() = {x, 0, 1, 0, false};
        stage.world.advance_change_version();
        stage.extractor->remember();
        stage.extract(*stage.extractor);
        return stage.list.item_count();
    };
    for (int i = 0; i < 3; ++i) count_at(0);
    CHECK(count_at(5000) < 12);
    CHECK(stage.kept_runs() == 0);
    CHECK(count_at(-5000) == 0);
}
