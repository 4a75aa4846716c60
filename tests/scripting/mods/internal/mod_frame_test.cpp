// The systems of one mod share a step: the excess waits, in turn, the same in each run, and not for ever.
#include "scripting/mods/internal/mod_frame.h"

#include "ecs/inspect/world_hash.h"
#include "tests/scripting/script_world.h"

#include <map>

namespace perigee {
namespace {

using internal::ModFrame;

TEST_CASE("no system waits while a mod is within its allowance") {
    ModFrame frame;
    frame.set_allowance({1000, 1});
    std::vector<std::uint64_t> turns(10);
    for (std::uint64_t tick = 0; tick < 100; ++tick) {
        for (std::uint64_t& turn : turns) {
            REQUIRE(!frame.must_wait(tick, turn));
            frame.add(99, 0.05);
        }
    }
    CHECK(frame.suspended().empty());
    CHECK(!frame.has_used_clock());
}

TEST_CASE("a game is never postponed, even by a host that does not count its ticks") {
    ModFrame frame;
    std::uint64_t turn = 0;
    for (int run = 0; run < 10; ++run) {
        CHECK(!frame.must_wait(0, turn));
        frame.add(1e9, 1);
    }
}

TEST_CASE("above the allowance the systems take turns, and none runs twice before all have run once") {
    ModFrame frame;
    frame.set_allowance({1000, 0});
    std::vector<std::uint64_t> turns(7);
    std::vector<int> runs(7);
    for (std::uint64_t tick = 0; tick < 200; ++tick) {
        double taken = 0;
        for (std::size_t i = 0; i < turns.size(); ++i) {
            if (frame.must_wait(tick, turns[i])) continue;
            frame.add(400, 0);
            taken += 400;
            ++runs[i];
        }
        REQUIRE(taken <= 1200);
        REQUIRE(*std::max_element(runs.begin(), runs.end()) - *std::min_element(runs.begin(), runs.end()) <=
                1);
    }
    CHECK(runs[0] > 60);
    CHECK(!frame.has_used_clock());
}

TEST_CASE("a mod that always takes too much is suspended with figures, until its file is saved") {
    ModFrame frame;
    frame.set_allowance({1e6, 0.004});
    std::uint64_t turn = 0;
    std::uint64_t tick = 0;
    for (; frame.suspended().empty(); ++tick) {
        REQUIRE(tick < 1000);
        if (!frame.must_wait(tick, turn)) frame.add(20e6, 0.08);
    }
    CHECK(frame.suspended().find("where 4.0 ms and 1.0 million are allowed") != std::string::npos);
    CHECK(tick > 60);
    frame.forgive();
    CHECK(frame.suspended().empty());
    CHECK(!frame.must_wait(tick, turn));
}

TEST_CASE(
    "a mod that makes the game stutter again and again is suspended soon, one that does so now and then is "
    "not") {
    ModFrame stuttering;
    stuttering.set_allowance({1e9, 0.004});
    std::uint64_t turn = 0;
    int long_runs = 0;
    for (std::uint64_t tick = 0; stuttering.suspended().empty(); ++tick) {
        REQUIRE(tick < 1000);
        if (stuttering.must_wait(tick, turn)) continue;
        stuttering.add(10, 0.1);
        ++long_runs;
    }
    CHECK(long_runs <= 5);
    CHECK(stuttering.has_used_clock());

    ModFrame honest;
    honest.set_allowance({1e9, 0.004});
    for (std::uint64_t tick = 0; tick < 10'000; ++tick) {
        if (honest.must_wait(tick, turn)) continue;
        honest.add(10, tick % 120 == 0 ? 0.03 : 0.001);
        REQUIRE(honest.suspended().empty());
    }

    ModFrame replayed;  // where time does not count
    replayed.set_allowance({1e9, 0});
    for (std::uint64_t tick = 0; tick < 100; ++tick) replayed.add(10, 0.1);
    CHECK(replayed.suspended().empty());
    CHECK(!replayed.has_used_clock());
}

TEST_CASE("a mod that takes a little too much keeps running, but slower") {
    ModFrame frame;
    frame.set_allowance({1000, 0});
    std::uint64_t turn = 0;
    int runs = 0;
    for (std::uint64_t tick = 0; tick < 3000; ++tick) {
        if (frame.must_wait(tick, turn)) continue;
        frame.add(1300, 0);
        ++runs;
    }
    CHECK(frame.suspended().empty());
    CHECK(runs > 2000);
}

const std::string kGreedy = R"(
local ecs = require "ecs"
for i = 1, 40 do
  ecs.system("greedy" .. i, { run = function()
    for n = 1, 3e5 do local s = tostring(n) end
    runs = runs or {}
    runs[i] = (runs[i] or 0) + 1
  end })
end)";

TEST_CASE(
    "forty greedy systems of a mod take what one may, the same in each run, and the game's are not "
    "postponed") {
    std::vector<std::string> traces;
    for (int round = 0; round < 2; ++round) {
        ScriptWorld game;
        REQUIRE(game.load("", R"(
local ecs = require "ecs"
steps = 0
ecs.system("healthy", { run = function() steps = steps + 1 end }))") == "");
        REQUIRE(game.load("", kGreedy, "evil") == "");
        for (int i = 0; i < 20; ++i) REQUIRE(game.step() == "");
        CHECK(game.run("assert(steps == 20)") == "");
        game.log.clear();
        CHECK(ScriptWorld::text_of(
                  game.runtime->run("evil",
                                    "local all = 0 for i = 1, 40 do print(i, runs[i] or 0) "
                                    "all = all + (runs[i] or 0) end assert(all < 20 * 10, all)")) == "");
        std::string trace;
        for (const std::string& line : game.log) trace += line + "\n";
        traces.push_back(trace);
        CHECK(game.runtime->limit_reached().empty());
    }
    CHECK(traces[0] == traces[1]);
}

TEST_CASE("if the clock may postpone, a mod that takes too long waits, and that is recorded") {
    ScriptWorld game({}, 1, false, true);
    REQUIRE(game.load("", "steps = 0 function update() steps = steps + 1 end") == "");
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
runs = 0
-- Long texts take time and hardly any fuel.
local texts, less = { ("x"):rep(1e7) .. "a", ("x"):rep(1e7) .. "b" }, 0
ecs.system("slow", { run = function()
  runs = runs + 1
  for i = 1, 60 do if texts[i % 2 + 1] < texts[2 - i % 2] then less = less + 1 end end
end }))",
                      "evil") == "");
    for (int i = 0; i < 20; ++i) static_cast<void>(game.step());  // it may be suspended already
    CHECK(ScriptWorld::text_of(game.runtime->run("evil", "assert(runs < 10, runs)")) == "");
    CHECK(game.runtime->limit_reached() == "the time limit of mod 'evil'");
    CHECK(game.run("assert(steps == 20)") == "");
}

TEST_CASE(
    "a mod that takes too much again and again is suspended with the reason, and a saved file resumes it") {
    ScriptWorld game;
    REQUIRE(game.load("", "steps = 0 function update() steps = steps + 1 end") == "");
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
ecs.system("greedy", { run = function() for n = 1, 9e6 do local x = n end end }))",
                      "evil") == "");
    std::string errors;
    for (int i = 0; i < 600 && errors.empty(); ++i) errors = game.step();
    CHECK(errors.find("evil: system 'evil:greedy': the systems of this mod together take") !=
          std::string::npos);
    CHECK(
        errors.find("and 2.0 million are allowed; they were delayed again and again and are now suspended") !=
        std::string::npos);
    CHECK(game.step() == "");
}

TEST_CASE("all runs of a mod in one step share the time of one run, if nothing else limits it") {
    ScriptWorld game;
    REQUIRE(game.load("", "function nothing() end") == "");
    game.limits.seconds_per_run = 0.05;
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
local texts, less = { ("x"):rep(4e6) .. "a", ("x"):rep(4e6) .. "b" }, 0
for i = 1, 100 do
  ecs.system("s" .. i, { run = function()
    for k = 1, 20 do if texts[k % 2 + 1] < texts[2 - k % 2] then less = less + 1 end end
  end })
end)",
                      "mod") == "");
    const std::string errors = game.step();
    CHECK_THAT(errors, Catch::Contains(
                           "the systems of this mod have run for 0.05 s in one step; no more of them start"));
    CHECK(game.runtime->limit_reached() != "");
}

TEST_CASE("names in 'after' and 'before' are counted over all systems of a mod") {
    ScriptWorld game;
    const std::string errors =
        game.load("",
                  "local ecs = require 'ecs' local n = {} for i = 1, 250 do n[i] = 's' .. i end\n"
                  "for i = 1, 400 do ecs.system('t' .. i, { after = n, run = function() end }) end");
    CHECK_THAT(errors, Catch::Contains("may name 50000 others in 'after' and 'before' together"));
}

TEST_CASE("hash functions of a mod share the fuel of one run in each step") {
    ScriptWorld game;
    REQUIRE(
        game.load(
            "local ecs = require 'ecs' ecs.component('Slow', { kind = 'object', hash = function() local n "
            "= 0 for i = 1, 1e6 do n = n + i end return n end })",
            "local ecs = require 'ecs' local C = ecs.components for i = 1, 200 do local e = "
            "ecs.world:spawn(C.Slow) ecs.world:set_object(e, C.Slow, { i }) end") == "");
    const std::uint64_t hash = world_hash(game.world);
    CHECK(game.runtime->recent_errors().empty());
    CHECK(game.step() == "");
    CHECK(world_hash(game.world) == hash);
}

TEST_CASE("a callback that stops in the middle of gsub in a coroutine leaves no level behind") {
    ScriptWorld game;
    REQUIRE(game.load("",
                      "local ecs = require 'ecs' result = nil\n"
                      "ecs.system('s', { run = function() for i = 1, 100 do pcall(coroutine.wrap(function() "
                      "('x'):gsub('x', function() coroutine.yield() end) end)) end\n"
                      "result = ('x'):gsub('x', function() return 'y' end) end })") == "");
    for (int i = 0; i < 3; ++i) CHECK(game.step() == "");
    CHECK(game.run("assert(result == 'y')") == "");
    CHECK(game.run("local function deep(n) return (('x'):gsub('x', function() return deep(n + 1) end)) end "
                   "local ok, why = pcall(deep, 1) assert(not ok and why:find('nested too deeply'), why)") ==
          "");
}

}  // namespace
}  // namespace perigee
