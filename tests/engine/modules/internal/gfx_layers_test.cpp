// gfx.layer and the names of layers in scripts: what the picture is then, and what mistakes say.
#include "engine/modules/internal/gfx_layers.h"

#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/picture_game.h"

#include <algorithm>
#include <string>
#include <string_view>

using namespace perigee;
using namespace perigee::test;

namespace {

// What a line of main.lua says, after the file and the line.
std::string failure(const std::string& line) {
    GameFolder game{kPictureUse + line + "\nfunction update() end"};
    const auto engine = game.play();
    const auto& errors = engine->session().load_errors();
    if (errors.empty()) return "no error";
    const std::string& message = errors.front().message;
    const std::size_t at = std::min(message.find("gfx."), message.find("component '"));
    return at == message.npos ? message : message.substr(at);
}

// The order in which parts of a picture come.
bool in_order(const std::string& picture, std::initializer_list<std::string_view> parts) {
    std::size_t at = 0;
    for (const std::string_view part : parts) {
        at = picture.find(part, at);
        if (at == picture.npos) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("a layer is declared by name, and its order is its number [P15]") {
    const PictureGame play{
        "local sky = gfx.layer('sky', { order = -100 })\n"
        "assert(sky == -100 and gfx.layer('sky') == -100)\n"
        "world:spawn(at(1, 0), gfx.Shape { layer = sky })\n"
        "world:spawn(at(2, 0), gfx.Shape { layer = 'sky' })\n" +
        drawing("gfx.set_layer('sky') gfx.line(1, 1, 2, 2) gfx.set_layer(sky) gfx.line(1, 1, 3, 3)")};
    CHECK(in_order(play.picture(), {"world -100 rectangle at 1,0", "world -100 rectangle at 2,0",
                                    "world -100 line at 1,1 to 2,2", "world -100 line at 1,1 to 3,3"}));
}

TEST_CASE("a name is a layer wherever a number is one") {
    const PictureGame play{
        "gfx.layer('hud', { order = 30 })\n"
        "local spark = gfx.particles('spark', { layer = 'hud', count = 1, speed = 0 })\n"
        "world:spawn(at(0, 0), gfx.Text { text = 'a', layer = 'hud' })\n"
        "local shape = world:spawn(at(7, 0), gfx.Shape)\n"
        "world:resource(gfx.Lighting).layer = 'hud'\n"
        "assert(world:resource(gfx.Lighting).layer == 30)\n"
        "ecs.system('move', { query = { write = { gfx.Shape } }, run = function(chunk)\n"
        "  chunk.Shape[1].layer = 'hud'\n"
        "  gfx.burst(spark, 0, 0)\nend })\n"
        "world:spawn(at(0, 0), gfx.View { layers = '!hud', width = 0.5 })\n"
        "world:spawn(at(0, 0), gfx.View { layers = 'hud', left = 0.5, width = 0.5 })\n"
        "world:spawn(at(9, 0), gfx.Shape)\n",
        2};
    const std::string picture = play.picture();
    INFO(picture);
    CHECK(in_order(picture, {"view 0,0", "world 0 rectangle at 9,0", "view 100,0"}));
    CHECK(in_order(picture, {"view 100,0", "world 30 rectangle at 7,0", "world 30 text"}));
    CHECK(contains(picture, "world 30 circle"));
    CHECK(picture.find("world 30") > picture.find("view 100,0"));
}

TEST_CASE("a view that names a layer that does not exist says so once") {
    const PictureGame play{
        "gfx.layer('sky', { order = 1 })\nworld:spawn(at(0, 0), gfx.View { layers = '0 !sty' })", 3};
    CHECK(play.game.log ==
          "'!sty' is not a layer: expected the name of one, a number, or a range like 5..20; did you mean "
          "'sky'?\n");
}

TEST_CASE("a layer is sorted as it says") {
    const PictureGame play{
        "gfx.layer('ground', { order = 1, sort = 'y' })\ngfx.layer('cards', { order = 2, sort = 'order' })\n"
        "world:spawn(at(1, 9), gfx.Shape { layer = 'ground' })\n"
        "world:spawn(at(2, 3), gfx.Shape { layer = 'ground' })\n"
        "world:spawn(at(3, 3), gfx.Shape { layer = 'cards', order = 2 })\n"
        "world:spawn(at(4, 9), gfx.Shape { layer = 'cards', order = 1 })\n"};
    CHECK(in_order(play.picture(), {"at 2,3", "at 1,9", "at 4,9", "at 3,3"}));
}

TEST_CASE("a far layer moves less than the camera, from the place on where the game begins [P15]") {
    const PictureGame play{
        "gfx.layer('sky', { order = -1, parallax = 0.5 })\n"
        "gfx.layer('hills', { order = 0, parallax = { x = 0.75 }, origin = { x = 0 } })\n"
        "local camera = world:resource(gfx.Camera) camera.x, camera.y = 300, 150\n"
        "for layer = -1, 1 do world:spawn(at(200, 100), gfx.Shape { layer = layer }) end\n" +
        drawing("gfx.set_layer('sky') gfx.line(0, 0, 1, 1)")};
    CHECK(play.picture() ==
          "camera 300,150 zoom 1\n"
          "camera 200,100 zoom 1\n"
          "world -1 rectangle at 200,100 size 16x16 origin 0.5,0.5 #ffffffff\n"
          "world -1 line at 0,0 to 1,1 stroke 1 #ffffffff\n"
          "camera 225,150 zoom 1\n"
          "world 0 rectangle at 200,100 size 16x16 origin 0.5,0.5 #ffffffff\n"
          "camera 300,150 zoom 1\n"
          "world 1 rectangle at 200,100 size 16x16 origin 0.5,0.5 #ffffffff\n");
}

TEST_CASE("each view has the parallax of its own camera") {
    const PictureGame play{
        "gfx.layer('sky', { order = -1, parallax = 0.5 })\n"
        "world:spawn(at(100, 50), gfx.View { width = 0.5 })\n"
        "world:spawn(at(1100, 50), gfx.View { left = 0.5, width = 0.5 })\n"
        "world:spawn(at(600, 50), gfx.Shape { layer = 'sky' })\n" +
        drawing("gfx.set_layer('sky') gfx.line(0, 0, 1, 1)")};
    CHECK(in_order(play.picture(), {"camera 100,50", "world -1 line", "view 100,0", "camera 1100,50 zoom 1",
                                    "camera 600,50 zoom 1", "world -1 rectangle at 600,50", "world -1 line",
                                    "over the views"}));
}

TEST_CASE("a layer has a camera of its own, which may be changed from the next picture on") {
    const PictureGame play{
        "gfx.layer('map', { order = 1, camera = { x = 5, y = 6, zoom = 2 } })\n"
        "world:spawn(at(1000, 0), gfx.Shape { layer = 'map' })\n"
        "local frame = 0\n" +
            drawing("frame = frame + 1\n"
                    "if frame == 1 then gfx.set_layer_camera('map', 1000, 0, 0.5, 1) end\n"
                    "if frame == 3 then gfx.set_layer_camera('map') end\n"
                    "gfx.set_layer('map') gfx.line(1, 1, frame, 2)"),
        1};
    CHECK(contains(play.picture(), "camera 5,6 zoom 2\nworld 1 line at 1,1 to 1,2"));
    run(*play.engine, 1);
    CHECK(contains(play.picture(), "camera 1000,0 zoom 0.5 turned 1\nworld 1 rectangle at 1000,0"));
    run(*play.engine, 1);
    CHECK(contains(play.picture(), "camera 1000,0 zoom 0.5 turned 1"));
    run(*play.engine, 1);
    CHECK(contains(play.picture(), "camera 5,6 zoom 2\nworld 1 line at 1,1 to 4,2"));
}

TEST_CASE("parallax and effect of a layer may be changed") {
    const PictureGame play{
        "local sky = gfx.layer('sky', { order = 1 })\n" +
            drawing("gfx.set_layer_parallax(sky, 0, 0.5) gfx.set_layer_effect(sky, 'blur')\n"
                    "gfx.set_layer(sky) gfx.set_camera(500, 150) gfx.line(1, 1, 2, 2)"),
        2};
    CHECK(contains(play.picture(),
                   "camera 100,100 zoom 1\ndrawn as a whole: layer 1 alpha shader blur\nworld 1 line"));
}

TEST_CASE("a layer with a blend mode or an effect is drawn as a whole [P15]") {
    const PictureGame play{
        "gfx.layer('glow', { order = 1, blend = 'add' })\n"
        "gfx.layer('world', { order = 0, effect = gfx.effect('blur') })\n"
        "gfx.layer('unused', { order = 3, effect = 'blur' })\n"
        "world:spawn(at(0, 0), gfx.Shape { layer = 'world' })\n" +
        drawing("gfx.set_layer(1) gfx.line(1, 1, 2, 2) gfx.set_space('screen') gfx.line(3, 3, 4, 4)")};
    const std::string picture = play.picture();
    INFO(picture);
    CHECK(in_order(picture, {"drawn as a whole: layer 0 alpha shader blur\nworld 0 rectangle",
                             "drawn as a whole: layer 1 add\nworld 1 line"}));
    const DrawList& list = play.engine->draw_list();
    REQUIRE(list.parts().size() == 7);
    CHECK(list.parts()[2].shader == 1);
    CHECK(list.parts()[5].blend == BlendMode::add);
}

TEST_CASE("layers are drawn together as a whole, or on the screen [P15]") {
    const PictureGame play{
        "gfx.layer('sky', { order = -5 })\n"
        "gfx.layer('world', { order = 0, from = 'sky', effect = 'blur', background = 'red' })\n"
        "gfx.layer('hud', { order = 9, blend = 'add', space = 'screen' })\n" +
        drawing("for layer = -5, 1 do gfx.set_layer(layer) gfx.line(1, 1, 2, layer) end\n"
                "gfx.set_layer('hud') gfx.line(1, 1, 2, 2) gfx.set_space('screen') gfx.line(1, 1, 3, 3)\n"
                "gfx.set_layer(0) gfx.line(1, 1, 4, 4)")};
    CHECK(in_order(play.picture(), {"drawn as a whole: layer 0 alpha shader blur\nworld -5", "world 0",
                                    "drawn as a whole: nothing", "world 1", "screen 0",
                                    "drawn as a whole: layer 9 add\nscreen 9", "screen 9"}));
}

TEST_CASE("a layer on the screen has what is drawn and entities of each kind, and no camera moves it [P15]") {
    const std::string scene =
        "gfx.layer('hud', { order = 5, space = 'screen' })\n"
        "local spark = gfx.particles('spark', { layer = 'hud', count = 1, speed = 0, radius = 0 })\n"
        "world:spawn(at(3, 4), gfx.Shape { layer = 'hud' })\n"
        "world:spawn(at(5, 6), gfx.Text { text = 'a', layer = 'hud' })\n"
        "world:spawn(at(7, 8), gfx.Sprite { image = 'assets/a.png', layer = 'hud' })\n"
        "world:spawn(at(1000, 0), gfx.Shape {})\n"
        "local camera = world:resource(gfx.Camera)\n"
        "camera.x, camera.y, camera.zoom = 1000, 0, 0.5\n"
        "ecs.system('burst', { run = function() gfx.burst(spark, 9, 9) end })\n";
    const std::string call = drawing("gfx.set_layer('hud') gfx.circle('fill', 1, 2, 3)");
    for (const std::string view : {"", "world:spawn(at(0, 0), gfx.View { width = 0.5 })\n"}) {
        CAPTURE(view);
        const PictureGame play{scene + view + call};
        const std::string picture = play.picture();
        INFO(picture);
        for (const char* part : {"screen 5 rectangle at 3,4", "screen 5 text at", "screen 5 sprite at 7,8",
                                 "screen 5 circle at 9,9", "screen 5 circle at 1,2"}) {
            INFO(part);
            const std::size_t first = picture.find(part);
            CHECK(first != picture.npos);
            CHECK(picture.find(part, first + 1) == picture.npos);
        }
        CHECK(!contains(picture, "world 5"));
        // What a view shows is in front of what is over all views.
        if (!view.empty()) CHECK(picture.find("over the views") < picture.find("screen 5 text"));
    }
}

TEST_CASE("a mod's layers have its name before theirs, and others can use them") {
    GameFolder game{
        kPictureUse + std::string{"gfx.layer('fog', { order = 1 })\n"
                                  "function draw() gfx.set_layer('weather:fog') gfx.line(1, 1, 2, 2) end"},
        kPictureSchema};
    game.write("mod.json", kPictureManifest);
    game.write("mods/weather/mod.json", R"({ "id": "weather" })");
    game.write("mods/weather/main.lua",
               "assert(gfx.layer('fog', { order = 7 }) == 7 and gfx.layer('fog') == 7)\n"
               "assert(gfx.layer('weather:fog') == 7)\n"
               "gfx.set_layer_parallax('fog', 0.5)\n"
               "local ok, message = pcall(gfx.set_layer_parallax, 1, 0.5)\n"
               "assert(not ok and message:find('this mod has not declared layer 1', 1, true), message)\n"
               "local ok, message = pcall(gfx.layer, 'own', { order = 1 })\n"
               "assert(message:find(\"order 1 is that of layer 'fog' already\", 1, true), message)");
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "world 7 line"));
}

TEST_CASE("a reload changes layers, and forgets those that are no longer declared") {
    PictureGame play{
        "gfx.layer('sky', { order = 1, parallax = 0 })\ngfx.layer('old', { order = 2 })\n"
        "ecs.system('draw', { group = 'presentation', run = function() gfx.set_layer('sky') "
        "gfx.line(1, 1, 2, 2) end })"};
    CHECK(contains(play.picture(), "world 1 line"));
    play.game.write("main.lua", std::string{kPictureUse} +
                                    "gfx.layer('sky', { order = 2 })\n"
                                    "ecs.system('draw', { group = 'presentation', run = function() "
                                    "gfx.set_layer('sky') gfx.line(1, 1, 2, 2)\n"
                                    "found, why = pcall(gfx.layer, 'old') end })");
    play.engine->session().reload({play.game.path() / "main.lua"});
    run(*play.engine, 1);
    INFO(play.game.log);
    CHECK(play.engine->error_count() == 0);
    CHECK(contains(play.picture(), "world 2 line"));
    play.game.write("main.lua", std::string{kPictureUse} + "gfx.layer('sky', { order = 9 })\nerror('stop')");
    play.engine->session().reload({play.game.path() / "main.lua"});
    run(*play.engine, 1);
    CHECK(contains(play.picture(), "world 2 line"));
}

TEST_CASE("layers change no hash, and the picture does not depend on the number of workers") {
    const std::string kScene =
        "gfx.layer('sky', { order = -1, parallax = 0.5, sort = 'y' })\n"
        "gfx.layer('front', { order = 2, sort = 'order', blend = 'add' })\n"
        "for i = 1, 3000 do world:spawn(at(i % 97 * 5, i % 89 * 3), gfx.Shape { layer = i % 4 - 1, order = i "
        "% 7 }) "
        "end\n"
        "ecs.system('move', { query = { write = { C.Position } }, run = function(chunk)\n"
        "  local pos = chunk.Position\n"
        "  for i = 1, chunk.count do pos.x[i] = pos.x[i] + 1 end\nend })\n";
    std::string shown;
    std::uint64_t hash = 0;
    for (const std::uint32_t workers : {1U, 3U}) {
        GameFolder game{kPictureUse + kScene, kPictureSchema};
        EngineConfig config = game.config();
        config.workers = workers;
        const auto engine = GameFolder::play(config);
        run(*engine, 5);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        if (shown.empty()) shown = picture(*engine), hash = engine->session().hash();
        CHECK(picture(*engine) == shown);
        CHECK(engine->session().hash() == hash);
    }
}

TEST_CASE("mistakes with layers say what to write") {
    const std::pair<const char*, const char*> all[] = {
        {"gfx.layer('a b', { order = 1 })",
         "gfx.layer: expected a name of letters, digits, '-' and '_' that begins with a letter, got 'a b'"},
        {"gfx.layer(5)", "gfx.layer: expected the name of a layer, got 5"},
        {"gfx.layer('a', 5)", "gfx.layer 'a': expected a table of options, got 5"},
        {"gfx.layer('a', {})",
         "gfx.layer 'a': expected order = a whole number from -32768 to 32767; a layer of a higher order is "
         "nearer"},
        {"gfx.layer('a', { order = 1.5 })",
         "gfx.layer 'a', order: expected a whole number from -32768 to 32767, got 1.5"},
        {"gfx.layer('a', { order = 1, sort = 'z' })",
         "gfx.layer 'a', sort: expected \"none\", \"y\" or \"order\", got 'z'"},
        {"gfx.layer('a', { order = 1, paralax = 1 })",
         "gfx.layer 'a': unknown key 'paralax'; did you mean 'parallax'?"},
        {"gfx.layer('a', { order = 1, parallax = 'x' })",
         "gfx.layer 'a', parallax: expected a number, got 'x'"},
        {"gfx.layer('a', { order = 1, parallax = { x = 'x' } })",
         "gfx.layer 'a', parallax.x: expected a number, got 'x'"},
        {"gfx.layer('a', { order = 1, parallax = { 1, 2 } })",
         "gfx.layer 'a', parallax: its numbers have names, as in { x = 1 }"},
        {"gfx.layer('a', { order = 1, parallax = { z = 1 } })",
         "gfx.layer 'a', parallax: unknown key 'z'; there are x, y"},
        {"gfx.layer('a', { order = 1, parallax = 1, camera = {} })",
         "gfx.layer 'a': 'parallax' and 'camera' exclude each other"},
        {"gfx.layer('a', { order = 1, origin = { x = 1 } })",
         "gfx.layer 'a': 'origin' needs 'parallax', which it is for"},
        {"gfx.layer('a', { order = 1, parallax = 1, origin = 5 })",
         "gfx.layer 'a', origin: expected a table such as { x = 1 }, got 5"},
        {"gfx.layer('a', { order = 1, camera = { zoom = 0 } })",
         "gfx.layer 'a', camera.zoom: expected a number above 0, got 0"},
        {"gfx.layer('a', { order = 1, blend = 'ad' })",
         "gfx.layer 'a', blend: expected \"alpha\", \"add\", \"multiply\", \"screen\", \"subtract\", "
         "\"replace\", "
         "\"darken\" or \"lighten\", got 'ad'; did you mean 'add'?"},
        {"gfx.layer('a', { order = 1, background = 'rde' })",
         "gfx.layer: 'rde' is not a colour; did you mean 'red'?; write \"#rrggbb\" or a name like \"red\""},
        {"gfx.layer('a', { order = 1, effect = 5 })",
         "gfx.layer 'a', effect: expected a shader of gfx.shader, or the name of an effect of gfx.effect, "
         "got 5"},
        {"gfx.layer('a', { order = 1 }) gfx.layer('b', { order = 1 })",
         "gfx.layer 'b': order 1 is that of layer 'a' already; a layer needs an order of its own"},
        {"gfx.layer('sky', { order = 1 }) gfx.layer('sty')",
         "gfx.layer: no layer 'sty' is declared; did you mean 'sky'?; gfx.layer(\"name\", { order = 5 }) "
         "declares one"},
        {"gfx.layer('a', { order = 1, from = 2 })",
         "gfx.layer 'a', from: expected a layer below this one, by its name or its order, got 2"},
        {"gfx.layer('sky', { order = 1 }) gfx.layer('a', { order = 1, from = 'sty' })",
         "gfx.layer 'a', from: no layer 'sty' is declared; did you mean 'sky'?; gfx.layer(\"name\", { order "
         "= 5 }) "
         "declares one"},
        {"gfx.layer('a', { order = 5, from = 1 }) gfx.layer('b', { order = 7, from = 3 })",
         "gfx.layer 'b': it has the layers 3 to 7, and 'a' has 1 to 5; one of them must have all or none of "
         "the "
         "other's"},
        {"gfx.layer('a', { order = 1, space = 'scren' })",
         "gfx.layer 'a', space: expected \"world\" or \"screen\", got 'scren'; did you mean 'screen'?"},
        {"gfx.layer('a', { order = 1, space = 'screen', parallax = 0 })",
         "gfx.layer 'a': no camera sees the screen; leave out 'parallax'"},
        {"gfx.set_layer_camera('a', 1, 1)",
         "gfx.set_layer_camera: no layer 'a' is declared; gfx.layer(\"name\", { order = 5 }) declares one"},
        {"gfx.set_layer_camera(5, 1, 1)",
         "gfx.set_layer_camera: this mod has not declared layer 5; gfx.layer(\"name\", { order = 5 }) does"},
        {"gfx.layer('a', { order = 1 }) gfx.set_layer_camera('a', 1)",
         "gfx.set_layer_camera': expected a number, got nil"},
        {"gfx.set_layer({})", "gfx.set_layer': expected a layer: its name or its number, got table"},
        {"gfx.set_layer(40000)", "gfx.set_layer': expected a layer from -32768 to 32767, got 40000"},
    };
    for (const auto& [line, message] : all) {
        INFO(line);
        CHECK(failure(line) == message);
    }
    CHECK(contains(failure("local s = gfx.Shape { layer = 'sky' }"),
                   "component 'gfx:Shape', field 'layer': no layer 'sky' is declared"));
    CHECK(contains(failure("local s = gfx.Shape { order = 'sky' }"),
                   "component 'gfx:Shape', field 'order': expected i16, got 'sky'"));
    CHECK(contains(failure("gfx.particles('p', { layer = 'sky' })"), "no layer 'sky' is declared"));
}

TEST_CASE("layers are declared while files load") {
    GameFolder game{"function update() gfx.layer('a', { order = 1 }) end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(game.log, "gfx.layer: declare it while the file is loaded, not inside a system"));
}

TEST_CASE("gfx.set_picture_effect draws whole pictures with an effect until it is set again [P15]") {
    const std::string set = "gfx.set_picture_effect('vignette')\n";
    const PictureGame kept{set + drawing("gfx.circle('fill', 1, 1, 2)")};
    CHECK(kept.picture().starts_with("picture effect vignette\n"));
    const PictureGame ended{set + drawing("gfx.set_picture_effect()")};
    CHECK_FALSE(contains(ended.picture(), "picture effect"));
    const PictureGame own{drawing("gfx.set_picture_effect(gfx.effect('crt'))")};
    CHECK(own.picture().starts_with("picture effect crt\n"));
    CHECK(contains(failure("gfx.set_picture_effect(3)"),
                   "gfx.set_picture_effect: expected a shader of gfx.shader, or the name of an effect of "
                   "gfx.effect, got 3"));
}

TEST_CASE("while errors are shown, the picture has no effect") {
    GameFolder game{
        "gfx.set_picture_effect('vignette')\n"
        "function update() error('away') end\n"
        "function draw() end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->error_count() == 1);
    CHECK(engine->draw_list().picture_effect() == 0);
}
