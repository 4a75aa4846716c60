// run --save and --load on small games: what continues, what a failed load or save leaves, and each error.
#include "game/commands/play.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using Catch::Matchers::Contains;

using test::kMovers;
using test::ProgramRun;
using test::refused;
using test::run_program;

TEST_CASE("a game that did not load leaves the saved world as it is") {
    const test::TemporaryFolder folder;
    const auto world = folder.path() / "old.world";
    const std::string words =
        "run '" + folder.path().string() + "' --headless --frames 3 --save '" + world.string() + "'";
    folder.write("main.lua", "local ecs = require 'ecs' ecs.world:spawn(ecs.components.Thing)");
    folder.write("schema.lua", "require('ecs').component('Thing', { { 'x', 'f32' } })");
    CHECK(run_program(words).status == 0);
    const std::string before = test::bytes_of(world);
    REQUIRE(!before.empty());
    for (const char* const broken : {"main.lua", "schema.lua"}) {
        folder.write(broken, "local = 5");
        const ProgramRun run = run_program(words);
        CHECK(run.status == 1);
        CHECK_THAT(run.err, Contains("the game did not load, so that its world has nothing to save"));
        CHECK(test::bytes_of(world) == before);
    }
}

TEST_CASE("a run that begins with a saved world continues as the saved one would have") {
    const test::TemporaryFolder folder;
    const std::string saved = test::quoted(folder.path() / "middle.world");
    for (const char* const game :
         {"scripts/games/swarm", "scripts/games/nova", "scripts/examples/breakout", "tests/game/movers"}) {
        CAPTURE(game);
        const std::string run = "run '" PERIGEE_SOURCE_DIR "/" + std::string(game) + "' --headless --hash ";
        const ProgramRun whole = run_program(run + "--frames 90");
        const ProgramRun first = run_program(run + "--frames 40 --save " + saved);
        CHECK(first.status == 0);
        const ProgramRun second = run_program(run + "--frames 50 --load " + saved);
        CAPTURE(second.err);
        CHECK(second.status == 0);
        CHECK(second.last_line() == whole.last_line());
        CHECK_THAT(second.err, !Contains("may differ"));  // nothing is recorded
        CHECK(run_program(run + "--frames 0 --load " + saved).last_line() == first.last_line());
    }
    const ProgramRun recorded =
        run_program("run '" PERIGEE_SOURCE_DIR "/tests/game/movers' --headless --frames 5 --load " + saved +
                    " --record " + test::quoted(folder.path() / "run.replay"));
    CHECK_THAT(recorded.err, Contains("a world that was loaded from a file changed what happened in step"));
}

TEST_CASE("a saved world continues at its tick with its events, whether or not a frame was shown since") {
    const test::TemporaryFolder folder;
    folder.write("game/schema.lua", R"(local ecs = require "ecs"
        ecs.event("Ping", { { "n", "u32" } })
        ecs.resource("Seen", { { "ticks", "f64" }, { "pings", "f64" }, { "seconds", "f64" } }))");
    folder.write("game/main.lua", R"(local ecs = require "ecs"
        local C = ecs.components
        ecs.system("hear", { every = 0.05, access = { read = { C.Ping }, write = { C.Seen } }, run = function(_, ctx)
          local seen, pings = ctx:resource(C.Seen), ctx:events(C.Ping)
          for i = 1, pings.count do seen.pings = seen.pings * 3 % 1e6 + pings.n[i] end
        end })
        ecs.system("speak", { access = { write = { C.Ping, C.Seen } }, run = function(_, ctx)
          ctx:send(C.Ping, { n = ctx.tick })
          local seen = ctx:resource(C.Seen)
          seen.ticks, seen.seconds = seen.ticks * 3 % 1e6 + ctx.tick, seen.seconds + ctx.time
        end })
        ecs.system("watch", { group = "presentation", access = { read = { C.Ping } }, run = function(_, ctx)
          assert(ctx:events(C.Ping).count < 3)
        end }))");
    const std::string run = "run " + test::quoted(folder.path() / "game") + " --headless --hash ";
    const ProgramRun whole = run_program(run + "--frames 20");
    REQUIRE(whole.err == "");
    const std::string saved = test::quoted(folder.path() / "middle.world");
    for (const int frames : {0, 1, 2, 7, 13}) {
        CAPTURE(frames);
        REQUIRE(run_program(run + "--save " + saved + " --frames " + std::to_string(frames)).status == 0);
        const ProgramRun rest =
            run_program(run + "--load " + saved + " --frames " + std::to_string(20 - frames));
        CHECK(rest.last_line() == whole.last_line());
        CHECK(rest.err == "");
    }
}

TEST_CASE("a world that cannot be saved or loaded is reported before the game runs") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "function update() print('step') end");
    const std::string file = test::quoted(folder.write("no.world", "no world"));
    const std::string run = "run " + test::quoted(folder.path() / "game") + " --headless --frames 1 ";
    refused(run + "--load " + file, "this is not a saved world");
    refused(run + "--load " + test::quoted(folder.path() / "missing"), "does not exist");
    refused(run + "--save " + test::quoted(folder.path() / "none/a.world"), "no such folder");
    refused(run + "--save " + test::quoted(folder.path()), "--save: cannot write '");
    const ProgramRun both = run_program(run + "--load " + file + " --replay " + file);
    CHECK(both.status == 2);
    CHECK_THAT(both.err, Contains("--replay begins with the game's own world: remove --load"));
}
