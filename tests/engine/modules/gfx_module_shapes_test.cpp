// The shapes, styles, transforms and the scissor of the module gfx in scripts.
#include "engine/modules/gfx_module.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <algorithm>
#include <cstdint>
#include <memory>

using namespace perigee;
using namespace perigee::test;

namespace {

// The picture of one frame of this draw().
std::string drawn(std::string_view body, std::string_view before = {}) {
    GameFolder game{std::string{before} + "\nfunction draw()\n" + std::string{body} + "\nend"};
    game.write("assets/hero.png", png_head(64, 32));
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    std::string text = picture(*engine);
    constexpr std::string_view kHead = "camera 640,360 zoom 1\n";
    REQUIRE(text.starts_with(kHead));
    return text.substr(kHead.size());
}

// The message of the error that this draw() ends in, in its first frame.
std::string failure(std::string_view body) {
    GameFolder game{"function draw()\n" + std::string{body} + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->error_count() == 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().line == 2);
    return errors.back().message;
}

// The game after 200 frames, when its loops are compiled.
std::unique_ptr<Engine> warm(GameFolder& game) {
    game.write("assets/hero.png", png_head(64, 32));
    std::unique_ptr<Engine> engine = game.play();
    run(*engine, 200);
    return engine;
}

std::size_t bytes_of_lua(Engine& engine) { return engine.session().scripts().usage().front().memory_bytes; }

}  // namespace

TEST_CASE("shapes of one item have their numbers, and the state") {
    CHECK(drawn("gfx.set_color('red') gfx.set_line_width(2)\n"
                "gfx.ellipse('fill', 1, 2, 3, 4)\n"
                "gfx.ellipse('line', 1, 2, 3, 4, 'white', math.pi / 2)\n"
                "gfx.rounded_rectangle('fill', 1, 2, 30, 40, 5)\n"
                "gfx.arc('fill', 10, 20, 5, 0, math.pi / 2)\n"
                "gfx.arc('line', 'open', 10, 20, 5, math.pi, 0, 'blue')\n"
                "gfx.arc('line', 'closed', 10, 20, 5, -math.pi, 3 * math.pi)\n"
                "gfx.arc('fill', 1, 1, 1, 2, 2)  -- nothing\n"
                "gfx.set_line_cap('round') gfx.line(0, 0, 5, 0)") ==
          "world 0 circle at 1,2 radius 3x4 #e63232ff\n"
          "world 0 circle at 1,2 radius 3x4 turned 0.25 stroke 2 #ffffffff\n"
          "world 0 rectangle at 1,2 size 30x40 corners 5 #e63232ff\n"
          "world 0 arc at 10,20 radius 5 from 0 to 0.25 pie #e63232ff\n"
          "world 0 arc at 10,20 radius 5 from 0 to 0.5 open stroke 2 #3c6ef0ff\n"
          "world 0 arc at 10,20 radius 5 from 0.5 to 0.5 closed stroke 2 #e63232ff\n"
          "world 0 line at 0,0 to 5,0 round stroke 2 #e63232ff\n");
}

TEST_CASE("shapes of many points take a list or the numbers, and become triangles") {
    const std::string list = drawn("gfx.polygon('fill', { 0, 0, 10, 0, 10, 10, 0, 10 }, 'red')");
    CHECK(list.starts_with("world 0 mesh at 0,0 of "));
    CHECK(list.ends_with("#e63232ff\n"));
    CHECK(drawn("gfx.polygon('fill', 0, 0, 10, 0, 10, 10, 0, 10)").starts_with("world 0 mesh"));
    for (const char* body :
         {"gfx.polygon('line', { 0, 0, 10, 0, 10, 10 })", "gfx.triangle('fill', 0, 0, 10, 0, 10, 10)",
          "gfx.triangle('line', 0, 0, 10, 0, 10, 10, 'white')", "gfx.polyline({ 0, 0, 10, 0, 10, 10 })",
          "gfx.polyline({ 0, 0, 10, 0, 10, 10 }, 'white', true)", "gfx.polyline(0, 0, 10, 0, 10, 10)",
          "gfx.set_line_join('round') gfx.polyline(0, 0, 10, 0, 10, 10)",
          "gfx.bezier({ 0, 0, 10, 0, 10, 10 })", "gfx.bezier(0, 0, 10, 0, 10, 10, 20, 20)",
          "gfx.gradient(0, 0, 10, 20, 'red', 'blue', 1)"}) {
        INFO(body);
        const std::string picture = drawn(body);
        CHECK(picture.starts_with("world 0 mesh at 0,0 of "));
        CHECK(std::ranges::count(picture, '\n') == 1);
    }
    const std::string line = drawn("gfx.polyline(0, 0, 10, 0, 10, 10)");
    CHECK(drawn("gfx.line(0, 0, 10, 0, 10, 10)") == line);
    CHECK(drawn("gfx.line { 0, 0, 10, 0, 10, 10 }") == line);
    CHECK(drawn("gfx.line({ 0, 0, 10, 0 }, 'red')") == drawn("gfx.polyline({ 0, 0, 10, 0 }, 'red')"));
    CHECK(drawn("gfx.set_point_size(4) gfx.points({ 10, 10, 20, 20 }, 'red') gfx.points(1, 1)") ==
          "world 0 rectangle at 8,8 size 4x4 #e63232ff\n"
          "world 0 rectangle at 18,18 size 4x4 #e63232ff\n"
          "world 0 rectangle at -1,-1 size 4x4 #ffffffff\n");
}

TEST_CASE("a style draws as its options do, and its fields can change") {
    const char* sheet = "assert(gfx.sheet('assets/hero.png', 16, 16) == 8)";
    for (const char* options :
         {"{ frame = 5, scale = 2, origin_x = 0.5, origin_y = 1, rotation = 1 }",
          "{ quad = { 8, 8, 4, 2 }, scale_x = -1, color = 'black' }", "{}", "{ frame = 9, scale_y = -3 }"}) {
        INFO(options);
        const std::string with_table =
            drawn("gfx.image('assets/hero.png', 3, 4, " + std::string{options} + ")", sheet);
        CHECK(drawn("gfx.image('assets/hero.png', 3, 4, style)",
                    std::string{sheet} + " style = gfx.style " + options) == with_table);
    }
    CHECK(drawn("style.rotation, style.frame, style.color = math.pi, 2, 0xe63232ff\n"
                "gfx.image('assets/hero.png', 0, 0, style)\n"
                "for _, odd in ipairs { 0/0, 1/0, -1/0, 1e300, -1 } do\n"
                "for _, key in ipairs { 'rotation', 'frame', 'color', 'scale_y', 'scale_x' } do\n"
                "local wild = gfx.style {} wild[key] = odd gfx.image('assets/hero.png', 0, 0, wild) end end",
                std::string{sheet} + " style = gfx.style {}")
              .starts_with("world 0 sprite at 0,0 size 16x16 assets/hero.png [32,0 16x16] turned 0.5 "
                           "#e63232ff\n"));
}

TEST_CASE("transforms apply to all that is drawn after them") {
    CHECK(drawn("gfx.push()\n"
                "gfx.translate(100, 50) gfx.rotate(math.pi / 2) gfx.scale(2)\n"
                "gfx.rectangle('fill', 10, 0, 3, 4)\n"
                "gfx.circle('line', 0, 10, 5)\n"
                "gfx.line(0, 0, 10, 0)\n"
                "gfx.print('x', 0, 0, 10)\n"
                "gfx.sprite('assets/hero.png', 0, 1, 0)\n"
                "gfx.pop()\n"
                "gfx.circle('fill', 0, 0, 1)") ==
          "world 0 rectangle at 100,70 size 6x8 turned 0.25 #ffffffff\n"
          "world 0 circle at 80,50 radius 10 turned 0.25 stroke 2 #ffffffff\n"
          "world 0 line at 100,50 to 100,70 stroke 2 #ffffffff\n"
          "world 0 text at 100,50 size 20 left \"x\" turned 0.25 #ffffffff\n"
          "world 0 sprite at 100,52 size 128x64 assets/hero.png [0,0 64x32] origin 0.5,0.5 turned 0.25 "
          "#ffffffff\n"
          "world 0 circle at 0,0 radius 1 #ffffffff\n");
}

TEST_CASE("a transform that scales unevenly, mirrors or slants is a state of the items") {
    CHECK(drawn("gfx.scale(2, 1) gfx.circle('fill', 1, 1, 1)\n"
                "gfx.origin() gfx.shear(1, 0) gfx.circle('fill', 2, 2, 1)\n"
                "gfx.origin() gfx.transform(-1, 0, 3, 0, 1, 4) gfx.circle('fill', 3, 3, 1)") ==
          "matrix 2 0 0 / 0 1 0\n"
          "world 0 circle at 1,1 radius 1 #ffffffff\n"
          "matrix 1 1 0 / 0 1 0\n"
          "world 0 circle at 2,2 radius 1 #ffffffff\n"
          "matrix -1 0 3 / 0 1 4\n"
          "world 0 circle at 3,3 radius 1 #ffffffff\n");
}

TEST_CASE("lines and outlines of rectangles are as wide as an uneven transform makes them") {
    // The back end multiplies strokes by 2, the root of 4 * 1.
    CHECK(drawn("gfx.set_line_width(2) gfx.scale(4, 1) gfx.line(0, 5, 10, 5) gfx.line(5, 0, 5, 10)\n"
                "gfx.rectangle('line', 0, 0, 10, 20) gfx.rounded_rectangle('line', 0, 0, 9, 9, 1)") ==
          "matrix 4 0 0 / 0 1 0\n"
          "world 0 line at 0,5 to 10,5 stroke 1 #ffffffff\n"
          "world 0 line at 5,0 to 5,10 stroke 4 #ffffffff\n"
          "world 0 rectangle at 0,0 size 10x2 #ffffffff\n"
          "world 0 rectangle at 0,18 size 10x2 #ffffffff\n"
          "world 0 rectangle at 0,2 size 2x16 #ffffffff\n"
          "world 0 rectangle at 8,2 size 2x16 #ffffffff\n"
          "world 0 rectangle at 0,0 size 9x9 corners 1 stroke 2 #ffffffff\n");
    CHECK(drawn("gfx.scale(1, 2) gfx.rectangle('line', 10, 10, -4, -2, nil, math.pi)") ==
          "matrix 1 0 0 / 0 2 0\n"
          "world 0 rectangle at 14,12 size 4x1 turned 0.5 #ffffffff\n"
          "world 0 rectangle at 14,11 size 4x1 turned 0.5 #ffffffff\n");
    // Mirrored is not uneven.
    CHECK(drawn("gfx.scale(-3, 3) gfx.line(0, 0, 9, 0) gfx.rectangle('line', 0, 0, 9, 9)") ==
          "matrix -3 0 0 / 0 3 0\n"
          "world 0 line at 0,0 to 9,0 stroke 1 #ffffffff\n"
          "world 0 rectangle at 0,0 size 9x9 stroke 1 #ffffffff\n");
    CHECK(drawn("gfx.scale(4, 0) gfx.line(0, 0, 9, 0) gfx.line(0, 0, 0, 9)").find("stroke 1 ") !=
          std::string::npos);
}

TEST_CASE("points go through the transform and back") {
    drawn(
        "gfx.translate(10, 20) gfx.rotate(0.5) gfx.scale(2, 3) gfx.shear(0.25, 0)\n"
        "local x, y = gfx.transform_point(3, 4)\n"
        "local bx, by = gfx.inverse_transform_point(x, y)\n"
        "assert(math.abs(bx - 3) < 1e-4 and math.abs(by - 4) < 1e-4)\n"
        "gfx.origin() gfx.translate(5, 6)\n"
        "x, y = gfx.transform_point(1, 1) assert(x == 6 and y == 7)");
}

TEST_CASE("push and pop restore the transform, or everything") {
    CHECK(
        drawn("gfx.push('all') gfx.set_color('red') gfx.set_layer(3) gfx.translate(5, 5) gfx.set_scissor(0, "
              "0, 9, "
              "9)\n"
              "gfx.set_blend('add') gfx.set_line_width(7) gfx.set_space('screen') gfx.pop()\n"
              "gfx.circle('line', 0, 0, 1)\n"
              "gfx.push() gfx.set_color('red') gfx.translate(5, 5) gfx.pop() gfx.circle('line', 0, 0, 1)") ==
        "world 0 circle at 0,0 radius 1 stroke 1 #ffffffff\n"
        "world 0 circle at 0,0 radius 1 stroke 1 #e63232ff\n");
    // It can be read, to be set again.
    drawn(
        "local function state() local r, g, b, a = gfx.get_color()\n"
        "return table.concat({ r, g, b, a, gfx.get_line_width(), gfx.get_point_size(), gfx.get_blend(),\n"
        "gfx.get_line_join(), gfx.get_line_cap() }, ' ') end\n"
        "local usual, other = '1 1 1 1 1 1 alpha miter butt', '1 0.2 0 0.6 2.5 3 lighten round square'\n"
        "assert(state() == usual, state())\n"
        "gfx.push('all') gfx.set_color(1, 0.2, 0, 0.6) gfx.set_line_width(2.5) gfx.set_point_size(3)\n"
        "gfx.set_blend('lighten') gfx.set_space('screen') gfx.set_line_join('round') "
        "gfx.set_line_cap('square')\n"
        "assert(state() == other, state())\n"
        "gfx.print('text', 0, 0) gfx.set_color(gfx.get_color()) assert(state() == other)\n"
        "gfx.pop() assert(state() == usual)");
    // A push without a pop ends with the frame.
    GameFolder game{"function draw() gfx.push() gfx.translate(1, 1) gfx.circle('fill', 0, 0, 1) end"};
    const auto engine = game.play();
    run(*engine, 600);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "circle at 1,1"));
}

TEST_CASE("the scissor is part of the state, and can only shrink by intersection") {
    CHECK(drawn("gfx.set_scissor(10, 20, 100, 50) gfx.circle('fill', 1, 1, 1)\n"
                "gfx.intersect_scissor(50, 0, 100, 30) gfx.circle('fill', 2, 2, 1)\n"
                "local x, y, w, h = gfx.get_scissor() assert(x == 50 and y == 20 and w == 60 and h == 10)\n"
                "gfx.intersect_scissor(500, 0, 1, 1) gfx.circle('fill', 3, 3, 1)\n"
                "gfx.set_scissor() assert(not gfx.get_scissor()) gfx.circle('fill', 4, 4, 1)") ==
          "clip 10,20 100x50\n"
          "world 0 circle at 1,1 radius 1 #ffffffff\n"
          "clip 50,20 60x10\n"
          "world 0 circle at 2,2 radius 1 #ffffffff\n"
          "clip 500,20 0x0\n"
          "world 0 circle at 3,3 radius 1 #ffffffff\n"
          "clip nothing\n"
          "world 0 circle at 4,4 radius 1 #ffffffff\n");
}

TEST_CASE("reset brings back the defaults and keeps the transform") {
    CHECK(drawn("gfx.set_color('red') gfx.set_layer(2) gfx.translate(5, 5) gfx.reset() gfx.circle('fill', 0, "
                "0, 1)") == "world 0 circle at 5,5 radius 1 #ffffffff\n");
}

TEST_CASE("items of a thousand calls keep their order beside texts and changes of the state") {
    const std::string picture = drawn(
        "for i = 1, 1000 do\n"
        "gfx.circle('fill', i, 0, 1)\n"
        "if i % 300 == 0 then gfx.print(i, 0, 0) end\n"
        "if i % 170 == 0 then gfx.push() gfx.pop() end\n"
        "end");
    std::string expected;
    for (int i = 1; i <= 1000; ++i) {
        expected += "world 0 circle at " + std::to_string(i) + ",0 radius 1 #ffffffff\n";
        if (i % 300 == 0)
            expected += "world 0 text at 0,0 size 16 left \"" + std::to_string(i) + "\" #ffffffff\n";
    }
    CHECK(picture == expected);
}

TEST_CASE("drawing takes no memory of Lua") {
    GameFolder game{
        "local style = gfx.style { scale = 2, origin_x = 0.5 }\n"
        "local shape = { 0, 0, 10, 0, 10, 10, 4, 6 }\n"
        "function draw()\n"
        "  for i = 1, 200 do\n"
        "    gfx.set_color(1, 0.5, i / 200) gfx.push() gfx.translate(i, 0) gfx.rotate(0.1)\n"
        "    gfx.rectangle('fill', 0, 0, 1, 1) gfx.circle('line', 0, 0, 4, 'red') gfx.line(0, 0, 1, 1)\n"
        "    gfx.image('assets/hero.png', 1, 2, style) gfx.sprite('assets/hero.png', 0, 1, 2, 1, 1, 0.5)\n"
        "    gfx.arc('fill', 0, 0, 4, 0, 1) gfx.polygon('line', shape) gfx.print('text', 0, 0, 12) "
        "gfx.pop()\n"
        "  end\n"
        "end"};
    const auto engine = warm(game);
    INFO(game.log);
    REQUIRE(engine->error_count() == 0);
    const std::size_t before = bytes_of_lua(*engine);
    run(*engine, 20);
    // Frames themselves may take a little; 20 of these draw 28,000 times.
    CHECK(bytes_of_lua(*engine) < before + 28'000);
}

// Their tables are never made, but for about one in 128, of which the keys are checked. In one run of 80
// LuaJIT compiles the loop as it keeps such a table, and makes all of them; so the better of two games
// counts.
TEST_CASE("options in the call take hardly any memory of Lua") {
    GameFolder game{
        "function draw()\n"
        "  for i = 1, 1000 do\n"
        "    gfx.image('assets/hero.png', i, 0, { scale = i / 1000, origin_x = 0.5, color = 0xff0000ff })\n"
        "    gfx.print('text', i, 0, { size = 9 + i % 2, color = 0xff0000ff })\n"
        "  end\n"
        "end"};
    std::size_t least = SIZE_MAX;
    for (int attempt = 0; attempt < 2 && least >= 500'000; ++attempt) {
        const auto engine = warm(game);
        INFO(game.log);
        REQUIRE(engine->error_count() == 0);
        std::size_t taken = 0;
        for (int frame = 0; frame < 20; ++frame) {
            const std::size_t before = bytes_of_lua(*engine);
            run(*engine, 1);
            taken += bytes_of_lua(*engine) - std::min(before, bytes_of_lua(*engine));
        }
        least = std::min(least, taken);
    }
    // 40,000 tables of 100 to 200 bytes would be some 6 MB.
    CHECK(least < 500'000);
}

TEST_CASE("a wrong key of options in the call is found among thousands of calls") {
    GameFolder game{
        "local frames = 0\n"
        "function draw()\n"
        "  frames = frames + 1\n"
        "  for i = 1, 50 do gfx.image('assets/hero.png', i, 0, { scale = i }) end\n"
        "  if frames < 100 then return end\n"
        "  gfx.image('assets/hero.png', 0, 0, { scal = 2 })\n"
        "end"};
    game.write("assets/hero.png", png_head(64, 32));
    const auto engine = game.play();
    run(*engine, 99);
    REQUIRE(engine->error_count() == 0);
    int frames = 0;
    for (; engine->error_count() == 0 && frames < 1000; ++frames) run(*engine, 1);
    CHECK(frames < 1000);
    CHECK(contains(engine->session().scripts().recent_errors().back().message,
                   "gfx.image: unknown key 'scal'; did you mean 'scale'?"));
}

TEST_CASE("a wrong key of options is named even if its call does not come again") {
    GameFolder game{
        "local frames = 0\n"
        "function draw()\n"
        "  frames = frames + 1\n"
        "  for i = 1, 1000 do gfx.image('assets/hero.png', i, 0, { scale = i / 1000 }) end\n"
        "  if frames == 5 then\n"
        "    for i = 1, 1000 do gfx.image('assets/hero.png', 0, 0, { scal = i / 1000 }) end\n"
        "  end\n"
        "end"};
    game.write("assets/hero.png", png_head(64, 32));
    const auto engine = game.play();
    int frames = 0;
    for (; engine->error_count() == 0 && frames < 200; ++frames) run(*engine, 1);
    INFO(game.log);
    CHECK(frames > 6);
    REQUIRE(engine->error_count() != 0);
    CHECK(contains(engine->session().scripts().recent_errors().back().message,
                   "gfx.image: unknown key 'scal'; did you mean 'scale'? (in a call of an earlier frame)"));
}

TEST_CASE("shapes, transforms and scissors take numbers of any kind") {
    drawn(
        "local odd = { 0/0, 1/0, -1/0, 1e308, -1e308, 1e30, 2^53, -1, 0, 0.5, 1e-300 }\n"
        "for _, a in ipairs(odd) do for _, b in ipairs(odd) do\n"
        "for _, draw_it in ipairs {\n"
        "function() gfx.arc('fill', a, b, 3, a, b) gfx.arc('line', 'open', 1, 2, b, b, a) end,\n"
        "function() gfx.ellipse('line', a, b, b, a, nil, b) end,\n"
        "function() gfx.rounded_rectangle('fill', a, b, a, b, b) end,\n"
        "function() gfx.polygon('fill', a, b, b, a, 3, 4, b, b) end,\n"
        "function() gfx.set_line_width(a) gfx.polyline(a, b, b, a, 3, 4) end,\n"
        "function() gfx.bezier(a, b, b, a, 3, 4) end,\n"
        "function() gfx.set_point_size(b) gfx.points(a, b) end,\n"
        "function() gfx.gradient(a, b, b, a, 'red', 'blue', a) end,\n"
        "function() gfx.triangle('line', a, b, b, a, 0, 0) end,\n"
        "function() gfx.set_scissor(a, b, b, a) gfx.circle('fill', 0, 0, 1) end,\n"
        "function() gfx.push() gfx.translate(a, b) gfx.scale(b, a) gfx.rotate(a) gfx.shear(a, b)\n"
        "gfx.circle('fill', 1, 2, 3) gfx.print('x', 1, 2) gfx.polygon('fill', 0, 0, 9, 0, 9, 9)\n"
        "gfx.transform_point(a, b) gfx.inverse_transform_point(a, b) gfx.pop() end } do\n"
        "gfx.push('all')\n"
        "local ok, message = pcall(draw_it)  -- what is refused says so\n"
        "assert(ok or message:find('expected') or message:find('flattens'), message)\n"
        "while pcall(gfx.pop) do end gfx.reset() gfx.origin()\n"
        "end end end\n"
        "gfx.set_scissor()");
}

TEST_CASE("points may be arguments, and a colour may follow them") {
    CHECK(drawn("gfx.polygon('fill', 0, 0, 9, 0, 9, 9, '#102030')\n"
                "gfx.polyline(0, 0, 9, 0, { 1, 0, 0 })\n"
                "gfx.bezier(0, 0, 9, 0, 9, 9, '#00ff00')\n"
                "gfx.points(1, 2, '#405060')\n"
                "gfx.points(1, 2, nil)") == drawn("gfx.polygon('fill', { 0, 0, 9, 0, 9, 9 }, '#102030')\n"
                                                  "gfx.polyline({ 0, 0, 9, 0 }, '#ff0000')\n"
                                                  "gfx.bezier({ 0, 0, 9, 0, 9, 9 }, '#00ff00')\n"
                                                  "gfx.points({ 1, 2 }, '#405060')\n"
                                                  "gfx.points({ 1, 2 })"));
}

TEST_CASE("errors of shapes, styles and transforms name the function, the argument and the value") {
    for (
        const auto& [body, message] : std::vector<std::pair<std::string, std::string>>{
            {"gfx.rectangle('fill', 0, 0, 9, 9, 4, 4)",
             "gfx.rectangle: argument 6 is a colour, and argument 7 an angle; gfx.rounded_rectangle(mode, x, "
             "y, "
             "width, height, radius) has round corners"},
            {"gfx.pop()", "gfx.pop without a gfx.push in this frame"},
            {"while true do gfx.push() end", "gfx.push: 256 are open already; each needs a gfx.pop"},
            {"gfx.push('al')",
             "bad argument #1 to 'gfx.push': expected \"transform\" or \"all\", got 'al'; did you mean "
             "'all'?"},
            {"gfx.scale(0) gfx.inverse_transform_point(1, 1)",
             "gfx.inverse_transform_point: the transform flattens everything, so no point is the one"},
            {"gfx.set_scissor(0, 0, -1, 5)",
             "bad argument #3 to 'gfx.set_scissor': expected a number of at least 0, got -1"},
            {"gfx.polygon('fill', { 0, 0, 1, 1 })", "gfx.polygon: expected at least 3 points, got 2"},
            {"gfx.polygon('fill', { 0, 0, 1 })",
             "gfx.polygon: expected x and y of each point, got 3 numbers"},
            {"gfx.polygon('fill', { { 0, 0 }, { 1, 1 }, { 0, 1 } })",
             "gfx.polygon: the points are one list of numbers, { x1, y1, x2, y2, … }, not a list of lists"},
            {"gfx.polygon('fill', 'all')",
             "bad argument #2 to 'gfx.polygon': expected a list of numbers { x1, y1, x2, y2, … }, got 'all'"},
            {"gfx.polygon('fill', 0, 0, 1, 1, 5, 4, 3)",
             "gfx.polygon: expected x and y of each point, got 7 numbers"},
            {"gfx.polygon('fill', 0, 0, 1, 1, 5, 4, true)",
             "bad argument #8 to 'gfx.polygon': expected a colour (0xRRGGBBAA, \"#rrggbb\" or a name like "
             "\"red\"), got true"},
            {"gfx.points(0, 0, 'blurple')",
             "gfx.points: 'blurple' is not a colour; did you mean 'purple'?; write \"#rrggbb\" or a name "
             "like "
             "\"red\""},
            {"gfx.polyline({ 0, 0, 0/0, 1 })",
             "gfx.polyline: number 3 of the points: expected a finite number, got nan"},
            {"gfx.polyline(1, 2, 'x', 4)", "bad argument #3 to 'gfx.polyline': expected a number, got 'x'"},
            {"local all = {} for i = 1, 9000 do all[i] = i end gfx.points(all)",
             "gfx.points: expected at most 4096 points, got 4500"},
            {"local all = {} for i = 1, 80 do all[i] = i end gfx.bezier(all)",
             "gfx.bezier: expected at most 32 points, got 40"},
            {"gfx.arc('fill', 'pi', 1, 1, 1, 0, 1)",
             "bad argument #2 to 'gfx.arc': expected \"pie\", \"open\" or \"closed\", got 'pi'; did you mean "
             "'pie'?"},
            {"gfx.arc('fill', nil, 1, 1, 0, 1)", "bad argument #2 to 'gfx.arc': expected a number, got nil"},
            {"gfx.gradient(0, 0, 1, 1, 'red')",
             "bad argument #6 to 'gfx.gradient': expected a colour, got nil"},
            {"gfx.set_line_join('mitre')",
             "bad argument #1 to 'gfx.set_line_join': expected \"miter\", \"bevel\" or \"round\", got "
             "'mitre'; "
             "did you mean 'miter'?"},
            {"gfx.style { scal = 1 }", "gfx.style: unknown key 'scal'; did you mean 'scale'?"},
            {"gfx.style {}.rotaton = 1", "a style has no field 'rotaton'; did you mean 'rotation'?"},
        })
        CHECK(failure(body) == message);
}
