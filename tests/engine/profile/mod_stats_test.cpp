// The tables of mods that --stats prints.
#include "engine/profile/mod_stats.h"

#include "ecs/schedule/schedule.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <catch2/catch.hpp>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace perigee;

namespace {

std::string stats_of(std::string_view main, const JitTimes& profiles = {},
                     const JitTimes& system_profiles = {}) {
    test::GameFolder game(main);
    EngineConfig config = game.config();
    config.watches_compiler = true;
    const std::unique_ptr<Engine> engine = game.play(std::move(config));
    test::run(*engine, 30);
    return mod_stats(engine->session().schedule(), engine->session().scripts(), profiles, system_profiles);
}

std::string line_of(const std::string& text, const std::string& begin) {
    const std::size_t at = text.find("\n" + begin);
    REQUIRE(at != std::string::npos);
    return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

constexpr std::string_view kSlow = R"(local ecs = require "ecs"
ecs.system("slow", { run = function()
  local sum = 0
  for i = 1, 2000 do
    local f = function() return i end
    sum = sum + f()
  end
end })
)";

}  // namespace

TEST_CASE("a loop that is not compiled is reported with its place, its system and advice") {
    const std::string text = stats_of(kSlow);
    INFO(text);
    CHECK_THAT(text, Catch::StartsWith("mod") && Catch::Contains("not compiled: game/main.lua:5"));
    CHECK_THAT(text, Catch::Contains("system 'slow': makes a function in the loop; make it outside\n"));
}

TEST_CASE("the fuel, bytes and rows of a mod are the sums of its systems, per step") {
    const std::string text = stats_of(R"(local ecs = require "ecs"
ecs.component("Place", { { "x", "f32" } })
for i = 1, 100 do ecs.world:spawn(ecs.components.Place {}) end
ecs.system("count", { query = { write = { ecs.components.Place } }, run = function(chunk)
  for i = 1, chunk.count do chunk.Place.x[i] = i end
end })
)");
    INFO(text);
    std::istringstream words(line_of(text, "game"));
    std::string mod;
    double systems = 0, milliseconds = 0, rows = 0, memory = 0, peak = 0, fuel = 0, made = 0;
    words >> mod >> systems >> milliseconds >> rows >> memory >> peak >> fuel >> made;
    CHECK(systems == 1);
    CHECK(milliseconds >= 0);
    CHECK(rows == 100);
    CHECK(memory > 50);
    CHECK(peak >= memory);
    CHECK(fuel >= 100);
    CHECK(fuel < 1000);
    CHECK(text.find("not compiled") == text.npos);
}

TEST_CASE("a loop over a large table with sparse keys is reported with its cost") {
    const std::string walk = R"(local ecs = require "ecs"
local cells, list = {}, {}
for i = 1, 400 do
  cells[i * 1000] = i
  list[i] = i
end
ecs.system("walk", { run = function()
  local sum = 0
  for _, value in pairs(TABLE) do sum = sum + value end
end })
)";
    const auto with = [&](const std::string& table) {
        std::string text = walk;
        return stats_of(text.replace(text.find("TABLE"), 5, table));
    };
    CHECK_THAT(with("cells"), Catch::Contains("system 'walk': pairs puts 400 keys a step in order; a list "
                                              "beside the table, walked by index, takes a third"));
    CHECK_THAT(with("list"), !Catch::Contains("keys a step in order"));
}

TEST_CASE("a profile adds the shares of interpretation and garbage collection") {
    JitTime time;
    time.compiled = 60;
    time.interpreted = 30;
    time.collecting = 10;
    const std::string line = line_of(stats_of(kSlow, {{"game", time}}), "game");
    CHECK_THAT(line, Catch::Contains("30 %") && Catch::Contains("10 %"));
}

TEST_CASE("each system has a line with its allocations and its share of garbage collection") {
    JitTime time;
    time.compiled = 75;
    time.collecting = 25;
    const std::string text = stats_of(R"(local ecs = require "ecs"
local last
ecs.system("litters", { run = function() for i = 1, 20000 do last = { i, last and last[1] } end end })
ecs.system("tidy", { run = function() local n = 0 for i = 1, 10 do n = n + i end end })
)",
                                      {}, {{"litters", time}});
    INFO(text);
    const auto figures = [&](const std::string& name) {
        std::istringstream words(line_of(text, name));
        std::string word;
        double milliseconds = 0, rows = 0, fuel = 0, made = 0;
        words >> word >> milliseconds >> rows >> fuel >> made;
        return std::vector<double>{fuel, made};
    };
    CHECK(line_of(text, "system of mods").find("made B/step") != std::string::npos);
    CHECK(figures("litters")[0] >= 20'000);
    CHECK(figures("litters")[1] >= 20'000 * 16);
    CHECK(figures("tidy")[0] < 100);
    // Not nothing: LuaJIT may compile the loop in one of the steps.
    CHECK(figures("tidy")[1] < figures("litters")[1] / 100);
    CHECK_THAT(line_of(text, "litters"), Catch::EndsWith(" 0 %     25 %"));
}

TEST_CASE("the use of common limits is listed below the mods, if there are any") {
    CHECK(stats_of(kSlow).find("all mods together") == std::string::npos);
    test::GameFolder game("");
    game.write("mods/a/main.lua", "kept = {} for i = 1, 1e5 do kept[i] = {} end");
    game.write("settings.json", R"({"*": {"permissions": {"memory_mb": 300, "load_seconds": 60}}})");
    EngineConfig config = game.config();
    config.settings_file = game.path() / "settings.json";
    const std::unique_ptr<Engine> engine = game.play(std::move(config));
    const std::string text = mod_stats(engine->session().schedule(), engine->session().scripts(), {}, {});
    const std::string line = line_of(text, "all mods together");
    INFO(line);
    CHECK_THAT(line, Catch::EndsWith(" s"));
    CHECK_THAT(line,
               Catch::Contains(" of 300.0 MB of Lua memory, 0.0 of 300.0 MB of the world, loaded in 0.") &&
                   Catch::Contains(" of 60.0 s"));
    CHECK(std::stod(line.substr(line.find(':') + 1)) > 4);
}
