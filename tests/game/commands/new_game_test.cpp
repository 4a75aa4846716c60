// What `perigee new` creates runs at once, and existing files stay as they are.
#include "game/commands/new_game.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;
using Catch::Matchers::Contains;
using test::bytes_of;
using test::ProgramRun;
using test::quoted;
using test::run_program;

TEST_CASE("a new game is named after its folder, runs without an error, and something happens in it") {
    const test::TemporaryFolder folder;
    const std::filesystem::path game = folder.path() / "My first-game";
    const ProgramRun made = run_program("new " + quoted(game));
    REQUIRE(made.status == 0);
    CHECK_THAT(made.out, Contains("perigee run " + game.string()));
    CHECK_THAT(bytes_of(game / "mod.json"), Contains(R"("title": "My first game")"));
    CHECK_THAT(bytes_of(game / "mod.json"), !Contains("@"));
    CHECK_THAT(bytes_of(game / "main.lua"), !Contains("@title@"));

    const ProgramRun early = run_program("run " + quoted(game) + " --headless --frames 1 --hash");
    const ProgramRun late = run_program("run " + quoted(game) + " --headless --frames 900 --hash");
    CHECK(early.status == 0);
    CHECK(late.status == 0);
    CHECK_THAT(late.err, !Contains("error"));
    CHECK(early.last_line() != late.last_line());
}

TEST_CASE("a new mod runs in a game") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "function update() end");
    REQUIRE(run_program("new --mod " + quoted(folder.path() / "game/mods/hello")).status == 0);
    const ProgramRun mods = run_program("mods " + quoted(folder.path() / "game"));
    CHECK(mods.status == 0);
    CHECK_THAT(mods.out, Contains("hello 0.1.0"));
}

TEST_CASE("perigee new does not touch a folder with files, and uses an empty one") {
    const test::TemporaryFolder folder;
    folder.write("taken/main.lua", "mine");
    const ProgramRun refused = run_program("new " + quoted(folder.path() / "taken"));
    CHECK(refused.status == 1);
    CHECK_THAT(refused.err, Contains("already exists and is left as it is"));
    CHECK(bytes_of(folder.path() / "taken/main.lua") == "mine");
    CHECK(!std::filesystem::exists(folder.path() / "taken/mod.json"));

    std::filesystem::create_directory(folder.path() / "empty");
    CHECK(run_program("new " + quoted(folder.path() / "empty/")).status == 0);
    CHECK(std::filesystem::exists(folder.path() / "empty/main.lua"));

    const ProgramRun nowhere = run_program("new /proc/nowhere/game");
    CHECK(nowhere.status == 1);
    CHECK_THAT(nowhere.err,
               Contains("cannot write '/proc/nowhere/game/main.lua': No such file or directory"));
    CHECK(run_program("new").status == 2);
}
