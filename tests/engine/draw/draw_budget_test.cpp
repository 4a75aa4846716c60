// The cost of items, and that everything drawn with gfx.* counts against the budget.
#include "engine/draw/draw_budget.h"

#include "engine/draw/draw_list.h"
#include "engine/draw/painter.h"
#include "tests/engine/game_folder.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace perigee {
namespace {

constexpr DrawSurface kSurface{1, 1000, 500};

TEST_CASE("a rectangle costs its visible pixels, and a circle a limited number of vertices") {
    DrawItem box{.w = 100, .h = 50, .kind = DrawKind::rectangle};
    CHECK(draw_cost(box, kSurface, 0).pixels == 5000);
    box.w = box.h = 1e9F;
    CHECK(draw_cost(box, kSurface, 0).pixels == 500'000);
    box.w = box.h = 10;
    CHECK(draw_cost(box, {1000, 1000, 500}, 0).pixels == 500'000);
    box.flags = kDrawScreen;
    CHECK(draw_cost(box, {1000, 1000, 500}, 0).pixels == 100);
    DrawItem circle{.w = 1e6F, .kind = DrawKind::circle};
    CHECK(draw_cost(circle, kSurface, 0).vertices == 256);
    circle.stroke = 256;
    CHECK(draw_cost(circle, kSurface, 0).vertices == 512);
    CHECK(draw_cost({.h = 20, .kind = DrawKind::text}, kSurface, 10).vertices == 40);
    DrawItem odd{.w = std::numeric_limits<float>::quiet_NaN(), .h = 1, .kind = DrawKind::rectangle};
    CHECK(std::isfinite(draw_cost(odd, kSurface, 0).pixels));
}

TEST_CASE("a line costs its visible pixels") {
    const auto pixels = [](float x, float y, std::uint16_t stroke) {
        return draw_cost({.w = x, .h = y, .stroke = stroke, .kind = DrawKind::line}, kSurface, 0).pixels;
    };
    CHECK(pixels(300, 400, 16) == 500);
    CHECK(pixels(300, 400, 1) == 500);  // no line is thinner than a pixel
    CHECK(pixels(1e9F, 0, 16) == 1000);
    CHECK(pixels(300, 400, 64) == 500 * 4);
    CHECK(pixels(300, 0, 64) == 300 * 4);
    CHECK(pixels(1e9F, 1e9F, 4096) <= 500'000);
}

TEST_CASE("an exceeded budget stays exceeded until the next frame") {
    DrawBudget budget({.vertices = 100, .screens = 2, .font_sizes = 2});
    const DrawItem box{.w = 1, .h = 1, .kind = DrawKind::rectangle};
    for (int i = 0; i < 25; ++i) REQUIRE(budget.take(box, kSurface, 0));
    CHECK(!budget.take(box, kSurface, 0));
    CHECK(!budget.take({.kind = DrawKind::line}, kSurface, 0));
    budget.begin_frame();
    const DrawItem full{.w = 1e6F, .h = 1e6F, .kind = DrawKind::rectangle};
    CHECK(budget.take(full, kSurface, 0));
    CHECK(budget.take(full, kSurface, 0));
    CHECK(!budget.take(full, kSurface, 0));
    budget.begin_frame();
    for (const float size : {10.0F, 12.0F, 10.0F})
        CHECK(budget.take({.h = size, .kind = DrawKind::text}, kSurface, 1));
    CHECK(!budget.take({.h = 13, .kind = DrawKind::text}, kSurface, 1));
}

TEST_CASE("text sizes are counted in whole pixels, and the limit that was passed is known") {
    DrawBudget budget({.vertices = 1e6, .screens = 2, .font_sizes = 2});
    for (int i = 0; i < 100; ++i) {
        const float size = 9.6F + 0.008F * static_cast<float>(i);  // 10 pixels
        CHECK(budget.take({.h = size, .kind = DrawKind::text}, kSurface, 1));
    }
    CHECK(budget.take({.h = 12, .kind = DrawKind::text}, kSurface, 1));
    CHECK_FALSE(budget.take({.h = 13, .kind = DrawKind::text}, kSurface, 1));
    CHECK(budget.exceeded() == DrawBudget::Limit::text_sizes);
    budget.begin_frame();
    for (int i = 0; i < 3; ++i) budget.take({.w = 1e6F, .h = 1e6F, .kind = DrawKind::rectangle}, kSurface, 0);
    CHECK(budget.exceeded() == DrawBudget::Limit::pixels);
}

// Draws on kSurface, and is charged for it.
struct ChargedPainter {
    DrawBudget budget{{.vertices = 1e6, .screens = 8, .font_sizes = 1}};
    DrawList list;
    const ImageTable images;
    Painter painter;

    ChargedPainter() {
        painter.begin_frame(list, images);
        painter.use_budget(&budget, kSurface);
    }
};

TEST_CASE("lines and polygons cost what fits into the picture, however far they reach") {
    ChargedPainter charged;
    Painter& painter = charged.painter;
    std::vector<Point> curve;  // y = 1 / x
    for (int i = -200; i <= 200; ++i) {
        const float x = static_cast<float>(i) / 20.0F + 1e-7F;
        curve.push_back({500 + x * 20, 250 - 60 / x});
    }
    painter.polyline(curve, false);
    CHECK_FALSE(charged.budget.is_used_up());
    const Point large[] = {{-1e6F, -1e6F}, {1e6F, -1e6F}, {0, 1e6F}};
    for (int i = 0; i < 4; ++i) painter.polygon(true, large);
    CHECK_FALSE(charged.budget.is_used_up());
    for (int i = 0; i < 8; ++i) painter.polygon(true, large);
    CHECK(charged.budget.is_used_up());
}

TEST_CASE("an item is charged at the zoom of its own camera") {
    ChargedPainter charged;
    Painter& painter = charged.painter;
    painter.set_camera({0, 0, 0.001F});
    for (int i = 0; i < 1000; ++i) painter.rectangle(true, 0, 0, 1000, 500);
    CHECK(!charged.budget.is_used_up());
    painter.set_camera({0, 0, 1});
    for (int i = 0; i < 7; ++i) painter.rectangle(true, 0, 0, 1000, 500);
    CHECK(!charged.budget.is_used_up());
    painter.rectangle(true, 0, 0, 1000, 500);
    CHECK(charged.budget.is_used_up());
}

// One hostile mod beside a game that draws; what the log says after the first picture.
std::string draw_beside(const std::string& body) {
    test::GameFolder game(
        "local gfx = require 'gfx' function draw() gfx.rectangle('fill', 0, 0, 10, 10) end");
    game.write("mods/evil/mod.json", "{}");
    game.write(
        "mods/evil/main.lua",
        "local gfx, ecs = require 'gfx', require 'ecs'\necs.system('paints', { group = 'presentation', run = "
        "function()\n" +
            body + "\nend })");
    const std::unique_ptr<Engine> engine = game.play();
    test::run(*engine, 1);
    CHECK(engine->draw_list().items().size() >= 1);
    CHECK(engine->draw_list().items().size() < 60'000);
    return game.log;
}

TEST_CASE("excessive drawing is an error of the mod that draws") {
    for (const char* const body :
         {"for i = 1, 3e5 do gfx.circle('line', 0, 0, 1e6) end",
          "for i = 1, 49000 do gfx.rectangle('fill', 0, 0, 1e6, 1e6) end",
          "for i = 1, 20000 do gfx.circle('fill', 0, 0, 500) end",
          "for i = 1, 2000 do gfx.print('abc', 0, 0, 8 + i / 100) end",
          "for i = 1, 50 do gfx.print('abc', 0, 0, { size = 20, outline = i / 9 }) end",
          "for i = 1, 20 do gfx.print(('x'):rep(100), 0, 0, { size = 60, outline = 2 }) end",
          "for i = 1, 1000 do gfx.print(('x'):rep(1000), 0, 0, 5) end",
          "for i = 1, 1e5 do gfx.line(0, 0, 1e5, 1e5) end"}) {
        INFO(body);
        CHECK(draw_beside(body).find("this mod draws more than its limit per frame") != std::string::npos);
    }
    CHECK(draw_beside("for i = 1, 5000 do gfx.rectangle('fill', i, i, 10, 10) end").empty());
}

}  // namespace
}  // namespace perigee
