// Two runs of the built program, recorded with --hash-log, and the exact output of `perigee diff`.
#include "game/commands/diff.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;

namespace {

// Dots that drift and, now and then, new ones. `mischief` is a statement in the system "drift", which writes
// the columns p and v; `more` is one in "breed", which has commands.
std::string game(const std::string& mischief, const std::string& more = "") {
    return "local ecs = require 'ecs'\n"
           "local C = ecs.components\n"
           "local Dot = ecs.prefab('Dot', { C.Position, C.Velocity { x = 1 } })\n"
           "for _ = 1, 50 do ecs.world:spawn(Dot) end\n"
           "ecs.system('drift', { query = { write = { C.Position, C.Velocity } }, run = function(chunk, "
           "ctx)\n"
           "  local p, v, tick = chunk.Position, chunk.Velocity, ctx.tick\n"
           "  for i = 1, chunk.count do p.x[i] = p.x[i] + v.x[i] end\n  " +
           mischief +
           "\nend })\n"
           "ecs.system('breed', { after = 'drift', run = function(_, ctx)\n"
           "  if ctx.tick % 4 == 0 then ctx.commands:spawn(Dot) end\n  " +
           more + "\nend })\n";
}

class Runs {
public:
    /// Runs a game and keeps its log under `name`. Status 1: a system is suspended at its end.
    std::string log(const std::string& name, const std::string& main, const std::string& options = "",
                    int status = 0) {
        const std::string at = folder_.path() / name;
        folder_.write(name + "/game/schema.lua",
                      "local ecs = require 'ecs'\n"
                      "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
                      "ecs.component('Velocity', { { 'x', 'f32' }, { 'y', 'f32' } })\n");
        folder_.write(name + "/game/main.lua", main);
        const std::string file = at + ".hashes";
        const ProgramRun run = run_program("run '" + at + "/game' --headless --renderer none --frames 30 " +
                                           options + " --hash-log '" + file + "'");
        INFO(run.err);
        REQUIRE(run.status == status);
        return file;
    }
    std::string write(const std::string& name, const std::string& bytes) {
        return folder_.write(name, bytes).string();
    }
    std::string path() const { return folder_.path().string(); }

private:
    test::TemporaryFolder folder_;
};

ProgramRun diff(const std::string& first, const std::string& second) {
    return run_program("diff '" + first + "' '" + second + "'");
}

}  // namespace

TEST_CASE("equal runs have equal logs, and diff says so with status 0") {
    Runs runs;
    const std::string a = runs.log("a", game(""));
    const std::string b = runs.log("b", game("local _ = tick"));
    CHECK(test::bytes_of(a) == test::bytes_of(b));
    const ProgramRun found = diff(a, b);
    CHECK(found.status == 0);
    CHECK(found.out == "no difference in 30 steps\n");
}

TEST_CASE("a field that differs is named, with tick, system and entity") {
    Runs runs;
    const std::string a = runs.log("a", game(""));
    const std::string b = runs.log("b", game("if tick == 17 then v.y[8] = 0.25 end"));
    const ProgramRun found = diff(a, b);
    CHECK(found.status == 1);
    CHECK(found.err.empty());
    CHECK(found.out ==
          "first difference: tick 17, system 'drift'\n"
          "  component Velocity, entity 7:1, field y\n");
}

TEST_CASE("commands of only one run are named, with the entity that they created") {
    Runs runs;
    const std::string a = runs.log("a", game("", "if ctx.tick == 8 then ctx.commands:spawn(Dot) end"));
    const std::string b = runs.log("b", game(""));
    const ProgramRun found = diff(a, b);
    CHECK(found.status == 1);
    CHECK(found.out ==
          "first difference: tick 8, the commands of system 'breed'\n"
          "  component (entities), entity 53:1, only in " +
              a + "\n");
}

TEST_CASE("a script that fails in only one run is found where the other continues") {
    Runs runs;
    const std::string a = runs.log("a", game(""));
    const std::string b = runs.log("b", game("if tick == 5 then error('ouch') end"), "", 1);
    const ProgramRun found = diff(a, b);
    CHECK(found.status == 1);
    CHECK_THAT(found.out, Catch::Matchers::StartsWith("first difference: tick 6\n"
                                                      "  in " +
                                                      a +
                                                      ": system 'drift' ran\n"
                                                      "  in " +
                                                      b +
                                                      ": the step ended\n"
                                                      "  component Position, entity 7:1, field x\n"));
}

TEST_CASE("logs that cannot be compared are refused in one line, with status 2") {
    Runs runs;
    const std::string good = runs.log("good", game(""));
    const auto refused = [&](const std::string& bad, const std::string& message) {
        for (const bool is_first : {true, false}) {
            const ProgramRun run = is_first ? diff(bad, good) : diff(good, bad);
            CHECK(run.status == 2);
            CHECK(run.out.empty());
            CHECK(run.err == "perigee: " + message + "\n");
        }
    };
    const std::string none = runs.path() + "/none";
    refused(none, "diff: '" + none + "' does not exist");
    refused(runs.path(), "diff: '" + runs.path() + "' is a directory, not a file");
    const std::string foreign = runs.write("foreign", "something else");
    refused(foreign, "'" + foreign + "': hash log: this file is not a perigee hash log");
    const std::string newer = runs.write("newer", "perigee hash log 99\n\n");
    CHECK_THAT(diff(newer, good).err, Contains("'" + newer + "': hash log: the log has version 99"));
}

TEST_CASE("a log that a crash cut off is compared up to its end") {
    Runs runs;
    const std::string good = runs.log("good", game(""));
    const std::string whole = test::bytes_of(good);
    const ProgramRun cut = diff(good, runs.write("cut", whole.substr(0, whole.size() - 20)));
    CHECK(cut.status == 0);
    CHECK(cut.out == "log 2 was cut off after 29 steps\nno difference in 29 steps\n");
}

TEST_CASE("a hash log that cannot be written is refused before the game starts") {
    Runs runs;
    runs.log("a", game(""));
    const ProgramRun run = run_program("run '" + runs.path() + "/a/game' --headless --frames 1 --hash-log '" +
                                       runs.path() + "/no/log'");
    CHECK(run.status == 1);
    CHECK(run.err ==
          "perigee: hash log: cannot write '" + runs.path() + "/no/log': No such file or directory\n");
}
