// Runs, cameras and parts of lists whose layers look different.
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace perigee;

namespace {

LayerLook far_away(std::int16_t layer) {
    LayerLook look;
    look.layer = layer;
    look.parallax_x = 0.5F;
    return look;
}

LayerLook added(std::int16_t layer) {
    LayerLook look;
    look.layer = layer;
    look.first = layer;
    look.blend = BlendMode::add;
    return look;
}

struct Stage {
    ImageTable images;
    DrawList list;
    explicit Stage(const std::vector<LayerLook>& looks) {
        list.camera = {100, 0, 1, 0};
        list.set_layers(looks);
    }
    void add(std::int16_t layer, std::uint8_t flags = 0) {
        DrawItem item;
        item.w = item.h = 1;
        item.flags = flags;
        list.add(item, {layer, 0});
    }
    void call(std::int16_t layer, std::uint8_t flags = 0) {
        DrawItem item;
        item.flags = flags;
        list.add_immediate(item, layer);
    }
    void sort() { list.sort(images); }
    // For each run: its items, and the x of its camera.
    std::string runs() const {
        std::string text;
        for (const DrawRun& run : list.runs())
            text += std::to_string(run.count) + "@" +
                    std::to_string(static_cast<int>(list.state_of(run).camera.x)) + " ";
        return text;
    }
    // For each part: its runs, in brackets for those that are drawn as a whole.
    std::string parts() const {
        std::string text;
        for (const DrawPart& part : list.parts()) {
            if (part.step == DrawPart::Step::runs) text += std::to_string(part.count) + " ";
            if (part.step == DrawPart::Step::begin) text += "( ";
            if (part.step == DrawPart::Step::end) text += ") ";
        }
        return text;
    }
};

}  // namespace

TEST_CASE("layers without a look share a run, and one with a look is a run of its own [P15]") {
    Stage stage{{far_away(2)}};
    for (const std::int16_t layer : {0, 1, 2, 2, 3}) stage.add(layer);
    stage.call(1);
    stage.call(2);
    stage.sort();
    CHECK(stage.runs() == "3@100 3@50 1@100 ");
    CHECK(stage.parts() == "3 ");
}

TEST_CASE("what is on the screen has no parallax") {
    Stage stage{{far_away(2)}};
    stage.add(2);
    stage.add(2, kDrawScreen);
    stage.add(3, kDrawScreen);
    stage.sort();
    CHECK(stage.runs() == "1@50 2@100 ");
}

TEST_CASE("a camera that a call sets moves a far layer less") {
    Stage stage{{far_away(2)}};
    stage.call(2);
    DrawState state = stage.list.immediate_state();
    state.camera.x = 300;
    stage.list.set_state(state);
    stage.call(2);
    stage.call(0);
    stage.sort();
    CHECK(stage.runs() == "1@300 1@50 1@150 ");
    CHECK(stage.list.camera_of(2, {80, 0, 1, 0}).x == 40);
    CHECK(stage.list.camera_of(0, {80, 0, 1, 0}).x == 80);
}

TEST_CASE("a view with looks has the camera of the view for what was called") {
    Stage stage{{far_away(2)}};
    stage.call(2);
    DrawList& view = stage.list.add_view({0, 0, 10, 10}, {600, 0, 1, 0});
    view.set_layers(std::vector{far_away(2)});
    view.add_world_of(stage.list);
    view.sort(stage.images);
    REQUIRE(view.runs().size() == 1);
    CHECK(view.state_of(view.runs()[0]).camera.x == 300);
}

TEST_CASE("a mask is seen by the camera of the layer that it is drawn in") {
    Stage stage{{far_away(2)}};
    const DrawList& mask = *stage.list.mask(stage.list.add_mask(false)).list;
    const_cast<DrawList&>(mask).add_immediate({}, 2);
    stage.sort();
    CHECK(mask.state_of(mask.runs()[0]).camera.x == 50);
}

TEST_CASE("a composed layer is a part of the list, of the world or of the screen") {
    LayerLook hud = added(6);
    hud.is_screen = true;
    Stage stage{{added(2), far_away(3), added(4), hud}};
    for (const std::int16_t layer : {0, 2, 2, 3, 4, 5, 6}) stage.add(layer);
    stage.add(2, static_cast<std::uint8_t>(BlendMode::multiply));
    for (const std::int16_t layer : {2, 3, 6}) stage.add(layer, kDrawScreen);
    stage.sort();
    CHECK(stage.parts() == "1 ( 2 ) 1 ( 1 ) 2 ( 1 ) ");
    CHECK(stage.list.parts()[3].blend == BlendMode::add);
}

TEST_CASE("layers are composed together, and such groups nest [P15]") {
    LayerLook all = added(10), some = added(5);
    all.first = 1;
    some.first = 3;
    Stage stage{{added(2), added(4), some, all}};
    for (const std::int16_t layer : {0, 1, 2, 3, 4, 5, 6, 10, 11}) stage.add(layer);
    stage.sort();
    CHECK(stage.parts() == "1 ( 1 ( 1 ) ( 1 ( 1 ) 1 ) 1 ) 1 ");
    stage.list.clear();
    stage.list.set_layers(std::vector{added(2), added(4), some, all});
    stage.add(4);
    stage.sort();
    CHECK(stage.parts() == "( ( ( 1 ) ) ) ");
}

TEST_CASE("layers are composed in as many layers as there may be at most") {
    std::vector<LayerLook> looks;
    for (std::int16_t i = 1; i <= 6; ++i) {
        looks.push_back(added(i));
        looks.back().first = 0;
    }
    Stage stage{looks};
    stage.add(0);
    stage.sort();
    CHECK(stage.parts() == "( ( ( ( 1 ) ) ) ) ");
}

TEST_CASE("what lies on a layer as a whole is not composed with it") {
    Stage stage{{added(2)}};
    stage.add(2);
    stage.list.add({}, {2, kDrawOrderAbove});
    stage.sort();
    CHECK(stage.parts() == "( 1 ) 1 ");
}

TEST_CASE("an empty list has no parts, and a cleared one has no looks") {
    Stage stage{{added(2)}};
    stage.sort();
    CHECK(stage.parts().empty());
    stage.list.clear();
    stage.add(2);
    stage.sort();
    CHECK(stage.parts() == "1 ");
}

TEST_CASE("the dump of a list says which layers are composed, and which camera sees them") {
    Stage stage{{far_away(1), added(2)}};
    stage.add(1);
    stage.add(2);
    stage.sort();
    CHECK(stage.list.dump(stage.images) ==
          "camera 100,0 zoom 1\n"
          "camera 50,0 zoom 1\n"
          "world 1 rectangle at 0,0 size 1x1 #ffffffff\n"
          "camera 100,0 zoom 1\n"
          "drawn as a whole: layer 2 add\n"
          "world 2 rectangle at 0,0 size 1x1 #ffffffff\n");
}
