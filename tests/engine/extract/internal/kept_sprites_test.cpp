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
    std::vector<LayerLook> looks;
    unsigned variety = 8;  // one in so many sprites has another image, and as many another layer
    unsigned calm = 1;     // something happens in one of so many frames

    KeptStage() {
        declare_position<Position>();
        REQUIRE(world.declare<Other>("Other", field("value", &Other::value)));
        extractor = std::make_unique<EntityExtractor>(world, components);
    }
    float real(int low, int high) {
        return static_cast<float>(low) +
               static_cast<float>(random() % 1000) * static_cast<float>(high - low) / 1000;
    }
    bool one_in(unsigned count) { return random() % count == 0; }
    Entity any() { return all[random() % all.size()]; }
    Sprite random_sprite() {
        Sprite sprite;
        sprite.image = one_in(variety) ? static_cast<std::uint32_t>(random() % 4) : 1;
        sprite.layer = one_in(variety) ? static_cast<std::int16_t>(random() % 4) : std::int16_t{0};
        sprite.order = static_cast<std::int16_t>(random() % 5);
        sprite.rotation = one_in(2) ? 0 : real(0, 6);
        return sprite;
    }
    void spawn_one() {
        all.push_back(spawn<Position>(real(-400, 400), real(-300, 300), components.sprite, random_sprite()));
        // One after the other, so that one lies between others only now and then.
        if (all.size() > 800) world.add(all.back(), world.id<Other>());
    }
    Position& position(Entity entity) {
        return *reinterpret_cast<Position*>(world.edit(entity, world.id<Position>()));
    }
    Sprite& sprite(Entity entity) {
        return *reinterpret_cast<Sprite*>(world.edit(entity, components.sprite));
    }
    // In painting order, without what is kept beside the picture.
    std::vector<DrawItem> picture(EntityExtractor& from, float alpha = 1.0F) {
        list.clear();
        list.camera = from.camera_between(alpha);
        list.set_layers(looks);
        from.set_layers(looks, 1 + looks.size());
        from.extract(images, alpha, 640, 360, list);
        list.sort(images);
        std::vector<DrawItem> seen, scratch;
        for (const DrawRun& run : list.runs()) {
            const DrawCamera camera = list.state_of(run).camera;
            const float half_width = 320 / camera.zoom, half_height = 180 / camera.zoom;
            for (const DrawItem& item : list.items_of(run, scratch)) {
                const float reach = 2 * (item.w + item.h) - 1;
                if (std::fabs(item.x - camera.x) <= half_width + reach &&
                    std::fabs(item.y - camera.y) <= half_height + reach)
                    seen.push_back(item);
            }
        }
        return seen;
    }
    template <typename Is> std::size_t count_runs(Is is) const {
        return static_cast<std::size_t>(std::ranges::count_if(list.runs(), is));
    }
    std::size_t kept_runs() const {
        return count_runs([](const DrawRun& run) { return run.kept != nullptr; });
    }
    std::size_t moved_runs() const {
        return count_runs([](const DrawRun& run) { return run.places != 0; });
    }
    // One thing that happens to the world now and then.
    void change_something() {
        switch (random() % 40) {
            case 0:
                position(any()).x += 3;
                break;
            case 1:
                spawn_one();
                break;
            case 2: {
                const std::size_t at = random() % all.size();
                world.destroy(all[at]);
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
            case 3:
                (one_in(2) ? position(any()).x : position(any()).y) = one_in(2) ? kNan : kInfinity;
                break;
            case 4:
                camera() = {real(-300, 300), real(-300, 300), real(1, 4) / 2, 0, one_in(4)};
                break;
            case 5:
                images.set_grid(1, one_in(2) ? 16 : 32, 16);
                break;
            case 6:
                sprite(any()).scale_x = one_in(3) ? kNan : 2;
                break;
            case 7:
                for (const Entity entity : all) {
                    if (!std::isfinite(position(entity).x + position(entity).y)) position(entity) = {};
                    sprite(entity).scale_x = 1;
                }
                break;
            default:
                break;
        }
    }
    static constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();
};

// How often items were kept in frames like those of an extractor that forgets everything but the step before.
struct Kept {
    std::size_t still = 0;
    std::size_t moved = 0;
};

Kept compare(KeptStage& stage, int frames) {
    Kept kept;
    EntityExtractor model{stage.world, stage.components};
    for (int i = 0; i < 1500; ++i) stage.spawn_one();
    enum class Moving : std::uint8_t { none, some, all } moving{};
    for (int frame = 0; frame < frames; ++frame) {
        stage.world.advance_change_version();
        if (stage.one_in(stage.calm)) stage.change_something();
        if (stage.one_in(2)) {
            stage.extractor->remember();
            model.remember();
        }
        if (stage.one_in(40)) moving = static_cast<Moving>(stage.random() % 3);
        if (moving != Moving::none && !stage.one_in(20)) {
            const float x = stage.real(-4, 4);
            for (const Entity entity : stage.all)
                if (moving == Moving::all || stage.world.has(entity, stage.world.id<Other>()))
                    stage.position(entity).x += x;
        }
        const float alpha = stage.one_in(3) ? 1.0F : stage.real(0, 1);
        for (unsigned view = 0; view < 1 + stage.random() % 2; ++view) {
            stage.camera().x += static_cast<float>(view) * 50;
            const std::vector<DrawItem> shown = stage.picture(*stage.extractor, alpha);
            kept.still += stage.kept_runs() - stage.moved_runs();
            kept.moved += stage.moved_runs();
            model.begin_world();
            const std::vector<DrawItem> expected = stage.picture(model, alpha);
            REQUIRE(shown.size() == expected.size());
            REQUIRE((shown == expected));
            REQUIRE(stage.extractor->undrawn().count == model.undrawn().count);
            REQUIRE(stage.extractor->undrawn().first == model.undrawn().first);
        }
    }
    return kept;
}

}  // namespace

TEST_CASE("whatever changes, what is kept looks as what is extracted anew") {
    KeptStage stage;
    const Kept kept = compare(stage, 600);
    CHECK(kept.still > 20);
}

TEST_CASE("sprites that move are where rows are, whatever else changes") {
    KeptStage stage;
    stage.variety = 200;
    stage.calm = 4;
    const Kept kept = compare(stage, 1000);
    CHECK(kept.still > 20);
    CHECK(kept.moved > 100);
}

TEST_CASE("sprites that move keep the order and the camera of their layers") {
    KeptStage stage;
    stage.variety = 6;
    stage.calm = 4;
    stage.looks.resize(3);
    for (std::int16_t layer = 0; layer < 3; ++layer)
        stage.looks[static_cast<std::size_t>(layer)].layer = layer;
    stage.looks[0].parallax_x = 0.5F;
    stage.looks[1].sort = LayerSort::y;
    stage.looks[2].sort = LayerSort::order;
    const Kept kept = compare(stage, 1000);
    CHECK(kept.moved > 20);
}

TEST_CASE(
    "a chunk is kept once it is unchanged since a step, and moves as smoothly as before when it moves") {
    KeptStage stage;
    const Entity entity = stage.spawn<Position>(100, 0, stage.components.sprite, square());
    for (int i = 0; i < 20; ++i) stage.spawn<Position>(100, 0, stage.components.sprite, square());
    const auto frame = [&](float alpha) {
        stage.world.advance_change_version();
        return stage.picture(*stage.extractor, alpha).at(0).x;
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
