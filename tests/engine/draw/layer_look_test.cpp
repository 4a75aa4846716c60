// Which camera sees a layer.
#include "engine/draw/layer_look.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("a layer moves with the camera as far as its parallax says, from its origin on [P15]") {
    LayerLook look;
    CHECK_FALSE(look.moves());
    CHECK(look.seen_by({7, 8, 2, 1}) == DrawCamera{7, 8, 2, 1});
    look.parallax_x = 0.5F;
    look.parallax_y = 0.0F;
    look.origin_x = 100;
    look.origin_y = 50;
    CHECK(look.moves());
    CHECK(look.seen_by({100, 50, 1, 0}) == DrawCamera{100, 50, 1, 0});
    CHECK(look.seen_by({300, 90, 2, 1}) == DrawCamera{200, 50, 2, 1});
    look.parallax_x = 2.0F;
    CHECK(look.seen_by({300, 90, 1, 0}).x == 500);
}

TEST_CASE("a layer with a camera of its own is seen by that alone") {
    LayerLook look;
    look.has_camera = true;
    look.camera = {1, 2, 3, 0};
    CHECK(look.moves());
    CHECK(look.seen_by({300, 90, 2, 1}) == DrawCamera{1, 2, 3, 0});
}

TEST_CASE("a layer with a blend mode or an effect is composed") {
    LayerLook look;
    CHECK_FALSE(look.is_composed());
    look.blend = BlendMode::add;
    CHECK(look.is_composed());
    look.blend = BlendMode::alpha;
    look.effect = 3;
    CHECK(look.is_composed());
}
