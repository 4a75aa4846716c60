// gfx as a script sees it: each call against the picture it makes, and each mistake against its message.
#include "engine/gfx_module.h"

#include "tests/engine/game_folder.h"

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
    return picture(*engine);
}

// The message of the error that this draw() ends in.
std::string failure(std::string_view body) {
    GameFolder game{"function draw()\n" + std::string{body} + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->error_count() == 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().file == "main.lua");
    CHECK(errors.back().line == 2);
    return errors.back().message;
}

constexpr char kHead[] = "camera 640,360 zoom 1\n";

}  // namespace

TEST_CASE("shapes and text are drawn with the colour of the moment or their own") {
    CHECK(
        drawn(
            "gfx.rectangle('fill', 1, 2, 3, 4)\n"
            "gfx.set_color(1, 0, 0)\n"
            "gfx.circle('line', 5, 6, 7)\n"
            "gfx.line(1, 2, 3, 4, '#00ff0080')\n"
            "gfx.set_color('#0000ff')\n"
            "gfx.print('hello', 10, 20)\n"
            "gfx.print(42, 0, 0, { size = 30, align = 'center', width = 200, color = gfx.color(0, 0, 0) })\n"
            "gfx.rectangle('line', 0, 0, 1, 1, 0xff00ffff, math.pi)") ==
        std::string{kHead} +
            "world 0 rectangle at 1,2 size 3x4 #ffffffff\n"
            "world 0 circle at 5,6 radius 7 stroke 1 #ff0000ff\n"
            "world 0 line at 1,2 to 3,4 stroke 1 #00ff0080\n"
            "world 0 text at 10,20 size 16 left \"hello\" #0000ffff\n"
            "world 0 text at 0,0 size 30 center \"42\" width 200 #000000ff\n"
            "world 0 rectangle at 0,0 size 1x1 turned 0.5 stroke 1 #ff00ffff\n");
}

TEST_CASE("the state of the frame decides where and how things are drawn") {
    CHECK(drawn("gfx.set_layer(3) gfx.set_space('screen') gfx.set_line_width(2.5)\n"
                "gfx.set_font_size(12) gfx.set_blend('add')\n"
                "gfx.line(0, 0, 1, 1) gfx.print('x')\n"
                "gfx.set_camera(5, 6, 2) gfx.set_space('world') gfx.print('y')") ==
          std::string{kHead} +
              "camera 5,6 zoom 2\n"
              "world 3 text at 0,0 size 12 left \"y\" add #ffffffff\n"
              "screen 3 line at 0,0 to 1,1 stroke 2.5 add #ffffffff\n"
              "screen 3 text at 0,0 size 12 left \"x\" add #ffffffff\n");
}

TEST_CASE("images are drawn whole, by frame, by rectangle, turned, scaled and flipped") {
    CHECK(
        drawn("gfx.image('assets/hero.png', 1, 2)\n"
              "gfx.image('assets/hero.png', 0, 0, { frame = 5, scale = 2, origin_x = 0.5, origin_y = 1 })\n"
              "gfx.image('assets/hero.png', 0, 0, { quad = { 8, 8, 4, 2 }, scale_x = -1, color = 'black' })",
              "assert(gfx.sheet('assets/hero.png', 16, 16) == 8)") ==
        std::string{kHead} +
            "world 0 sprite at 1,2 size 16x16 assets/hero.png [0,0 16x16] #ffffffff\n"
            "world 0 sprite at 0,0 size 32x32 assets/hero.png [16,16 16x16] origin 0.5,1 #ffffffff\n"
            "world 0 sprite at 0,0 size 4x2 assets/hero.png [8,8 4x2] flip-x #000000ff\n");
}

TEST_CASE("an atlas has frames of any size, and sprites are drawn from it by number, from their middle") {
    CHECK(drawn("gfx.sprite('assets/hero.png', 1, 5, 6)\n"
                "gfx.sprite('assets/hero.png', 0, 0, 0, 2, -1, 0, 'black')\n"
                "gfx.image('assets/hero.png', 1, 2, { frame = 1 })",
                "assert(gfx.atlas('assets/hero.png', { { 0, 0, 8, 4 }, { 8, 8, 4, 2 } }) == 2)") ==
          std::string{kHead} +
              "world 0 sprite at 5,6 size 4x2 assets/hero.png [8,8 4x2] origin 0.5,0.5 #ffffffff\n"
              "world 0 sprite at 0,0 size 16x4 assets/hero.png [0,0 8x4] origin 0.5,0.5 flip-y #000000ff\n"
              "world 0 sprite at 1,2 size 4x2 assets/hero.png [8,8 4x2] #ffffffff\n");
}

TEST_CASE("a missing image is drawn as a placeholder and named once, on the screen and in the log") {
    GameFolder game{"function draw() gfx.image('assets/ghost.png', 4, 4) end"};
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(engine->error_count() == 0);
    CHECK(game.log == "asset 'assets/ghost.png' does not exist; a placeholder stands for it\n");
    CHECK(contains(picture(*engine), "world 0 sprite at 4,4 size 16x16 missing"));
    CHECK(contains(picture(*engine), "asset 'assets/ghost.png' does not exist"));
}

TEST_CASE("what a script may ask: sizes of texts, images and the screen") {
    drawn("",
          "local w, h = gfx.text_size('A\\nB', 2048)\n"
          "assert(w == 1405 and h == 2 * 2384)\n"
          "w, h = gfx.text_size('Пё…日e\u0301', 2048)\n"
          "assert(w == 1540 + 1260 + 2048 + 1229 + 1260)\n"
          "w, h = gfx.text_size('aaa bbb', 16, 40)\n"
          "assert(w == gfx.text_size('bbb', 16) and math.abs(h - 2 * 18.625) < 1e-6)\n"
          "w = gfx.text_size('a wwwwwwwwww b', 16, 40)\n"
          "assert(w == gfx.text_size('wwwwwwwwww', 16) and w > 40)\n"
          "w, h = gfx.image_size('assets/hero.png') assert(w == 64 and h == 32)\n"
          "w, h = gfx.size() assert(w == 1280 and h == 720)\n"
          "assert(gfx.color('#12345678') == 0x12345678)\n"
          "assert(gfx.color(1, 1, 1) == 0xffffffff)\n"
          "local x, y = gfx.to_world(100, 50) assert(x == 100 and y == 50)\n"
          "x, y = gfx.to_screen(7, 8) assert(x == 7 and y == 8)\n"
          "assert(require 'gfx' == gfx and gfx.Sprite and gfx.Camera)");
}

TEST_CASE("the background stays until it is set again") {
    GameFolder game{"gfx.set_background('#102030')\nfunction draw() end"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(engine->picture().background == pack_color(0x10, 0x20, 0x30));
}

TEST_CASE("mistakes in arguments name the function, the argument, and what came") {
    CHECK(failure("gfx.rectangle('full', 1, 2, 3, 4)") ==
          "bad argument #1 to 'gfx.rectangle': expected \"fill\" or \"line\", got 'full'");
    CHECK(failure("gfx.rectangle('fill', 1, nil, 3, 4)") ==
          "bad argument #3 to 'gfx.rectangle': expected a number, got nil");
    CHECK(failure("gfx.circle('fill', 1, 2, {})") ==
          "bad argument #4 to 'gfx.circle': expected a number, got table");
    CHECK(failure("gfx.set_color('blurple')") ==
          "gfx.set_color: 'blurple' is no colour; write \"#rrggbb\" or a name like \"red\"");
    CHECK(failure("gfx.line(1, 2, 3, 4, true)") ==
          "bad argument #5 to 'gfx.line': expected a colour, got true");
    CHECK(failure("gfx.print({}, 1, 2)") == "bad argument #1 to 'gfx.print': expected a text, got table");
    CHECK(failure("gfx.print('x', 1, 2, { aling = 'left' })") ==
          "gfx.print: unknown key 'aling'; did you mean 'align'?");
    CHECK(failure("gfx.print('x', 1, 2, { align = 'top' })") ==
          "gfx.print: option 'align': expected \"left\", \"center\" or \"right\", got 'top'");
    CHECK(failure("gfx.image('../x.png', 1, 2)") ==
          "gfx.image: asset path '../x.png': contains '.' or '..' as a part; paths never leave the game's "
          "folder");
    CHECK(failure("gfx.image('a.jpg', 1, 2)") ==
          "bad argument #1 to 'gfx.image': expected the path of an image, *.png, got 'a.jpg'");
    CHECK(failure("gfx.image('a.png', 1, 2, { scale = 'big' })") ==
          "gfx.image: option 'scale': expected a number, got 'big'");
    CHECK(failure("gfx.sheet('none.png', 16, 16)") ==
          "gfx.sheet: 'none.png' is missing or smaller than one frame of 16 x 16");
    CHECK(failure("gfx.atlas('assets/hero.png', {})") ==
          "gfx.atlas: 'assets/hero.png' is missing or the list of rectangles is empty");
    CHECK(failure("gfx.atlas('assets/hero.png', { 1 })") ==
          "gfx.atlas, rectangle 1: expected { x, y, width, height }, got 1");
    CHECK(failure("gfx.sprite('a.png', 'first', 1, 2)") ==
          "bad argument #2 to 'gfx.sprite': expected a number, got 'first'");
    CHECK(failure("gfx.set_space('moon')") ==
          "bad argument #1 to 'gfx.set_space': expected \"world\" or \"screen\", got 'moon'");
    CHECK(failure("gfx.set_blend('mix')") ==
          "bad argument #1 to 'gfx.set_blend': expected \"alpha\", \"add\" or \"multiply\", got 'mix'");
    CHECK(failure("gfx.rectangel()") == "gfx has no 'rectangel'; did you mean 'rectangle'?");
}

TEST_CASE("drawing in update is an error that says where drawing belongs") {
    GameFolder game{"function update()\n  gfx.circle('fill', 1, 2, 3)\nend"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(engine->error_count() == 1);
    CHECK(engine->session().scripts().recent_errors().back().message ==
          "gfx.circle outside of draw(): drawing is possible in draw() and in presentation systems only");
}

TEST_CASE("numbers of any kind do no harm") {
    drawn(
        "local odd = { 0/0, 1/0, -1/0, 1e308, -1e308, 2^53, -1, 0.5 }\n"
        "for _, a in ipairs(odd) do for _, b in ipairs(odd) do\n"
        "gfx.rectangle('fill', a, b, a, b, a, b) gfx.circle('line', a, b, a, b) gfx.line(a, b, b, a, a)\n"
        "gfx.print('x', a, b, { size = a, width = b }) gfx.set_layer(a) gfx.set_line_width(b)\n"
        "gfx.set_font_size(a) gfx.set_camera(a, b, a) gfx.set_color(a, b, a, b)\n"
        "gfx.image('assets/hero.png', a, b, { frame = a, rotation = b, scale = a, origin_x = b })\n"
        "gfx.image('assets/hero.png', 0, 0, { quad = { a, b, a, b } })\n"
        "gfx.text_size('text with words', a, b)\n"
        "end end");
}
