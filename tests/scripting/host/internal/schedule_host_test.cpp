// Scripts that switch systems and groups, ask for their state and run groups.
#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/worker_pool.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Lines = std::vector<std::string>;

const std::string kHead = R"(
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
local function says(name, more)
  more = more or {}
  more.run = more.run or function() print(name) end
  ecs.system(name, more)
end
)";

// A game whose files can be saved again, and mods.
struct Game : ScriptWorld {
    std::string start(const std::vector<std::pair<std::string, std::string>>& mods) {
        std::vector<ModConfig> configs;
        for (const auto& [name, main] : mods) {
            edited[name]["main.lua"] = kHead + main;
            ModConfig& config = configs.emplace_back();
            config.name = name;
            config.files = &edited[name];
        }
        return text_of(runtime->load(std::move(configs)));
    }
    std::string save(const std::string& main, const std::string& name = "game") {
        edited[name]["main.lua"] = kHead + main;
        return text_of(runtime->reload(name).errors);
    }
    Lines lines() {
        log.clear();
        CHECK(step() == "");
        return log;
    }

    std::map<std::string, EditedFiles> edited;
};

TEST_CASE(
    "[Q8] a script switches systems and groups, at the end of the group from a system and at once outside") {
    Game game;
    REQUIRE(game.start({{"game", R"(
        ecs.group("extra", { enabled = false })
        says("in extra", { group = "extra" })
        says("off", { enabled = false })
        says("z last")
        ecs.system("a first", { run = function(_, ctx)
          if ctx.tick == 1 then
            ctx.commands:enable_system("off", true)
            ctx.commands:enable_system("extra", true)
            ctx.commands:enable_system("z last", false)
            assert(not ctx:system_state("off").enabled)
          end
          local state = ctx:system_state("in extra")
          print(tostring(state.enabled) .. " " .. tostring(state.active) .. " " .. tostring(state.failed))
        end }))"}}) == "");
    CHECK(game.lines() == Lines{"true false false", "z last"});
    CHECK(game.lines() == Lines{"true false false", "z last"});
    CHECK(game.lines() == Lines{"true true false", "in extra", "off"});
    REQUIRE(game.run("require('ecs').world:enable_system('extra', false)") == "");
    CHECK(game.lines() == Lines{"true false false", "off"});
    CHECK(game.run("local s = require('ecs').world:system_state('extra') "
                   "assert(s.enabled == false and s.active == false and s.failed == false)") == "");
}

TEST_CASE("[Q8] a switched system is stopped and started, and a failing system has switched nothing") {
    Game game;
    REQUIRE(game.start({{"game", R"(
        says("b", { on_start = function() print "start" end, on_stop = function() print "stop" end })
        ecs.system("a", { run = function(_, ctx)
          if ctx.tick == 1 or ctx.tick == 3 then ctx.commands:enable_system("b", ctx.tick == 3) end
          if ctx.tick == 5 then
            ctx.commands:enable_system("b", false)
            error "no"
          end
        end }))"}}) == "");
    CHECK(game.lines() == Lines{"start", "b"});
    CHECK(game.lines() == Lines{"b", "stop"});
    CHECK(game.lines().empty());
    CHECK(game.lines().empty());
    CHECK(game.lines() == Lines{"start", "b"});
    CHECK_THAT(game.step(), Contains("no"));
    CHECK(game.lines() == Lines{"b"});
    CHECK(game.run("assert(require('ecs').world:system_state('a').failed)") == "");
}

TEST_CASE("[Q8] a mod switches its own systems, and the game those of all mods") {
    Game game;
    REQUIRE(game.start({{"game", R"(
        says("main")
        ecs.system("boss", { run = function(_, ctx)
          if ctx.tick == 2 then ctx.commands:enable_system("weather:rain", true) end
        end }))"},
                        {"weather", R"(
        ecs.group("sky", {})
        says("rain", { group = "sky" })
        ecs.system("sun", { run = function(_, ctx)
          if ctx.tick == 0 then
            ctx.commands:enable_system("rain", false)
            for _, name in ipairs { "game:main", "main", "simulation", "game:boss", "rains" } do
              local ok, why = pcall(function() ctx.commands:enable_system(name, false) end)
              print(ok, (why:gsub("^.-: ", "")))
            end
            print(ctx:system_state("game:main").enabled)
          end
        end }))"}}) == "");
    const Lines first = game.lines();
    REQUIRE(first.size() == 8);
    CHECK_THAT(first[2],
               Contains("'main' belongs to 'game'; a mod switches and runs its own systems and groups, "
                        "and the game those of all mods"));
    CHECK_THAT(first[3], Contains("there is no system or group 'main'"));
    CHECK_THAT(first[4],
               Contains("'simulation' is a group of the engine; declare a group of your own inside it"));
    CHECK_THAT(first[6], Contains("there is no system or group 'rains'; did you mean 'rain'?"));
    CHECK(game.lines() == Lines{"main"});
    CHECK(game.lines() == Lines{"main"});
    CHECK(game.lines() == Lines{"main", "rain"});
}

TEST_CASE("[Q8] groups made for one moment of a game, such as a new level, run when they are asked to") {
    Game game;
    game.edited["game"]["schema.lua"] = "require('ecs').component('Position', { { 'x', 'f32' } })";
    REQUIRE(game.start({{"game", R"(
        local counted = ecs.query {}
        ecs.group("rooms", { enabled = false })
        ecs.group("picture", { group = "presentation" })
        ecs.system("dig", { group = "rooms", run = function(_, ctx)
          print("dig " .. ctx:entity_count(counted))
          ctx.commands:spawn(C.Position)
          ctx.commands:spawn(C.Position)
        end })
        print(world:entity_count())
        world:run_group "rooms"
        print(world:entity_count())
        for _, name in ipairs { "dig", "picture", "simulation", "romos" } do
          local ok, why = pcall(function() world:run_group(name) end)
          print((why:gsub("^.-: ", "")))
        end
        local ok, why = coroutine.resume(coroutine.create(function() world:run_group "rooms" end))
        print((why:gsub("^.-: ", "")))
        ecs.system("z", { run = function(_, ctx)
          if ctx.tick == 1 then ctx.commands:run_group "rooms" end
          print("z " .. ctx:entity_count(counted))
        end }))"}}) == "");
    CHECK(game.log ==
          Lines{"0", "dig 0", "2", "ecs.world:run_group: 'dig' is a system; name a group",
                "ecs.world:run_group: 'picture' belongs to presentation, which runs once per frame; "
                "name a group of the simulation",
                "ecs.world:run_group: 'simulation' is a group of the engine; declare a group of your "
                "own inside it",
                "ecs.world:run_group: there is no system or group 'romos'; did you mean 'rooms'?",
                "ecs.world:run_group: call it outside of coroutines"});
    CHECK(game.lines() == Lines{"z 2"});
    CHECK(game.lines() == Lines{"z 2", "dig 2"});
    CHECK(game.lines() == Lines{"z 4"});
    REQUIRE(game.run("require('ecs').world:run_group 'rooms'") == "");
    CHECK(game.world.entity_count() == 6);
}

TEST_CASE("[Q8] switches survive a reload, and a file that runs again switches and runs nothing") {
    Game game;
    const std::string main = R"(
        ecs.group("extra", {})
        says("b", { group = "extra" })
        says("c")
        says("d", { enabled = false })
        world:enable_system("c", false)
        world:run_group "extra")";
    REQUIRE(game.start({{"game", main}}) == "");
    CHECK(game.log == Lines{"b"});
    CHECK(game.lines() == Lines{"b"});
    REQUIRE(game.run("local w = require('ecs').world w:enable_system('c', true) w:enable_system('d', true) "
                     "w:enable_system('extra', false)") == "");
    CHECK(game.lines() == Lines{"c", "d"});
    game.log.clear();
    REQUIRE(game.save(main + "\n-- edited") == "");
    CHECK(game.log.empty());
    CHECK(game.lines() == Lines{"c", "d"});
}

TEST_CASE("[Q8] of presentation systems the simulation learns only whether they are enabled") {
    Game game;
    REQUIRE(game.start({{"game", R"(
        says("hud", { group = "presentation" })
        ecs.system("a", { run = function(_, ctx)
          local state = ctx:system_state("hud")
          print(tostring(state.enabled) .. " " .. tostring(state.active) .. " " .. tostring(state.failed))
          ctx.commands:enable_system("hud", ctx.tick ~= 0)
        end })
        ecs.system("picture", { group = "presentation", run = function(_, ctx)
          print("picture " .. tostring(ctx:system_state("hud").active))
        end }))"}}) == "");
    CHECK(game.lines() == Lines{"true nil nil", "picture false"});
    CHECK(game.lines() == Lines{"false nil nil", "hud", "picture true"});
}

TEST_CASE("[Q8] wrong arguments of switches are named") {
    Game game;
    REQUIRE(game.start({{"game", R"(
        local function fails(text, f, ...)
          local ok, why = pcall(f, ...)
          if ok or not why:find(text, 1, true) then error(tostring(why), 2) end
        end
        fails("ecs.world:enable_system: expected the name of a system or group, got 3", world.enable_system, world, 3, true)
        fails("ecs.world:enable_system: expected true or false, got nil", world.enable_system, world, "a")
        fails("ecs.world:run_group: expected the name of a system or group, got nil", world.run_group, world)
        fails("ecs.world:system_state: there is no system or group 'a'", world.system_state, world, "a")
        fails("expected true or false for 'enabled', got 1", ecs.system, "a", { enabled = 1, run = print }))"}}) ==
            "");
}

TEST_CASE(
    "[Q8] random switches give the same world with workers, without them, and with a reload in between") {
    const std::string main = R"(
        for i = 1, 6 do
          ecs.group("g" .. i, { group = i > 3 and "g" .. i - 3 or "simulation", enabled = i % 2 == 0 })
          ecs.system("s" .. i, { group = "g" .. i, access = { write = { C.Sum } }, run = function(_, ctx)
            local sum = ctx:resource(C.Sum)
            sum.value = (sum.value * 31 + i) % 65521
          end })
        end
        ecs.system("switch", { access = { write = { C.Sum } }, run = function(_, ctx)
          for _ = 1, 3 do
            local name = ctx.random:pick { "g", "s" } .. ctx.random:integer(1, 6)
            ctx.commands:enable_system(name, not ctx:system_state(name).enabled)
          end
          if ctx.random:chance(0.3) then ctx.commands:run_group("g" .. ctx.random:integer(1, 6)) end
        end }))";
    const auto play = [&](WorkerPool* workers, bool reloads) {
        Game game;
        game.schedule.use_workers(workers, 0);
        game.edited["game"]["schema.lua"] = "require('ecs').resource('Sum', { { 'value', 'u32' } })";
        REQUIRE(game.start({{"game", main}}) == "");
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < 60; ++i) {
            REQUIRE(game.step() == "");
            if (reloads && i % 20 == 10) REQUIRE(game.save(main + "\n-- " + std::to_string(i)) == "");
            hashes.push_back(world_hash(game.world));
        }
        return hashes;
    };
    WorkerPool pool(2);
    const std::vector<std::uint64_t> expected = play(nullptr, false);
    CHECK(play(&pool, false) == expected);
    CHECK(play(nullptr, true) == expected);
}

}  // namespace
}  // namespace perigee
