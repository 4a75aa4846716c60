// Groups of a script's own at the top of the step, and relations across groups.
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Lines = std::vector<std::string>;

const std::string kHead = R"(
    local ecs = require "ecs"
    local function says(name, more)
      more = more or {}
      more.run = function() print(name) end
      ecs.system(name, more)
    end
)";

struct Game : ScriptWorld {
    Lines lines() {
        log.clear();
        CHECK(step() == "");
        return log;
    }
};

TEST_CASE("[Q7] a script declares groups of the step, and relations across groups order them") {
    Game game;
    REQUIRE(game.load("", kHead + R"(
        ecs.group("ai", { group = "step", after = "initialization", before = "simulation" })
        ecs.group("late", { group = "step", every = 2 / 60 })
        ecs.group("physics", {})
        ecs.group("a sounds", {})
        says("plan", { group = "ai" })
        says("score", { group = "late" })
        says("fall", { group = "physics" })
        says("crash", { group = "a sounds", after = "fall" })
        says("read", { group = "initialization", before = "plan" }))") == "");
    CHECK(game.lines() == Lines{"read", "plan", "fall", "crash"});
    CHECK(game.lines() == Lines{"read", "plan", "fall", "crash", "score"});
    REQUIRE(game.run("require('ecs').world:run_group 'late'") == "");
    REQUIRE(game.run("require('ecs').world:enable_system('ai', false)") == "");
    CHECK(game.lines() == Lines{"read", "fall", "crash"});
}

TEST_CASE("[Q7] a mod orders itself by the engine's groups and by systems of the game's groups") {
    Game game;
    REQUIRE(game.load_all({{"game", kHead + "ecs.group('physics', {}) says('fall', { group = 'physics' })"},
                           {"mod", kHead + R"(
        ecs.group("a wind", {})
        ecs.group("sky", { group = "step", before = "initialization" })
        says("blow", { group = "a wind", after = "game:fall" })
        says("clouds", { group = "sky" }))"}}) == "");
    CHECK(game.lines() == Lines{"clouds", "fall", "blow"});
}

TEST_CASE("[Q7] relations across groups that contradict each other name the groups") {
    Game game;
    REQUIRE(game.load("", kHead + R"(
        says("early", { group = "initialization", after = "play" })
        says("play"))") == "");
    CHECK_THAT(game.step(),
               Contains("systems wait for each other: initialization -> simulation -> initialization"));
    Game mods;
    CHECK_THAT(
        mods.load_all({{"game", kHead + "says('play')"},
                       {"mod", kHead + "says('early', { group = 'initialization', after = 'game:play' })"}}),
        Contains("initialization -> simulation -> initialization"));
    CHECK(mods.lines() == Lines{"play"});
}

TEST_CASE("[Q7] only groups are placed in the step") {
    Game game;
    CHECK_THAT(game.load("", kHead + "says('a', { group = 'step' })"), Contains("unknown group 'step'"));
}

}  // namespace
}  // namespace perigee
