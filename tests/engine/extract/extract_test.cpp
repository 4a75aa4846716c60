// Random worlds compared with a slow model of the camera's view, and the limits of the fast loops.
#include "engine/extract/extract.h"

#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace perigee;
using namespace perigee::test;

namespace {

struct WidePosition {
    double other = 0;
    float y = 0, z = 0, x = 0;
};

struct Stage : ExtractStage {
    template <typename P> void declare_position() {
        if constexpr (std::is_same_v<P, Position>)
            ExtractStage::declare_position<Position>();
        else
            REQUIRE(world.declare<P>("Position", field("other", &P::other), field("y", &P::y),
                                     field("z", &P::z), field("x", &P::x)));
    }
    template <typename P> Entity spawn(float x, float y, const Sprite& sprite) {
        return ExtractStage::spawn<P>(x, y, components.sprite, sprite);
    }
};

// Visible or not, by the exact corners of the sprite.
bool touches_view(float x, float y, const DrawItem& item, const DrawCamera& camera) {
    const double angle = item.angle_radians();
    double left = 1e30, right = -1e30, top = 1e30, bottom = -1e30;
    for (const double fx : {0.0, 1.0}) {
        for (const double fy : {0.0, 1.0}) {
            const double dx = (fx - item.origin_x / 128.0) * item.w;
            const double dy = (fy - item.origin_y / 128.0) * item.h;
            const double cx = x + dx * std::cos(angle) - dy * std::sin(angle);
            const double cy = y + dx * std::sin(angle) + dy * std::cos(angle);
            left = std::min(left, cx), right = std::max(right, cx);
            top = std::min(top, cy), bottom = std::max(bottom, cy);
        }
    }
    const double half_width = 320 / camera.zoom, half_height = 180 / camera.zoom;
    return right >= camera.x - half_width && left <= camera.x + half_width &&
           bottom >= camera.y - half_height && top <= camera.y + half_height;
}

template <typename P> void check_random_worlds(std::uint32_t seed) {
    std::mt19937 random{seed};
    for (int program = 0; program < 20; ++program) {
        Stage stage;
        stage.declare_position<P>();
        const auto real = [&](int low, int high) {
            return static_cast<float>(
                low + static_cast<int>(random() % static_cast<unsigned>((high - low) * 8)) / 8.0);
        };
        stage.camera() = {real(-500, 500), real(-500, 500), real(1, 8) / 2, 0, random() % 2 == 0};
        EntityExtractor extractor{stage.world, stage.components};
        CHECK(extractor.problem().empty());

        std::map<std::pair<float, float>, Sprite> all;
        for (int i = 0; i < 300; ++i) {
            Sprite sprite;
            sprite.image = static_cast<std::uint32_t>(random() % 4);  // 3 is unknown: the placeholder
            sprite.rotation = random() % 2 == 0 ? 0 : real(0, 6);
            sprite.scale_x = real(-3, 3);
            sprite.origin_x = real(0, 1);
            sprite.layer = static_cast<std::int16_t>(random() % 5 - 2);
            sprite.blend = static_cast<std::uint8_t>(random() % 3);
            const float x = real(-1500, 1500), y = real(-1500, 1500);
            if (!all.emplace(std::pair{x, y}, sprite).second) continue;
            stage.spawn<P>(x, y, sprite);
        }
        std::map<std::pair<float, float>, int> drawn;
        for (const DrawItem& item : stage.extract(extractor)) {
            const auto place = all.find({item.x, item.y});
            REQUIRE(place != all.end());
            CHECK(++drawn[place->first] == 1);
            CHECK(item.ref == stage.images.frame_of(place->second.image, 0));
            CHECK(((item.flags & kDrawFlipX) != 0) == (place->second.scale_x < 0));
        }
        for (const auto& [place, sprite] : all) {
            if (drawn.count(place) != 0 || sprite.image == 0) continue;
            const ImageFrame& frame = stage.images[stage.images.frame_of(sprite.image, 0)];
            DrawItem item{.w = frame.width * std::fabs(sprite.scale_x),
                          .h = static_cast<float>(frame.height)};
            item.angle = quantised_angle(sprite.rotation);
            item.origin_x = static_cast<std::uint8_t>(std::lround(sprite.origin_x * 128));
            item.origin_y = 64;
            CHECK_FALSE(touches_view(place.first, place.second, item, stage.list.camera));
        }
    }
}

}  // namespace

TEST_CASE("every sprite that the camera sees is drawn once, for a plain Position") {
    check_random_worlds<Position>(1);
}

TEST_CASE("every sprite that the camera sees is drawn once, for a Position with more fields") {
    check_random_worlds<WidePosition>(2);
}

TEST_CASE("sprites and the camera are interpolated between two steps") {
    Stage stage;
    stage.declare_position<Position>();
    EntityExtractor extractor{stage.world, stage.components};
    Sprite sprite;
    sprite.image = 1;
    const Entity entity = stage.spawn<Position>(100, 100, sprite);
    stage.camera().x = 200;
    extractor.remember();
    stage.world.get<Position>(entity);
    stage.world.edit<Position>(entity)->x = 110;
    stage.camera().x = 220;
    CHECK(stage.extract(extractor, 0.5F)[0].x == 105);
    CHECK(stage.list.camera.x == 210);
    CHECK(stage.extract(extractor, 1.0F)[0].x == 110);
    CHECK(stage.list.camera.x == 220);
    stage.camera().x = 1000;  // a cut, not a pan
    CHECK(extractor.camera().x == 1000);
    stage.extract(extractor, 0.5F);
    CHECK(stage.list.camera.x == 1000);
}

TEST_CASE("with y_sort a lower sprite is nearer, whatever its image") {
    Stage stage;
    stage.declare_position<Position>();
    EntityExtractor extractor{stage.world, stage.components};
    std::mt19937 random{3};
    for (int i = 0; i < 200; ++i) {
        Sprite sprite;
        sprite.image = static_cast<std::uint32_t>(1 + i % 2);
        stage.spawn<Position>(static_cast<float>(random() % 640), static_cast<float>(random() % 360), sprite);
    }
    stage.camera().y_sort = true;
    float last = -1e9F;
    for (const DrawItem& item : stage.extract(extractor)) {
        CHECK(item.y >= last);
        last = item.y;
    }
    CHECK(stage.list.runs().size() > 10);
    stage.camera().y_sort = false;
    stage.extract(extractor);
    CHECK(stage.list.runs().size() == 2);
}

TEST_CASE("invalid numbers draw nothing and do no harm") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Stage stage;
    stage.declare_position<Position>();
    EntityExtractor extractor{stage.world, stage.components};
    Sprite sprite;
    sprite.image = 1;
    CHECK(stage.extract(extractor).empty());
    CHECK(extractor.undrawn().count == 0);
    const Entity lost = stage.spawn<Position>(kNan, 0, sprite);
    CHECK(stage.extract(extractor).empty());
    CHECK(extractor.undrawn().count == 1);
    CHECK(extractor.undrawn().first == lost);
    stage.spawn<Position>(1e9F, -1e9F, sprite);  // merely far away
    stage.spawn<Position>(0, kInfinity, sprite);
    sprite.scale_x = kNan;
    stage.spawn<Position>(0, 0, sprite);
    sprite.scale_x = kInfinity;
    stage.spawn<Position>(0, 0, sprite);
    extractor.remember();
    CHECK(stage.extract(extractor, 0.5F).empty());
    CHECK(extractor.undrawn().count == 4);
    sprite.image = 0;
    stage.spawn<Position>(kNan, kNan, sprite);  // shows nothing anyway
    stage.extract(extractor);
    CHECK(extractor.undrawn().count == 4);

    sprite = {};
    sprite.image = 1;
    sprite.blend = 200;
    sprite.rotation = kNan;
    stage.spawn<Position>(0, 0, sprite);
    stage.camera() = {kNan, -kInfinity, kNan, kNan, true};
    CHECK(stage.extract(extractor, 0.5F).size() == 1);
    stage.camera() = {0, 0, -5, 0, false};
    CHECK(stage.extract(extractor, 0.5F).size() == 1);
}

TEST_CASE("a Position without x and y is reported, and a missing Position is not") {
    Stage without;
    CHECK(EntityExtractor(without.world, without.components).problem().empty());
    EntityExtractor nothing{without.world, without.components};
    CHECK(without.extract(nothing).empty());

    struct Odd {
        double x = 0, y = 0;
    };
    Stage odd;
    REQUIRE(odd.world.declare<Odd>("Position", field("x", &Odd::x), field("y", &Odd::y)));
    CHECK(EntityExtractor(odd.world, odd.components).problem() ==
          "component 'Position': sprites need f32 fields x and y, so none is drawn");
}
