// Outlines of shapes: their forms, and that a matrix moves each point of them.
#include "engine/sdl/mesh/shape_outline.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace perigee;
using Form = ShapeOutline::Form;

namespace {

ShapeOutline outline_of(const DrawItem& item, const View& view = {}) {
    ShapeOutline outline;
    outline.set(item, view);
    return outline;
}

// From a point to a closed polygon.
double distance_to(const std::vector<WindowPoint>& polygon, WindowPoint p) {
    double nearest = 1e9;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const WindowPoint a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        const double part =
            length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
        nearest = std::min(nearest, std::hypot(a.x + dx * part - p.x, a.y + dy * part - p.y));
    }
    return nearest;
}

}  // namespace

TEST_CASE("a shape is boxes, a fan, a ring or a band") {
    CHECK(outline_of({.w = 5, .h = 5}).boxes.size() == 1);
    CHECK(outline_of({.w = 5, .h = 5, .stroke = 16}).boxes.size() == 4);
    CHECK(outline_of({.w = 5, .h = 5, .angle = 9}).form == Form::fan);
    CHECK(outline_of({.w = 50, .h = 50, .angle = 9, .stroke = 16}).form == Form::ring);
    CHECK(outline_of({.w = 5, .h = 5, .kind = DrawKind::circle}).form == Form::fan);
    CHECK(outline_of({.w = 5, .h = 5, .stroke = 16, .kind = DrawKind::circle}).form == Form::ring);
    CHECK(outline_of({.w = 5, .h = 5, .stroke = 99, .kind = DrawKind::circle}).form == Form::fan);
    CHECK(outline_of({.w = 5, .h = 5, .stroke = 16, .kind = DrawKind::line}).form == Form::band);
    CHECK(outline_of({.w = 5, .h = 0, .stroke = 16, .kind = DrawKind::line}).form == Form::boxes);
    CHECK(outline_of({.w = 5, .h = 5, .kind = DrawKind::sprite}).form == Form::nothing);
    CHECK(outline_of({.w = NAN, .h = 5, .kind = DrawKind::circle}).form == Form::nothing);
    CHECK(outline_of({.w = 5, .h = INFINITY}).form == Form::nothing);
}

TEST_CASE("the outline through a matrix is the outline, each point of it through the matrix") {
    std::mt19937 random{5};
    const auto number = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() % 1001) / 1000.0F;
    };
    for (int round = 0; round < 500; ++round) {
        DrawItem item{.x = number(-50, 50), .y = number(-50, 50), .w = number(20, 90), .h = number(20, 90)};
        constexpr DrawKind kKinds[] = {DrawKind::rectangle, DrawKind::circle, DrawKind::arc};
        item.kind = kKinds[round % 3];
        item.angle = static_cast<std::uint16_t>(1 + random() % 65535);
        item.stroke = static_cast<std::uint16_t>(random() % 2 * (40 + random() % 60));
        item.origin_x = static_cast<std::uint8_t>(random() % 3);
        item.ref = static_cast<std::uint32_t>(item.kind == DrawKind::arc ? random() : random() % 160);
        // Of area one, so that the stroke is as wide.
        const float a = number(0.5F, 2), b = number(-1, 1), c = number(-1, 1);
        const View view{a, b, number(-90, 90), c, (1 + b * c) / a, number(-90, 90), 1, false, false};
        const ShapeOutline plain = outline_of(item), seen = outline_of(item, view);
        CAPTURE(round, item.stroke, item.origin_x);
        REQUIRE(plain.form == seen.form);
        const auto compare = [&](const std::vector<WindowPoint>& from, const std::vector<WindowPoint>& to) {
            REQUIRE(from.empty() == to.empty());
            std::vector<WindowPoint> moved;
            for (const WindowPoint& p : from) moved.push_back(view.placed(p.x, p.y));
            for (const WindowPoint& p : to) REQUIRE(distance_to(moved, p) < 1.0);
        };
        compare(plain.outer, seen.outer);
        compare(plain.inner, seen.inner);
        REQUIRE((seen.inner.empty() || seen.inner.size() == seen.outer.size()));
    }
}

TEST_CASE("an uneven matrix stretches the round corners and the stroke of a level rectangle") {
    View view{.xx = 4, .yy = 1};
    view.scale = 2;
    view.is_similar = false;
    DrawItem item{.x = 10, .y = 20, .w = 60, .h = 50, .stroke = quantised_stroke(6)};
    item.ref = quantised_corner(15);
    const ShapeOutline outline = outline_of(item, view);
    REQUIRE(outline.form == Form::ring);
    const auto edges = [](const std::vector<WindowPoint>& points) {
        const auto [left, right] = std::ranges::minmax(points, {}, &WindowPoint::x);
        const auto [top, bottom] = std::ranges::minmax(points, {}, &WindowPoint::y);
        return std::array{left.x, right.x, top.y, bottom.y};
    };
    const std::array outer{40.0F, 280.0F, 20.0F, 70.0F}, inner{64.0F, 256.0F, 26.0F, 64.0F};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(edges(outline.outer)[i] == Approx(outer[i]));
        CHECK(edges(outline.inner)[i] == Approx(inner[i]));
    }
    // Each corner is a quarter of an ellipse.
    const auto is_at = [&](float x, float y) {
        return std::ranges::any_of(
            outline.outer, [&](WindowPoint point) { return std::hypot(point.x - x, point.y - y) < 0.01F; });
    };
    CHECK(is_at(40, 35));
    CHECK(is_at(100, 20));
}

TEST_CASE("a line is as wide as its stroke through any matrix, and never thinner than a pixel") {
    const View sheared{2, 1, 0, 0, 2, 0, 2, false, false};
    const ShapeOutline line =
        outline_of({.w = 30, .h = 40, .stroke = 5 * 16, .kind = DrawKind::line}, sheared);
    REQUIRE(line.outer.size() == 2);
    CHECK(std::hypot(line.outer[0].x - line.inner[0].x, line.outer[0].y - line.inner[0].y) == Approx(10));
    const ShapeOutline thin = outline_of({.w = 30, .h = 40, .stroke = 1, .kind = DrawKind::line});
    CHECK(std::hypot(thin.outer[0].x - thin.inner[0].x, thin.outer[0].y - thin.inner[0].y) == Approx(1));
}

TEST_CASE("the visible part of an endless line is on the line") {
    const DrawItem item{.x = 0, .y = 0, .w = 1e6F, .h = 5e5F, .stroke = 16, .kind = DrawKind::line};
    const auto line = line_in_window(item, {});
    REQUIRE(line);
    CHECK(line->x1 <= kFarthest);
    CHECK(line->y1 == Approx(line->x1 / 2));
    CHECK_FALSE(line_in_window({.x = 1e6F, .y = 0, .w = 2e6F, .h = 0, .kind = DrawKind::line}, {}));
}
