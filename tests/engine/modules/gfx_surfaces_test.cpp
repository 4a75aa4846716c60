// gfx.pixels and gfx.canvas in scripts: what they do, how they are drawn, and the message of each error.
#include "engine/modules/gfx_surfaces.h"

#include "engine/session/game_session.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"
#include "tests/support/png_files.h"

#include <string>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

// Runs main.lua for a frame; it checks itself.
void plays(const std::string& main, int frames = 1) {
    GameFolder game{main};
    const auto engine = game.play();
    run(*engine, frames);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

// The message of the error that this line of draw() ends in.
std::string failure(const std::string& line, const std::string& before = "p = gfx.pixels(4, 3)") {
    GameFolder game{"local p\n" + before + "\nfunction draw()\n" + line + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().file == "main.lua");
    CHECK(errors.back().line == 4);
    return errors.back().message;
}

}  // namespace

TEST_CASE("pixels are read and written by number, by place and in bulk") {
    plays(R"(
        local p = gfx.pixels(4, 3)
        assert(p.width == 4 and p.height == 3 and #p == 12 and tostring(p) == "pixels of 4 x 3")
        assert(p[1] == 0 and p:get(3, 2) == 0)
        p[6] = 0x11223344
        assert(p[6] == 0x11223344 and p:get(1, 1) == 0x11223344)
        p:set(3, 2, "#ff0000")
        assert(p[12] == 0xff0000ff)
        p[12] = "#00ff0080"
        assert(p:get(3, 2) == 0x00ff0080)
        p:fill(0xffffffff)
        for i = 1, #p do assert(p[i] == 0xffffffff) end
        p:rect(-1, 1, 3, 1000, "black")
        assert(p:get(1, 0) == 0xffffffff and p:get(0, 1) == 0xff and p:get(1, 2) == 0xff and p:get(2, 2) == 0xffffffff)
        p:rect(0, 0, 0, 5, 1) p:rect(0, 0, -3, 5, 1) p:rect(9, 9, 5, 5, 1) p:rect(-1e300, 0, 1e300, 1, 1)
        assert(p[1] == 0xffffffff)
        p:row(2, { 1, 2, "#ff0000" }, 1)
        assert(p[9] == 0xff and p[10] == 1 and p[11] == 2 and p[12] == 0xff0000ff)
        p:row(0, {})
        local q = gfx.pixels(2, 2, { filter = "linear" })
        q:fill(7)
        p:copy(q, 3, -1)
        assert(p[4] == 7 and p[3] == 0xffffffff and p[8] == 0xffffffff)
        p:copy(p, 1, 0)
        assert(p[2] == 0xffffffff and p[1] == 0xffffffff and p[12] == 2)
        assert(p == p and p ~= q)
        function update() p[1] = 5 end
        function draw() assert(p[1] == 5) end)");
}

TEST_CASE("pixels of a file have its size and its colours, and can be written") {
    GameFolder game{R"(
        local p = gfx.pixels("assets/level.png", { wrap = "repeat" })
        assert(p.width == 3 and p.height == 2 and #p == 6)
        for y = 0, 1 do
            for x = 0, 2 do assert(p:get(x, y) == (x * 10) * 0x1000000 + (y * 20) * 0x10000 + 5 * 0x100 + 200) end
        end
        p[1] = "#ff0000"
        assert(p[1] == 0xff0000ff and p[2] == 0x0a0005c8)
        local function message(...) return select(2, pcall(gfx.pixels, ...)) end
        local function ends(text, part) assert(text:sub(-#part) == part, text) end
        ends(message("assets/none.png"), "gfx.pixels: 'assets/none.png' is missing or no image")
        ends(message("assets/wide.png"), "gfx.pixels: 'assets/wide.png' has 5000 x 1 pixels; at most 4096 x 4096 are possible")
        assert(message("assets/broken.png"):find("gfx.pixels: 'assets/broken.png': ", 1, true))
        assert(message("assets/level.txt"):find("expected the path of an image", 1, true)))"};
    game.write("assets/level.png", png_file(3, 2, [](std::uint32_t x, std::uint32_t y) {
                   return Rgba{static_cast<std::uint8_t>(x * 10), static_cast<std::uint8_t>(y * 20), 5, 200};
               }));
    game.write("assets/wide.png", png_head(5000, 1));
    game.write("assets/broken.png", png_head(4, 4));
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("compiled loops read and write what interpreted ones do") {
    plays(R"(
        local p, t = gfx.pixels(64, 64), {}
        for i = 1, #p do t[i] = 0 end
        local random = 12345
        for round = 1, 30 do
          for i = 1, #p do
            random = (random * 1103515245 + 12345) % 4294967296
            local at = random % 4096 + 1
            p[at] = random
            t[at] = random
            if i % 3 == 0 then p:set((at - 1) % 64, math.floor((at - 1) / 64), random) end
          end
          for y = 0, 63 do
            for x = 0, 63 do assert(p:get(x, y) == t[y * 64 + x + 1] and p[y * 64 + x + 1] == p:get(x, y)) end
          end
        end
        function draw() end)");
}

TEST_CASE("pixels are drawn like an image") {
    GameFolder game{R"(
        local p = gfx.pixels(20, 10)
        local w, h = gfx.image_size(p)
        assert(w == 20 and h == 10)
        function draw()
          gfx.image(p, 1, 2)
          gfx.image(p, 3, 4, { quad = { 5, 5, 10, 10 }, scale = 2 })
          gfx.sprite(p, 0, 50, 60)
        end)"};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->draw_list().dump(engine->images()) ==
          "camera 640,360 zoom 1\n"
          "world 0 sprite at 1,2 size 20x10 #63488 [0,0 20x10] #ffffffff\n"
          "world 0 sprite at 3,4 size 20x10 #63488 [5,5 10x5] #ffffffff\n"
          "world 0 sprite at 50,60 size 20x10 #63488 [0,0 20x10] origin 0.5,0.5 #ffffffff\n");
}

TEST_CASE("mistakes with pixels are errors that name the function and the value") {
    CHECK(failure("p[0] = 1") == "pixels: index 0 is out of range, these are pixels 1 to 12");
    CHECK(failure("p[13] = 1") == "pixels: index 13 is out of range, these are pixels 1 to 12");
    CHECK(failure("return p[0/0]") == "pixels: index nan is out of range, these are pixels 1 to 12");
    CHECK(failure("return p[-1e300]") == "pixels: index -1e+300 is out of range, these are pixels 1 to 12");
    CHECK(
        failure("p[1] = {}") ==
        "bad argument #1 to 'pixels[i] = colour': expected a colour (0xRRGGBBAA, \"#rrggbb\" or a name like "
        "\"red\"), got table");
    CHECK(contains(failure("p[1] = -1"), "got -1"));
    CHECK(contains(failure("p[1] = 2 ^ 32"), "got 4294967296"));
    CHECK(contains(failure("p[1] = 0 / 0"), "got"));
    CHECK(contains(failure("p[1] = 'blurple'"), "'blurple' is not a colour; did you mean 'purple'?"));
    CHECK(failure("p.width = 3") == "pixels are written one by one, as in pixels[i] = colour");
    CHECK(failure("p:filll(1)") == "pixels have no 'filll'; did you mean 'fill'?");
    CHECK(failure("p:getPixel(1, 1)") == "pixels have no 'getPixel'; write pixels:get(x, y)");
    CHECK(failure("p:get(4, 0)") == "pixels:get: there is no pixel 4, 0; x is from 0 to 3 and y from 0 to 2");
    CHECK(failure("p:set(0, -1, 1)") ==
          "pixels:set: there is no pixel 0, -1; x is from 0 to 3 and y from 0 to 2");
    CHECK(failure("p:set(1, 1, 1, 0.5, 0)") ==
          "pixels:set: one colour, as in gfx.color(1, 0.5, 0), instead of its parts");
    CHECK(failure("p:get('a', 1)") == "bad argument #1 to 'pixels:get': expected a finite number, got 'a'");
    CHECK(failure("p.get({}, 1, 1)") ==
          "bad argument #0 to 'pixels:get': expected pixels of gfx.pixels; call it with a colon, got table");
    CHECK(contains(failure("p.fill(nil, 1)"), "got nil"));
    CHECK(failure("p:row(3, { 1 })") ==
          "pixels:row: there is no pixel 0, 3; x is from 0 to 3 and y from 0 to 2");
    CHECK(failure("p:row(0, { 1, 2, 3 }, 2)") ==
          "pixels:row: 3 colours from column 2 on do not fit; a row has 4 pixels");
    CHECK(contains(failure("p:row(0, 5)"), "expected a list of colours, got 5"));
    CHECK(contains(failure("p:row(0, { 1, {} })"), "expected a colour"));
    CHECK(failure("p:copy({}, 0, 0)") ==
          "bad argument #1 to 'pixels:copy': expected pixels of gfx.pixels, got table");
    CHECK(failure("p:rect(1, 2, 1/0, 4, 1)") ==
          "bad argument #3 to 'pixels:rect': expected a finite number, got inf");
    CHECK(failure("gfx.pixels(0, 5)") ==
          "bad argument #1 to 'gfx.pixels': expected a whole number from 1 to 4096, got 0");
    CHECK(contains(failure("gfx.pixels(5, 5000)"), "got 5000"));
    CHECK(contains(failure("gfx.pixels(5, 1.5)"), "got 1.5"));
    CHECK(failure("gfx.pixels(5, 5, { filter = 'liner' })") ==
          "gfx.pixels: option 'filter': expected \"nearest\" or \"linear\", got 'liner'; did you mean "
          "'linear'?");
    CHECK(failure("gfx.pixels(5, 5, { filtre = 'linear' })") ==
          "gfx.pixels: unknown key 'filtre'; did you mean 'filter'?");
    CHECK(contains(failure("gfx.pixels(5, 5, 7)"), "expected a table of options, got 7"));
    CHECK(contains(failure("gfx.sheet(p, 2, 2)"), "expected the path of an image"));
}

TEST_CASE("a step of the simulation makes no pixels") {
    GameFolder game{"function update() gfx.pixels(1, 1) end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->session().scripts().recent_errors().back().message ==
          "gfx.pixels: not in a step of the simulation; do it while main.lua loads, or in draw()");
}

TEST_CASE("a game that takes too many pixels is told so, and what it drops makes room") {
    CHECK(
        failure("for i = 1, 4 do p[i] = gfx.canvas(4096, 4096) end gfx.pixels(4096, 4096)", "p = {}") ==
        "gfx.pixels: this mod has no room for 4096 x 4096 more pixels: all canvases and pixels together can "
        "have 67 million, and there can be 2048 of them, with a share for the game and each mod; drop what "
        "you "
        "no longer use");
    GameFolder game{"function draw() local p = gfx.pixels(1024, 1024) p[1] = 5 end"};
    const auto engine = game.play();
    run(*engine, 200);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(engine->surfaces().count() <= 65);
}

TEST_CASE("pixels do not change the world or what a step sees") {
    const auto hash_with = [](const std::string& line) {
        GameFolder game{"local p = gfx.pixels(8, 8)\nstate.x = 0\nfunction update() state.x = state.x + 1 " +
                        line + " end\nfunction draw() " + line + " gfx.image(p, 0, 0) end"};
        const auto engine = game.play();
        run(*engine, 5);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        return engine->hash();
    };
    CHECK(hash_with("") == hash_with("p:fill(0xff00ff00) p[3] = 5 p:set(1, 1, 9)"));
}

TEST_CASE("no path leads from pixels to memory that is not theirs") {
    plays(R"(
        local p = gfx.pixels(8, 8)
        local q = gfx.pixels(8, 8)
        assert(getmetatable(p) == "ffi" or not pcall(getmetatable, p) or type(getmetatable(p)) ~= "table")
        local seen = {}
        local liar = setmetatable({}, { __index = function(_, key) seen[#seen + 1] = key return 1 end })
        for _, name in ipairs { "get", "set", "fill", "rect", "row", "copy" } do
          assert(not pcall(p[name], liar, 0, 0, 1, 1, 1))
          assert(not pcall(p[name], "x", 0, 0, 1, 1, 1))
        end
        assert(not pcall(p.copy, p, liar, 0, 0))
        assert(#seen == 0, "a secret name was asked for")
        local keys = { 0, -1, 65, 2 ^ 31, 2 ^ 32 + 1, 2 ^ 53, 2 ^ 63, -2 ^ 63, 1e300, -1e300, 0 / 0, 1 / 0, -1 / 0, "1",
          true, {}, p, liar }
        for round = 1, 100 do
          for _, key in ipairs(keys) do
            assert(not pcall(function() return p[key] end))
            assert(not pcall(function() p[key] = 1 end))
            assert(key == 0 or not pcall(function() p:set(key, 0, 1) end))
            assert(key == 0 or not pcall(function() p:set(0, key, 1) end))
          end
        end
        for i = 1, 64 do assert(p[i] == 0 and q[i] == 0) end
        assert(not pcall(function() return p + 1 end) and not pcall(function() return p < q end))
        assert(not pcall(function() return p() end) and not pcall(function() return p .. "" end))
        function draw() end)");
}

// ---- canvases ---------------------------------------------------------------------------------------------

namespace {

// What the first canvas of a game got in the last frame.
std::string drawn_into_canvas(Engine& engine, std::uint32_t image = kFirstSurface) {
    const Surface* const surface = engine.surfaces().find(image);
    REQUIRE(surface != nullptr);
    return surface->picture.list ? surface->picture.list->dump(engine.images()) : "nothing";
}

}  // namespace

TEST_CASE("gfx.set_canvas sends drawing into a canvas and back to the screen") {
    GameFolder game{R"(
        local map = gfx.canvas(200, 100, { filter = "linear", msaa = true })
        assert(map.width == 200 and map.height == 100 and tostring(map) == "canvas of 200 x 100")
        local w, h = gfx.image_size(map)
        assert(w == 200 and h == 100)
        function draw()
          gfx.rectangle("fill", 1, 1, 1, 1)
          gfx.set_color("#ff0000")
          assert(gfx.get_canvas() == nil)
          gfx.set_canvas(map)
          gfx.circle("fill", 10, 20, 5)
          gfx.set_camera(50, 50, 2)
          gfx.rectangle("fill", 2, 2, 2, 2)
          assert(gfx.get_canvas() == map)
          gfx.set_canvas()
          assert(gfx.get_canvas() == nil)
          gfx.image(map, 0, 0)
          gfx.sprite(map, 0, 30, 40)
        end)"};
    const auto engine = game.play();
    run(*engine, 2);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(engine->surfaces().find(kFirstSurface)->desc.is_multisampled);
    CHECK(drawn_into_canvas(*engine) ==
          "camera 100,50 zoom 1\n"
          "world 0 circle at 10,20 radius 5 #ff0000ff\n"
          "camera 50,50 zoom 2\n"
          "world 0 rectangle at 2,2 size 2x2 #ff0000ff\n");
    CHECK(engine->draw_list().dump(engine->images()) ==
          "camera 640,360 zoom 1\n"
          "world 0 rectangle at 1,1 size 1x1 #ffffffff\n"
          "world 0 sprite at 0,0 size 200x100 #61440 [0,0 200x100] #ff0000ff\n"
          "world 0 sprite at 30,40 size 200x100 #61440 [0,0 200x100] origin 0.5,0.5 #ff0000ff\n");
}

TEST_CASE("transforms and scissors move what is drawn into a canvas, and styles show canvases and pixels") {
    GameFolder game{R"(
        local map, dots = gfx.canvas(200, 100), gfx.pixels(8, 4)
        local part = gfx.style { quad = { 1, 1, 2, 2 }, scale = 3 }
        function draw()
          gfx.set_canvas(map)
          gfx.translate(100, 20)
          gfx.scale(2)
          gfx.set_scissor(0, 0, 50, 60)
          gfx.rectangle("fill", 1, 2, 3, 4)
          gfx.polygon("fill", 0, 0, 4, 0, 4, 4)
          gfx.image(dots, 0, 0, part)
          gfx.set_canvas()
          gfx.origin()
          gfx.image(map, 5, 6, part)
        end)"};
    const auto engine = game.play();
    run(*engine, 2);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    const std::string drawn = drawn_into_canvas(*engine);
    INFO(drawn);
    CHECK(contains(drawn, "rectangle at 102,24 size 6x8"));
    CHECK(contains(drawn, "sprite at 100,20 size 12x12 #63488 [1,1 2x2]"));
    CHECK(contains(drawn, "mesh"));
    CHECK(contains(picture(*engine), "clip 0,0 50x60\nworld 0 sprite at 5,6 size 6x6 none [1,1 2x2]"));
}

TEST_CASE("a style shows a part of the pixels that it draws, not of earlier ones with their number") {
    GameFolder game{R"(
        local style = gfx.style { quad = { 0, 0, 9, 9 } }
        local frame = 0
        function draw()
          frame = frame + 1
          local side = 1 + frame % 7
          gfx.image(gfx.pixels(side, side), 0, 0, style)
        end)"};
    const auto engine = game.play();
    // More than there can be at a time, which are 2048, so numbers are used again.
    for (int frame = 1; frame <= 2300; ++frame) {
        run(*engine, 1);
        const std::string side = std::to_string(1 + frame % 7);
        INFO(frame << game.log << picture(*engine));
        REQUIRE(contains(picture(*engine), "size " + side + "x" + side + " none"));
    }
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("clearing a canvas drops what the frame drew into it before") {
    GameFolder game{R"(
        local map = gfx.canvas(20, 10)
        function draw()
          gfx.set_canvas(map)
          gfx.circle("fill", 1, 1, 1)
          gfx.clear_canvas(map, "#0000ff80")
          gfx.circle("fill", 2, 2, 2)
        end)"};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(drawn_into_canvas(*engine) == "camera 10,5 zoom 1\nworld 0 circle at 2,2 radius 2 #ffffffff\n");
    CHECK(engine->surfaces().find(kFirstSurface)->picture.clear_color == pack_color(0, 0, 255, 128));
}

TEST_CASE("a mod that leaves its canvas set takes nothing from what others draw") {
    GameFolder game{"function draw() assert(gfx.get_canvas() == nil) gfx.circle('fill', 5, 5, 5) end"};
    game.write("mod.json", R"({"id": "game", "version": "1.0.0"})");
    game.write("mods/weather/mod.json", R"({"id": "weather", "version": "1.0.0"})");
    game.write("mods/weather/main.lua",
               "local ecs, gfx = require 'ecs', require 'gfx'\n"
               "local c = gfx.canvas(9, 9)\n"
               "ecs.system('paint', { group = 'presentation', run = function()\n"
               "gfx.set_canvas(c) gfx.rectangle('fill', 1, 1, 1, 1) end })");
    const auto engine = game.play();
    run(*engine, 2);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "circle at 5,5"));
    CHECK(contains(drawn_into_canvas(*engine), "rectangle at 1,1"));
    CHECK_FALSE(contains(drawn_into_canvas(*engine), "circle"));
}

TEST_CASE("a canvas that is still set at the end of a frame gets no note and no later frame") {
    GameFolder game{
        "local c = gfx.canvas(9, 9)\nlocal is_first = true\nfunction draw()\n"
        "if is_first then gfx.set_canvas(c) is_first = false end gfx.circle('fill', 5, 5, 5) end"};
    const auto engine = game.play();
    engine->set_paused(true);
    run(*engine, 1);
    CHECK(contains(picture(*engine), "paused"));
    CHECK_FALSE(contains(picture(*engine), "circle"));
    run(*engine, 1);
    CHECK(contains(picture(*engine), "circle"));
    CHECK(drawn_into_canvas(*engine) == "nothing");
}

TEST_CASE("mistakes with canvases are errors that name the function and the value") {
    const std::string two = "p, q = gfx.canvas(4, 3), gfx.canvas(4, 3)";
    CHECK(failure("gfx.set_canvas(p) gfx.image(p, 0, 0)", two) ==
          "gfx.image: a canvas cannot be drawn into itself");
    CHECK(failure("gfx.set_canvas('map')") ==
          "bad argument #1 to 'gfx.set_canvas': expected a canvas of gfx.canvas, got 'map'");
    CHECK(failure("gfx.set_canvas(p)") ==
          "bad argument #1 to 'gfx.set_canvas': expected a canvas of gfx.canvas, got cdata");
    CHECK(contains(failure("gfx.clear_canvas(nil, 'red')", two), "expected a canvas of gfx.canvas, got nil"));
    CHECK(contains(failure("gfx.clear_canvas(p, {})", two), "a colour that is a table has"));
    CHECK(failure("p.size = 1", two) == "a canvas is drawn into with gfx.set_canvas(canvas)");
    CHECK(failure("return p.widht", two) == "a canvas has no 'widht'; did you mean 'width'?");
    CHECK(failure("return p:getWidth()", two) ==
          "a canvas has no 'getWidth'; write canvas.width and canvas.height");
    CHECK(contains(failure("p:renderTo(print)", two), "write gfx.set_canvas(canvas), then draw"));
    CHECK(
        failure("gfx.clear_canvas(p, 255, 0, 0)", two) ==
        "gfx.clear_canvas: expected the numbers of a colour from 0 to 1, got 255, 0, 0; of 0 to 255, divide "
        "each by 255");
    CHECK(failure("gfx.canvas(0, 1)") ==
          "bad argument #1 to 'gfx.canvas': expected a whole number from 1 to 4096, got 0");
    CHECK(failure("gfx.canvas(1, 1, { msaa = 4 })") ==
          "gfx.canvas: option 'msaa': expected true or false, got 4");
    CHECK(failure("gfx.canvas(1, 1, { mssa = true })") ==
          "gfx.canvas: unknown key 'mssa'; did you mean 'msaa'?");
    CHECK(contains(failure("gfx.atlas(p, {})", two), "expected the path of an image"));

    GameFolder game{"c = gfx.canvas(1, 1)\nfunction update() gfx.set_canvas(c) end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->session().scripts().recent_errors().back().message ==
          "gfx.set_canvas outside of draw(): drawing is possible in draw() and in presentation systems only");
}

TEST_CASE("gfx.canvas_pixels has the pixels of the frame before, if there is a picture") {
    GameFolder game{R"(
        local c = gfx.canvas(3, 2)
        local seen = {}
        function draw()
          local pixels, why = gfx.canvas_pixels(c)
          if pixels then print("first " .. pixels[1]) else print(why) end
        end)"};
    const auto engine = game.play();
    const auto frame = [&] {
        game.log.clear();
        run(*engine, 1);
        return game.log;
    };
    const char* const kLater =
        "the canvas is read at the end of this frame, if the game has a picture; ask again in the next one\n";
    CHECK(contains(frame(), kLater));
    CHECK(contains(frame(), kLater));  // there is no back end
    CHECK(engine->surfaces().take_readings() == std::vector<std::uint32_t>{kFirstSurface});
    const std::vector<PackedColor> red(6, pack_color(1, 2, 3));
    engine->surfaces().deliver(kFirstSurface, red);
    CHECK(contains(frame(), "first 16909311"));  // 0x010203ff
    CHECK(contains(frame(), kLater));
    CHECK(engine->error_count() == 0);
    CHECK(engine->surfaces().count() == 2);
    CHECK(contains(failure("gfx.canvas_pixels(p)"), "expected a canvas of gfx.canvas, got cdata"));
}

TEST_CASE("gfx.save_canvas asks for a picture in the save folder of the mod") {
    const std::string main = R"(
        local c = gfx.canvas(3, 2)
        function draw() local ok, why = gfx.save_canvas(c, "map-1") print(ok and "saved" or why) end)";
    GameFolder game{main};
    EngineConfig config = game.config();
    config.save_folder = game.file("saves");
    const auto engine = game.play(config);
    run(*engine, 1);
    CHECK(contains(game.log, "saved"));
    const std::vector<CanvasSave> saves = engine->surfaces().take_saves();
    REQUIRE(saves.size() == 1);
    CHECK(saves[0].canvas == kFirstSurface);
    CHECK(saves[0].file == game.file("saves") / "game/game/pictures/map-1.png");

    // Five at once, then one in 30 frames.
    game.log.clear();
    run(*engine, 40);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = game.log.find("saved\n", at)) != game.log.npos; ++at) ++count;
    CHECK(count == 5);
    CHECK(contains(game.log, "this mod saves too often: 5 pictures at once, then one in 30 frames"));
    CHECK(engine->error_count() == 0);

    GameFolder silent{main};  // no save folder
    const auto without = silent.play();
    run(*without, 1);
    CHECK(contains(silent.log, "this run saves nothing"));
    CHECK(contains(failure("gfx.save_canvas(p, '../x')", "p = gfx.canvas(1, 1)"),
                   "expected a name of letters, digits, '-', '_' and '.', not at the beginning, got '../x'"));
    CHECK(contains(failure("gfx.save_canvas(p)", "p = gfx.canvas(1, 1)"), "expected a name, got nil"));
    CHECK(contains(failure("gfx.save_canvas(p, 'x')"), "expected a canvas of gfx.canvas, got cdata"));
}

TEST_CASE("canvases that are made and dropped in every frame leave room for the next") {
    GameFolder game{
        "function draw() local c = gfx.canvas(1024, 1024) gfx.set_canvas(c) gfx.circle('fill', 1, 1, 1)\n"
        "gfx.set_canvas() gfx.image(c, 0, 0) end"};
    const auto engine = game.play();
    run(*engine, 200);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(engine->surfaces().count() <= 65);
}

TEST_CASE("drawing into a canvas changes no hash") {
    const auto hash_with = [](const std::string& line) {
        GameFolder game{
            "local c = gfx.canvas(8, 8)\nstate.x = 0\nfunction update() state.x = state.x + 1 end\n"
            "function draw() " +
            line + " end"};
        const auto engine = game.play();
        run(*engine, 5);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        return engine->hash();
    };
    CHECK(hash_with("") ==
          hash_with("gfx.clear_canvas(c, 'red') gfx.set_canvas(c) gfx.circle('fill', 1, 1, 1)"));
}

TEST_CASE("gfx.screenshot asks for the whole picture, and is counted like saved canvases") {
    const std::string main = R"(
        function draw() local ok, why = gfx.screenshot "map-1" print(ok and "saved" or why) end)";
    GameFolder game{main};
    EngineConfig config = game.config();
    config.save_folder = game.file("saves");
    const auto engine = game.play(config);
    run(*engine, 1);
    CHECK(engine->surfaces().has_picture_files());
    const std::vector<std::filesystem::path> files = engine->surfaces().take_picture_files();
    REQUIRE(files.size() == 1);
    CHECK(files[0] == game.file("saves") / "game/game/pictures/map-1.png");
    run(*engine, 6);
    CHECK(contains(game.log, "this mod saves too often: 5 pictures at once, then one in 30 frames"));
    // What no back end took is forgotten.
    CHECK(engine->surfaces().take_picture_files().empty());
    CHECK(contains(failure("gfx.screenshot('../x')"),
                   "expected a name of letters, digits, '-', '_' and '.', not at the beginning, got '../x'"));
    CHECK(contains(failure("gfx.screenshot()"), "expected a name, got nil"));
}
