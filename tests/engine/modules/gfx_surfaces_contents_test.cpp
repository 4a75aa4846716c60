// Canvases that scripts draw into after they were shown: what later calls show, and the messages of the
// limits.
#include "engine/session/game_session.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

std::unique_ptr<Engine> played(GameFolder& game, int frames = 1) {
    auto engine = game.play();
    run(*engine, frames);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return engine;
}

// The passes of the last frame, one after the other.
std::string passes(Engine& engine) {
    std::string all;
    for (const CanvasPass& pass : engine.surfaces().take_passes()) {
        all += "into #" + std::to_string(pass.target->image);
        if (pass.copied != nullptr) all += " from #" + std::to_string(pass.copied->image);
        all += "\n" + pass.list->dump(engine.images());
    }
    return all;
}

// With the ids of canvases.
std::string on_screen(Engine& engine) { return engine.draw_list().dump(engine.images()); }

// The message of the error of draw().
std::string failure(const std::string& draw, const std::string& before) {
    GameFolder game{before + "\nfunction draw()\n" + draw + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    return errors.empty() ? "no error" : errors.back().message;
}

}  // namespace

TEST_CASE("two canvases are drawn into each other in turn") {
    GameFolder game{R"(
        local a, b = gfx.canvas(8, 8), gfx.canvas(8, 8)
        function draw()
          gfx.set_canvas(a)
          gfx.circle("fill", 4, 4, 2)
          gfx.set_canvas(b)
          gfx.image(a, 1, 0)
          gfx.set_canvas(a)
          gfx.image(b, 0, 1)
          gfx.set_canvas()
          gfx.image(a, 0, 0)
        end)"};
    const auto engine = played(game, 3);
    CHECK(passes(*engine) ==
          "into #61440\ncamera 4,4 zoom 1\nworld 0 circle at 4,4 radius 2 #ffffffff\n"
          "into #61441\ncamera 4,4 zoom 1\nworld 0 sprite at 1,0 size 8x8 #61440 [0,0 8x8] #ffffffff\n"
          "into #61440\ncamera 4,4 zoom 1\nworld 0 sprite at 0,1 size 8x8 #61441 [0,0 8x8] #ffffffff\n");
    CHECK(engine->surfaces().count() == 2);
}

TEST_CASE("images, parts, meshes and shaders show a canvas as it is when they are drawn") {
    GameFolder game{R"(
        local a = gfx.canvas(8, 8)
        local part = gfx.style { quad = { 1, 2, 3, 4 } }
        local mesh = gfx.mesh({ { 0, 0 }, { 8, 0 }, { 0, 8 } }, { image = a })
        local mix = gfx.shader [[
          extern Image other;
          vec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) { return Texel(image, at) * Texel(other, at); }
        ]]
        mix:send("other", a)
        local function show()
          gfx.image(a, 0, 0)
          gfx.image(a, 0, 0, part)
          gfx.sprite(a, 0, 5, 5)
          gfx.draw_mesh(mesh, 1, 1)
          gfx.rectangle("fill", 1, 1, 2, 2)
        end
        function draw()
          gfx.set_shader(mix)
          show()
          gfx.set_canvas(a)
          gfx.circle("fill", 4, 4, 2)
          gfx.set_canvas()
          show()
        end)"};
    const auto engine = played(game, 3);
    std::string first = on_screen(*engine), second;
    INFO(first);
    const std::size_t middle = first.find("#61441");
    REQUIRE(middle != first.npos);
    second = first.substr(first.rfind("\n", first.rfind("shader", middle)) + 1);
    first.resize(first.size() - second.size());
    for (const std::string text : {"other canvas 1", "[0,0 8x8]", "[1,2 3x4]", "origin 0.5,0.5", "mesh"}) {
        INFO(text);
        CHECK(contains(first, text));
    }
    for (const std::string text :
         {"other canvas 2", "#61441 [0,0 8x8]", "#61441 [1,2 3x4]", "origin 0.5,0.5", "mesh"}) {
        INFO(text);
        CHECK(contains(second, text));
    }
    CHECK_FALSE(contains(first, "#61441"));
    CHECK_FALSE(contains(second, "#61440"));
    CHECK(engine->surfaces().count() == 2);
}

// Canvases a and b, and a shader that shows a.
constexpr char kMix[] = R"(
        local a, b = gfx.canvas(8, 8), gfx.canvas(8, 8)
        local mix = gfx.shader [[
          extern Image other;
          vec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) { return Texel(other, at); }
        ]]
        mix:send("other", a))";

TEST_CASE("a shader that was set once shows what its canvas is at each call") {
    GameFolder game{kMix + std::string{R"(
        function draw()
          gfx.set_canvas(b)
          gfx.set_shader(mix)
          gfx.rectangle("fill", 0, 0, 1, 1)
          gfx.set_canvas(a)
          gfx.rectangle("fill", 0, 0, 2, 2)
          gfx.set_canvas(b)
          gfx.rectangle("fill", 0, 0, 3, 3)
        end)"}};
    const auto engine = played(game, 2);
    const std::string all = passes(*engine);
    INFO(all);
    CHECK(all.find("into #61441") < all.find("size 1x1"));
    CHECK(all.find("size 1x1") < all.find("into #61440"));
    CHECK(all.find("size 2x2") < all.rfind("into #61441"));
    CHECK(all.rfind("into #61441") < all.find("size 3x3"));
}

TEST_CASE("a shader whose canvas has no more passes is reported once") {
    GameFolder game{kMix + std::string{R"(
        function draw()
          for i = 1, 130 do
            gfx.set_canvas(b)
            gfx.set_shader(mix)
            gfx.rectangle("fill", 0, 0, 1, 1)
            gfx.set_shader()
            if i < 130 then gfx.set_canvas(a) end
          end
        end)"}};
    const auto engine = game.play();
    run(*engine, 3);
    const std::string what = "canvases take turns too often";
    INFO(game.log);
    CHECK(contains(game.log, what));
    CHECK(game.log.find(what) == game.log.rfind(what));
}

TEST_CASE("a canvas that is cleared after it was shown starts again, and what was shown stays") {
    GameFolder game{R"(
        local a = gfx.canvas(8, 8)
        function draw()
          for x = 1, 3 do
            gfx.clear_canvas(a, "red")
            gfx.set_canvas(a)
            gfx.rectangle("fill", 0, 0, x, x)
            gfx.set_canvas()
            gfx.image(a, x, 0)
          end
        end)"};
    const auto engine = played(game, 5);
    const std::string all = passes(*engine);
    INFO(all);
    CHECK_FALSE(contains(all, "from"));
    CHECK(contains(all, "into #61442\ncamera 4,4 zoom 1\nworld 0 rectangle at 0,0 size 3x3"));
    CHECK(contains(on_screen(*engine), "at 1,0 size 8x8 #61440"));
    CHECK(contains(on_screen(*engine), "at 2,0 size 8x8 #61441"));
    CHECK(contains(on_screen(*engine), "at 3,0 size 8x8 #61442"));
    CHECK(engine->surfaces().count() == 3);
}

TEST_CASE("a view on a canvas shows what calls draw for the world, with all contents of a canvas") {
    GameFolder game{
        "local ecs, gfx = require 'ecs', require 'gfx'\n"
        "local map, a = gfx.canvas(20, 20, { name = 'map' }), gfx.canvas(4, 4)\n"
        "ecs.world:spawn(ecs.components.Position { x = 0, y = 0 }, gfx.View { canvas = 'map' })\n"
        "ecs.system('draw', { group = 'presentation', run = function()\n"
        "for x = 1, 2 do gfx.set_canvas(a) gfx.circle('fill', x, 1, 1) gfx.set_canvas()\n"
        "gfx.image(a, x, 0) end\n"
        "gfx.set_space('screen') gfx.image(map, 50, 50) end })",
        "require('ecs').component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })"};
    const auto engine = played(game, 2);
    std::string all;
    for (const CanvasPass& pass : engine->surfaces().take_passes())
        all += std::to_string(pass.target->image) + ' ';
    CHECK(all == "61441 61442 61440 ");
    const std::string seen = engine->surfaces().find(kFirstSurface)->picture.list->dump(engine->images());
    CHECK(contains(seen, "#61441"));
    CHECK(contains(seen, "#61442"));
}

TEST_CASE("canvases that take turns without end are an error, not a slow frame") {
    const std::string two = "local a, b = gfx.canvas(4, 4), gfx.canvas(4, 4)";
    CHECK(
        failure(
            "for i = 1, 200 do gfx.set_canvas(a) gfx.image(b, 0, 0) gfx.set_canvas(b) gfx.image(a, 0, 0) end",
            two) ==
        "gfx.set_canvas: canvases take turns too often: a canvas that is drawn into after it was shown needs "
        "another pass, and this mod can have 256 of them in a frame; draw all that goes into a canvas before "
        "you "
        "show it");
    CHECK(failure("for i = 1, 200 do gfx.set_canvas(a) gfx.set_canvas() gfx.image(a, 0, 0) end", two) ==
          "gfx.set_canvas: canvases have too many contents: the screen shows a canvas as it is when "
          "gfx.image is "
          "called, so each content takes the room of one more canvas, and this mod can have 64 of them in a "
          "frame; "
          "draw all that goes into a canvas before you show it");
    CHECK(contains(failure("for i = 1, 200 do gfx.clear_canvas(a) gfx.image(a, 0, 0) end", two),
                   "gfx.clear_canvas: canvases have too many contents"));
    CHECK(contains(failure("gfx.set_canvas(a) gfx.rectangle('fill', 0, 0, 1, 1) for i = 1, 400 do\n"
                           "gfx.clear_canvas(b) gfx.image(b, 0, 0) end",
                           two),
                   ": canvases take turns too often"));
    CHECK(contains(
        failure("gfx.image(a, 0, 0) gfx.set_canvas(a) return all",
                "local a, all = gfx.canvas(2048, 2048), {}\n"
                "while pcall(function() all[#all + 1] = gfx.canvas(2048, 1024) end) do end"),
        "gfx.set_canvas: the screen shows this canvas as it was, so drawing into it again takes the room "
        "of one more canvas of 2048 x 2048, and this mod has none"));
}
