// Which runs are confined; what a game with all of Lua can do then; and that the demo runs the same.
#include "game/program/confined_run.h"

#include "game/program/error_codes.h"
#include "tests/game/program.h"
#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>

using namespace perigee;
using Catch::Matchers::Contains;
using perigee::test::quoted;
using perigee::test::run_program;

namespace {

bool is_confined(const std::filesystem::path& game,
                 const std::vector<std::filesystem::path>& mod_folders = {}) {
    RunOptions options;
    options.game = game;
    options.mod_folders = mod_folders;
    return is_confined_run(options);
}

}  // namespace

TEST_CASE("a run with an archive is confined, unless the player says otherwise") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "");
    folder.write("game/mods/own/main.lua", "");
    folder.write("more/other/main.lua", "");
    const auto archive = folder.write("game.zip", test::ZipWriter{}.finish());
    CHECK_FALSE(is_confined(folder.path() / "game", {folder.path() / "more"}));
    CHECK(is_confined(archive));
    folder.write("more/packed.zip", "");
    CHECK(is_confined(folder.path() / "game", {folder.path() / "more"}));
    CHECK_FALSE(is_confined(folder.path() / "game"));
    folder.write("game/mods/packed.zip", "");
    CHECK(is_confined(folder.path() / "game"));

    RunOptions options;
    options.game = archive;
    options.trusts_game = true;
    CHECK_FALSE(is_confined_run(options));
    options.confines = true;
    CHECK(is_confined_run(options));
    options.trusts_game = false;
    options.confines = false;
    CHECK_FALSE(is_confined_run(options));
}

TEST_CASE("a confined game with all of Lua cannot access files, the network, programs or processes") {
    const test::TemporaryFolder folder;
    const auto secret = folder.write("home/secret", "secret");
    folder.write("game/data.txt", "data");
    folder.write("game/main.lua", R"lua(
local ffi = require "ffi"
ffi.cdef [[ int socket(int, int, int); int kill(int, int); int getppid(void); ]]
local function try(what, result) print(what, result and "possible" or "refused") end
local outside = ")lua" + secret.string() +
                                      R"lua("
local inside = ")lua" + (folder.path() / "game/data.txt").string() +
                                      R"lua("
function update()
  try("own", io.open(inside))
  try("own for writing", io.open(inside, "w"))
  try("secret", io.open(outside))
  try("passwd", io.open("/etc/passwd"))
  try("new file", io.open(outside .. "2", "w"))
  try("remove", os.remove(outside))
  try("internet", ffi.C.socket(2, 1, 0) >= 0)
  try("unix", ffi.C.socket(1, 1, 0) >= 0)
  try("program", os.execute("true") == 0)
  try("signal", ffi.C.kill(ffi.C.getppid(), 0) == 0)
end
)lua");
    const std::string words = quoted(folder.path() / "game") + " --trusted --headless --frames 1 ";
    const test::ProgramRun open = run_program(words);
    CHECK(open.status == 0);
    CHECK_THAT(open.err, Contains("secret\tpossible") || Contains("secret possible"));
    CHECK_THAT(open.err, !Contains("refused"));

    folder.write("home/secret", "secret");
    const test::ProgramRun closed = run_program(words + "--confine");
    CAPTURE(closed.err);
    CHECK(closed.status == 0);
    if (closed.err.find(game_errors::kSystemNotConfined) == std::string::npos)
        for (const char* what : {"internet", "unix", "program", "signal"})
            CHECK_THAT(closed.err,
                       Contains(what + std::string{"\trefused"}) || Contains(what + std::string{" refused"}));
    if (closed.err.find(game_errors::kFilesNotConfined) == std::string::npos) {
        CHECK_THAT(closed.err, Contains("own\tpossible") || Contains("own possible"));
        for (const char* what : {"own for writing", "secret", "passwd", "new file", "remove"})
            CHECK_THAT(closed.err,
                       Contains(what + std::string{"\trefused"}) || Contains(what + std::string{" refused"}));
        CHECK(test::bytes_of(secret) == "secret");
    }
}

TEST_CASE("a confined game saves its player data, and can access nothing else there") {
    const test::TemporaryFolder folder;
    folder.write("saves/other/other/secret.save", "secret");
    folder.write("game/main.lua", R"lua(
local n = (save.read("n") or { 0 })[1]
local ok, why = save.write("n", { n + 1 })
print("n", n, ok, why, save.delete("none"))
if io then print("secret", io.open(")lua" +
                                      (folder.path() / "saves/other/other/secret.save").string() +
                                      R"lua(") and "possible" or "refused") end
function update() app.quit() end
)lua");
    const std::string words = quoted(folder.path() / "game") +
                              " --headless --confine --frames 9 --save-dir " +
                              quoted(folder.path() / "saves");
    CHECK_THAT(run_program(words).err, Contains("n\t0\ttrue\tnil\tfalse"));
    CHECK_THAT(run_program(words).err, Contains("n\t1\ttrue\tnil\tfalse"));
    const test::ProgramRun trusted = run_program(words + " --trusted");
    CAPTURE(trusted.err);
    CHECK_THAT(trusted.err, Contains("n\t2\ttrue\tnil\tfalse"));
    if (trusted.err.find(game_errors::kFilesNotConfined) == std::string::npos)
        CHECK_THAT(trusted.err, Contains("secret\trefused"));
}

TEST_CASE("the demo runs the same when confined, and its recording is written") {
    const test::TemporaryFolder folder;
    const std::string words = "--headless --frames 60 --hash ";
    const test::ProgramRun open = run_program(words + "--no-confine");
    const test::ProgramRun closed =
        run_program(words + "--confine --renderer software --record " + quoted(folder.path() / "a.log") +
                    " --screenshot " + quoted(folder.path() / "a.png"));
    CAPTURE(closed.err);
    CHECK(closed.status == 0);
    CHECK_THAT(closed.err, !Contains("cannot"));
    CHECK(open.last_line().starts_with("hash "));
    CHECK(closed.last_line() == open.last_line());
    CHECK(test::bytes_of(folder.path() / "a.png").size() > 1000);
    const test::ProgramRun again =
        run_program("--headless --confine --replay " + quoted(folder.path() / "a.log"));
    CHECK(again.status == 0);
}
