// The life of systems written in Lua, and steering them from outside.
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

TEST_CASE("systems have five lifecycle callbacks, wait for a condition, and are in nested groups [Q7] [Q8]") {
    ScriptWorld game;
    REQUIRE(game.load_script("systems/system_life.lua") == "");
    CHECK(game.step() == "game/systems/system_life.lua:82: system 'doubtful': no idea");
    for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(finished, 'the script did not get to its end')") == "");
    game.log.clear();
    game.runtime.reset();
    CHECK(game.log == std::vector<std::string>{"rows stop", "stop", "destroy 5"});
    CHECK(game.schedule.system_count() == 0);
}

TEST_CASE("the host enables, pauses, steps and replaces script systems like its own [Q8]") {
    ScriptWorld game;
    REQUIRE(game.load("", R"(
        require("ecs").system("a", {
          on_create = function() print("create") end, on_start = function() print("start") end,
          run = function() print("run") end,
          on_stop = function() print("stop") end, on_destroy = function() print("destroy") end,
        }))") == "");
    const SystemId a = *game.schedule.find("a");
    const auto happened = [&](int steps) {
        for (int i = 0; i < steps; ++i) CHECK(game.step() == "");
        std::string text;
        for (const std::string& line : std::exchange(game.log, {})) text += line + " ";
        return text;
    };
    CHECK(happened(2) == "create start run run ");
    game.schedule.set_enabled(a, false);
    CHECK(happened(2) == "stop ");
    game.schedule.set_enabled(a, true);
    CHECK(happened(1) == "start run ");
    game.schedule.set_paused(a, true);
    game.schedule.step(a, 2);
    CHECK(happened(5) == "run run ");
    SystemDesc native;
    native.name = "a";
    native.run = [&](SystemContext&) -> Result<void> {
        game.log.emplace_back("native");
        return {};
    };
    game.schedule.set_paused(a, false);
    game.schedule.replace(a, native).value();
    CHECK(happened(2) == "stop destroy native native ");
}

}  // namespace
}  // namespace perigee
