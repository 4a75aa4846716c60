// Light maps in the pictures of games: where they are in a list, and in which lists.
#include "engine/session/internal/light_maps.h"

#include "engine/session/game_session.h"
#include "engine/surfaces/surface_table.h"
#include "tests/engine/picture_game.h"

#include <algorithm>
#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kDarken[] =
    "local function darken(layer, color)\n"
    "  local lighting = world:resource(gfx.Lighting) lighting.layer = layer lighting.ambient = color\nend\n";

struct Play : PictureGame {
    explicit Play(const std::string& main, int frames = 2) : PictureGame(kDarken + main, frames) {}
};

constexpr char kShapes[] =
    "world:spawn(at(10, 10), gfx.Light)\n"
    "world:spawn(at(20, 20), gfx.Shape { layer = 2 })\nworld:spawn(at(20, 20), gfx.Shape { layer = 3 })\n";

}  // namespace

TEST_CASE("without darkness there is no light map [P14]") {
    const Play play{kShapes};
    CHECK(count(play.picture(), "multiply") == 0);
    CHECK(count(play.picture(), "rectangle") == 2);
}

TEST_CASE("a light map lies above the last layer that is lit, and below the others [P14]") {
    const Play play{std::string{kShapes} +
                    "darken(2, 0x202030ff)\nfunction draw() gfx.set_layer(2) gfx.line(1, 1, 2, 2) end"};
    const std::string picture = play.picture();
    INFO(picture);
    const std::size_t lit = picture.find("world 2 line"), map = picture.find("multiply"),
                      above = picture.find("world 3 rectangle");
    CHECK(lit < map);
    CHECK(map < above);
    CHECK(contains(picture, "world 2 sprite at 100,50 size 200x100"));
}

TEST_CASE("each view has a light map of its own, also if it does not show the lit layer") {
    const Play play{
        std::string{kShapes} +
        "darken(2, 0x202030ff)\n"
        "world:spawn(at(0, 0), gfx.View { width = 0.5, zoom = 2 })\n"
        "world:spawn(at(50, 0), gfx.View { left = 0.5, width = 0.5, layers = '!2', rotation = 1 })\n"
        "local map = gfx.canvas(40, 20, { name = 'map' })\n"
        "world:spawn(at(0, 0), gfx.View { canvas = 'map' })"};
    const std::string picture = play.picture();
    INFO(picture);
    CHECK(contains(picture, "sprite at 0,0 size 50x50"));
    CHECK(contains(picture, "sprite at 50,0 size 100x100"));
    CHECK(count(picture, "multiply") == 2);
}

TEST_CASE("darkness that comes and goes, in a window whose parts change, leaves pictures as they were") {
    const Play play{
        std::string{kShapes} +
            "local view = world:spawn(at(0, 0), gfx.View { width = 0.5 })\n"
            "ecs.system('night', { access = { write = { gfx.Lighting, gfx.View } }, run = "
            "function(_, ctx)\n"
            "  ctx:resource(gfx.Lighting).ambient = ctx.tick % 3 == 0 and 0xffffffff or 0x000000ff\n"
            "end })",
        40};
    CHECK(play.game.log.empty());
}

TEST_CASE("a game with too many lights is told so once") {
    const Play play{"darken(0, 0x000000ff)\nfor i = 1, 600 do world:spawn(at(i, 1), gfx.Light) end", 5};
    CHECK(count(play.game.log, "gfx.Light: a picture has at most 512 lights") == 1);
}

TEST_CASE("a game that has used up its canvases stays bright and is told so") {
    const Play play{
        "darken(0, 0x000000ff)\nlocal kept = {}\n"
        "for i = 1, 1000 do local ok, canvas = pcall(gfx.canvas, 4096, 4096) if not ok then break end "
        "kept[i] = canvas end\n"
        "for i = 1, 1000 do local ok, canvas = pcall(gfx.canvas, 256, 256) if not ok then break end "
        "kept[#kept + 1] = canvas end\n"
        "for i = 1, 1000 do local ok, canvas = pcall(gfx.canvas, 16, 16) if not ok then break end kept[#kept "
        "+ 1] = canvas end\n"
        "function draw() gfx.image(kept[1], 0, 0) end"};
    CHECK(count(play.picture(), "multiply") == 0);
    CHECK(count(play.game.log, "leave no room for light") == 1);
}
