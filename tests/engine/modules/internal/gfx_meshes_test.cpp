// gfx.mesh and gfx.draw_mesh in scripts: what they draw, the room that they take, and the message of each
// error.
#include "engine/modules/internal/gfx_meshes.h"

#include "engine/session/game_session.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kTriangle[] = "local m = gfx.mesh { { 0, 0 }, { 10, 0 }, { 0, 10 } }\n";

void plays(const std::string& main, int frames = 1) {
    GameFolder game{main};
    game.write("assets/hero.png", png_head(64, 32));
    const auto engine = game.play();
    run(*engine, frames);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

std::string drawn(const std::string& before, const std::string& body) {
    GameFolder game{before + "function draw()\n" + body + "\nend"};
    game.write("assets/hero.png", png_head(64, 32));
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return picture(*engine);
}

std::string failure(const std::string& line) {
    GameFolder game{std::string{kTriangle} + "function draw()\n" + line + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().line == 3);
    return errors.back().message;
}

constexpr char kHead[] = "camera 640,360 zoom 1\n";

}  // namespace

TEST_CASE("a mesh is drawn at places, turned and scaled, without being copied") {
    CHECK(drawn(kTriangle,
                "gfx.draw_mesh(m, 5, 6)\n"
                "gfx.set_color 'red'\n"
                "gfx.translate(100, 0)\n"
                "gfx.draw_mesh(m, 5, 6, math.pi, 2)\n"
                "gfx.draw_mesh(m, 0, 0, 0, 2, -3, '#00ff00')\n"
                "gfx.draw_mesh(m)") ==
          std::string{kHead} +
              "world 0 mesh at 5,6 of 1 triangles, kept, scale 1x1 #ffffffff\n"
              "world 0 mesh at 105,6 of 1 triangles, kept, scale 2x2 turned 0.5 #e63232ff\n"
              "world 0 mesh at 100,0 of 1 triangles, kept, scale 2x-3 #00ff00ff\n"
              "world 0 mesh at 100,0 of 1 triangles, kept, scale 1x1 #e63232ff\n");
    GameFolder game{std::string{kTriangle} +
                    "function draw() for i = 1, 1000 do gfx.draw_mesh(m, i, 0) end end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->draw_list().items().size() == 1000);
    CHECK(engine->draw_list().mesh_points().empty());
}

TEST_CASE("vertices are read and written one by one and in bulk, and what is left out stays") {
    plays(R"(
        local m = gfx.mesh({ { 1, 2 }, { 3, 4, 0.5, 0.25 }, { 5, 6, 1, 1, 1, 0, 0.5, 0.25 }, { 7, 8, 0, 0, "#102030" } })
        assert(m.count == 4 and tostring(m) == "mesh of 4 vertices" and m == m)
        local function is(i, ...)
          local got, want = { m:get(i) }, { ... }
          for k = 1, 8 do assert(math.abs(got[k] - want[k]) < 0.003, k .. ": " .. got[k] .. " for " .. want[k]) end
        end
        is(1, 1, 2, 0, 0, 1, 1, 1, 1)
        is(2, 3, 4, 0.5, 0.25, 1, 1, 1, 1)
        is(3, 5, 6, 1, 1, 1, 0, 0.5, 0.25)
        is(4, 7, 8, 0, 0, 16 / 255, 32 / 255, 48 / 255, 1)
        m:set(3, -1, -2)
        is(3, -1, -2, 1, 1, 1, 0, 0.5, 0.25)
        m:set(3, -1, -2, 5, -6, "lime")
        is(3, -1, -2, 5, -6, 0x96 / 255, 0xe6 / 255, 0x3c / 255, 1)
        m:set(3, -1, -2, nil, nil, 2, -1, 0.5)
        is(3, -1, -2, 5, -6, 1, 0, 0.5, 1)
        m:set_vertices({ { 9, 9 }, { 8, 8 } }, 3)
        is(3, 9, 9, 0, 0, 1, 1, 1, 1)
        is(4, 8, 8, 0, 0, 1, 1, 1, 1)
        local many = gfx.mesh(1000, { mode = "triangles" })
        for round = 1, 200 do
          for i = 1, many.count do many:set(i, i, round) end
        end
        local x, y = many:get(1000)
        assert(x == 1000 and y == 200)
        function draw() gfx.draw_mesh(m, 0, 0) gfx.draw_mesh(many) end)");
}

TEST_CASE("modes and lists of indices decide what the triangles are") {
    const std::string list = drawn(
        "local v = {} for i = 1, 7 do v[i] = { i, i * i } end\n"
        "local fan, strip, triangles = gfx.mesh(v), gfx.mesh(v, { mode = 'strip' }), gfx.mesh(v, { mode = "
        "'triangles' })\n"
        "local listed = gfx.mesh(v, { mode = 'triangles', indices = { 1, 2, 3, 3, 2, 7, 1 } })\n"
        "local few = gfx.mesh(v, { indices = { 1, 2 } })\n",
        "for _, m in ipairs { fan, strip, triangles, listed, few } do gfx.draw_mesh(m) end");
    CHECK(list == std::string{kHead} +
                      "world 0 mesh at 0,0 of 5 triangles, kept, scale 1x1 #ffffffff\n"
                      "world 0 mesh at 0,0 of 5 triangles, kept, scale 1x1 #ffffffff\n"
                      "world 0 mesh at 0,0 of 2 triangles, kept, scale 1x1 #ffffffff\n"
                      "world 0 mesh at 0,0 of 2 triangles, kept, scale 1x1 #ffffffff\n");
}

TEST_CASE("a mesh has an image: a file, pixels or a canvas, which live as long as the mesh") {
    plays(R"(
        local m = gfx.mesh(3, { image = "assets/hero.png" })
        local canvas = gfx.canvas(8, 8)
        local shown = gfx.mesh(3, { image = gfx.pixels(4, 4) })
        local frame = 0
        function draw()
          frame = frame + 1
          m:set_image(canvas)
          gfx.draw_mesh(m)
          gfx.draw_mesh(shown)
          m:set_image("assets/hero.png")
          gfx.draw_mesh(m)
          m:set_image()
          gfx.set_canvas(canvas)
          m:set_image(canvas)
          local ok, message = pcall(gfx.draw_mesh, m)
          assert(not ok and message:find "a canvas cannot be drawn into itself")
          for i = 1, 50 do gfx.pixels(64, 64) end
        end)",
          100);
}

#if !defined(__SANITIZE_THREAD__)  // where the limit of time ends these runs first
TEST_CASE("a list keeps the meshes that it draws, and room is given back") {
    GameFolder game{R"(
        function draw()
          for i = 1, 30 do gfx.draw_mesh(gfx.mesh(20000), i, 0) end
        end)"};
    const auto engine = game.play();
    run(*engine, 20);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(engine->surfaces().meshes.count() < 200);
}

TEST_CASE("a mod with too many meshes is refused") {
    CHECK(failure("local all = {} for i = 1, 100 do all[i] = gfx.mesh(1000000) end") ==
          "gfx.mesh: this mod has no room for a mesh of 1000000 vertices: all meshes together can take 64 "
          "MB, and "
          "there can be 16384 of them, with a share for the game and each mod; drop what you no longer use");
}

TEST_CASE("drawing a mesh is charged by its triangles") {
    CHECK(contains(failure("local big = gfx.mesh(900000) for i = 1, 3 do gfx.draw_mesh(big) end"),
                   "gfx.draw_mesh: the game draws more than its limit per frame, 4000000 vertices"));
}
#endif

TEST_CASE("mistakes with meshes are errors that name the argument") {
    CHECK(failure("gfx.mesh()") ==
          "bad argument #1 to 'gfx.mesh': expected a list of vertices { x, y, u, v, r, g, b, a }, or their "
          "number, "
          "got nil");
    CHECK(failure("gfx.mesh { { 0, 0 }, { 1, 1 } }") == "gfx.mesh: expected 3 to 1048576 vertices, got 2");
    CHECK(failure("gfx.mesh { { 0, 0 }, { 1, 1 }, 5 }") ==
          "gfx.mesh: vertex 3: expected { x, y, u, v, r, g, b, a }, got 5");
    CHECK(failure("gfx.mesh { { 0, 0 }, { 1 }, { 1, 1 } }") ==
          "gfx.mesh: vertex 2: expected a finite number, got nil");
    CHECK(failure("gfx.mesh { { x = 1, y = 2 }, { 1, 0 }, { 1, 1 } }") ==
          "gfx.mesh: vertex 1: expected { x, y, u, v, r, g, b, a }, in this order and without names");
    CHECK(failure("gfx.image(m, 1, 2)") == "gfx.image: a mesh is drawn with gfx.draw_mesh(mesh, x, y)");
    CHECK(failure("gfx.mesh { { 0, 0 }, { 1, 0/0 }, { 1, 1 } }") ==
          "gfx.mesh: vertex 2: expected a finite number, got nan");
    CHECK(failure("gfx.mesh { { 0, 0, 0, 0, 1, 1, 'x' }, { 1, 0 }, { 1, 1 } }") ==
          "gfx.mesh: vertex 1: expected a colour, or r, g, b and a from 0 to 1, got 'x'");
    CHECK(failure("gfx.mesh(3, { mode = 'lines' })") ==
          "gfx.mesh: option 'mode': expected \"fan\", \"strip\" or \"triangles\", got 'lines'");
    CHECK(failure("gfx.mesh(3, { indices = { 0 } })") ==
          "gfx.mesh: index 1: expected the number of a vertex, 1 to 3, got 0");
    CHECK(failure("gfx.mesh(3, { indices = { 1, 2, 1.5 } })") ==
          "gfx.mesh: index 3: expected the number of a vertex, 1 to 3, got 1.5");
    CHECK(failure("gfx.mesh(3, { indices = 'all' })") ==
          "gfx.mesh: option 'indices': expected a list of numbers of vertices, got 'all'");
    CHECK(failure("gfx.mesh(3, { img = 'a.png' })") ==
          "gfx.mesh: unknown key 'img'; there are image, indices, mode");
    CHECK(failure("gfx.draw_mesh('m')") ==
          "bad argument #1 to 'gfx.draw_mesh': expected a mesh of gfx.mesh, got 'm'");
    CHECK(failure("gfx.draw_mesh(m, 0/0)") ==
          "bad argument #2 to 'gfx.draw_mesh': expected a finite number, got nan");
    CHECK(failure("m:set(4, 0, 0)") == "mesh:set: there is no vertex 4; these are 1 to 3");
    CHECK(failure("m:set(0/0, 0, 0)") == "mesh:set: there is no vertex nan; these are 1 to 3");
    CHECK(failure("m:set(1, 0)") == "mesh:set, y: expected a finite number, got nil");
    CHECK(failure("m:get(0)") == "mesh:get: there is no vertex 0; these are 1 to 3");
    CHECK(failure("m.set(1, 2, 3)") == "mesh:set: call it with a colon, as in mesh:set(…)");
    CHECK(failure("m:set_vertices({ { 0, 0 } }, 4)") ==
          "mesh:set_vertices: 1 vertices from 4 on do not fit; these are 1 to 3");
    CHECK(failure("m.x = 5") == "vertices of a mesh are set as in mesh:set(1, x, y)");
    CHECK(failure("m:setVertex(1)") == "a mesh has no 'setVertex'");
    GameFolder game{std::string{kTriangle} + "function update() gfx.mesh(3) end"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->session().scripts().recent_errors().back().message ==
          "gfx.mesh: not in a step of the simulation; do it while main.lua loads, or in draw()");
}
