// Signals to an endless run: it ends cleanly, and its status tells the signal.
#include "game/program/stop_signal.h"

#include "game/program/exit_status.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <string>
#include <utility>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;
using test::run_shell;

namespace {

// Starts the game, waits until it says that it runs, sends the signal, and ends with the run's status.
ProgramRun run_until(const std::string& signal, const std::string& game, const std::string& words) {
    return run_shell("$PERIGEE run " + game + " $RISK --headless --frames 100000000 " + words +
                     " 2>$0.log &\n" + "run=$!\nuntil grep -q running $0.log; do sleep 0.05; done\nkill -" +
                     signal + " $run\nwait $run\nstatus=$?\ncat $0.log >&2\nexit $status\n");
}

constexpr char kGame[] =
    "local ecs = require 'ecs'\n"
    "ecs.system('count', { run = function(_, ctx) if ctx.tick == 100 then print('running') end end })";

}  // namespace

TEST_CASE("SIGINT, SIGTERM and SIGHUP end a run cleanly, with a complete recording") {
    for (const auto& [name, number] : {std::pair{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}}) {
        CAPTURE(name);
        const test::TemporaryFolder folder;
        folder.write("game/main.lua", kGame);
        const std::string game = (folder.path() / "game").string();
        const std::string log = (folder.path() / "a.log").string();
        // A shell lets what it starts in the background ignore SIGINT, which then stays ignored.
        const bool is_ignored = number == SIGINT;
        const ProgramRun run = is_ignored ? run_until("HUP", game, "--hash --record " + log)
                                          : run_until(name, game, "--hash --record " + log);
        CAPTURE(run.err);
        CHECK(run.status == kExitSignal + (is_ignored ? SIGHUP : number));
        CHECK_THAT(run.out, Contains("hash "));
        CHECK_THAT(run.err, Contains("perigee: ended by signal "));
        CHECK_FALSE(std::filesystem::exists(log + ".part"));
        const ProgramRun again = run_program("run " + game + " --headless --hash --replay " + log);
        CHECK(again.status == kExitDone);
        CHECK(again.out == run.out);
    }
}

TEST_CASE("a signal that was ignored when the run began stays ignored") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", kGame);
    const ProgramRun run =
        run_shell("trap '' HUP\n$PERIGEE run " + folder.path().string() +
                  " $RISK --headless --frames 20000 --hash 2>$0.log &\nrun=$!\n"
                  "until grep -q running $0.log; do sleep 0.05; done\nkill -HUP $run\nwait $run\n");
    CHECK(run.status == kExitDone);
    CHECK_THAT(run.out, Contains("hash "));
}

TEST_CASE("no signal is stored before one arrives") { CHECK(stop_signal() == 0); }
