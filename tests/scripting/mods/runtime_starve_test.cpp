// The frame times of a healthy game beside a mod that takes all it can: `bench/beside_hostile` runs this.
#include "ecs/world/world_config.h"
#include "tests/scripting/script_world.h"
#include "tests/scripting/starving_systems.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace perigee {
namespace {

constexpr const char* kSchema = R"lua(
local ecs = require "ecs"
ecs.component("Pos", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Path", { kind = "buffer", capacity = 2, { "x", "f32" } })
ecs.component("Label", { { "text", "text" } })
ecs.event("Cry", { { "loud", "f32" } })
)lua";

// About 2 ms of honest work a step.
constexpr const char* kGame = R"lua(
local ecs = require "ecs"
local C = ecs.components
for i = 1, 20000 do ecs.world:spawn(C.Pos { x = i }) end
ecs.world:spawn(C.Pos, C.Path)
ecs.system("lives", { query = { write = { C.Pos } }, run = function(chunk)
  local p = chunk.Pos
  for k = 1, 5 do
    for i = 1, chunk.count do p.x[i] = p.x[i] * 0.999 + p.y[i] end
  end
end })
)lua";

// `copies` systems with this body.
std::string mod_of(const std::string& body, int copies) {
    return "local ecs = require 'ecs' local C = ecs.components local state = { list = {} }\n"
           "for i = 1, 200 do state.list[i] = i end\n"
           "ecs.component('Mine', { { 'x', 'f32' } })\n"
           "state.prefab = ecs.prefab('thing', { C.Mine })\n"
           "state.all = ecs.query { read = { C.Mine } }\n"
           "state.e = ecs.world:spawn(C.Mine, C.Pos, C.Label)\n"
           "for i = 1, " +
           std::to_string(copies) +
           " do ecs.system('s' .. i, { query = { write = { C.Path } }, access = { write = { C.Cry } }, run = "
           "function(chunk, ctx)\n" +
           body + "\nend }) end";
}

struct Frames {
    double median = 0;
    double p99 = 0;
    double worst = 0;
};

Frames frames_beside(const std::string& main, int steps) {
    ScriptWorld game(WorldConfig{}, 1, false, true);
    REQUIRE(game.load(kSchema, kGame) == "");
    if (!main.empty()) static_cast<void>(game.load("", main, "evil"));
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const std::string errors = game.step();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        REQUIRE(errors.find("'lives'") == std::string::npos);
    }
    std::ranges::sort(times);
    return {times[times.size() / 2], times[times.size() * 99 / 100], times.back()};
}

void print(const Frames& frames, int copies, std::string body) {
    std::ranges::replace(body, '\n', ' ');
    std::printf("%8.2f %8.2f %8.2f  %2d x %.90s\n", frames.median, frames.p99, frames.worst, copies,
                body.c_str());
    std::fflush(stdout);
}

TEST_CASE("a game keeps its frame rate beside mods that take all they can", "[.long][frames]") {
    const char* const wanted = std::getenv("PERIGEE_FRAMES");
    const int steps = wanted != nullptr ? std::atoi(wanted) : 600;
    std::printf("%8s %8s %8s  beside\n", "median", "p99", "worst");
    print(frames_beside("", steps), 0, "nothing");
    for (const int copies : {1, 40}) {
        for (const char* const body : kStarvingBodies) {
            const Frames frames = frames_beside(mod_of(body, copies), steps);
            print(frames, copies, body);
            CHECK(frames.p99 < 33);
        }
    }
}

TEST_CASE("a mod whose systems all do too much gets an error, and the game keeps running") {
    ScriptWorld game(WorldConfig{}, 1, false, true);
    REQUIRE(game.load(kSchema, kGame) == "");
    REQUIRE(game.load("", mod_of("local n = 0 for i = 1, 900000 do n = n + i end", 40), "evil") == "");
    std::string errors;
    for (int i = 0; i < 400 && errors.empty(); ++i) errors = game.step();
    CHECK_THAT(errors, Catch::Contains("evil"));
    CHECK(errors.find("'lives'") == std::string::npos);
}

}  // namespace
}  // namespace perigee
