// The pixels of shapes: their area, each once, and inside of the clip.
#include "engine/sdl/mesh/spans.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

using namespace perigee;

namespace {

constexpr PixelBox kAll{0, 0, 200, 200};

struct Pixels {
    std::set<std::pair<int, int>> places{};
    bool is_any_twice = false;
};

Pixels pixels_of(const DrawItem& item, const View& view = {}, const PixelBox& clip = kAll) {
    ShapeOutline outline;
    outline.set(item, view);
    Spans spans;
    spans.add(outline, clip);
    Pixels pixels;
    for (const PixelBox& box : spans.boxes())
        for (int y = box.y; y < box.y + box.height; ++y)
            for (int x = box.x; x < box.x + box.width; ++x)
                if (!pixels.places.insert({x, y}).second) pixels.is_any_twice = true;
    CHECK_FALSE(pixels.is_any_twice);
    return pixels;
}

double area_of(const DrawItem& item, const View& view = {}) {
    return static_cast<double>(pixels_of(item, view).places.size());
}

std::uint32_t turns(double from, double to) {
    return static_cast<std::uint32_t>(from * 65536) | static_cast<std::uint32_t>(to * 65536) << 16U;
}

Approx near(double area) { return Approx(area).epsilon(0.02); }

constexpr double kPi = std::numbers::pi;

}  // namespace

TEST_CASE("shapes have as many pixels as geometry gives them area") {
    const auto circle = [](float w, float h, std::uint16_t angle = 0, std::uint16_t stroke = 0) {
        return DrawItem{
            .x = 100, .y = 100, .w = w, .h = h, .angle = angle, .stroke = stroke, .kind = DrawKind::circle};
    };
    CHECK(area_of(circle(60, 60)) == near(kPi * 3600));
    CHECK(area_of(circle(80, 30)) == near(kPi * 2400));
    CHECK(area_of(circle(80, 30, 7000)) == near(kPi * 2400));
    CHECK(area_of(circle(60, 60, 0, 10 * 16)) == near(kPi * (3600 - 2500)));
    CHECK(area_of(circle(60, 60, 0, 70 * 16)) == near(kPi * 3600));
    const auto rectangle = [](std::uint32_t corners, std::uint16_t angle, std::uint16_t stroke = 0) {
        return DrawItem{.x = 100,
                        .y = 100,
                        .w = 90,
                        .h = 60,
                        .ref = corners,
                        .angle = angle,
                        .stroke = stroke,
                        .origin_x = 64,
                        .origin_y = 64};
    };
    CHECK(area_of(rectangle(0, 0)) == 5400);
    CHECK(area_of(rectangle(0, 0, 5 * 16)) == 5400 - 80 * 50);
    CHECK(area_of(rectangle(0, 0, 80 * 16)) == 5400);
    CHECK(area_of(rectangle(0, 5000)) == near(5400));
    CHECK(area_of(rectangle(20 * 1024, 0)) == near(5400 - (4 - kPi) * 400));
    CHECK(area_of(rectangle(90 * 1024, 0)) == near(5400 - (4 - kPi) * 900));
    CHECK(area_of(rectangle(20 * 1024, 3000)) == near(5400 - (4 - kPi) * 400));
    CHECK(area_of(rectangle(0, 3000, 5 * 16)) == near(5400 - 80 * 50));
    const auto line = [](LineCap cap, std::uint16_t stroke = 20 * 16) {
        return DrawItem{.x = 50,
                        .y = 60,
                        .w = 110,
                        .h = 140,
                        .stroke = stroke,
                        .origin_x = static_cast<std::uint8_t>(cap),
                        .kind = DrawKind::line};
    };
    CHECK(area_of(line(LineCap::butt)) == near(2000));
    CHECK(area_of(line(LineCap::round)) == near(2000 + kPi * 100));
    CHECK(area_of(line(LineCap::square)) == near(2400));
    DrawItem dot = line(LineCap::round);
    dot.w = dot.x;
    dot.h = dot.y;
    CHECK(area_of(dot) == near(kPi * 100));
    const auto arc = [&](double from, double to, ArcShape shape, std::uint16_t stroke = 0,
                         LineCap cap = LineCap::butt) {
        return DrawItem{.x = 100,
                        .y = 100,
                        .w = 80,
                        .h = 80,
                        .ref = turns(from, to),
                        .stroke = stroke,
                        .origin_x = static_cast<std::uint8_t>(shape),
                        .origin_y = static_cast<std::uint8_t>(cap),
                        .kind = DrawKind::arc};
    };
    CHECK(area_of(arc(0.1, 0.35, ArcShape::pie)) == near(kPi * 6400 / 4));
    CHECK(area_of(arc(0.1, 0.85, ArcShape::pie)) == near(kPi * 6400 * 3 / 4));
    CHECK(area_of(arc(0.9, 0.15, ArcShape::pie)) == near(kPi * 6400 / 4));
    CHECK(area_of(arc(0.3, 0.3, ArcShape::pie)) == near(kPi * 6400));
    CHECK(area_of(arc(0.3, 0.3, ArcShape::pie, 160)) == near(kPi * (6400 - 4900)));
    CHECK(area_of(arc(0.1, 0.35, ArcShape::closed)) == near(kPi * 1600 - 3200));
    CHECK(area_of(arc(0.2, 0.95, ArcShape::closed)) == near(kPi * 4800 + 3200));
    // What is within 10 pixels of the edges: a pie without a smaller one, whose area is an integral.
    CHECK(area_of(arc(0.1, 0.35, ArcShape::pie, 160)) == near(kPi * 1600 - 2553.2));
    // A quarter of a ring, with ends of each kind, and a whole ring.
    CHECK(area_of(arc(0.1, 0.35, ArcShape::open, 10 * 16)) == near(kPi * 160 * 10 / 4));
    CHECK(area_of(arc(0.1, 0.35, ArcShape::open, 10 * 16, LineCap::round)) ==
          near(kPi * 160 * 10 / 4 + kPi * 25));
    CHECK(area_of(arc(0.5, 0.5, ArcShape::open, 10 * 16)) == near(kPi * 160 * 10));
    DrawItem flat = arc(0.1, 0.6, ArcShape::pie);
    flat.h = 20;
    CHECK(area_of(flat) == near(kPi * 80 * 20 / 2));
}

TEST_CASE("a matrix scales the area of a shape by its determinant") {
    const View view{0.9F, 0.5F, 20, -0.3F, 0.7F, 110, std::sqrt(0.9F * 0.7F + 0.3F * 0.5F), false, false};
    const double determinant = 0.9 * 0.7 + 0.3 * 0.5;
    const DrawItem items[] = {
        {.x = 20, .y = 20, .w = 90, .h = 50, .angle = 3000},
        {.x = 20, .y = 20, .w = 90, .h = 50, .ref = 160},
        {.x = 70, .y = 50, .w = 60, .h = 30, .angle = 9000, .kind = DrawKind::circle},
        {.x = 70, .y = 50, .w = 50, .h = 50, .ref = turns(0.2, 0.9), .kind = DrawKind::arc},
    };
    for (const DrawItem& item : items) CHECK(area_of(item, view) == near(area_of(item) * determinant));
}

TEST_CASE("an arc goes clockwise from its first angle, and counterclockwise in a mirror") {
    const DrawItem arc{.x = 100, .y = 100, .w = 80, .h = 80, .ref = turns(0, 0.25), .kind = DrawKind::arc};
    const auto has = [](const Pixels& pixels, int x, int y) { return pixels.places.contains({x, y}); };
    const Pixels as_is = pixels_of(arc);
    CHECK((has(as_is, 130, 130) && !has(as_is, 70, 130) && !has(as_is, 130, 70) && !has(as_is, 70, 70)));
    const Pixels mirrored = pixels_of(arc, {-1, 0, 200, 0, 1, 0, 1, true, true});
    CHECK((has(mirrored, 70, 130) && !has(mirrored, 130, 130) && !has(mirrored, 70, 70)));
}

TEST_CASE("shapes with a common edge neither gap nor overlap") {
    std::set<std::pair<int, int>> all;
    std::size_t sum = 0;
    // A pie in eleven slices.
    for (int i = 0; i < 11; ++i) {
        const auto from = static_cast<std::uint32_t>(i * 5957), to = static_cast<std::uint32_t>(i + 1) * 5957;
        const Pixels slice = pixels_of({.x = 100.3F,
                                        .y = 99.8F,
                                        .w = 70,
                                        .h = 70,
                                        .ref = from | (to & 0xFFFFU) << 16U,
                                        .kind = DrawKind::arc});
        all.insert(slice.places.begin(), slice.places.end());
        sum += slice.places.size();
    }
    CHECK(all.size() == Approx(kPi * 4900).epsilon(0.01));
    CHECK(sum - all.size() <= 4);
}

TEST_CASE("divided boxes are the same pixels, and none is of medium width") {
    Spans spans;
    ShapeOutline outline;
    for (const float width : {1.0F, 15.0F, 16.0F, 45.0F, 127.0F, 128.0F, 180.0F}) {
        outline.set({.y = width, .w = width, .h = 1}, {});
        spans.add(outline, kAll);
    }
    const auto area = [&] {
        int sum = 0;
        for (const PixelBox& box : spans.boxes()) sum += box.width * box.height;
        return sum;
    };
    const int before = area();
    spans.divide();
    CHECK(area() == before);
    for (const PixelBox& box : spans.boxes()) CHECK((box.width <= 15 || box.width >= 128));
}

TEST_CASE("no pixel is outside of the clip, and a shape larger than numbers covers all of it") {
    const PixelBox clip{30, 40, 20, 10};
    const DrawItem disc{.x = 35, .y = 45, .w = 30, .h = 30, .kind = DrawKind::circle};
    CHECK(pixels_of(disc, {}, clip).places.size() == 200);
    DrawItem huge{.x = -1e30F, .y = -2e30F, .w = 3e30F, .h = 4e30F};
    CHECK(pixels_of(huge, {}, clip).places.size() == 200);
    huge.angle = 1;
    CHECK(pixels_of(huge, {}, clip).places.size() == 200);
    const DrawItem away{.x = 300, .y = 45, .w = 30, .h = 30, .kind = DrawKind::circle};
    CHECK(pixels_of(away, {}, clip).places.empty());
    const DrawItem nothing{.x = NAN, .y = 45, .w = 30, .h = 30, .kind = DrawKind::circle};
    CHECK(pixels_of(nothing, {}, clip).places.empty());
}

TEST_CASE("a filled shape smaller than a pixel is one pixel, and a stroke has no holes") {
    const auto one = pixels_of({.x = 20.9F, .y = 30.1F, .w = 0.2F, .h = 0.2F, .kind = DrawKind::circle});
    CHECK(one.places == std::set<std::pair<int, int>>{{20, 30}});
    const auto ring =
        pixels_of({.x = 100, .y = 100, .w = 50, .h = 50, .stroke = 16, .kind = DrawKind::circle});
    // Going from pixel to pixel, nothing gets out.
    std::set<std::pair<int, int>> reached{{100, 100}};
    std::vector<std::pair<int, int>> open{{100, 100}};
    while (!open.empty()) {
        const auto [x, y] = open.back();
        open.pop_back();
        for (const auto& next : {std::pair{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}}) {
            REQUIRE(std::hypot(next.first - 100, next.second - 100) < 60);
            if (!ring.places.contains(next) && reached.insert(next).second) open.push_back(next);
        }
    }
    CHECK(reached.size() > 7000);
}
