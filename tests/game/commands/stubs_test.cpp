// What `perigee stubs` writes, that it is Lua, and that it knows every call that the documentation names.
#include "game/commands/stubs.h"

#include "game/commands/internal/embedded_stubs.h"
#include "tests/game/program.h"
#include "tests/support/markdown.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <regex>
#include <set>

using namespace perigee;
using Catch::Matchers::Contains;
using test::bytes_of;
using test::ProgramRun;
using test::quoted;
using test::run_program;

namespace {

std::string all_stubs() {
    std::string text;
    for (const EmbeddedFile& file : embedded_stubs()) text += file.text;
    return text;
}

}  // namespace

TEST_CASE("stubs of a game are in a hidden folder of it, with settings for the editor") {
    const test::TemporaryFolder folder;
    folder.write("game/schema.lua",
                 R"(require("ecs").component("Hull", { { "strength", "f32", unit = "t" } }))");
    folder.write("game/main.lua", "error_free = function() end function update() end");
    const std::filesystem::path game = folder.path() / "game";
    const ProgramRun run = run_program("stubs " + quoted(game));
    REQUIRE(run.status == 0);
    CHECK_THAT(run.out, Contains((game / ".perigee/stubs").string()));
    CHECK_THAT(bytes_of(game / ".perigee/stubs/game.lua"), Contains("---@field strength? number t\n"));
    CHECK_THAT(bytes_of(game / ".perigee/stubs/gfx.lua"), Contains("function gfx.circle("));
    CHECK_THAT(bytes_of(game / ".luarc.json"), Contains(".perigee/stubs"));

    folder.write("game/.luarc.json", "mine");
    REQUIRE(run_program("stubs " + quoted(game)).status == 0);
    CHECK(bytes_of(game / ".luarc.json") == "mine");
}

TEST_CASE("stubs cover the mods of the game and of --mods, and the results of ecs.import") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "function update() end");
    folder.write("game/mods/near/main.lua", "");
    folder.write("game/mods/near/schema.lua", R"(require("ecs").component("Hull", { { "x", "f32" } }))");
    folder.write("more/far/main.lua",
                 R"(local ecs = require "ecs" ecs.prefab("Mast", { ecs.components.Sail }))");
    folder.write("more/far/schema.lua", R"(require("ecs").component("Sail", { { "x", "f32" } }))");
    folder.write("more/broken/main.lua", "error 'no'");
    const std::filesystem::path game = folder.path() / "game";
    const ProgramRun run = run_program("stubs " + quoted(game) + " --mods " + quoted(folder.path() / "more"));
    REQUIRE(run.status == 0);
    const std::string stubs = bytes_of(game / ".perigee/stubs/game.lua");
    CHECK_THAT(stubs, Contains(R"(---@field ["near:Hull"] C.near.Hull)"));
    CHECK_THAT(stubs, Contains(R"(---@field ["far:Sail"] C.far.Sail)"));
    CHECK_THAT(stubs, Contains(R"(---@field import fun(mod: "game"): perigee.Imported.game)"));
    CHECK_THAT(stubs, Contains(R"(---@field import fun(mod: "far"): perigee.Imported.far)"));
    CHECK_THAT(stubs, Contains("---@class perigee.Imported.far.Prefabs\n---@field Mast perigee.Prefab\n"));
    CHECK_THAT(stubs, !Contains("broken"));
}

TEST_CASE("stubs are Lua that a game may even load") {
    const test::TemporaryFolder folder;
    const std::filesystem::path made = folder.path() / "made";
    REQUIRE(run_program("stubs --to " + quoted(made)).status ==
            0);  // of the demo, which has every kind of thing
    for (const char* file :
         {"game.lua", "gfx.lua", "gfx_options.lua", "modules.lua", "perigee.lua", "worlds.lua"}) {
        folder.write(std::string("game/") + file, bytes_of(made / file));
    }
    folder.write("game/main.lua", R"(require "game" require "perigee" require "worlds" require "modules"
        function update() end)");
    const ProgramRun run = run_program("run " + quoted(folder.path() / "game") + " --headless --frames 2");
    INFO(run.err);
    CHECK(run.status == 0);
}

TEST_CASE("every call in the docs of the Lua API has an annotation") {
    const std::string docs = test::lua_api_pages();
    const std::string stubs = all_stubs();
    std::set<std::string> missing;
    const auto look = [&](const char* pattern, const char* owner) {
        const std::regex call{pattern};
        for (std::sregex_iterator at{docs.begin(), docs.end(), call}, end; at != end; ++at) {
            const std::string name = (*at)[1];
            if (stubs.find("function " + std::string(owner) + name + "(") == std::string::npos)
                missing.insert(owner + name);
        }
    };
    look(R"(gfx\.([a-z_]+)\()", "gfx.");
    look(R"(input\.([a-z_]+)\()", "input.");
    look(R"(audio\.([a-z_]+)\()", "audio.");
    look(R"(\bapp\.([a-z_]+)\()", "app.");
    look(R"(\bsave\.([a-z_]+)\()", "save.");
    look(R"(\becs\.([a-z_]+)\()", "ecs.");
    look(R"(\bctx:([a-z_]+)\()", "Context:");
    look(R"(commands:([a-z_]+)\()", "Commands:");
    look(R"(ecs\.world:([a-z_]+)\()", "World:");
    look(R"(\bp:([a-z_]+)\()", "Buffer:");
    std::string all;
    for (const std::string& name : missing) all += name + " ";
    CHECK(all == "");
    CHECK(std::regex_search(docs, std::regex{R"(commands:spawn_many\()"}));
}

TEST_CASE("stubs of a game that does not load, or into a folder that cannot be written, are refused") {
    const test::TemporaryFolder folder;
    CHECK(run_program("stubs /nowhere").status == 1);
    folder.write("game/main.lua", "error 'broken'");
    const ProgramRun broken = run_program("stubs " + quoted(folder.path() / "game"));
    CHECK(broken.status == 1);
    CHECK_THAT(broken.err, Contains("the game did not load"));
    CHECK(!std::filesystem::exists(folder.path() / "game/.perigee"));
    CHECK_THAT(run_program("stubs --to /proc/nowhere").err, Contains("cannot write '/proc/nowhere'"));
    folder.write("whole/main.lua", "");
    const std::filesystem::path archive = folder.path() / "whole.zip";
    REQUIRE(run_program("pack " + quoted(folder.path() / "whole") + " " + quoted(archive)).status == 0);
    const ProgramRun packed = run_program("stubs " + quoted(archive));
    CHECK(packed.status == 1);
    CHECK_THAT(packed.err, Contains("is an archive; --to DIR says where to write"));
}
