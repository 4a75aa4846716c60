// gfx.View, gfx.Follow, gfx.Shake and the functions of cameras in scripts: what the picture is then.
#include "engine/modules/gfx_views.h"

#include "engine/session/game_session.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/picture_game.h"

#include <string>
#include <string_view>

using namespace perigee;
using namespace perigee::test;

namespace {

// The message of the error that this ends in, in a presentation system.
std::string failure(const std::string& draw) {
    GameFolder game{kPictureUse + drawing(draw), kPictureSchema};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    return errors.empty() ? "no error" : errors.back().message;
}

}  // namespace

TEST_CASE("each view shows the entities that it sees, and what is drawn for the world [P11]") {
    const PictureGame play{
        "world:spawn(at(0, 0), gfx.View { width = 0.5 })\n"
        "world:spawn(at(1000, 0), gfx.View { left = 0.5, width = 0.5, zoom = 2, rotation = 0.5,\n"
        "  background = gfx.color('red') })\n"
        "world:spawn(at(1, 2), gfx.Shape)\n"
        "world:spawn(at(1001, 2), gfx.Shape { kind = 'circle' })\n" +
            drawing("gfx.line(1, 1, 2, 2)\n"
                    "gfx.set_space('screen') gfx.print('score', 0, 0)"),
        1};
    CHECK(play.picture() ==
          "view 0,0 100x100\n"
          "camera 0,0 zoom 1\n"
          "world 0 rectangle at 1,2 size 16x16 origin 0.5,0.5 #ffffffff\n"
          "world 0 line at 1,1 to 2,2 stroke 1 #ffffffff\n"
          "view 100,0 100x100 #e63232ff\n"
          "camera 1000,0 zoom 2 turned 0.5\n"
          "world 0 circle at 1001,2 radius 8 #ffffffff\n"
          "world 0 line at 1,1 to 2,2 stroke 1 #ffffffff\n"
          "over the views\n"
          "camera 100,50 zoom 1\n"
          "screen 0 text at 0,0 size 16 left \"score\" #ffffffff\n");
}

TEST_CASE("a view shows the tiles that it sees, wherever the screen's camera is") {
    const auto tiles_seen_at = [](const std::string& places) {
        GameFolder game{std::string{"local map\n"} + kPictureUse + places +
                            drawing("local _ = map gfx.tiled('assets/tile.png', 5000, 5000, 40, 30)"),
                        kPictureSchema};
        game.write("mod.json", kPictureManifest);
        game.write("assets/tile.png", png_head(10, 10));
        const auto engine = game.play();
        run(*engine, 1);
        CHECK(engine->error_count() == 0);
        std::string shown = test::picture(*engine);
        if (const std::uint32_t map = engine->surfaces().find_canvas("map"); map != 0)
            shown += engine->surfaces().find(map)->picture.list->dump(engine->images());
        return contains(shown, "of 24 triangles");
    };
    CHECK_FALSE(tiles_seen_at(""));
    CHECK_FALSE(tiles_seen_at("world:spawn(at(0, 0), gfx.View)\n"));
    CHECK(
        tiles_seen_at("world:spawn(at(0, 0), gfx.View { width = 0.5 })\n"
                      "world:spawn(at(5020, 5010), gfx.View { left = 0.5, width = 0.5 })\n"));
    CHECK(
        tiles_seen_at("local map = gfx.canvas(60, 40, { name = 'map' })\n"
                      "world:spawn(at(5020, 5010), gfx.View { canvas = 'map' })\n"
                      "world:spawn(at(0, 0), gfx.View)\n"));
}

TEST_CASE("a view shows the layers that it names") {
    const PictureGame play{
        "world:spawn(at(0, 0), gfx.View { layers = '0 5..6' })\n"
        "for layer = 4, 7 do world:spawn(at(0, 0), gfx.Shape { layer = layer }) end\n" +
            drawing("gfx.set_layer(1) gfx.line(1, 1, 2, 2) gfx.set_layer(6) gfx.line(1, 1, 3, 3)"),
        1};
    CHECK(contains(play.picture(), "world 5"));
    CHECK(contains(play.picture(), "world 6 rectangle"));
    CHECK(contains(play.picture(), "to 3,3"));
    CHECK_FALSE(contains(play.picture(), "world 4"));
    CHECK_FALSE(contains(play.picture(), "world 7"));
    CHECK_FALSE(contains(play.picture(), "to 2,2"));
}

TEST_CASE("layers that a view cannot show are reported once") {
    PictureGame play{"world:spawn(at(0, 0), gfx.View { layers = 'wrld' })", 3};
    CHECK(contains(play.game.log, "'wrld' is not a layer"));
    CHECK(play.game.log.find("'wrld'") == play.game.log.rfind("'wrld'"));
}

TEST_CASE("a view on a canvas leaves the screen to the others, or to the camera") {
    PictureGame play{
        "local map = gfx.canvas(40, 20, { name = 'map' })\n"
        "world:spawn(at(0, 0), gfx.View { canvas = 'map', zoom = 0.5, width = 0.5 })\n"
        "world:spawn(at(90, 50), gfx.Shape)\n" +
            drawing("gfx.image(map, 0, 0) gfx.circle('fill', 1, 1, 1)"),
        2};
    const std::string screen = play.picture();
    INFO(screen);
    CHECK(contains(screen, "camera 100,50 zoom 1\nworld 0 rectangle at 90,50"));
    CHECK(contains(screen, "world 0 circle"));
    SurfaceTable& surfaces = play.engine->surfaces();
    const std::uint32_t map = surfaces.find_canvas("map");
    REQUIRE(map != 0);
    const CanvasPicture& picture = surfaces.find(map)->picture;
    CHECK(picture.clear_color == 0U);
    const std::string shown = picture.list->dump(play.engine->images());
    INFO(shown);
    CHECK(contains(shown, "view 0,0 20x20\ncamera 0,0 zoom 0.5\n"));
    CHECK(contains(shown, "world 0 circle"));
    CHECK_FALSE(contains(shown, "sprite"));  // of itself
    CHECK(surfaces.find_canvas("mop") == 0);
}

TEST_CASE("a view on a canvas that does not exist is reported once, with the nearest name") {
    PictureGame play{
        "local map = gfx.canvas(40, 20, { name = 'map' })\n"
        "world:spawn(at(0, 0), gfx.View { canvas = 'mapp' })",
        3};
    CHECK(contains(play.game.log,
                   "gfx.View: there is no canvas 'mapp', which gfx.canvas(width, height, { name = … }) would "
                   "make; did you mean 'map'?"));
    CHECK(play.game.log.find("mapp") == play.game.log.rfind("mapp"));
}

TEST_CASE("gfx.set_view draws for one view, over what is drawn for all") {
    const PictureGame play{
        "local one = world:spawn(at(0, 0), gfx.View { width = 0.5 })\n"
        "local two = world:spawn(at(0, 0), gfx.View { left = 0.5, width = 0.5 })\n" +
            drawing("gfx.set_view(two)\n"
                    "gfx.circle('fill', 1, 1, 1)\n"
                    "gfx.set_space('screen') gfx.print('two', 0, 0) gfx.set_space('world')\n"
                    "gfx.set_view() gfx.circle('fill', 2, 2, 2)"),
        1};
    CHECK(play.picture() ==
          "view 0,0 100x100\n"
          "camera 0,0 zoom 1\n"
          "world 0 circle at 2,2 radius 2 #ffffffff\n"
          "view 100,0 100x100\n"
          "camera 0,0 zoom 1\n"
          "world 0 circle at 2,2 radius 2 #ffffffff\n"
          "world 0 circle at 1,1 radius 1 #ffffffff\n"
          "screen 0 text at 0,0 size 16 left \"two\" #ffffffff\n"
          "over the views\n"
          "camera 100,50 zoom 1\n");
}

TEST_CASE("points belong to the view that shows them, or to the one that is asked") {
    GameFolder game{
        std::string{kPictureUse} +
            "local left = world:spawn(at(1000, 0), gfx.View { width = 0.5, zoom = 2 })\n"
            "local right = world:spawn(at(0, 500), gfx.View { left = 0.5, width = 0.5, order = 1 })\n"
            "ecs.system('ask', { run = function(_, ctx)\n"
            "  local function is(u, v, x, y) assert(x == u and y == v, x .. ', ' .. y) end\n"
            "  is(1000, 0, gfx.to_world(50, 50)) is(1010, 5, gfx.to_world(70, 60))\n"
            "  is(0, 500, gfx.to_world(150, 50)) is(1050, 0, gfx.to_world(150, 50, left))\n"
            "  is(50, 50, gfx.to_screen(1000, 0)) is(150, 50, gfx.to_screen(0, 500, right))\n"
            "  assert(gfx.view_at(150, 50) == right and gfx.view_at(50, 50) == left)\n"
            "  assert(gfx.view_at(150, 500) == nil)\n"
            "  is(1000, 450, gfx.to_world(50, 950))\n"
            "  local x, y, w, h = gfx.view_rect(right)\n"
            "  assert(x == 100 and y == 0 and w == 100 and h == 100)\n"
            "  assert(gfx.view_rect(0) == nil)\n"
            "end })",
        kPictureSchema};
    game.write("mod.json", kPictureManifest);
    const auto engine = game.play();
    run(*engine, 2);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("without views, points are those of gfx.Camera, turned as it is") {
    const PictureGame play{
        "ecs.system('turn', { access = { write = { gfx.Camera } }, run = function(_, ctx)\n"
        "  local camera = ctx:resource(gfx.Camera)\n"
        "  camera.x, camera.y, camera.rotation = 10, 20, math.pi / 2\n"
        "  if ctx.tick == 0 then return end\n"
        "  local x, y = gfx.to_world(100, 50)\n"
        "  assert(x == 10 and y == 20)\n"
        "  x, y = gfx.to_world(100, 60)\n"
        "  assert(math.abs(x - 0) < 1e-4 and math.abs(y - 20) < 1e-4)\n"
        "  x, y = gfx.to_screen(0, 20)\n"
        "  assert(math.abs(x - 100) < 1e-4 and math.abs(y - 60) < 1e-4)\n"
        "end })",
        3};
    CHECK(contains(play.picture(), "camera 10,20 zoom 1 turned 1.5708"));
}

TEST_CASE("a camera follows an entity and shakes, and the player may turn that off [P12]") {
    const std::string main =
        "local hero = world:spawn(at(700, 300))\n"
        "world:spawn(at(0, 0), gfx.View, gfx.Follow { target = hero, bounds_right = 750, bounds_bottom = 400 "
        "},\n"
        "  gfx.Shake { trauma = 1, decay = 0 })\n";
    const PictureGame shaken{main, 5}, still{main + "gfx.set_shake(0)", 5};
    CHECK(contains(still.picture(), "camera 650,300 zoom 1\n"));
    CHECK_FALSE(contains(shaken.picture(), "camera 650,300 zoom 1\n"));
    CHECK(contains(shaken.picture(), " turned "));
    CHECK(shaken.engine->hash() == still.engine->hash());
}

TEST_CASE("errors of cameras say what is wrong") {
    CHECK(failure("gfx.set_view('left')") ==
          "bad argument #1 to 'gfx.set_view': expected an entity with gfx.View, got 'left'");
    CHECK(failure("gfx.set_view(5)") ==
          "gfx.set_view: the entity has no gfx.View with a Position that is shown");
    CHECK(failure("gfx.to_world(1, 2, 5)") ==
          "gfx.to_world: the entity has no gfx.View with a Position that is shown");
    CHECK(failure("gfx.to_screen(1, 2, 5)") ==
          "gfx.to_screen: the entity has no gfx.View with a Position that is shown");
    CHECK(failure("gfx.view_rect()") ==
          "bad argument #1 to 'gfx.view_rect': expected an entity with gfx.View, got nil");
    CHECK(failure("gfx.set_shake(2)") ==
          "bad argument #1 to 'gfx.set_shake': expected a number from 0 to 1, got 2");
    CHECK(failure("gfx.set_camera(1, 2, 1, 0 / 0)") ==
          "bad argument #4 to 'gfx.set_camera': expected a finite number, got nan");
    GameFolder game{"gfx.canvas(2, 2, { name = 5 })\nfunction draw() end"};
    const auto engine = game.play();
    CHECK(contains(game.log, "gfx.canvas: option 'name': expected a text, got 5"));
}
