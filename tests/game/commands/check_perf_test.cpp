// perigee check --perf, as a program.
#include "game/commands/check_perf.h"

#include "tests/game/program.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;

namespace {

using test::ProgramRun;
using test::quoted;
using test::run_program;

ProgramRun measure(const std::string& loop, const std::string& options = "") {
    const test::TemporaryFolder folder;
    folder.write("main.lua",
                 "local ecs = require 'ecs'\necs.system('work', { run = function()\n  local sum = 0\n  " +
                     loop + "\nend })\n");
    return run_program("check --perf " + options + quoted(folder.path()));
}

}  // namespace

TEST_CASE("a game that is compiled passes, with a table of what its mods cost") {
    const ProgramRun run = measure("for i = 1, 1000 do sum = sum + i end");
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Catch::Contains("0 errors") && Catch::Contains("interpreted") &&
                            !Catch::Contains("not compiled") && !Catch::Contains("thrown away"));
}

TEST_CASE("with --jit off, code that LuaJIT cannot compile is not reported") {
    const ProgramRun run =
        measure("for i = 1, 1000 do local f = function() return i end sum = sum + f() end", "--jit off ");
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.out,
               Catch::Contains("--jit off: everything was interpreted") && !Catch::Contains("not compiled:"));
}

TEST_CASE("a loop that is interpreted fails, with its line and advice") {
    const ProgramRun run =
        measure("for i = 1, 1000 do local f = function() return i end sum = sum + f() end");
    INFO(run.out << run.err);
    CHECK(run.status == 1);
    CHECK_THAT(run.out, Catch::Contains("main.lua:4") &&
                            Catch::Contains("makes a function in the loop; make it outside"));
    CHECK_THAT(run.out, Catch::Contains(" %"));
}

TEST_CASE("a game with errors is not run") {
    const ProgramRun run = measure("error(nothing.at.all) end end");
    CHECK(run.status == 1);
    CHECK_THAT(run.out, !Catch::Contains("interpreted"));
}
