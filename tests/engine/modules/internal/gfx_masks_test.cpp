// gfx.set_mask and gfx.intersect_mask in scripts: the draw list that they make, and the message of each
// error.
#include "engine/modules/internal/gfx_masks.h"

#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

std::string drawn(const std::string& body) {
    GameFolder game{"local function hole() gfx.circle('fill', 5, 6, 7) end\nfunction draw()\n" + body +
                    "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return picture(*engine);
}

std::string failure(const std::string& body) {
    GameFolder game{"local function hole() end\nfunction draw()\n" + body + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().line == 3);
    return errors.back().message;
}

constexpr char kHead[] = "camera 640,360 zoom 1\n";

}  // namespace

TEST_CASE("a mask is a list of its own, and the state of what is drawn with it") {
    CHECK(drawn("gfx.set_color 'red'\n"
                "gfx.set_mask(function() gfx.set_color 'lime' gfx.translate(1, 1) hole() end)\n"
                "gfx.rectangle('fill', 1, 2, 3, 4)\n"
                "gfx.intersect_mask(hole, { inverted = true })\n"
                "gfx.rectangle('fill', 1, 2, 3, 5)\n"
                "gfx.set_mask()\n"
                "gfx.rectangle('fill', 1, 2, 3, 6)") == std::string{kHead} +
                                                            "mask 1 inside of\n"
                                                            "  camera 640,360 zoom 1\n"
                                                            "  world 0 circle at 6,7 radius 7 #96e63cff\n"
                                                            "mask 1\n"
                                                            "world 0 rectangle at 1,2 size 3x4 #e63232ff\n"
                                                            "mask 2 outside within 1 of\n"
                                                            "  camera 640,360 zoom 1\n"
                                                            "  world 0 circle at 5,6 radius 7 #e63232ff\n"
                                                            "mask 2\n"
                                                            "world 0 rectangle at 1,2 size 3x5 #e63232ff\n"
                                                            "mask none\n"
                                                            "world 0 rectangle at 1,2 size 3x6 #e63232ff\n");
}

TEST_CASE("push and pop save the mask, and each frame starts without one") {
    const std::string list = drawn(
        "gfx.set_mask(hole)\n"
        "gfx.push 'all'\n"
        "gfx.set_mask()\n"
        "gfx.rectangle('fill', 1, 2, 3, 1)\n"
        "gfx.pop()\n"
        "gfx.rectangle('fill', 1, 2, 3, 2)\n"
        "gfx.reset()\n"
        "gfx.rectangle('fill', 1, 2, 3, 3)");
    const std::size_t at = list.find("mask 1\n");
    REQUIRE(at != list.npos);
    CHECK(list.find("3x1") < at);
    CHECK(list.find("3x2") > at);
    CHECK(list.find("mask none\nworld 0 rectangle at 1,2 size 3x3") != list.npos);

    GameFolder game{"function draw() gfx.circle('fill', 1, 1, 1) gfx.set_mask(function() end) end"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(picture(*engine) == std::string{kHead} + "world 0 circle at 1,1 radius 1 #ffffffff\n");
}

TEST_CASE("a frame has its own masks alone, and its lists are used again") {
    GameFolder game{
        "local function hole() gfx.circle('fill', 5, 6, 7) end\n"
        "local options = { inverted = true }\n"
        "function draw() for i = 1, 100 do gfx.set_mask(hole, options) gfx.circle('fill', 1, 1, 1) end end"};
    const auto engine = game.play();
    run(*engine, 300);
    CHECK(engine->error_count() == 0);
    CHECK(engine->draw_list().mask_count() == 100);
}

TEST_CASE("mistakes with masks are errors, and the frame goes on") {
    CHECK(failure("gfx.set_mask('circle')") ==
          "bad argument #1 to 'gfx.set_mask': expected a function that draws the mask, got 'circle'");
    CHECK(failure("gfx.intersect_mask()") ==
          "bad argument #1 to 'gfx.intersect_mask': expected a function that draws the mask, got nil");
    CHECK(failure("gfx.set_mask(hole, { invert = true })") ==
          "gfx.set_mask: unknown key 'invert'; did you mean 'inverted'?");
    CHECK(failure("gfx.set_mask(hole, { inverted = 1 })") ==
          "gfx.set_mask: option 'inverted': expected true or false, got 1");
    CHECK(failure("gfx.set_mask(function() gfx.set_mask(hole) end)") ==
          "gfx.set_mask: not in the function that draws a mask");
    CHECK(failure("gfx.set_mask(function() gfx.set_canvas() end)") ==
          "gfx.set_canvas: not in the function that draws a mask");
    CHECK(failure("local c = gfx.canvas(8, 8) gfx.set_mask(function() gfx.clear_canvas(c) end)") ==
          "gfx.clear_canvas: not in the function that draws a mask");
    CHECK(failure("gfx.push() gfx.set_mask(function() gfx.pop() end)") ==
          "gfx.pop without a gfx.push in this frame");
    CHECK(failure("for i = 1, 1025 do gfx.set_mask(hole) end") ==
          "gfx.set_mask: a frame has at most 1024 masks, and a mask at most 16 around it");
    CHECK(failure("for i = 1, 17 do gfx.intersect_mask(hole) end") ==
          "gfx.intersect_mask: a frame has at most 1024 masks, and a mask at most 16 around it");
    GameFolder game{"function update() gfx.set_mask(function() end) end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->session().scripts().recent_errors().back().message ==
          "gfx.set_mask outside of draw(): drawing is possible in draw() and in presentation systems only");
}

TEST_CASE("an error in the function that draws a mask ends the mask, and is that of its line") {
    GameFolder game{R"(
        local ok
        function draw()
          ok = pcall(gfx.set_mask, function()
            gfx.circle('fill', 1, 1, 1)
            error 'stop'
          end)
          gfx.set_mask()
          gfx.rectangle('fill', 1, 2, 3, 4)
          gfx.set_mask(function()
            gfx.circle('fill', 'x', 1, 1)
          end)
        end)"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(picture(*engine), "world 0 rectangle at 1,2 size 3x4"));
    const auto& error = engine->session().scripts().recent_errors().back();
    CHECK(error.line == 11);
    CHECK(error.message == "bad argument #2 to 'gfx.circle': expected a number, got 'x'");
}

TEST_CASE("what a mod draws after another mod's mask began is not in that mask") {
    GameFolder game{R"(
        function draw()
          local inside = coroutine.wrap(function() gfx.set_mask(function() coroutine.yield() end) end)
          inside()
        end)"};
    game.write("mods/other/mod.json", R"({ "id": "other" })");
    game.write("mods/other/main.lua", "function draw() gfx.rectangle('fill', 1, 2, 3, 4) end");
    const auto engine = game.play();
    run(*engine, 2);
    INFO(game.log);
    CHECK(contains(picture(*engine), "\nworld 0 rectangle at 1,2 size 3x4"));
}
