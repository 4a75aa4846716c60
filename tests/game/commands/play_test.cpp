// The built program on small games: what it prints where, its exit status, and each of its errors.
#include "game/commands/play.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/xml.h"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

using namespace perigee;
using Catch::Matchers::Contains;

using test::kMovers;
using test::ProgramRun;
using test::refused;
using test::run_program;

namespace {

bool is_hash_line(const std::string& line) { return std::regex_match(line, std::regex{"hash [0-9a-f]{16}"}); }

}  // namespace

TEST_CASE("the hash is the last line of standard output and nothing else is on it") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", "print('hello') function update() print('step') end");
    const ProgramRun run = run_program("run '" + folder.path().string() + "' --headless --frames 3 --hash");
    CHECK(run.status == 0);
    CHECK(is_hash_line(run.last_line()));
    CHECK(run.out == run.last_line() + "\n");
    CHECK_THAT(run.err, Contains("hello"));
    CHECK_THAT(run.err, Contains("step"));
}

TEST_CASE("games reach the same world interpreted and compiled") {
    for (const char* const game : {"scripts/games/swarm", "scripts/games/nova", "scripts/examples/breakout",
                                   "scripts/examples/stars"}) {
        CAPTURE(game);
        const std::string words = "run '" PERIGEE_SOURCE_DIR "/" + std::string(game) +
                                  "' --headless --frames 300 --seed 3 --hash --jit ";
        const ProgramRun compiled = run_program(words + "on"), interpreted = run_program(words + "off");
        CHECK(compiled.status == 0);
        REQUIRE(is_hash_line(compiled.last_line()));
        CHECK(interpreted.last_line() == compiled.last_line());
    }
}

TEST_CASE("the seed decides the game, however it is drawn") {
    const auto hash = [](const std::string& options) {
        const ProgramRun run = run_program("'" + kMovers + "' --headless --frames 50 --hash " + options);
        CHECK(run.status == 0);
        REQUIRE(is_hash_line(run.last_line()));
        return run.last_line();
    };
    const std::string first = hash("--seed 7");
    CHECK(hash("--seed 7") == first);
    CHECK(hash("--seed 7 --renderer software") == first);
    CHECK(hash("--seed 7 --renderer none") == first);
    CHECK(hash("--seed 8") != first);
    CHECK(hash("") == hash("--seed 0"));
}

TEST_CASE("without a display a run says so and is headless for 600 frames") {
    const ProgramRun run = run_program("run '" + kMovers + "' --hash");
    CHECK(run.status == 0);
    CHECK_THAT(run.err, Contains("no display here: running headless"));
    CHECK_THAT(run.err, Contains("running 600 frames"));
    CHECK(run.last_line() == run_program("run '" + kMovers + "' --headless --frames 600 --hash").last_line());
}

TEST_CASE("a recording plays again to the same world, and may be recorded while it plays") {
    const test::TemporaryFolder folder;
    const std::string log = (folder.path() / "a.log").string();
    const std::string copy = (folder.path() / "b.log").string();
    const std::string run = "run '" + kMovers + "' --headless --hash ";
    const ProgramRun recorded = run_program(run + "--frames 80 --seed 5 --record " + log);
    CHECK(recorded.status == 0);
    const ProgramRun replayed = run_program(run + "--replay " + log + " --record " + copy);
    CHECK(replayed.status == 0);
    CHECK(replayed.out == recorded.out);
    CHECK(test::bytes_of(copy) == test::bytes_of(log));
    // Fewer frames than the recording: another world, and no error.
    const ProgramRun part = run_program(run + "--frames 40 --replay " + log);
    CHECK(part.status == 0);
    CHECK(part.out == run_program(run + "--frames 40 --seed 5").out);
    // More frames: the world stays as the recording left it.
    CHECK(run_program(run + "--frames 200 --replay " + log).out == recorded.out);
}

TEST_CASE("replay goes to any step of a recording, from the start or from a stored world") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    const std::string log = at + "/a.log", plain = at + "/b.log";
    const std::string run = "run '" + kMovers + "' --headless --seed 5 --frames ";
    const ProgramRun recorded = run_program(run + "80 --hash --record " + log + " --store-worlds 25");
    REQUIRE(recorded.status == 0);
    REQUIRE(run_program(run + "80 --hash --record " + plain).out == recorded.out);
    CHECK(test::bytes_of(log).size() > test::bytes_of(plain).size());
    const std::string replay = "replay " + log + " '" + kMovers + "' ";
    CHECK(run_program(replay + "--hash").out == recorded.out);
    for (const char* const number : {"0", "1", "25", "60", "80"}) {
        const std::string step = number;
        CAPTURE(step);
        const std::string expected = at + "/expected.png", picture = at + "/picture.png";
        const ProgramRun there = run_program(run + step + " --hash --screenshot " + expected);
        const ProgramRun from_start = run_program(replay + "--hash --at " + step);
        CHECK(from_start.status == 0);
        CHECK(from_start.out == there.out);
        const ProgramRun near =
            run_program(replay + "--near --hash --at " + step + " --screenshot " + picture);
        CHECK(near.status == 0);
        CHECK(near.out == there.out);
        if (step != "0") CHECK(test::bytes_of(picture) == test::bytes_of(expected));
        const std::string world = at + "/a.world";
        CHECK(run_program(replay + "--at " + step + " --save " + world).status == 0);
        CHECK(run_program(run + "0 --hash --load " + world).out == there.out);
    }
    CHECK_THAT(
        run_program(replay + "--near --at 60 --hash").err,
        Contains("began after step 50 with the world that the recording stores; Lua variables have their "
                 "first values"));
    CHECK_THAT(run_program(replay + "--near --at 24 --hash").err,
               Contains("the recording stores no world before step 24: played from the start"));
    // A recording gets worlds by being recorded while it plays.
    const std::string more = at + "/c.log";
    REQUIRE(run_program("replay " + plain + " '" + kMovers + "' --record " + more + " --store-worlds 25")
                .status == 0);
    CHECK(test::bytes_of(more) == test::bytes_of(log));
    const std::string svg = at + "/chunks.svg";
    CHECK(run_program(replay + "--at 3 --svg " + svg).status == 0);
    CHECK_THAT(test::bytes_of(svg), Contains("<svg"));
    refused(replay + "--at 81 --hash", "replay: the recording ends after step 80, before step 81");
    refused("replay " + at + "/none.log '" + kMovers + "' --hash", "none.log' does not exist");
    const auto wrong = [](const std::string& words, const std::string& message) {
        const ProgramRun refusal = run_program(words);
        CHECK(refusal.status == 2);
        CHECK_THAT(refusal.err, Contains(message));
    };
    wrong(run + "1 --store-worlds 5", "--store-worlds stores them in a recording: add --record");
    wrong(replay + "--near", "--near begins near a step: add --at");
    wrong(replay + "--near --at 5 --record " + at + "/d.log", "--near leaves out steps");
    wrong(replay + "--at -1", "--at");
    wrong("replay", "FILE");
}

TEST_CASE("[P5] on a machine without fonts a picture has text of the same size, and the log says why") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", R"(
        function update() print(gfx.text_size("Привет, world", 40)) end
        function draw() gfx.print("Привет, world", 100, 100, 40) end)");
    const std::string run =
        "run " + test::quoted(folder.path() / "game") + " --headless --frames 1 --screenshot ";
    const auto with = run_program(run + test::quoted(folder.path() / "with.png"));
    ::setenv("PERIGEE_FONTS", "", 1);
    const auto without = run_program(run + test::quoted(folder.path() / "without.png"));
    ::unsetenv("PERIGEE_FONTS");
    CHECK(with.status == 0);
    CHECK(without.status == 0);
    CHECK_THAT(with.err, !Contains("DejaVuSans.ttf"));
    CHECK_THAT(without.err, Contains("DejaVuSans.ttf was not found"));
    CHECK_THAT(with.err, Contains("288.515625\t46.5625"));
    CHECK_THAT(without.err, Contains("288.515625\t46.5625"));
    folder.write("empty/main.lua", "function draw() end");
    const std::string empty = test::quoted(folder.path() / "empty.png");
    run_program("run " + test::quoted(folder.path() / "empty") + " --headless --frames 1 --screenshot " +
                empty);
    CHECK(test::bytes_of(folder.path() / "without.png") != test::bytes_of(folder.path() / "empty.png"));
    CHECK(test::bytes_of(folder.path() / "without.png") != test::bytes_of(folder.path() / "with.png"));
}

TEST_CASE("a screenshot is the last frame, and drawing every frame does not change it") {
    const test::TemporaryFolder folder;
    const std::string a = (folder.path() / "a.png").string();
    const std::string b = (folder.path() / "b.png").string();
    const std::string run = "run '" + kMovers + "' --headless --frames 5 ";
    CHECK(run_program(run + "--screenshot " + a).status == 0);
    CHECK(run_program(run + "--renderer software --screenshot " + b).status == 0);
    CHECK(test::bytes_of(a).substr(1, 3) == "PNG");
    CHECK(test::bytes_of(a) == test::bytes_of(b));
}

TEST_CASE("a screenshot of a run without a window has what earlier frames drew into a canvas") {
    const test::TemporaryFolder folder;
    folder.write(
        "keeps/main.lua",
        "local c, x = gfx.canvas(400, 300), 0\n"
        "function draw() gfx.set_canvas(c) gfx.rectangle('fill', x, 5, 6, 6, 'red') gfx.set_canvas()\n"
        "x = x + 10 gfx.image(c, 0, 0) end");
    folder.write("direct/main.lua",
                 "local n = 0\nfunction draw() n = n + 1\n"
                 "for i = 0, n - 1 do gfx.rectangle('fill', 10 * i, 5, 6, 6, 'red') end end");
    const auto screenshot = [&](const std::string& game) {
        const std::string file = (folder.path() / (game + ".png")).string();
        CHECK(run_program("run '" + (folder.path() / game).string() +
                          "' --headless --frames 20 --screenshot " + file)
                  .status == 0);
        return test::bytes_of(file);
    };
    CHECK(screenshot("keeps") == screenshot("direct"));
}

TEST_CASE("a path that is not a game is refused in one line") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    refused("run '" + at + "/none' --headless", "'" + at + "/none': no such folder or archive");
    refused("run '" + at + "' --headless --frames 1", "is not a game: it has no main.lua");
    std::filesystem::create_directories(folder.path() / "main.lua");
    refused("run '" + at + "' --headless --frames 1", "is not a game: its main.lua is a directory");
    const std::string no_zip = folder.write("game.zip", "no archive").string();
    refused("run '" + no_zip + "' --headless --frames 1", "not a readable zip archive");
}

TEST_CASE("files that cannot be written are refused before the game starts") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    const std::string run = "run '" + kMovers + "' --headless --frames 1 --hash ";
    refused(run + "--screenshot " + at + "/none/a.png",
            "screenshot: cannot write '" + at + "/none/a.png': no such folder");
    refused(run + "--screenshot " + at,
            "screenshot: cannot write '" + at + "': it is a directory, not a file");
    refused(run + "--record " + at + "/none/a.log", "record: cannot write '" + at + "/none/a.log");
}

TEST_CASE("an input that is not a file is refused at once, without waiting for a writer") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    folder.write("game/main.lua", "");
    for (const char* const pipe : {"pipe", "pipe.zip", "lib.so", "game/mod.json"})
        REQUIRE(::mkfifo((folder.path() / pipe).c_str(), 0600) == 0);
    folder.write("piped/x", "");
    REQUIRE(::mkfifo((folder.path() / "piped/main.lua").c_str(), 0600) == 0);
    const std::string run = "run " + kMovers + " $RISK --headless --frames 1 ";
    for (const auto& [words, message] : std::vector<std::pair<std::string, std::string>>{
             {run + "--replay " + at + "/pipe", "replay: '" + at + "/pipe' is a pipe, not a file"},
             {run + "--replay /dev/zero", "replay: '/dev/zero' is a device, not a file"},
             {run + "--replay " + at, "replay: '" + at + "' is a directory, not a file"},
             {run + "--settings " + at + "/pipe", "settings: '" + at + "/pipe' is a pipe, not a file"},
             {run + "--mods " + at + "/pipe", "cannot read this mod folder: Not a directory"},
             {run + "--allow-native --plugin " + at + "/lib.so",
              "plugin '" + at + "/lib.so': it is a pipe, not a file"},
             {"run " + at + "/pipe.zip $RISK --headless --frames 1", "(it is a pipe, not a file)"},
             {"run /dev/zero $RISK --headless --frames 1", "(it is a device, not a file)"},
             {"run " + at + "/piped $RISK --headless --frames 1", "its main.lua is a pipe, not a file"},
             {"run " + at + "/game $RISK --headless --frames 1", "'mod.json' is not a regular file"},
             {"run " + std::string(300, 'n') + " --headless", "cannot be read: File name too long"},
             {"mods " + at + "/pipe", "(it is a pipe, not a file)"},
             {"test " + at + "/pipe $RISK", "(it is a pipe, not a file)"},
             {"check " + at + "/pipe $RISK", "(it is a pipe, not a file)"},
             {"stubs " + at + "/pipe $RISK --to " + at + "/stubs", "(it is a pipe, not a file)"},
             {"repl " + at + "/pipe $RISK", "(it is a pipe, not a file)"},
             {"diff " + at + "/pipe " + at + "/pipe", "diff: '" + at + "/pipe' is a pipe, not a file"},
             {"pack " + at + "/pipe", "pack: '" + at + "/pipe': no such folder"},
             {"pack " + at + "/game", "pack: 'mod.json' is a pipe, not a file"},
         }) {
        const ProgramRun refusal = test::run_shell("timeout -s KILL 20 $PERIGEE " + words + "\n");
        CAPTURE(words, refusal.err);
        CHECK((refusal.status == 1 || refusal.status == 2));
        CHECK_THAT(refusal.err, Contains(message));
        CHECK(refusal.err.find("basic_") == std::string::npos);
    }
}

TEST_CASE("an image that cannot be shown is reported when only the last frame is drawn, too") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", "function draw() require('gfx').image('assets/a.png', 1, 1) end");
    folder.write("assets/a.png", std::string("\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1", 24));
    const ProgramRun run =
        run_program("run " + test::quoted(folder.path()) + " --headless --frames 2 --screenshot " +
                    (folder.path() / "last.png").string());
    INFO(run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.err,
               Contains("image 'assets/a.png' cannot be shown, a placeholder is used: it is damaged"));
}

TEST_CASE("an output that is not a file is refused before the game runs, and stays unchanged") {
    const test::TemporaryFolder folder;
    const std::string at = folder.path().string();
    folder.write("game/main.lua", "");
    folder.write("stubs/x", "");
    const std::vector<std::string> pipes{"pipe", "log.part", "stubs/game.lua"};
    for (const std::string& pipe : pipes) REQUIRE(::mkfifo((folder.path() / pipe).c_str(), 0600) == 0);
    const std::string run = "run " + kMovers + " $RISK --headless --frames 1 ";
    for (const auto& [words, message] : std::vector<std::pair<std::string, std::string>>{
             {run + "--screenshot " + at + "/pipe",
              "screenshot: cannot write '" + at + "/pipe': it is a pipe"},
             {run + "--screenshot /dev/null", "screenshot: cannot write '/dev/null': it is a device"},
             {run + "--record " + at + "/pipe", "record: cannot write '" + at + "/pipe': it is a pipe, not"},
             {run + "--record /dev/null", "record: cannot write '/dev/null': it is a device, not a file"},
             {run + "--record " + at + "/log", "log.part': it is a pipe that no program reads"},
             {run + "--hash-log " + at + "/pipe", "pipe': it is a pipe that no program reads"},
             {run + "--profile " + at + "/pipe", "pipe': it is a pipe that no program reads"},
             {"pack " + at + "/game " + at + "/pipe", "pipe': it is a pipe, not a file"},
             {"pack " + at + "/game /dev/null", "'/dev/null': it is a device, not a file"},
             {"stubs " + at + "/game $RISK --to " + at + "/stubs", "game.lua': it is a pipe, not a file"},
             {"stubs " + at + "/game $RISK --to " + at + "/pipe", "cannot write '" + at + "/pipe'"},
             {"new " + at + "/pipe", "pipe' already exists"},
         }) {
        const ProgramRun refusal = test::run_shell("timeout -s KILL 20 $PERIGEE " + words + "\n");
        CAPTURE(words, refusal.err);
        CHECK(refusal.status == 1);
        CHECK_THAT(refusal.err, Contains(message));
        for (const std::string& pipe : pipes) CHECK(std::filesystem::is_fifo(folder.path() / pipe));
        CHECK(std::filesystem::is_character_file("/dev/null"));
    }
}

TEST_CASE("recordings that cannot be played are refused in one line") {
    const test::TemporaryFolder folder;
    const std::string log = (folder.path() / "a.log").string();
    REQUIRE(run_program("run '" + kMovers + "' --headless --frames 30 --record " + log).status == 0);
    const std::string whole = test::bytes_of(log);
    const std::string run = "run '" + kMovers + "' --headless --hash --replay ";

    refused(run + (folder.path() / "none.log").string(), "none.log' does not exist");
    refused(run + folder.path().string(), "' is a directory, not a file");
    const std::string other = folder.write("other.log", "something else").string();
    refused(run + other, "this file is not a perigee input log");
    const std::string cut = folder.write("cut.log", whole.substr(0, whole.size() - 10)).string();
    refused(run + cut, "the log is truncated");
    CHECK(run_program(run + cut + " --accept-truncated").status == 0);

    folder.write("game/main.lua", "function update() end");
    refused("run '" + (folder.path() / "game").string() + "' --headless --replay " + log,
            "the log was recorded with game 'movers', this is 'game'");
}

TEST_CASE("a game that does not load says why, shows it, and fails a headless run") {
    const test::TemporaryFolder folder;
    folder.write("main.lua", "function update(");
    const ProgramRun run = run_program("run '" + folder.path().string() + "' --headless --frames 2");
    CHECK(run.status == 1);
    CHECK_THAT(run.err, Contains("main.lua:1"));
    CHECK_THAT(run.err, Contains("perigee: the game did not load"));
}

TEST_CASE("a headless run fails when a system is suspended at its end, and says which") {
    const test::TemporaryFolder folder;
    folder.write(
        "main.lua",
        "local ecs = require 'ecs'\n"
        "ecs.system('fine', { run = function() end })\n"
        "ecs.system('breaks', { run = function(_, ctx) if ctx.tick == 3 then error('enough') end end })");
    const std::string run = "run '" + folder.path().string() + "' --headless --hash --frames ";
    const ProgramRun early = run_program(run + "3");
    CHECK(early.status == 0);
    const ProgramRun failed = run_program(run + "9");
    CHECK(failed.status == 1);
    CHECK(is_hash_line(failed.last_line()));
    CHECK_THAT(failed.err, Contains("perigee: system 'breaks' is suspended: ") && Contains("enough"));
}

TEST_CASE("a game is played with a plugin, and does not load with an invalid one") {
    const test::TemporaryFolder folder;
    folder.write("schema.lua",
                 "local ecs = require 'ecs'\n"
                 "ecs.component('Velocity', { { 'x', 'f32' }, { 'y', 'f32' } })");
    folder.write("main.lua", "local ecs = require 'ecs'\necs.world:spawn(ecs.components.Velocity)");
    const std::string run = "run '" + folder.path().string() + "' --headless --frames 20 --hash --plugin ";
    const ProgramRun blown = run_program(run + "'" PERIGEE_BINARY_DIR "/plugins/wind.so'");
    CAPTURE(blown.err);
    CHECK(blown.status == 0);
    CHECK(run_program(run + "'" PERIGEE_BINARY_DIR "/plugins/wind.so' --workers 3").out == blown.out);
    const ProgramRun failed = run_program(run + "no/such.so");
    CHECK(failed.status == 1);
    CHECK_THAT(failed.err, Contains("plugin 'no/such.so': it does not exist"));
}

TEST_CASE("a profile is a trace of what ran, and --stats a table of it at the end") {
    const test::TemporaryFolder folder;
    const std::string file = (folder.path() / "trace.json").string();
    const ProgramRun run =
        run_program("run '" + kMovers +
                    "' --headless --frames 40 --seed 3 --hash --stats --workers 2 --profile '" + file + "'");
    CHECK(run.status == 0);
    CHECK(is_hash_line(run.last_line()));
    CHECK(run.last_line() ==
          run_program("run '" + kMovers + "' --headless --frames 40 --seed 3 --hash").last_line());
    CHECK_THAT(run.out, Contains("median ms") && Contains("\nsimulation ") && Contains(" %\n"));
    const std::string trace = test::bytes_of(file);
    CHECK_THAT(trace,
               Contains("\"traceEvents\"") && Contains("\"name\": \"simulation\", \"cat\": \"group\""));
    std::size_t steps = 0;
    const std::string group = "\"name\": \"simulation\", \"cat\": \"group\"";
    for (std::size_t at = trace.find(group); at != std::string::npos; at = trace.find(group, at + 1)) ++steps;
    CHECK(steps == 40);
    refused(
        "run '" + kMovers + "' --headless --frames 1 --profile " + folder.path().string() + "/no/trace.json",
        "profile: cannot write '" + folder.path().string() + "/no/trace.json': No such file or directory");
}

TEST_CASE("wrong use has status 2 and prints only to standard error, help and version to standard output") {
    const ProgramRun wrong = run_program("run --colour");
    CHECK(wrong.status == 2);
    CHECK(wrong.out.empty());
    CHECK_THAT(wrong.err, Contains("--colour"));
    const ProgramRun help = run_program("--help");
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    CHECK(run_program("--version").out.rfind("perigee ", 0) == 0);
}

TEST_CASE("[C4] inspect prints only how full the chunks of a game are to standard output") {
    const test::TemporaryFolder folder;
    folder.write("schema.lua",
                 "local ecs = require 'ecs'\n"
                 "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })");
    folder.write("main.lua",
                 "local ecs = require 'ecs'\n"
                 "local Rock = ecs.prefab('Rock', { ecs.components.Position })\n"
                 "print('loaded')\n"
                 "for _ = 1, 40 do ecs.world:spawn(Rock) end");
    const ProgramRun run = run_program("inspect --stats '" + folder.path().string() + "' --frames 3");
    CAPTURE(run.out, run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Contains("entities, ") && Contains("Position\n"));
    CHECK(std::regex_search(run.out, std::regex{" 40 +1 +\\d+ +16 "}));
    CHECK_THAT(run.err, Contains("loaded"));
    CHECK(run_program("inspect '" + folder.path().string() + "' --frames 3").out == run.out);
    const ProgramRun systems = run_program("inspect --systems '" + folder.path().string() + "' --frames 3");
    CHECK(systems.status == 0);
    CHECK_THAT(systems.out, Catch::Matchers::StartsWith("systems in order;"));
    CHECK_THAT(systems.out, Catch::Matchers::EndsWith("without a declared order\n"));
}

TEST_CASE("[C4] inspect --svg writes the use of chunks as a picture, or says why it cannot") {
    const test::TemporaryFolder folder;
    const std::string file = test::quoted(folder.path() / "chunks.svg");
    const ProgramRun run = run_program("inspect " + kMovers + " --frames 3 --svg " + file);
    CAPTURE(run.err);
    CHECK(run.status == 0);
    CHECK(run.out.empty());
    const test::XmlElement picture = test::xml_of(test::bytes_of(folder.path() / "chunks.svg"));
    CHECK(picture.name == "svg");
    CHECK(!picture.all("g").empty());
    CHECK_THAT(picture.children[0].text, Contains("Chunks of "));
    const ProgramRun both = run_program("inspect " + kMovers + " --frames 3 --stats --svg " + file);
    CHECK_THAT(both.out, Contains("rows/chunk"));

    refused("inspect " + kMovers + " --svg " + test::quoted(folder.path() / "none" / "chunks.svg"),
            "chunks.svg': no such folder");
    refused("inspect " + kMovers + " --svg " + test::quoted(folder.path()), "--svg: cannot write '");
    CHECK(run_program("run " + kMovers + " --svg x.svg").status == 2);
}

TEST_CASE("a game that quits ends its run with status 0, and its recording ends there") {
    const test::TemporaryFolder folder;
    folder.write(
        "game/main.lua",
        "local n = 0 function update() n = n + 1 print('step ' .. n) if n == 3 then app.quit() end end");
    const std::string game = test::quoted(folder.path() / "game"), log = test::quoted(folder.path() / "log");
    const ProgramRun run = run_program("run " + game + " --headless --hash --record " + log);
    CHECK(run.status == 0);
    CHECK(is_hash_line(run.last_line()));
    CHECK_THAT(run.err, Contains("step 3") && !Contains("step 4"));
    const ProgramRun replay = run_program("run " + game + " --headless --hash --replay " + log);
    CHECK(replay.status == 0);
    CHECK(replay.out == run.out);
    CHECK_THAT(replay.err, Contains("step 3") && !Contains("step 4"));
}

TEST_CASE("player data is saved where --save-dir says, and not otherwise without a window") {
    const test::TemporaryFolder folder;
    folder.write("game/mod.json", R"({"id": "stars"})");
    folder.write(
        "game/main.lua",
        "local n = (save.read('n') or { 0 })[1] assert(save.write('n', { n + 1 })) print('n is ' .. n)"
        " function update() end");
    const std::string home = test::quoted(folder.path() / "home");
    const auto err = [&](const std::string& words) {
        return test::run_shell("XDG_DATA_HOME=" + home + " HOME=" + home + " $PERIGEE " + words + " " +
                               test::quoted(folder.path() / "game") + " $RISK")
            .err;
    };
    const std::string to = " --save-dir " + test::quoted(folder.path() / "saves") + " ";
    for (const char* words : {"run --headless --frames 1", "check", "run --headless --frames 1"})
        CHECK_THAT(err(words), !Contains("n is 1"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "home"));
    CHECK_THAT(err("run --headless --frames 1" + to), Contains("n is 0"));
    CHECK_THAT(err("run --headless --frames 1 --record " + test::quoted(folder.path() / "log") + to),
               Contains("n is 1"));
    CHECK(std::filesystem::exists(folder.path() / "saves/stars/stars/n.save"));
    CHECK_THAT(err("run --headless --replay " + test::quoted(folder.path() / "log") + to),
               Contains("n is 1"));
    CHECK_THAT(err("run --headless --frames 1" + to), Contains("n is 2"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "home"));
    refused("run " + test::quoted(folder.path() / "game") + " --headless --frames 1 --save-dir " +
                test::quoted(folder.path() / "game/mod.json"),
            "mod.json' is not a folder");
}

TEST_CASE("an empty name of a file is refused, not taken as none") {
    for (const char* const option :
         {"--save", "--load", "--record", "--screenshot", "--save-dir", "--replay"}) {
        const ProgramRun run = run_program("run '" + kMovers + "' --headless --frames 1 " + option + " ''");
        CAPTURE(option);
        CHECK(run.status == 2);
        CHECK_THAT(run.err, Contains(std::string{option} + ": expected ") && Contains(", got an empty name"));
    }
}
