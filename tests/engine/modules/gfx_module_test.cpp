// The module gfx in scripts: the draw list of each call, and the message of each error.
#include "engine/modules/gfx_module.h"

#include "engine/audio/audio.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"
#include "tests/support/annotated_api.h"

#include <map>
#include <vector>

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

TEST_CASE("shapes and text are drawn with the current colour or their own") {
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

TEST_CASE("a colour can be a list of numbers from 0 to 1") {
    CHECK(drawn("local orange = { 1, 0.5, 0 }\n"
                "gfx.set_color(orange)\n"
                "gfx.circle('fill', 5, 6, 7)\n"
                "gfx.line(1, 2, 3, 4, { 0, 1, 0, 0.5 })\n"
                "gfx.print('x', 1, 2, { color = orange })\n"
                "assert(gfx.color(orange) == gfx.color(1, 0.5, 0))") ==
          std::string{kHead} +
              "world 0 circle at 5,6 radius 7 #ff8000ff\n"
              "world 0 line at 1,2 to 3,4 stroke 1 #00ff0080\n"
              "world 0 text at 1,2 size 16 left \"x\" #ff8000ff\n");
    for (const char* wrong : {"{ 1, 0 }", "{ 'red' }", "{ 1, 0, 0, 'x' }", "{ r = 1 }"}) {
        INFO(wrong);
        CHECK(failure(std::string{"gfx.set_color("} + wrong + ")") ==
              "gfx.set_color: a colour that is a table has three or four numbers from 0 to 1: { 1, 0.5, 0 }");
    }
}

TEST_CASE("an origin in pixels is refused, in options and in a style that is changed") {
    const char* const kMessage =
        "gfx.image: option 'origin_x': expected a part of the size from 0 (left or top) to 1, got 16; of a "
        "place "
        "in pixels, divide by the size of the image or frame";
    CHECK(failure("gfx.image('assets/hero.png', 0, 0, { origin_x = 16 })") == kMessage);
    CHECK(failure("local s = gfx.style {} s.origin_x = 16 gfx.image('assets/hero.png', 0, 0, s)") ==
          kMessage);
    CHECK(contains(failure("gfx.image('assets/hero.png', 0, 0, { origin_y = -0.5 })"), "'origin_y'"));
}

TEST_CASE("a colour of numbers up to 255 is refused, one that is a little too bright is not") {
    const char* const kMessage =
        ": expected the numbers of a colour from 0 to 1, got 255, 128, 0; of 0 to 255, divide each by 255";
    CHECK(failure("gfx.set_color(255, 128, 0)") == std::string{"gfx.set_color"} + kMessage);
    CHECK(failure("gfx.circle('fill', 0, 0, 5, { 255, 128, 0, 255 })") ==
          std::string{"gfx.circle"} + kMessage);
    CHECK(drawn("gfx.set_color(1.5, -0.1, 0, 7) gfx.circle('fill', 5, 6, 7)") ==
          std::string{kHead} + "world 0 circle at 5,6 radius 7 #ff0000ff\n");
}

TEST_CASE("the state of the frame applies to everything drawn") {
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
            "world 0 sprite at 0,0 size 4x2 assets/hero.png [8,8 4x2] origin 1,0 flip-x #000000ff\n");
}

TEST_CASE("an atlas has frames of any size, and sprites show them by number, centred") {
    CHECK(drawn("gfx.sprite('assets/hero.png', 1, 5, 6)\n"
                "gfx.sprite('assets/hero.png', 0, 0, 0, 2, -1, 0, 'black')\n"
                "gfx.image('assets/hero.png', 1, 2, { frame = 1 })",
                "assert(gfx.atlas('assets/hero.png', { { 0, 0, 8, 4 }, { 8, 8, 4, 2 } }) == 2)") ==
          std::string{kHead} +
              "world 0 sprite at 5,6 size 4x2 assets/hero.png [8,8 4x2] origin 0.5,0.5 #ffffffff\n"
              "world 0 sprite at 0,0 size 16x4 assets/hero.png [0,0 8x4] origin 0.5,0.5 flip-y #000000ff\n"
              "world 0 sprite at 1,2 size 4x2 assets/hero.png [8,8 4x2] #ffffffff\n");
}

TEST_CASE("a missing image is drawn as a placeholder and reported once, on the screen and in the log") {
    GameFolder game{"function draw() gfx.image('assets/ghost.png', 4, 4) end"};
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(engine->error_count() == 0);
    CHECK(game.log == "game/main.lua:1: asset 'assets/ghost.png' does not exist; a placeholder is used\n");
    CHECK(contains(picture(*engine), "world 0 sprite at 4,4 size 16x16 missing"));
    CHECK(contains(picture(*engine), "asset 'assets/ghost.png' does not exist"));
}

TEST_CASE("a missing file is reported with the requesting line and the nearest existing file [N13]") {
    GameFolder game{
        "local ecs = require 'ecs'\n"
        "local prefab = ecs.prefab('P', { gfx.Sprite { image = 'assets/Hero.png' } })\n"
        "function update()\n  audio.play('assets/shoot.wav')\nend\n"
        "function draw()\n  gfx.sprite('hero.png', 0, 1, 1)\nend"};
    game.write("assets/art/hero.png", png_head(4, 4));
    game.write("assets/shot.wav", "x");
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(engine->error_count() == 0);
    CHECK(contains(
        game.log,
        "game/main.lua:2: asset 'assets/Hero.png' does not exist; did you mean 'assets/art/hero.png'?"));
    CHECK(contains(
        game.log,
        "game/main.lua:4: asset 'assets/shoot.wav' does not exist; did you mean 'assets/shot.wav'?"));
    CHECK(contains(game.log,
                   "game/main.lua:7: asset 'hero.png' does not exist; did you mean 'assets/art/hero.png'?"));
}

TEST_CASE("all functions with paths accept paths of other mods and of the game by id [N2]") {
    GameFolder game{"function update() end"};
    game.write("mod.json", R"({ "id": "harbour" })");
    game.write("assets/boat.png", png_head(6, 3));
    game.write("mods/art/main.lua", "");
    game.write("mods/art/assets/cloud.png", png_head(8, 4));
    game.write("mods/art/assets/wind.wav", "x");
    game.write("mods/user/main.lua", R"(
assert(gfx.image_size("art:assets/cloud.png") == 8)
assert(gfx.image_size("harbour:assets/boat.png") == 6)
assert(gfx.sheet("art:assets/cloud.png", 4, 4) == 2)
assert(gfx.atlas("harbour:assets/boat.png", { { 0, 0, 2, 2 } }) == 1)
audio.music("art:assets/wind.wav")
function update() audio.play("art:assets/wind.wav") end
function draw()
  gfx.image("art:assets/cloud.png", 1, 2)
  gfx.sprite("harbour:assets/boat.png", 0, 3, 4)
end)");
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(!contains(game.log, "does not exist"));
    CHECK(contains(picture(*engine), "art:assets/cloud.png"));
    CHECK(contains(picture(*engine), "assets/boat.png"));
    CHECK(engine->audio().music().music != 0);
    CHECK(contains(failure("gfx.image('nomod:assets/a.png', 1, 2)"), "no mod 'nomod' is loaded"));
    CHECK(contains(failure("audio.play('nomod:assets/a.wav')"), "no mod 'nomod' is loaded"));
}

TEST_CASE("numbers that are not finite or out of range are errors [N14]") {
    const std::string bad = "0 / 0", huge = "1 / 0";
    for (const std::string& number : {bad, huge}) {
        for (const std::string call : {"gfx.rectangle('fill', N, 2, 3, 4)",
                                       "gfx.rectangle('fill', 1, 2, 3, N)",
                                       "gfx.rectangle('fill', 1, 2, 3, 4, nil, N)",
                                       "gfx.circle('fill', N, 2, 3)",
                                       "gfx.circle('line', 1, 2, N)",
                                       "gfx.line(1, N, 3, 4)",
                                       "gfx.print('x', N, 1)",
                                       "gfx.print('x', 1, 1, N)",
                                       "gfx.print('x', 1, 1, { size = N })",
                                       "gfx.image('assets/a.png', N, 1)",
                                       "gfx.image('assets/a.png', 1, 1, { scale = N })",
                                       "gfx.image('assets/a.png', 1, 1, { rotation = N })",
                                       "gfx.sprite('assets/a.png', 0, 1, N)",
                                       "gfx.set_layer(N)",
                                       "gfx.set_line_width(N)",
                                       "gfx.set_font_size(N)",
                                       "gfx.set_camera(N, 1)",
                                       "gfx.set_color(N, 1, 1)",
                                       "gfx.set_color(N)",
                                       "gfx.to_world(N, 1)",
                                       "gfx.text_size('x', N)"}) {
            std::string line = call;
            line.replace(line.find('N'), 1, number);
            INFO(line);
            CHECK(contains(failure(line), number == bad ? "got nan" : "got inf"));
        }
    }
    for (const std::string call :
         {"gfx.print('x', 1, 1, -3)", "gfx.print('x', 1, 1, { size = -3 })",
          "gfx.print('x', 1, 1, { size = 0 })", "gfx.print('x', 1, 1, { width = 0 })", "gfx.set_font_size(0)",
          "gfx.set_font_size(-1)", "gfx.set_line_width(0)", "gfx.set_camera(1, 1, 0)",
          "gfx.text_size('x', -3)", "gfx.sheet('assets/a.png', 0, 4)"}) {
        INFO(call);
        CHECK(contains(failure(call), "a number above 0"));
    }
    CHECK(contains(failure("gfx.circle('fill', 1, 2, -3)"), "a number of at least 0, got -3"));
    CHECK(contains(failure("gfx.set_layer(40000)"), "a layer from -32768 to 32767, got 40000"));
    CHECK(contains(failure("gfx.line(1, 2, 3, 4, -1)"), "expected a colour"));
    CHECK(contains(failure("gfx.line(1, 2, 3, 4, 'purpel')"),
                   "'purpel' is not a colour; did you mean 'purple'?"));
    CHECK(contains(failure("gfx.circle('filled', 1, 2, 3)"), "got 'filled'; did you mean 'fill'?"));
    CHECK(contains(failure("gfx.print('x', 1, 2, { align = 'centre' })"), "did you mean 'center'?"));
    CHECK(contains(failure("audio.play('assets/a.wav', 0 / 0)"), "got nan"));
}

TEST_CASE("each annotated label is accepted, and others are refused with the nearest one [N14]") {
    // The check command and the calls agree.
    const std::map<std::string, std::pair<std::vector<std::string>, std::string>> kCalls{
        {"gfx.rectangle", {{"fill", "line"}, "gfx.rectangle(L, 1, 2, 3, 4)"}},
        {"gfx.circle", {{"fill", "line"}, "gfx.circle(L, 1, 2, 3)"}},
        {"gfx.set_space", {{"world", "screen"}, "gfx.set_space(L)"}},
        {"gfx.set_blend", {{kBlendNames.begin(), kBlendNames.end()}, "gfx.set_blend(L)"}},
        {"gfx.rounded_rectangle", {{"fill", "line"}, "gfx.rounded_rectangle(L, 1, 2, 3, 4, 1)"}},
        {"gfx.ellipse", {{"fill", "line"}, "gfx.ellipse(L, 1, 2, 3, 4)"}},
        {"gfx.arc", {{"fill", "line"}, "gfx.arc(L, 1, 2, 3, 0, 1)"}},
        {"gfx.triangle", {{"fill", "line"}, "gfx.triangle(L, 1, 2, 3, 4, 5, 0)"}},
        {"gfx.polygon", {{"fill", "line"}, "gfx.polygon(L, 1, 2, 3, 4, 5, 0)"}},
        {"gfx.set_line_join", {{kLineJoinNames.begin(), kLineJoinNames.end()}, "gfx.set_line_join(L)"}},
        {"gfx.set_line_cap", {{kLineCapNames.begin(), kLineCapNames.end()}, "gfx.set_line_cap(L)"}},
        {"gfx.effect",
         {{"bloom", "blur", "crt", "dissolve", "outline", "palette", "vignette", "wave"}, "gfx.effect(L)"}},
        {"gfx.set_filter", {{"nearest", "linear"}, "gfx.set_filter('assets/hero.png', L)"}},
        {"gfx.set_default_filter", {{"nearest", "linear"}, "gfx.set_default_filter(L)"}},
        {"gfx.set_wrap", {{"clamp", "repeat", "mirror"}, "gfx.set_wrap('assets/hero.png', L)"}},
        {"gfx.push", {{"transform", "all"}, "gfx.push(L)"}}};
    const ApiTable api = annotated_api();
    std::size_t labelled = 0;
    for (const ApiFunction& function : api.find("gfx")->functions) {
        std::vector<std::string> labels;
        for (const ApiName& parameter : function.parameters)
            for (const std::string& word : parameter.type.words)
                if (word.starts_with('"')) labels.push_back(word.substr(1, word.size() - 2));
        if (labels.empty()) continue;
        INFO(function.name);
        const auto call = kCalls.find("gfx." + function.name);
        REQUIRE(call != kCalls.end());
        CHECK(labels == call->second.first);
        ++labelled;
        for (const std::string& label : labels) {
            std::string line = call->second.second;
            drawn(line.replace(line.find('L'), 1, "'" + label + "'"));
        }
        std::string line = call->second.second;
        CHECK(contains(failure(line.replace(line.find('L'), 1, "'" + labels[0] + "x'")),
                       "did you mean '" + labels[0] + "'?"));
    }
    CHECK(labelled == kCalls.size());
}

TEST_CASE("scripts can query the sizes of texts, images and the screen") {
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
    GameFolder game{
        "gfx.set_background('#102030')\n"
        "function draw()\n"
        "  local r, g, b, a = gfx.get_background()\n"
        "  assert(r == 0x10 / 255 and g == 0x20 / 255 and b == 0x30 / 255 and a == 1)\n"
        "end"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(engine->error_count() == 0);
    CHECK(engine->draw_list().background == pack_color(0x10, 0x20, 0x30));
}

TEST_CASE("argument errors name the function, the argument and the value") {
    CHECK(failure("gfx.rectangle('full', 1, 2, 3, 4)") ==
          "bad argument #1 to 'gfx.rectangle': expected \"fill\" or \"line\", got 'full'; did you mean "
          "'fill'?");
    CHECK(failure("gfx.rectangle('fill', 1, nil, 3, 4)") ==
          "bad argument #3 to 'gfx.rectangle': expected a number, got nil");
    CHECK(failure("gfx.circle('fill', 1, 2, {})") ==
          "bad argument #4 to 'gfx.circle': expected a number, got table");
    CHECK(
        failure("gfx.set_color('blurple')") ==
        "gfx.set_color: 'blurple' is not a colour; did you mean 'purple'?; write \"#rrggbb\" or a name like "
        "\"red\"");
    CHECK(failure("gfx.line(1, 2, 3, 4, true)") ==
          "bad argument #5 to 'gfx.line': expected a colour (0xRRGGBBAA, \"#rrggbb\" or a name like "
          "\"red\"), got "
          "true");
    CHECK(failure("gfx.print('x', 1, 2, 0, 2, 2)") ==
          "gfx.print: at most 5 arguments; text has no angle and no scale: use gfx.translate, gfx.rotate and "
          "gfx.scale");
    CHECK(failure("gfx.print('x', 1, 2, { 1, 0, 0 })") ==
          "gfx.print: option 1 has no name; a colour is { color = … }");
    CHECK(failure("gfx.newImage('a.png')") ==
          "gfx has no 'newImage'; gfx.image(\"assets/hero.png\", x, y) loads it at its first use");
    CHECK(failure("gfx.setFont(20)") ==
          "gfx has no 'setFont'; a font is a path: gfx.set_font(\"assets/title.ttf\", 24), or "
          "gfx.set_font_size(24) alone");
    CHECK(failure("gfx.setLineWidth(2)") == "gfx has no 'setLineWidth'; did you mean 'set_line_width'?");
    CHECK(failure("gfx.print(print, 1, 2)") ==
          "bad argument #1 to 'gfx.print': expected a text, got function");
    CHECK(failure("gfx.print('x', 1, 2, { aling = 'left' })") ==
          "gfx.print: unknown key 'aling'; did you mean 'align'?");
    CHECK(failure("gfx.print('x', 1, 2, { align = 'top' })") ==
          "gfx.print: option 'align': expected \"left\", \"center\", \"right\" or \"justify\", got 'top'");
    CHECK(failure("gfx.image('../x.png', 1, 2)") ==
          "gfx.image: asset path '../x.png': contains '.' or '..' as a part; paths never leave the game's "
          "folder");
    CHECK(failure("gfx.image('a.gif', 1, 2)") ==
          "bad argument #1 to 'gfx.image': expected the path of an image, *.png or *.jpg, got 'a.gif'");
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
          "bad argument #1 to 'gfx.set_blend': expected \"alpha\", \"add\", \"multiply\", "
          "\"screen\", \"subtract\", \"replace\", \"darken\" or \"lighten\", got 'mix'");
    CHECK(failure("gfx.rectangel()") == "gfx has no 'rectangel'; did you mean 'rectangle'?");
}

TEST_CASE("drawing in update is an error that names the right place") {
    GameFolder game{"function update()\n  gfx.circle('fill', 1, 2, 3)\nend"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(engine->error_count() == 1);
    CHECK(engine->session().scripts().recent_errors().back().message ==
          "gfx.circle outside of draw(): drawing is possible in draw() and in presentation systems only");
}

TEST_CASE("numbers of any kind are safe") {
    drawn(
        "local odd = { 0/0, 1/0, -1/0, 1e308, -1e308, 2^53, -1, 0.5 }\n"
        "for _, a in ipairs(odd) do for _, b in ipairs(odd) do\n"
        "for _, draw_it in ipairs {\n"
        "function() gfx.rectangle('fill', a, b, a, b, 1, b) end, function() gfx.circle('line', a, b, a, b) "
        "end,\n"
        "function() gfx.line(a, b, b, a, a) end, function() gfx.print('x', a, b, { size = a, width = b }) "
        "end,\n"
        "function() gfx.set_layer(a) end, function() gfx.set_line_width(b) end, function() "
        "gfx.set_font_size(a) end,\n"
        "function() gfx.set_camera(a, b, a) end, function() gfx.set_color(a, b, a, b) end,\n"
        "function() gfx.image('assets/hero.png', a, b, { frame = a, rotation = b, scale = a, origin_x = b }) "
        "end,\n"
        "function() gfx.image('assets/hero.png', 0, 0, { quad = { a, b, a, b } }) end,\n"
        "function() gfx.text_size('text with words', a, b) end } do\n"
        "local ok, message = pcall(draw_it)  -- what is refused says so\n"
        "assert(ok or message:find('expected'), message)\n"
        "end\n"
        "end end");
}
