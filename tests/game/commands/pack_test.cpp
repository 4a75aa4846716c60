// An archive runs like the folder, contains only the game, and does not depend on place and time.
#include "game/commands/pack.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <chrono>

using namespace perigee;
using Catch::Matchers::Contains;
using test::bytes_of;
using test::ProgramRun;
using test::quoted;
using test::run_program;

TEST_CASE("a packed game plays like its folder, in a run and as a mod") {
    const test::TemporaryFolder folder;
    folder.write("game/schema.lua", R"(require("ecs").component("Count", { { "n", "u32" } }))");
    folder.write("game/main.lua", R"(
        local ecs = require "ecs"
        local C = ecs.components
        ecs.world:spawn(C.Count)
        local step = require "lib.step"
        ecs.system("count", { query = { write = { C.Count } }, run = function(chunk)
          for i = 1, chunk.count do chunk.Count.n[i] = chunk.Count.n[i] + step end
        end }))");
    folder.write("game/lib/step.lua", "return 3");
    const std::filesystem::path archive = folder.path() / "game.zip";
    const ProgramRun packed = run_program("pack " + quoted(folder.path() / "game") + " " + quoted(archive));
    REQUIRE(packed.status == 0);
    CHECK(packed.out == "packed " + archive.string() + "\n");

    const std::string words = " --headless --frames 20 --hash";
    const ProgramRun from_folder = run_program("run " + quoted(folder.path() / "game") + words);
    const ProgramRun from_archive = run_program("run " + quoted(archive) + words);
    CHECK(from_archive.status == 0);
    CHECK(from_archive.last_line() == from_folder.last_line());
    CHECK_THAT(from_folder.last_line(), Contains("hash "));
}

TEST_CASE("the same files give the same archive, whenever they were written") {
    const test::TemporaryFolder folder;
    for (const char* name : {"one", "two"}) {
        folder.write(std::string(name) + "/main.lua", "print 'hello'");
        folder.write(std::string(name) + "/assets/a.txt", std::string(5000, 'a'));
    }
    using namespace std::chrono_literals;
    std::filesystem::last_write_time(folder.path() / "one/main.lua",
                                     std::filesystem::file_time_type::clock::now() - 100h);
    for (const char* name : {"one", "two"}) {
        REQUIRE(run_program("pack " + quoted(folder.path() / name) + " " +
                            quoted(folder.path() / (std::string(name) + ".zip")))
                    .status == 0);
    }
    CHECK(bytes_of(folder.path() / "one.zip") == bytes_of(folder.path() / "two.zip"));
    CHECK(bytes_of(folder.path() / "one.zip").size() < 2000);
}

TEST_CASE("hidden files, logs, archives and screenshots are not packed") {
    const test::TemporaryFolder folder;
    for (const char* name : {"main.lua", "assets/b.png", "assets/a.png", ".git/config", "old.zip", "play.log",
                             "screenshots/1.png", "lib/.swp"})
        folder.write(std::string("game/") + name, "x");
    CHECK(files_to_pack(folder.path() / "game").value() ==
          std::vector<std::string>{"assets/a.png", "assets/b.png", "main.lua"});
}

TEST_CASE("failing to pack is reported, and leaves no archive") {
    const test::TemporaryFolder folder;
    const ProgramRun nothing = run_program("pack /nowhere");
    CHECK(nothing.status == 1);
    CHECK_THAT(nothing.err, Contains("pack: '/nowhere': no such folder"));
    folder.write("empty/readme.txt", "");
    CHECK_THAT(run_program("pack " + quoted(folder.path() / "empty")).err, Contains("it has no main.lua"));
    folder.write("game/main.lua", "");
    const ProgramRun refused = run_program("pack " + quoted(folder.path() / "game") + " /proc/nowhere.zip");
    CHECK(refused.status == 1);
    CHECK_THAT(refused.err, Contains("pack: cannot write '/proc/nowhere.zip'"));
}

TEST_CASE("an unreadable file is reported, and not packed as an empty one") {
    const test::TemporaryFolder folder;
    const std::filesystem::path secret = folder.write("secret.txt", "outside");
    folder.write("game/main.lua", "");
    std::filesystem::create_symlink(secret, folder.path() / "game/notes.txt");
    const std::filesystem::path archive = folder.path() / "game.zip";
    const ProgramRun run = run_program("pack " + quoted(folder.path() / "game") + " " + quoted(archive));
    CHECK(run.status == 1);
    CHECK_THAT(run.err, Contains("pack: 'notes.txt' is not a path inside the mod"));
    CHECK(!std::filesystem::exists(archive));

    std::filesystem::remove(folder.path() / "game/notes.txt");
    std::filesystem::create_symlink(secret, folder.path() / "game/mod.json");
    CHECK_THAT(run_program("pack " + quoted(folder.path() / "game")).err,
               Contains("pack: 'mod.json' is not a path"));
}

TEST_CASE("without a name the archive is named after the game and its version, in the working directory") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "");
    folder.write("game/mod.json", R"({"id": "comet", "version": "1.2.0"})");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const ProgramRun packed = run_program("pack game");
    std::filesystem::current_path(before);
    CHECK(packed.out == "packed comet-1.2.0.zip\n");
    CHECK(std::filesystem::exists(folder.path() / "comet-1.2.0.zip"));
}
