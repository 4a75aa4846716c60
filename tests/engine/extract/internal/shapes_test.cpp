// The item of each kind of shape, and shapes that draw nothing.
#include "engine/extract/internal/shapes.h"

#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <limits>
#include <numbers>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr float kPi = std::numbers::pi_v<float>;

Shape shape_of(ShapeKind kind, float width, float height) {
    Shape shape;
    shape.kind = static_cast<std::uint8_t>(kind);
    shape.width = width;
    shape.height = height;
    return shape;
}

// The line of the picture that one shape at 100, 50 makes; empty: none.
std::string drawn(const Shape& shape) {
    ExtractStage stage;
    stage.declare_position<Position>();
    stage.spawn<Position>(100, 50, stage.components.shape, shape);
    EntityExtractor extractor{stage.world, stage.components};
    stage.extract(extractor);
    const std::string picture = stage.list.dump(stage.images);
    return picture.substr(picture.find('\n') + 1);
}

}  // namespace

TEST_CASE("each kind of shape is one item, centred at the position") {
    CHECK(drawn(shape_of(ShapeKind::rectangle, 20, 10)) ==
          "world 0 rectangle at 100,50 size 20x10 origin 0.5,0.5 #ffffffff\n");
    CHECK(drawn(shape_of(ShapeKind::circle, 20, 20)) == "world 0 circle at 100,50 radius 10 #ffffffff\n");
    CHECK(drawn(shape_of(ShapeKind::circle, 20, 10)) == "world 0 circle at 100,50 radius 10x5 #ffffffff\n");
    CHECK(drawn(shape_of(ShapeKind::line, 20, 4)) == "world 0 line at 90,50 to 110,50 stroke 4 #ffffffff\n");
    CHECK(drawn(shape_of(ShapeKind::capsule, 20, 4)) ==
          "world 0 line at 90,50 to 110,50 round stroke 4 #ffffffff\n");
}

TEST_CASE("a pie and an arc show the part between two angles") {
    Shape shape = shape_of(ShapeKind::pie, 20, 20);
    CHECK(drawn(shape) == "world 0 circle at 100,50 radius 10 #ffffffff\n");
    shape.to = kPi / 2;
    CHECK(drawn(shape) == "world 0 arc at 100,50 radius 10 from 0 to 0.25 pie #ffffffff\n");
    shape.kind = static_cast<std::uint8_t>(ShapeKind::arc);
    CHECK(drawn(shape) == "world 0 arc at 100,50 radius 10 from 0 to 0.25 open stroke 1 #ffffffff\n");
    shape.stroke = 3;
    shape.from = -kPi / 2;
    CHECK(drawn(shape) == "world 0 arc at 100,50 radius 10 from 0.75 to 0.25 open stroke 3 #ffffffff\n");
    shape.from = shape.to;
    CHECK(drawn(shape).empty());
    shape.from = shape.to + 1;
    CHECK(drawn(shape).empty());
}

TEST_CASE("a shape has colour, outline, corners, rotation, origin, layer and blend mode") {
    Shape shape = shape_of(ShapeKind::rectangle, 20, 10);
    shape.color = {255, 128, 0, 64};
    shape.stroke = 2;
    shape.corners = 3;
    shape.rotation = kPi / 2;
    shape.origin_x = 0;
    shape.origin_y = 1;
    shape.layer = 5;
    shape.blend = static_cast<std::uint8_t>(BlendMode::add);
    CHECK(drawn(shape) ==
          "world 5 rectangle at 100,50 size 20x10 corners 3 origin 0,1 turned 0.25 stroke 2 add #ff800040\n");
    shape.corners = 100;  // as round as possible
    CHECK(drawn(shape).find("corners 5 ") != std::string::npos);
}

TEST_CASE("round shapes and lines turn about their origin, too") {
    Shape shape = shape_of(ShapeKind::line, 20, 4);
    shape.origin_x = 0;
    shape.rotation = kPi / 2;
    ExtractStage stage;
    stage.declare_position<Position>();
    stage.spawn<Position>(100, 50, stage.components.shape, shape);
    shape.kind = static_cast<std::uint8_t>(ShapeKind::circle);
    stage.spawn<Position>(300, 50, stage.components.shape, shape);
    EntityExtractor extractor{stage.world, stage.components};
    const auto items = stage.extract(extractor);
    REQUIRE(items.size() == 2);
    CHECK(items[0].x == Approx(100));
    CHECK(items[0].y == Approx(50));
    CHECK(items[0].w == Approx(100));
    CHECK(items[0].h == Approx(70));
    CHECK(items[1].x == Approx(300));
    CHECK(items[1].y == Approx(60));
}

TEST_CASE("shapes outside of the view, without a size, or with numbers that are not finite draw nothing") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    ExtractStage stage;
    stage.declare_position<Position>();
    EntityExtractor extractor{stage.world, stage.components};
    const auto spawn = [&](float x, const Shape& shape) {
        return stage.spawn<Position>(x, 50, stage.components.shape, shape);
    };
    const Shape shape;
    spawn(-1000, shape);
    spawn(100, shape_of(ShapeKind::circle, 0, 10));
    spawn(100, shape_of(ShapeKind::rectangle, 10, -10));
    CHECK(stage.extract(extractor).empty());
    CHECK(extractor.undrawn().count == 0);
    const Entity lost = spawn(kNan, shape);
    spawn(100, shape_of(ShapeKind::rectangle, kInfinity, 1));
    CHECK(stage.extract(extractor).empty());
    CHECK(extractor.undrawn().count == 2);
    CHECK(extractor.undrawn().first == lost);

    Shape odd = shape_of(ShapeKind::line, 10, 4);
    odd.rotation = odd.origin_x = odd.corners = odd.from = kNan;
    odd.blend = 99;
    spawn(100, odd);
    odd.kind = 99;  // drawn as a rectangle
    spawn(100, odd);
    for (const DrawItem& item : stage.extract(extractor))
        CHECK(std::isfinite(item.x + item.y + item.w + item.h));
    CHECK(stage.list.items().size() == 2);
}

TEST_CASE("shapes are interpolated and sorted by y like sprites") {
    ExtractStage stage;
    stage.declare_position<Position>();
    EntityExtractor extractor{stage.world, stage.components};
    const Shape shape;
    const Entity low = stage.spawn<Position>(100, 200, stage.components.shape, shape);
    stage.spawn<Position>(100, 100, stage.components.shape, shape);
    extractor.remember();
    stage.world.edit<Position>(low)->x = 110;
    stage.camera().y_sort = true;
    const auto items = stage.extract(extractor, 0.5F);
    REQUIRE(items.size() == 2);
    CHECK(items[0].y == 100);
    CHECK(items[1].x == 105);
}
