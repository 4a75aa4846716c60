// Limits of living entities: of one mod, of all mods together, and what destroyed ones give back.
#include "scripting/mods/mod_usage.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kSchema = "require('ecs').component('Dot', { { 'x', 'f32' } })";

// Spawns `count` entities in each step, in the way that `spawn` says: n, P and commands are known.
std::string spawning(const std::string& spawn, int count = 100) {
    return "local ecs = require 'ecs'\n"
           "local C = ecs.components\n"
           "local P = ecs.prefab('Dot', { C.Dot })\n"
           "local Pair = ecs.prefab('Pair', { C.Dot, children = { { P, name = 'second' } } })\n"
           "local n, first = " +
           std::to_string(count) +
           ", nil\n"
           "ecs.system('spawn', { run = function(_, ctx) local commands = ctx.commands\n" +
           spawn + "\nend })";
}

std::size_t entities_of(const ScriptWorld& game, const std::string& mod) {
    for (const ModUsage& usage : game.runtime->usage())
        if (usage.mod == mod) return usage.entities;
    return 0;
}

struct Limited : ScriptWorld {
    explicit Limited(std::size_t of_mod, std::size_t of_all = 1'000'000)
        : ScriptWorld({}, 1, false, false, LimitsOfAllMods{.entities = of_all}) {
        limits.entities = of_mod;
    }
    std::string steps(int count) {
        std::string errors;
        for (int i = 0; i < count; ++i) errors += step();
        return errors;
    }
};

}  // namespace

TEST_CASE("a mod has a limit of living entities, however it creates them, and the game has none") {
    for (const std::string spawn :
         {"for i = 1, n do commands:spawn(P) end", "commands:spawn_many(P, n)",
          "for i = 1, n do commands:spawn() end", "for i = 1, n / 2 do commands:spawn(Pair) end",
          "commands:spawn_many(Pair, n / 2)", "commands:spawn_many(P, n, function() end)",
          "first = first or commands:spawn(P) commands:clone(first)\n"
          "for i = 3, n do commands:clone(first) end"}) {
        INFO(spawn);
        Limited game(450);
        REQUIRE(game.load_all({{"game", spawning(spawn)}, {"m", spawning(spawn)}}, kSchema) == "");
        const std::string errors = game.steps(10);
        INFO(errors);
        CHECK_THAT(errors,
                   Contains("m:spawn") && Contains("of the 450 live entities that it may have; 'entities' in "
                                                   "mod.json allows more"));
        CHECK(errors.find("system 'spawn'") == std::string::npos);
        CHECK(entities_of(game, "m") <= 450);
        CHECK(entities_of(game, "m") >= 350);
        CHECK(entities_of(game, "game") >= 900);
    }
}

TEST_CASE("outside systems the limit of living entities is the same") {
    const std::string ways[] = {"ecs.world:spawn(P)", "ecs.world:spawn()", "ecs.world:clone(first)",
                                "ecs.world:clone_tree(first)"};
    for (const std::string& way : ways) {
        INFO(way);
        Limited world(50);
        const std::string errors = world.load_all(
            {{"game", ""},
             {"m",
              "local ecs = require 'ecs'\nlocal P = ecs.prefab('Dot', { ecs.components.Dot })\n"
              "local first = ecs.world:spawn(P)\nfor i = 1, 60 do " +
                  way + " end"}},
            kSchema);
        CHECK_THAT(errors, Contains("of the 50 live entities that it may have"));
        CHECK(world.world.entity_count() <= 50);
    }
}

TEST_CASE("all mods together have a limit of living entities, a part of which is reserved for each") {
    Limited game(1000, 1000);
    const std::string greedy = spawning("for i = 1, n do commands:spawn(P) end");
    REQUIRE(game.load_all(
                {{"game", greedy},
                 {"a", greedy},
                 {"b", greedy},
                 {"c", greedy},
                 {"modest", spawning("if first then return end first = commands:spawn_many(P, n) or 1")}},
                kSchema) == "");
    const std::string errors = game.steps(20);
    INFO(errors);
    CHECK_THAT(errors,
               Contains("all mods together may have 1000, 125 reserved for each mod; \"*\" in the player's "
                        "settings allows more"));
    CHECK(errors.find("modest") == std::string::npos);
    CHECK(errors.find("system 'spawn'") == std::string::npos);
    std::size_t all = 0;
    for (const std::string mod : {"a", "b", "c", "modest"}) all += entities_of(game, mod);
    CHECK(all <= 1000);
    CHECK(all >= 600);
}

TEST_CASE("destroyed entities make room for others") {
    Limited game(250);
    const std::string churn =
        spawning("for i = 1, n do commands:spawn(P) end") +
        "\necs.system('die', { query = { read = { C.Dot } }, run = function(chunk, ctx)\n"
        "for i = 1, chunk.count do ctx.commands:destroy(chunk.entity[i]) end end })";
    REQUIRE(game.load_all({{"game", ""}, {"m", churn}}, kSchema) == "");
    CHECK(game.steps(30) == "");
    CHECK(entities_of(game, "m") <= 250);
}

}  // namespace perigee
