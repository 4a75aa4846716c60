// What `perigee mods` prints, and its exit status.
#include "game/commands/mods.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;

TEST_CASE("perigee mods lists the mods of a game and of other folders, with reasons") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "error 'is not run'");
    folder.write("game/mods/base/main.lua", "");
    folder.write("more/extra/main.lua", "");
    folder.write("more/extra/mod.json", R"({"depends": {"base": "*"}})");
    const std::string words =
        "mods '" + (folder.path() / "game").string() + "' --mods '" + (folder.path() / "more").string() + "'";
    const ProgramRun run = run_program(words);
    CHECK(run.status == 0);
    CHECK(run.out ==
          "game 0.0.0\n"
          "   1. base 0.0.0                   by name\n"
          "   2. extra 0.0.0                  after base: depends on base *\n");
    CHECK(run.err == "");

    folder.write("more/bad/mod.json", "{");
    const ProgramRun again = run_program(words);
    CHECK(again.status == 1);
    CHECK_THAT(again.out, Contains("left out:\n      bad: mod.json:1:2: not valid JSON: "));
    CHECK_THAT(again.out, Contains("      bad: it has no main.lua\n"));
}

TEST_CASE("perigee mods reports a missing game or folder") {
    const ProgramRun run = run_program("mods /nowhere");
    CHECK(run.status == 1);
    CHECK_THAT(run.err, Contains("/nowhere"));
    const ProgramRun folder = run_program("mods --mods /nowhere");
    CHECK(folder.status == 1);
    CHECK_THAT(folder.err, Contains("'/nowhere': cannot read this mod folder"));
}

TEST_CASE("the example's mods load as docs/modding.md shows") {
    const std::string source = PERIGEE_SOURCE_DIR;
    const ProgramRun run = run_program("mods '" + source + "/scripts/examples/mods'");
    CHECK(run.status == 0);
    CHECK_THAT(test::bytes_of(source + "/docs/modding.md"),
               Contains("$ perigee mods scripts/examples/mods\n" + run.out + "```\n"));
}
