// What a run may use, and how it ends when it uses more: the same each time, and whatever the script does
// against it.
#include "scripting/sandbox/internal/fuel_tank.h"

#include "ecs/world/world_config.h"
#include "tests/scripting/lua_test.h"
#include "tests/scripting/script_world.h"

#include <set>
#include <string>

namespace perigee::internal {
namespace {

ScriptLimits small() {
    ScriptLimits limits;
    limits.fuel_per_load = 100'000;
    limits.fuel_per_run = 50'000;
    return limits;
}

constexpr const char* kUsedUp =
    "used more than 100000 steps of fuel, the limit of one run; a loop over all pairs is the usual cause, "
    "and 'instructions' in mod.json allows more";

TEST_CASE("endless programs of every form end with the line and the limit") {
    for (const char* const code :
         {"\nwhile true do end", "\nrepeat until false", "\nfor _ in function() return 1 end do end",
          "\n::again:: goto again", "\nfor i = 1, 10, 1e-9 do if i > 20 then break end end",
          "\nlocal function f() return f() end f()",
          "\nlocal t = setmetatable({}, {}) for i = 1, 1e5 do t[i] = i end",
          "\nwhile true do pcall(function() while true do end end) end",
          "\npcall(function() while true do end end)", "\nxpcall(function() while true do end end, print)",
          "\nxpcall(error, function() while true do end end)",
          "\ncoroutine.wrap(function() while true do end end)()",
          "\nlocal c = coroutine.wrap(function() while true do pcall(coroutine.yield) end end) while true do "
          "c() end",
          "\ntable.sort({1, 2, 3}, function() while true do end end)",
          "\n('x'):gsub('x', function() while true do end end)", "\nload('while true do end')()"}) {
        LuaTest test(1, small());
        INFO(code);
        const std::optional<ScriptError> error = test.state->run_text(code, "main.lua");
        REQUIRE(error);
        CHECK(error->message.find("100000 steps of fuel") != std::string::npos);
        CHECK(error->mod == "test");
        CHECK((error->line == 2 || error->file == "load"));
        CHECK(error->traceback.find("perigee/") == std::string::npos);
        CHECK(test.state->fuel_used() == 100'000);
        CHECK(test.state->limit_reached().empty());  // it would end there in each run
        CHECK(test.run("x = 1 for i = 1, 1000 do x = x + 1 end assert(x == 1001)") == "");
    }
}

TEST_CASE("a loop that needs more fuel than is left does not begin") {
    for (const char* const code :
         {"for i = 1, 1e9 do x = i end", "for i = 1, math.huge do x = i end", "for i = 1, 2, 0 do x = i end",
          "for i = 1, 1, 0 do x = i end", "for i = 2 ^ 53, 2 ^ 53 + 2 do x = i end",
          "for i = 0, -1e9, -1 do x = i end", "for i = -2 ^ 60, -2 ^ 60 + 9 do x = i end",
          "for i = '1', '1e9' do x = i end", "for i = 1, 2, 1e-300 do x = i end",
          "for i = 3, 3, -0 do x = i end"}) {
        LuaTest test(1, small());
        INFO(code);
        CHECK(test.run(code) ==
              "test/inline.lua:1: this needs more than 100000 steps of fuel at once, the limit of one run; a "
              "loop over all pairs is the usual cause, and 'instructions' in mod.json allows more");
        CHECK(test.run("assert(x == nil)") == "");
    }
}

TEST_CASE("loops without iterations, or with errors of their own, cost nothing") {
    LuaTest test(1, small());
    CHECK(test.run("for i = 1, -1e9 do end for i = 1, 0 / 0 do end for i = 5, 1, 0 do end for i = 1, "
                   "-math.huge do end "
                   "for i = 2 ^ 60, 1 do end") == "");
    CHECK(test.run("for i = 1, 1e9 do if i == 5000 then assert(not pcall(error, 'x')) break end end") == "");
    CHECK(test.run("local f = coroutine.wrap(function() for i = 1, math.huge do coroutine.yield(i) end end) "
                   "f() f()") == "");
    CHECK(test.run("for i = 1, nil do end") == "test/inline.lua:1: 'for' limit must be a number");
    CHECK(test.run("for i = {}, 2 do end") == "test/inline.lua:1: 'for' initial value must be a number");
    CHECK(test.run("for i = 1, 2, 'x' do end") == "test/inline.lua:1: 'for' step must be a number");
    CHECK(test.run("for i = 1, 2, nil do end") == "test/inline.lua:1: 'for' step must be a number");
}

TEST_CASE("the same program uses the same fuel, interpreted, compiled, and whatever ran before") {
    const char* const code =
        "local s, t = 0, {} for i = 1, 200 do for j = 1, i do s = s + j end t[i] = function() return s end "
        "end "
        "local n = 0 while n < 5000 do n = n + 1 t[n % 200 + 1]() end";
    std::set<double> found;
    LuaTest test;
    for (int i = 0; i < 8; ++i) {
        REQUIRE(test.run(code) == "");
        found.insert(test.state->fuel_used());
        static_cast<void>(
            test.run("local x = 0 while x < " + std::to_string(i * 3333) + " do x = x + 1 end"));
    }
    LuaTest other;
    REQUIRE(other.run(code) == "");
    found.insert(other.state->fuel_used());
    CHECK(found.size() == 1);
    CHECK(*found.begin() > 30'000);
}

TEST_CASE("a program ends at the same iteration each time") {
    std::set<std::string> found;
    for (int round = 0; round < 5; ++round) {
        LuaTest test(1, small());
        // What ran before has compiled some of it, and left slices of all sizes.
        for (int i = 0; i < round; ++i)
            static_cast<void>(test.run("local n = 0 while n < 77777 do n = n + 1 end"));
        CHECK(test.run("n = 0 while true do n = n + 1 end").find("100000 steps") != std::string::npos);
        REQUIRE(test.run("print(n)") == "");
        found.insert(test.log.back());
    }
    CHECK(found.size() == 1);
}

TEST_CASE("memory above the limit ends the run, unless it is garbage") {
    ScriptLimits limits;
    limits.memory_soft = 16 << 20;
    limits.memory_hard = 512 << 20;
    for (const char* const code :
         {"local t = {} for i = 1, 1e7 do t[i] = {i} end", "local s = 'x' while true do s = s .. s end",
          "local t = {} while true do t[#t + 1] = function() return t end end",
          "local t = {} while true do pcall(function() for i = 1, 1e5 do t[#t + 1] = {} end end) end",
          "local t = {} for i = 1, 1e7 do t[i] = ('x'):rep(1000) .. i end",
          "local t = {} while true do t[#t + 1] = coroutine.create(print) end"}) {
        LuaTest test(1, limits);
        INFO(code);
        const std::string text = test.run(code);
        // A step that doubles may go through to the wall.
        CHECK((text.find("MB of memory, more than its limit of 16.0 MB") != std::string::npos ||
               text.find("not enough memory") != std::string::npos));
        CHECK(test.state->limit_reached() == "the memory limit");
        test.state->collect();
        CHECK(test.state->memory_bytes() < (8 << 20));
        CHECK(test.run("local t = {} for i = 1, 1000 do t[i] = {} end") == "");
    }
    LuaTest test(1, limits);
    CHECK(test.run("for i = 1, 1e6 do local t = {i, {}} end") == "");
    CHECK(test.state->limit_reached().empty());
}

TEST_CASE("memory that a run allocates and frees is limited too") {
    ScriptLimits limits;
    limits.memory_per_run = 200 << 20;
    LuaTest test(1, limits);
    CHECK(test.run("local s = ('x'):rep(1e6) for i = 1, 1e5 do x = s .. i end")
              .find("allocated more than 200 MB of memory in one run, including what was freed") !=
          std::string::npos);
    CHECK(test.state->limit_reached() == "the memory limit");
}

TEST_CASE("work that takes time without fuel is ended by the clock") {
    ScriptLimits limits;
    limits.seconds_per_load = 0.05;
    LuaTest test(1, limits);
    // Comparing reads both strings to their ends.
    CHECK(test.run("local a, b = ('x'):rep(1e6) .. 'a', ('x'):rep(1e6) .. 'b' local n = 0 while a < b do n = "
                   "n + 1 end")
              .find("ran for more than 0.1 seconds, the limit of one run") != std::string::npos);
    CHECK(test.state->limit_reached() == "the time limit");
}

TEST_CASE("a system that uses too much fuel fails alone, and each of its runs has its own fuel") {
    ScriptWorld game;
    game.limits = small();
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
ecs.system("greedy", { run = function()
  local n = 0
  while true do n = n + 1 end
end })
ecs.system("quiet", { run = function() pcall(function() while true do end end) end })
ecs.system("fine", { run = function() for i = 1, 30000 do ran = i end runs = (runs or 0) + 1 end })
)") == "");
    CHECK(game.step() ==
          "game/main.lua:5: system 'greedy': used more than 50000 steps of fuel, the limit of one run; a "
          "loop over all pairs is the usual cause, and 'instructions' in mod.json allows more\n"
          "game/main.lua:7: system 'quiet': used more than 50000 steps of fuel, the limit of one run; a loop "
          "over all pairs is the usual cause, and 'instructions' in mod.json allows more");
    CHECK(game.step() == "");
    CHECK(game.step() == "");
    CHECK(game.run("assert(runs == 3 and ran == 30000)") == "");
}

TEST_CASE("a system's chunks share the fuel of its run") {
    WorldConfig config;
    config.shape = {.unit_bytes = 4096, .max_rows = 4};
    ScriptWorld game(config);
    game.limits = small();
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
ecs.component("A", { { "x", "f32" } })
local C = ecs.components
for i = 1, 40 do ecs.world:spawn(ecs.prefab("p" .. i, { C.A })) end
ecs.system("s", { query = { write = { C.A } }, run = function() for i = 1, 6000 do chunks = i end n = (n or 0) + 1 end })
)") == "");
    CHECK(game.step().find("used more than 50000 steps") != std::string::npos);
    CHECK(game.run("assert(n == 8, n)") == "");
}

TEST_CASE("without counting, source is compiled unchanged") {
    ScriptLimits limits = small();
    limits.counts_fuel = false;
    LuaTest test(1, limits);
    CHECK(test.run("for i = 1, 1e6 do x = i end") == "");
    CHECK(test.state->fuel_used() == 0);
}

}  // namespace
}  // namespace perigee::internal
