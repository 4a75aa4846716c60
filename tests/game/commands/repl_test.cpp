// perigee repl from a pipe, as a program.
#include "game/commands/repl.h"

#include "tests/game/program.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

using namespace perigee;

namespace {

using test::ProgramRun;
using test::quoted;
using test::run_program;

ProgramRun repl(const std::string& lines, const std::string& options = "") {
    const test::TemporaryFolder folder;
    folder.write("lines", lines + "\n");
    return run_program("repl " + quoted(std::filesystem::path(PERIGEE_SOURCE_DIR) / "scripts/examples/mods") +
                       " " + options + " <" + quoted(folder.path() / "lines"));
}

}  // namespace

TEST_CASE("lines from a pipe print their values, and time passes only with :step") {
    const ProgramRun run =
        repl("1 + 1\n:step 60\nworld:entity_count() > 0\n:step many\n:complete string.form");
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Catch::StartsWith("2\n") && Catch::Contains("step 60\ntrue\n"));
    CHECK_THAT(run.out, Catch::Contains(":step takes a number of steps, at most 1000000"));
    CHECK_THAT(run.out, Catch::Contains("format\n"));
}

TEST_CASE("lines see the names of the selected mod, and :quit ends") {
    const ProgramRun run = repl("C.Sail ~= nil\n:quit\nerror('never')", "--mod weather");
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Catch::Contains("true"));
    CHECK_THAT(run.out, !Catch::Contains("never"));
}

TEST_CASE("a game that has quit runs no more steps, and says so") {
    const ProgramRun run = repl("app.quit()\n:step 5");
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Catch::Contains("the game has quit (app.quit); no more steps run\nstep 0\n"));
}

TEST_CASE("a missing game is an error") {
    const ProgramRun run = run_program("repl no/such/game </dev/null");
    CHECK(run.status == 1);
    CHECK_FALSE(run.err.empty());
}
