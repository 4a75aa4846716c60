// What reaches a terminal, and what happens when nothing can be written.
#include "game/program/command_output.h"

#include "game/program/exit_status.h"
#include "scripting/sandbox/state.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace perigee;
using Catch::Matchers::Contains;
using test::kMovers;
using test::ProgramRun;
using test::run_shell;

namespace {

bool is_clean(const std::string& text) {
    return std::ranges::none_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F || byte == 0x9B;
    });
}

// A game with ESC wherever a script, a manifest or a file name has text.
void write_evil_game(const test::TemporaryFolder& folder) {
    folder.write("game/schema.lua",
                 "local ecs = require 'ecs'\n"
                 "ecs.component('Position', { { 'x', 'f32', doc = 'a\\27]0;b\\7', unit = '\\27[2J' },\n"
                 "  { 'kind', ecs.enum { 'a', 'b' } } }, { doc = '\\27[1m' })\n");
    folder.write("game/main.lua",
                 "local ecs = require 'ecs'\n"
                 "print('\\27[2Jprinted\\155\\r\\127')\n"
                 "pcall(ecs.prefab, 'Pre\\27[1mfab', { ecs.components.Position })\n"
                 "pcall(ecs.system, 'sys\\27[1mtem', { run = function() print('\\27]52;c;x\\7') end })\n"
                 "ecs.system('fails', { run = function() error('\\27[5mfailed', 0) end })");
    folder.write("game/tests/a.lua",
                 "local test = require 'test'\n"
                 "test.it('na\\27[1mme', function() print('\\27[2J') error('\\27[3m') end)\n");
    folder.write("game/mods/bad\x1B[1m/main.lua", "print '\\27[0m'");
    folder.write("game/mods/worse/mod.json",
                 "{\"title\": \"\\u001b[2J\", \"x\\u001b\": 1, \"depends\": {\"\\u001b[1m\": \"*\"}}");
    folder.write("game/mods/worse/main.lua", "error '\\27[0m'");
}

}  // namespace

TEST_CASE("failing to write to standard output is an error of every command") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    folder.write("game/main.lua", "function update() end");
    folder.write("game/tests/a.lua", "require('test').it('a', function() end)");
    const std::string record = "$PERIGEE run " + kMovers + " $RISK --headless --frames 3 --hash-log " + at;
    REQUIRE(run_shell(record + "/a\n" + record + "/b\n").status == 0);
    for (const std::string& words : std::vector<std::string>{
             "run " + kMovers + " $RISK --headless --frames 3 --hash",
             "inspect " + kMovers + " $RISK --frames 3",
             "mods " + kMovers,
             "diff " + at + "/a " + at + "/b",
             "new " + at + "/fresh",
             "pack " + at + "/game " + at + "/game.zip",
             "stubs " + at + "/game $RISK --to " + at + "/stubs",
             "check " + kMovers + " $RISK",
             "test " + at + "/game $RISK",
             "--help",
             "--version",
         }) {
        CAPTURE(words);
        const ProgramRun full = run_shell("$PERIGEE " + words + " >/dev/full\n");
        CAPTURE(full.err);
        CHECK(full.status == kExitFailed);
        CHECK_THAT(full.err, Contains("perigee: cannot write to standard output: No space left on device\n"));
        std::filesystem::remove_all(folder.path() / "fresh");
        const ProgramRun closed = run_shell("$PERIGEE " + words + " >&-\n");
        CAPTURE(closed.err);
        CHECK(closed.status == kExitFailed);
        CHECK_THAT(closed.err, Contains("perigee: cannot write to standard output: Bad file descriptor\n"));
    }
    for (const char* const end : {" >/dev/full\n", " >&-\n"}) {
        const ProgramRun repl = run_shell("echo 1 | $PERIGEE repl " + kMovers + " $RISK" + end);
        CHECK(repl.status == kExitFailed);
    }
}

TEST_CASE("printed text reaches no file when the standard streams are closed") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    const std::string run = "$PERIGEE run " + kMovers + " $RISK --headless --frames 5 --hash --record ";
    REQUIRE(run_shell(run + at + "/open\n").status == 0);
    for (const char* const closed : {" >&-", " 2>&-", " <&-", " <&- >&- 2>&-"}) {
        CAPTURE(closed);
        const bool has_output = std::string_view{closed}.find(" >&-") == std::string::npos;
        CHECK(run_shell(run + at + "/closed" + closed + "\n").status == (has_output ? 0 : kExitFailed));
        CHECK(test::bytes_of(folder.path() / "closed") == test::bytes_of(folder.path() / "open"));
    }
}

// Sanitizers take terabytes of addresses, and open files of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("lack of memory is an error with a message") {
    const test::TemporaryFolder folder;
    const std::string log = (folder.path() / "log").string();
    const ProgramRun run =
        run_shell("truncate -s 4G " + log + "\nulimit -v 2000000\n$PERIGEE diff " + log + " " + log + "\n");
    CHECK(run.status == kExitFailed);
    CHECK_THAT(run.err, Contains("perigee: the machine has no memory left"));
}

TEST_CASE("lack of open files is an error with a message") {
    const ProgramRun files =
        run_shell("ulimit -n 5\n$PERIGEE run " + kMovers + " $RISK --headless --frames 1\n");
    CHECK(files.status == kExitFailed);
    CHECK_THAT(files.err, Contains("cannot be read: Too many open files"));
}
#endif

TEST_CASE("a closed pipe does not end the run before its recording is complete") {
    const test::TemporaryFolder folder;
    const std::string log = (folder.path() / "a.log").string();
    const ProgramRun run = run_shell("{ sleep 0.3; $PERIGEE run " + kMovers +
                                     " $RISK --headless --frames 30 --hash --stats --record " + log +
                                     "; echo $? >$0.status; } | true\ncat $0.status\n");
    CHECK(run.out == "1\n");
    CHECK_THAT(run.err, Contains("cannot write to standard output: Broken pipe"));
    CHECK(std::filesystem::exists(log));
}

TEST_CASE("lack of threads is an error with a message") {
    // The limit on threads does not hold for root.
    const std::string run = "$PERIGEE run " + kMovers + " $RISK --headless --frames 1 --workers 64";
    const std::string as_other =
        ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
    if (run_shell("cd /\n" + as_other + run + "\n").status != 0) return;  // that user may not even run it
    const ProgramRun threads = run_shell("cd /\nprlimit --nproc=3 " + as_other + run + "\n");
    INFO(threads.err);
    CHECK(threads.status == kExitFailed);
    CHECK_THAT(threads.err, Contains("perigee: the system does not allow more threads"));
}

TEST_CASE("no command lets control characters of a game reach the terminal") {
    const test::TemporaryFolder folder;
    write_evil_game(folder);
    const std::string game = test::quoted(folder.path() / "game");
    const std::string odd = test::quoted(folder.path() / "no\x1B[1m\x9Bsuch");
    for (const std::string& words : std::vector<std::string>{
             "run " + game + " $RISK --headless --frames 3 --hash --stats --hash-log " + odd + "/x",
             "run " + game + " $RISK --headless --frames 3 --hash --stats --hash-log " +
                 test::quoted(folder.path() / "log"),
             "inspect --systems --stats " + game + " $RISK --frames 3",
             "mods " + game,
             "mods " + odd,
             "check --perf " + game + " $RISK",
             "test " + game + " $RISK",
             "stubs " + game + " $RISK",
             "run " + odd,
             "diff " + odd + " " + odd,
             "new " + odd,
             "pack " + odd,
             "run --screenshot " + odd + "/a.png " + game + " $RISK --headless",
             "run --\x1B[2J",
             "repl --mod '\x1B[1m' " + game + " $RISK",
         }) {
        CAPTURE(words);
        const ProgramRun run = run_shell(
            "printf \"print('\\\\27[2J')\\n'\\\\27[1m'\\n:\\033[1m\\n\" | $PERIGEE " + words + "\n");
        CHECK(is_clean(run.out));
        CHECK(is_clean(run.err));
        CHECK((run.out + run.err).size() > 0);
    }
    const std::string run = run_shell("$PERIGEE run " + game + " $RISK --headless --frames 3\n").err;
    CHECK_THAT(run, Contains("[game] \\x1B[2Jprinted\\x9B\\x0D\\x7F\n"));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path() / "game/.perigee"))
        if (entry.is_regular_file()) CHECK(is_clean(test::bytes_of(entry.path())));
    CHECK_THAT(test::bytes_of(folder.path() / "game/.perigee/stubs/game.lua"), Contains("\\x1B"));
}

TEST_CASE("a line of the log names the mod and the level") {
    CHECK(log_line({LogLevel::info, "game", "a"}) == "[game] a\n");
    CHECK(log_line({LogLevel::warning, "game", "a"}) == "[game] warning: a\n");
    CHECK(log_line({LogLevel::error, "mod", "a"}) == "[mod] error: a\n");
}
