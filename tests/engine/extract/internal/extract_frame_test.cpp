// Layers that are seen and sorted differently, in an extraction of sprites, shapes and texts.
#include "engine/extract/internal/extract_frame.h"

#include "ecs/schema/text_pool.h"
#include "tests/engine/extract/stage.h"

#include <optional>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

struct LayersStage : ExtractStage {
    std::optional<EntityExtractor> extractor;
    std::vector<LayerLook> looks;

    LayersStage() {
        declare_position<Position>();
        extractor.emplace(world, components);
    }
    LayerLook& look(std::int16_t layer, LayerSort sort = LayerSort::camera) {
        LayerLook look;
        look.layer = layer;
        look.sort = sort;
        looks.push_back(look);
        return looks.back();
    }
    Entity sprite(float x, float y, std::int16_t layer, std::int16_t order = 0) {
        Sprite sprite;
        sprite.image = 1;
        sprite.layer = layer;
        sprite.order = order;
        return spawn<Position>(x, y, components.sprite, sprite);
    }
    Entity shape(float x, float y, std::int16_t layer, std::int16_t order = 0) {
        Shape shape;
        shape.layer = layer;
        shape.order = order;
        return spawn<Position>(x, y, components.shape, shape);
    }
    // The y of the items, in painting order. Frames are alike, so that chunks are kept.
    std::vector<int> rows(int frames = 1) {
        std::vector<int> found;
        for (int i = 0; i < frames; ++i) {
            extractor->set_layers(looks, 1 + looks.size());
            extractor->remember();
            extract(*extractor);
        }
        std::vector<DrawItem> scratch;
        for (const DrawRun& run : list.runs())
            for (const DrawItem& item : list.items_of(run, scratch))
                found.push_back(static_cast<int>(item.y));
        return found;
    }
};

using Rows = std::vector<int>;

}  // namespace

TEST_CASE("a layer sorts by y, by order or not at all, whatever the camera says [P15]") {
    for (const bool y_sort : {false, true})
        for (const int frames : {1, 3}) {
            LayersStage stage;
            stage.camera().y_sort = y_sort;
            stage.look(1, LayerSort::y);
            stage.look(2, LayerSort::none);
            stage.look(3, LayerSort::order);
            for (const std::int16_t layer : {0, 1, 2, 3}) {
                stage.sprite(0, 30, layer, 5);
                stage.sprite(0, 10, layer, 9);
                stage.sprite(0, 20, layer, -7);
            }
            const Rows plain{30, 10, 20}, by_y{10, 20, 30}, by_order{20, 30, 10};
            Rows expected = y_sort ? by_y : plain;
            for (const Rows& rows : {by_y, plain, by_order})
                expected.insert(expected.end(), rows.begin(), rows.end());
            CHECK(stage.rows(frames) == expected);
        }
}

TEST_CASE("sprites, shapes, texts and trails of a layer have one order") {
    LayersStage stage;
    stage.look(3, LayerSort::order);
    stage.sprite(0, 1, 3, 4);
    stage.shape(0, 2, 3, 3);
    Text text;
    text.text = stage.world.texts().intern("text").value();
    text.layer = 3;
    text.origin_y = 0;
    text.order = 2;
    stage.spawn<Position>(0, 3, stage.components.text, text);
    stage.shape(0, 4, 3, -32768);
    stage.sprite(0, 5, 3, 32767);
    CHECK(stage.rows() == Rows{4, 3, 2, 1, 5});
}

TEST_CASE("kept sprites follow a layer that begins to be sorted by order") {
    LayersStage stage;
    stage.sprite(0, 1, 3, 2);
    stage.sprite(0, 2, 3, 1);
    CHECK(stage.rows(4) == Rows{1, 2});
    stage.look(3, LayerSort::order);
    CHECK(stage.rows(4) == Rows{2, 1});
    stage.looks.clear();
    CHECK(stage.rows(4) == Rows{1, 2});
}

TEST_CASE("what a camera sees of a far layer is extracted, and what only the others see is not [P15]") {
    LayersStage stage;
    stage.camera().x = 10320;  // the screen is from 10000 to 10640, and from 5000 on that of the far layer
    LayerLook& far = stage.look(1);
    far.parallax_x = 0.5F;
    far.origin_x = 320;
    for (const int frames : {1, 4}) {
        LayersStage one;
        one.camera() = stage.camera();
        one.looks = stage.looks;
        for (const std::int16_t layer : {0, 1})
            for (const float x : {5300.0F, 10300.0F}) {
                one.sprite(x, x / 100 + layer, layer);
                one.shape(x, x / 100 + layer, layer);
            }
        CHECK(one.rows(frames) == Rows{103, 103, 54, 54});
    }
}

TEST_CASE("a layer with a camera of its own is culled by it") {
    LayersStage stage;
    LayerLook& fixed = stage.look(1);
    fixed.has_camera = true;
    fixed.camera = {-5000, 0, 2, 0};
    stage.sprite(-5000, 1, 1);
    stage.sprite(-5300, 2, 1);
    stage.sprite(100, 3, 1);
    CHECK(stage.rows(1) == Rows{1});
    CHECK(stage.rows(4) == Rows{1});
}
