// The components of gfx in scripts: what entities with them look like in the picture.
#include "engine/modules/gfx_module.h"
#include "tests/engine/game_folder.h"

#include <string>
#include <string_view>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\necs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n";
constexpr char kUse[] = "local ecs, gfx = require 'ecs', require 'gfx'\nlocal C = ecs.components\n";

}  // namespace

TEST_CASE("a script draws shapes with the component gfx.Shape and changes them") {
    GameFolder game{
        std::string{kUse} +
            "ecs.world:spawn(C.Position { x = 100, y = 50 },\n"
            "  gfx.Shape { kind = 'capsule', width = 20, height = 4, color = gfx.color('red'), layer = 2 })\n"
            "ecs.system('grow', { query = { write = { gfx.Shape } }, run = function(chunk)\n"
            "  for i = 1, chunk.count do chunk[gfx.Shape].width[i] = 40 end\n"
            "end })",
        kSchema};
    const auto engine = game.play();
    CHECK(engine->error_count() == 0);
    run(*engine, 1);
    INFO(game.log);
    CHECK(contains(picture(*engine), "world 2 line at 80,50 to 120,50 round stroke 4 #e63232ff"));
}

TEST_CASE("entities whose shape is not finite are reported once") {
    GameFolder game{std::string{kUse} +
                        "for i = 1, 2 do\n"
                        "  ecs.world:spawn(C.Position { x = 100, y = 50 }, gfx.Shape { width = 1 / 0 })\n"
                        "end",
                    kSchema};
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(contains(game.log, "2 entities cannot be drawn: the position or size is not finite"));
    CHECK(game.log.find("cannot be drawn") == game.log.rfind("cannot be drawn"));
}

TEST_CASE("a script draws texts with the component gfx.Text and changes them") {
    GameFolder game{std::string{kUse} +
                        "ecs.world:spawn(C.Position { x = 100, y = 50 },\n"
                        "  gfx.Text { text = 'one', origin_x = 0, origin_y = 0 })\n"
                        "ecs.system('count', { query = { write = { gfx.Text } }, run = function(chunk, ctx)\n"
                        "  for i = 1, chunk.count do chunk[gfx.Text].text[i] = 'step ' .. ctx.tick end\n"
                        "end })",
                    kSchema};
    const auto engine = game.play();
    run(*engine, 3);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "world 0 text at 100,50 size 16 left \"step 2\" #ffffffff"));
}

TEST_CASE("a script draws a ribbon behind an entity with the component gfx.Trail") {
    GameFolder game{
        std::string{kUse} +
            "ecs.world:spawn(C.Position { x = 100, y = 50 }, gfx.Trail { length = 3, layer = 2 })\n"
            "ecs.system('move', { query = { write = { C.Position } }, run = function(chunk)\n"
            "  for i = 1, chunk.count do chunk.Position.x[i] = chunk.Position.x[i] + 10 end\n"
            "end })",
        kSchema};
    const auto engine = game.play();
    run(*engine, 6);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "world 2 mesh at 0,0 of 4 triangles #ffffffff"));
}
