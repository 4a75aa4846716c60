// perigee run --window-size: what a window of another shape shows, and what a recording of it keeps.
#include "game/commands/play.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;

TEST_CASE("a window of any size shows the screen as its fit says, and a replay has the recorded size") {
    const test::TemporaryFolder folder;
    folder.write("game/mod.json", R"({"width": 64, "height": 36, "fit": "expand", "pixel_art": true})");
    folder.write("game/schema.lua", "require('ecs').resource('Seen', { { 'area', 'f64' } })");
    folder.write("game/main.lua",
                 "local C = require('ecs').components\n"
                 "require('ecs').system('see', { access = { write = { C.Seen } }, run = function(_, ctx)\n"
                 "  local width, height = gfx.size()\n"
                 "  local seen = ctx:resource(C.Seen) seen.area = seen.area + width * 1000 + height\n"
                 "end })");
    const std::string game = "'" + (folder.path() / "game").string() + "' --headless --hash ";
    const std::string log = (folder.path() / "a.log").string();
    const std::string picture = (folder.path() / "a.png").string();
    const std::string run = "run " + game;
    const ProgramRun plain = run_program(run + "--frames 9");
    const ProgramRun wide = run_program(run + "--frames 9 --window-size 301x144 --record " + log +
                                        " --renderer software --screenshot " + picture);
    CHECK(wide.status == 0);
    CHECK(wide.out != plain.out);
    CHECK(run_program(run + "--replay " + log).out == wide.out);
    CHECK(run_program(run + "--window-size 90x70 --replay " + log).out == wide.out);
    const std::string png = test::bytes_of(picture);
    CHECK(png.substr(18, 2) == "\x01\x2D");  // its width
    for (const char* size : {"301", "0x10", "10x", "x", "20000x20", "-4x4", "64x36 "}) {
        const ProgramRun wrong = run_program(run + "--window-size '" + size + "'");
        CHECK(wrong.status == 2);
        CHECK_THAT(wrong.err,
                   Contains("--window-size: expected a size such as 1366x768, at most 16384 each, got"));
    }
}
