// Runs that use no fuel are ended by the clock: in interpreted code, in compiled code, and in code that
// cannot be stopped at all, whose state is given up.
#include "scripting/sandbox/internal/watchdog.h"

#include "tests/scripting/lua_test.h"
#include "tests/scripting/script_world.h"

#include <chrono>

namespace perigee {
namespace {

ScriptLimits hasty() {
    ScriptLimits limits;
    limits.seconds_per_run = 0.1;
    limits.seconds_per_load = 0.1;
    limits.fuel_per_load = 1e12;
    return limits;
}

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string many(const std::string& statement, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += statement + " ";
    return text;
}

const std::string kLongTexts = "local a, b = ('x'):rep(3e7) .. 'a', ('x'):rep(3e7) .. 'b' local x ";

TEST_CASE("straight-line code over long texts ends at its next instruction") {
    for (const std::string& body :
         {kLongTexts + many("x = a < b", 4000), "local s = ('1'):rep(3e7) local x " + many("x = s + 0", 4000),
          kLongTexts + "local function f() " + many("x = a < b", 4000) + " end pcall(f) f()"}) {
        LuaTest test(1, hasty());
        std::string error;
        // The limit, the grace of the watchdog, and what the texts and the last instruction take.
        CHECK(seconds_of([&] { error = test.run(body); }) < 5);
        CHECK(error.find("ran for more than 0.1 seconds") != std::string::npos);
        CHECK(test.state->limit_reached() == "the time limit");
    }
}

TEST_CASE("a state whose code cannot be stopped is given up, and the next one works") {
    ScriptLimits limits = hasty();
    limits.seconds_per_load = 0.3;
    limits.seconds_of_grace = 0.01;
    int given_up = 0;
    for (int round = 0; round < 20 && given_up == 0; ++round) {
        LuaTest test(1, limits);
        // In parts: a machine whose page faults are slow takes longer than the limit for all of it.
        for (int part = 0; part < 5; ++part) REQUIRE(test.run("s = (s or '') .. ('1'):rep(4e6)") == "");
        // One instruction that reads 20 MB takes longer than the grace.
        const std::string body = "local s, x = s " + many("x = s + 0", 100);
        std::string error;
        CHECK(seconds_of([&] { error = test.run(body); }) < 5);
        CHECK(error.find("ran for more than 0.3 seconds") != std::string::npos);
        if (!test.state->is_given_up()) continue;
        ++given_up;
        // Every call gets a result.
        CHECK(test.run("print(1)").find("could not be stopped") != std::string::npos);
        test.state->collect();
        test.state->settle();
        CHECK(test.state->memory_bytes() < (2U << 20U));
        CHECK(test.state->jit_health().problems.empty());
        CHECK(test.state->limit_reached() == "the time limit");
    }
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    CHECK(given_up > 0);
#endif
    LuaTest other;
    CHECK(other.run("local n = 0 for i = 1, 1e6 do n = n + i end assert(n == 500000500000)") == "");
}

TEST_CASE("native work of unknown length ends with the run") {
    ScriptLimits limits = hasty();
    LuaTest test(1, limits);
    for (const char* const body : {"(('b'):rep(1e6)):find('[' .. ('a'):rep(1e6) .. 'b]*')",
                                   "(('b'):rep(1e6)):find('%f[' .. ('a'):rep(1e6) .. 'c]')",
                                   "(('a'):rep(1e6)):find(('.-'):rep(8) .. 'b')"}) {
        INFO(body);
        std::string error;
        CHECK(seconds_of([&] { error = test.run(std::string("local _ = ") + body); }) < 3);
        CHECK(error.find("ran for more than 0.1 seconds") != std::string::npos);
    }
}

TEST_CASE("a system that the clock ends fails alone, and the world goes on") {
    ScriptWorld game;
    game.limits.seconds_per_run = 0.1;
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
count = 0
ecs.system("fine", { run = function() count = count + 1 end })
ecs.system("slow", { run = function()
  local a, b = ("x"):rep(1e7) .. "a", ("x"):rep(1e7) .. "b"
  while a < b do end
end })
)") == "");
    CHECK(game.step().find("system 'slow': ran for more than 0.1 seconds, the limit of one run") !=
          std::string::npos);
    CHECK(game.step() == "");
    CHECK(game.run("assert(count == 2)") == "");
    CHECK(game.runtime->limit_reached() == "the time limit of mod 'game'");
}

TEST_CASE("runs that end in time are not touched, however many there are") {
    LuaTest test(1, hasty());
    for (int i = 0; i < 300; ++i) REQUIRE(test.run("local n = 0 for i = 1, 1e4 do n = n + i end") == "");
    CHECK(test.state->limit_reached().empty());
}

}  // namespace
}  // namespace perigee
