// Who may run on which LuaJIT.
#include "game/program/stranger_check.h"

#include "game/program/run_options.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Folders = std::vector<std::filesystem::path>;

const LuaJitVersion kOld = luajit_version_from("LuaJIT 2.1.0-beta3");
const LuaJitVersion kCurrent = luajit_version_from("LuaJIT 2.1.1761786044");
const std::string kOldLine =
    "LuaJIT 2.1.0-beta3 is from before 2024: scripts can crash it, and their results may differ between runs";

// Options of a command that runs no scripts.
struct NoScripts {
    std::filesystem::path game;
};

std::string refusal(const Result<std::string>& checked) {
    return checked ? "accepted: " + checked.value() : checked.error().message;
}

void add_mod(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    std::ofstream{folder / "mod.json"} << R"({ "version": "1.0.0" })";
    std::ofstream{folder / "main.lua"} << "";
}

TEST_CASE("on an old LuaJIT a game in a folder runs, and each start says what is not guaranteed") {
    const test::TemporaryFolder folder;
    std::ofstream{folder.path() / "main.lua"} << "";
    CHECK(refusal(check_strangers(kOld, folder.path(), {}, false)) == "accepted: " + kOldLine);
    CHECK(refusal(check_strangers(kCurrent, folder.path(), {}, false)) == "accepted: ");
}

TEST_CASE("on an old LuaJIT mods are refused unless the risk is accepted") {
    const test::TemporaryFolder folder;
    const std::filesystem::path game = folder.path() / "game", more = folder.path() / "more";
    add_mod(game / "mods/storm");
    std::ofstream{game / "main.lua"} << "";
    for (char name = 'a'; name < 'g'; ++name) add_mod(more / std::string(1, name));

    CHECK(refusal(check_strangers(kOld, game, {}, false)) ==
          "LuaJIT 2.1.0-beta3 is from before 2024, and scripts can crash it: mod 'storm' may come from "
          "strangers; --accept-risk runs anyway");
    CHECK_THAT(refusal(check_strangers(kOld, game, Folders{more}, false)),
               Contains("mod 'storm', mod 'a', mod 'b', mod 'c', mod 'd' and 2 more may come"));
    CHECK(refusal(check_strangers(kOld, game, Folders{more}, true)) == "accepted: " + kOldLine);
    CHECK(refusal(check_strangers(kCurrent, game, Folders{more}, false)) == "accepted: ");
}

TEST_CASE("on an old LuaJIT a game in an archive counts as a stranger's") {
    const test::TemporaryFolder folder;
    const std::filesystem::path archive = folder.path() / "game.zip";
    test::ZipWriter zip;
    zip.add("main.lua", "");
    std::ofstream{archive, std::ios::binary} << zip.finish();
    CHECK_THAT(refusal(check_strangers(kOld, archive, {}, false)),
               Contains("'game.zip' may come from strangers"));
    CHECK(refusal(check_strangers(kOld, archive, {}, true)) == "accepted: " + kOldLine);
}

TEST_CASE("commands that run no scripts, and missing games, give no notice") {
    CHECK(refusal(check_strangers(NoScripts{})) == "accepted: ");
    RunOptions run;
    run.game = "/no/such/game";
    CHECK(refusal(check_strangers(run)) == "accepted: ");
}

TEST_CASE("perigee --version names the LuaJIT that is linked") {
    const test::ProgramRun run = test::run_program("--version");
    CHECK(run.status == 0);
    CHECK(run.out == "perigee 0.2.0, " + text_of(luajit_version()) + "\n");
}

TEST_CASE("on an old LuaJIT perigee refuses mods, and runs them with --accept-risk", "[.old-luajit]") {
    if (is_trustworthy(luajit_version())) return;
    const test::TemporaryFolder folder;
    add_mod(folder.path() / "mods/storm");
    std::ofstream{folder.path() / "main.lua"} << "";
    const std::string words = "run " + test::quoted(folder.path()) + " --headless --frames 1";
    CHECK(test::run_program_as_is(words).status == 1);
    const test::ProgramRun run = test::run_program_as_is(words + " --accept-risk");
    CHECK(run.status == 0);
    CHECK_THAT(run.err, Contains(kOldLine));
}

}  // namespace
}  // namespace perigee
