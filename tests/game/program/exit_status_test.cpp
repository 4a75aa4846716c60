// Each status of the list, from a run that ends with it.
#include "game/program/exit_status.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;
using test::run_shell;

namespace {

constexpr char kFine[] = "function update() end";
constexpr char kFails[] =
    "require('ecs').system('s', { run = function(_, ctx) if ctx.tick == 2 then error('enough', 0) end end })";

ProgramRun run_with_mod(const std::string& main, const std::string& manifest = "{}") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", kFine);
    folder.write("mods/rain/main.lua", main);
    folder.write("mods/rain/mod.json", manifest);
    return run_program("run " + test::quoted(folder.path()) + " --headless --hash --frames 5");
}

}  // namespace

TEST_CASE("a run without errors ends with 0, and wrong use with 2") {
    CHECK(run_with_mod(kFine).status == kExitDone);
    CHECK(run_program("run --no-such-option").status == kExitWrongUse);
    CHECK(run_program("run --record a --hash-log a").status == kExitWrongUse);
}

TEST_CASE("a run in which a mod was suspended, failed to load or was left out ends with 3") {
    const ProgramRun suspended = run_with_mod(kFails);
    CHECK(suspended.status == kExitModFailed);
    CHECK_THAT(suspended.out, Contains("hash "));
    CHECK_THAT(suspended.err, Contains("perigee: system 'rain:s' is suspended: ") && Contains("enough"));
    const ProgramRun broken = run_with_mod("error 'no'");
    CHECK(broken.status == kExitModFailed);
    CHECK_THAT(broken.err, Contains("perigee: mod 'rain' did not load; the log says why"));
    const ProgramRun left_out = run_with_mod(kFine, R"({"depends": {"snow": "*"}})");
    CHECK(left_out.status == kExitModFailed);
    CHECK_THAT(left_out.err, Contains("perigee: mod 'rain' did not load; the log says why"));
}

TEST_CASE("a run in which the game itself failed ends with 1, whatever its mods do") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", kFails);
    folder.write("mods/rain/main.lua", kFails);
    const ProgramRun run = run_program("run " + test::quoted(folder.path()) + " --headless --frames 5");
    CHECK(run.status == kExitFailed);
    CHECK_THAT(run.err, Contains("perigee: system 's' is suspended: "));
}

TEST_CASE("the help of runs lists what their exit status means") {
    for (const char* const words : {"run --help", "inspect --help"})
        CHECK_THAT(run_program(words).out, Contains(std::string(kExitStatusHelp)));
}

TEST_CASE("two runs cannot write one recording, hash log or trace") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua",
                 "require('ecs').system('s', { run = function(_, ctx) if ctx.tick == 9 then print('running') "
                 "end end })");
    const std::string game = (folder.path() / "game").string();
    for (const char* const option : {"--record", "--hash-log", "--profile"}) {
        CAPTURE(option);
        const std::string words =
            "run " + game + " $RISK --headless " + option + " " + (folder.path() / "log").string();
        const ProgramRun run =
            run_shell("$PERIGEE " + words + " --frames 100000000 2>$0.log &\nrun=$!\n" +
                      "until grep -q running $0.log; do sleep 0.05; done\n$PERIGEE " + words +
                      " --frames 3\nsecond=$?\n" + "kill -TERM $run\nwait $run\necho $? $second\n");
        CHECK(run.out == "143 1\n");
        CHECK_THAT(run.err, Contains("log") && Contains("': another program is writing it\n"));
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a limit on address space makes the program run in less, or say so") {
    const test::TemporaryFolder folder;
    const std::string words =
        "run " PERIGEE_SOURCE_DIR "/tests/game/movers $RISK --headless --frames 20 --hash";
    const ProgramRun free = run_shell("$PERIGEE " + words);
    REQUIRE(free.status == kExitDone);
    // In KB: as much as was refused once, ten times less, and next to nothing.
    for (const char* const limit : {"16000000", "4000000", "1500000"}) {
        CAPTURE(limit);
        const ProgramRun run = run_shell("ulimit -v " + std::string(limit) + "\n$PERIGEE " + words);
        CAPTURE(run.err);
        CHECK(run.status == kExitDone);
        CHECK(run.out == free.out);
    }
    const ProgramRun little = run_shell("ulimit -v 400000\n$PERIGEE " + words + " --renderer none");
    CHECK(little.status == kExitFailed);
    CHECK_THAT(little.err,
               Contains("the limit on address space (ulimit -v) leaves ") && Contains("needs 512 MB"));
}
#endif
