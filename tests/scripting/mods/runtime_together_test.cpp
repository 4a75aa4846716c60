// The common limits of several mods that each stay within their own.
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

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

// Holds so many MB in small tables.
std::string holding(int megabytes) {
    return "kept = {} for i = 1, " + std::to_string(megabytes) +
           " * 6000 do kept[i] = { i, i, i, i, i, i, i, i } end finished = true";
}

constexpr const char* kBusy = "local n = 0 while true do n = n + 1 end";

struct Mods : ScriptWorld {
    explicit Mods(const LimitsOfAllMods& limits_of_all) : ScriptWorld({}, 1, false, false, limits_of_all) {
        limits.fuel_per_load = 1e12;
    }
    bool has_finished(const std::string& mod) {
        return runtime->run(mod, "assert(finished)").empty() && runtime->has_loaded(mod);
    }
};

}  // namespace

TEST_CASE("the Lua memory of all mods together has a limit, a part of which is reserved for each") {
    Mods game({.lua_memory = 64 * kMegabyte});
    std::vector<std::pair<std::string, std::string>> mains{{"game", holding(48)}};
    for (int i = 1; i <= 4; ++i) mains.emplace_back("greedy" + std::to_string(i), holding(48));
    mains.emplace_back("modest", holding(2));
    const std::string errors = game.load_all(mains);
    INFO(errors);
    CHECK(game.has_finished("game"));
    CHECK(game.has_finished("modest"));
    for (int i = 1; i <= 4; ++i) {
        CHECK_FALSE(game.runtime->has_loaded("greedy" + std::to_string(i)));
        CHECK_THAT(errors, Contains("greedy" + std::to_string(i) + "/main.lua:1: uses "));
    }
    CHECK_THAT(errors, Contains("MB of memory, and all mods together use") &&
                           Contains(" of their 64.0 MB, 6.4 reserved for each mod"));
    const UsageOfAllMods all = game.runtime->usage_of_all();
    CHECK(all.max_lua_bytes == 64 * kMegabyte);
    CHECK(all.lua_bytes > 30 * kMegabyte);
    // What one slice of a run takes before it is looked at comes on top.
    CHECK(all.lua_bytes < 72 * kMegabyte);
    CHECK(game.runtime->limit_reached() == "the memory limit of mod 'greedy1'");
}

TEST_CASE("the world memory of all mods together has a limit, a part of which is reserved for each") {
    Mods game({.lua_memory = 64 * kMegabyte});
    const auto spawning = [](int megabytes) {
        return "local ecs = require 'ecs'\n"
               "local wide, n = ecs.prefab('wide', { ecs.components.Wide }), 0\n"
               "ecs.system('spawn', { run = function(_, ctx) n = n + 1\n"
               "if n <= " +
               std::to_string(megabytes) + " then ctx.commands:spawn_many(wide, 1000) end end })";
    };
    std::vector<std::pair<std::string, std::string>> mains{{"game", spawning(60)}};
    for (int i = 1; i <= 4; ++i) mains.emplace_back("greedy" + std::to_string(i), spawning(60));
    mains.emplace_back("modest", spawning(4));
    REQUIRE(game.load_all(
                mains, "require('ecs').component('Wide', { { 'a', require('ecs').array('f32', 256) } })") ==
            "");
    std::string errors;
    for (int i = 0; i < 70; ++i) errors += game.step();
    INFO(errors);
    for (int i = 1; i <= 4; ++i)
        CHECK_THAT(errors, Contains("system 'greedy" + std::to_string(i) + ":spawn'"));
    CHECK_THAT(errors,
               Contains("of the 64.0 MB of world memory for all mods together, 6.4 reserved for each mod"));
    CHECK_FALSE(errors.find("modest") != std::string::npos);
    CHECK(errors.find("game/main.lua") == std::string::npos);
    std::size_t charged = 0;
    for (const ModUsage& usage : game.runtime->usage())
        if (usage.mod != "game") charged += usage.world_bytes.sum();
    CHECK(charged > 40 * kMegabyte);
    CHECK(charged <= 66 * kMegabyte);
}

TEST_CASE("memory that a mod returns is available to another one") {
    Mods game({.lua_memory = 64 * kMegabyte});
    CHECK(game.load_all({{"game", ""},
                         {"first", holding(30) + " kept = nil"},
                         {"second", holding(30) + " kept = nil"},
                         {"third", holding(30)}}) == "");
    CHECK(game.has_finished("third"));
}

TEST_CASE("a mod that catches the error of the common limit cannot continue") {
    Mods game({.lua_memory = 32 * kMegabyte});
    const std::string errors =
        game.load_all({{"game", ""},
                       {"evil", "for i = 1, 100 do pcall(function() " + holding(48) + " end) end"},
                       {"b", ""}});
    CHECK_THAT(errors, Contains("evil/main.lua:1: uses "));
    CHECK_FALSE(game.runtime->has_loaded("evil"));
    CHECK(game.runtime->has_loaded("b"));
}

TEST_CASE("the load time of all mods together has a limit, a part of which is reserved for each") {
    Mods game({.load_seconds = 0.4});
    game.limits.seconds_per_load = 0.7;
    std::vector<std::pair<std::string, std::string>> mains{{"game", kBusy}};
    for (int i = 1; i <= 4; ++i) mains.emplace_back("slow" + std::to_string(i), kBusy);
    mains.emplace_back("quick", "finished = true");
    // The game itself has what it had, and is refused for its own limit.
    CHECK_THAT(game.load_all({mains.front()}),
               Catch::EndsWith("ran for more than 0.7 seconds, the limit of one run"));

    Mods mods({.load_seconds = 0.4});
    mods.limits.seconds_per_load = 0.7;
    mains.front().second = "finished = true";
    const std::string errors = mods.load_all(mains);
    INFO(errors);
    CHECK(mods.has_finished("game"));
    CHECK(mods.has_finished("quick"));
    for (int i = 1; i <= 4; ++i) {
        const std::string mod = "slow" + std::to_string(i);
        CHECK_FALSE(mods.runtime->has_loaded(mod));
        const std::size_t at = errors.find(mod + "/main.lua:1: ran for more than 0.");
        REQUIRE(at != std::string::npos);
        CHECK(
            errors.substr(at, errors.find('\n', at) - at).find("all mods together may take 0.4 s to load") !=
            std::string::npos);
    }
    const UsageOfAllMods all = mods.runtime->usage_of_all();
    CHECK(all.max_load_seconds == Approx(0.4));
    CHECK(all.load_seconds > 0);
    CHECK(all.load_seconds < 0.8);  // 2.8 s without the limit
}

TEST_CASE("a mod without load time left does not load, and is named") {
    Mods game({.load_seconds = 0.2});
    game.limits.seconds_per_load = 0.7;
    game.sources.push_back(std::make_unique<MemorySource>(
        MemorySource::Files{{"schema.lua", std::string("pcall(function() ") + kBusy + " end)"},
                            {"main.lua", "finished = true"}}));
    ModConfig root, evil;
    root.files = game.sources.back().get();
    root.schema_file = "none.lua";
    evil.name = "evil";
    evil.files = game.sources.back().get();
    evil.limits = game.limits;
    std::vector<ModConfig> configs;
    configs.push_back(std::move(root));
    configs.push_back(std::move(evil));
    const std::string errors = ScriptWorld::text_of(game.runtime->load(std::move(configs)));
    CHECK_THAT(errors, Contains("evil/schema.lua:1: ran for more than 0.2 seconds"));
    CHECK(game.has_finished("game"));
    CHECK_FALSE(game.runtime->has_loaded("evil"));
    // Its time stays used when another one is loaded behind it.
    game.limits.seconds_per_load = 0.1;
    CHECK(game.load("", kBusy, "late").find("all mods together may take 0.2 s to load") != std::string::npos);
    const std::string refused = game.load("", kBusy, "later");
    CHECK_THAT(refused, Contains("all mods together may take 0.2 s to load"));
    CHECK(game.runtime->has_loaded("game"));
}

}  // namespace perigee
