// What modders learn about code that is not compiled.
#include "scripting/sandbox/jit_health.h"

#include "scripting/sandbox/state.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace perigee;

namespace {

// Runs a file of a mod and gives what its compiler says.
JitHealth health_after(const std::string& text) {
    ScriptStateConfig config;
    config.mod = "game";
    config.watches_compiler = true;
    std::unique_ptr<ScriptState> state = ScriptState::create(std::move(config)).value();
    const auto error = state->run_text(text, "main.lua");
    INFO((error ? error->message : std::string()));
    CHECK_FALSE(error);
    return state->jit_health();
}

}  // namespace

TEST_CASE("compiled loops and nested loops are not reported") {
    const JitHealth health = health_after(R"(
local sum = 0
for i = 1, 2000 do
  for j = 1, 3 do sum = sum + i * j end
end
)");
    CHECK(health.traces > 0);
    CHECK(health.problems.empty());
    CHECK(health.flushes == 0);
}

TEST_CASE("creating a function in a loop is reported once, with its line") {
    const JitHealth health = health_after(R"(
local sum = 0
for i = 1, 20000 do
  local f = function() return i end
  sum = sum + f()
end
)");
    REQUIRE(health.problems.size() == 1);
    const JitProblem& problem = health.problems.front();
    CHECK(problem.file == "main.lua");
    CHECK(problem.line == 4);
    CHECK(problem.loop_line >= 3);
    CHECK(problem.loop_line <= 4);
    CHECK(problem.reason == "makes a function in the loop; make it outside");
    CHECK(problem.attempts >= 3);
    CHECK(health.attempts >= problem.attempts);
}

TEST_CASE("a problem in a function that the loop calls is reported with the function's line") {
    const JitHealth health = health_after(R"(
local function maker(i)
  return function() return i end
end
local sum = 0
for i = 1, 20000 do sum = sum + maker(i)() end
)");
    REQUIRE_FALSE(health.problems.empty());
    CHECK(health.problems.front().line == 3);
}

TEST_CASE("a problem is reported with the system in whose run it occurred") {
    ScriptWorld game({}, 1, true);
    REQUIRE(game.load("", R"(
local ecs = require "ecs"
ecs.system("slow", { run = function()
  local sum = 0
  for i = 1, 20000 do local f = function() return i end sum = sum + f() end
end })
ecs.system("fast", { run = function()
  local sum = 0
  for i = 1, 20000 do sum = sum + i end
end })
)") == "");
    for (int i = 0; i < 3; ++i) game.step();
    const JitHealth health = game.runtime->state("game")->jit_health();
    REQUIRE(health.problems.size() == 1);
    CHECK(health.problems.front().system == "slow");
    CHECK(health.problems.front().line == 5);
}

TEST_CASE("loops over the methods of the world are compiled, while files load and afterwards") {
    ScriptWorld game({}, 1, true);
    const std::string loops = R"(
local entities = {}
for i = 1, 3000 do entities[i] = ecs.world:spawn(Rock) end
for i = 1, 3000 do ecs.world:spawn(Rock, C.Place { x = i }) end
for i = 1, 3000 do ecs.world:spawn(C.Place { x = i }, C.Size { x = 2 }) end
for i = 1, 3000 do ecs.world:get(entities[i], C.Place).x = ecs.world:get(entities[i], C.Place).x + 1 end
for i = 1, 3000 do ecs.world:add(entities[i], C.Size) end
for i = 1, 3000 do ecs.world:set(entities[i], C.Place { x = i }) end
for i = 1, 3000 do ecs.world:remove(entities[i], C.Size) end
for i = 1, 3000 do ecs.world:destroy(entities[i]) end
)";
    REQUIRE(game.load("local ecs = require 'ecs'\n"
                      "ecs.component('Place', { { 'x', 'f32' } })\necs.component('Size', { { 'x', 'f32' } })",
                      "ecs = require 'ecs'\nC = ecs.components\nRock = ecs.prefab('Rock', { C.Place })\n" +
                          loops) == "");
    const auto report = [&] {
        std::string all;
        for (const JitProblem& problem : game.runtime->state("game")->jit_health().problems) {
            all += std::to_string(problem.line) + ": " + problem.reason + "\n";
        }
        return all;
    };
    CHECK(report() == "");
    REQUIRE(game.run(loops) == "");
    CHECK(report() == "");
}

TEST_CASE("an abort in a C function with only C below it does no harm") {
    ScriptStateConfig config;
    config.watches_compiler = true;
    std::unique_ptr<ScriptState> state = ScriptState::create(std::move(config)).value();
    REQUIRE_FALSE(state->run_text(R"(
function tail(n)
  for i = 1, n do end
  return string.reverse(("x"):rep(n))
end
function in_coroutine(n) return coroutine.wrap(tail)(n) end
)",
                                  "main.lua"));
    for (int i = 0; i < 400; ++i) {
        for (const char* name : {"tail", "in_coroutine"}) {
            state->push_environment();
            lua_getfield(state->lua(), -1, name);
            lua_remove(state->lua(), -2);
            lua_pushinteger(state->lua(), i % 50);
            REQUIRE_FALSE(state->call(1, 1));
            CHECK(lua_objlen(state->lua(), -1) == static_cast<std::size_t>(i % 50));
            lua_settop(state->lua(), 0);
        }
    }
    CHECK(state->jit_health().attempts + state->jit_health().traces > 0);
}

TEST_CASE("errors are the same whether the compiler is watched or not, and name no file of the engine") {
    for (const std::string body : {
             "error('x', 2)",
             "error('x', 3)",
             "return error('x')",
             "return string.rep()",
             "string.rep()",
             "error({})",
             "return coroutine.wrap(function() return error('x') end)()",
             "return coroutine.wrap(string.rep)()",
             "said = select(2, pcall(error, 'x', 2)) error(said, 0)",
             "said = select(2, pcall(function() return error('x', 4) end)) error(said, 0)",
             "said = select(2, xpcall(error, function(m) return m end, 'x', 2)) error(said, 0)",
             "said = select(2, coroutine.resume(coroutine.create(error), 'x', 1)) error(said, 0)",
         })
        for (const bool is_coroutine : {false, true}) {
            const std::string text = is_coroutine ? "\ncoroutine.wrap(function()\n" + body + " end)()"
                                                  : "local function f()\n" + body + " end\n f()";
            std::vector<std::string> said;
            for (const bool is_watched : {false, true}) {
                ScriptStateConfig config;
                config.watches_compiler = is_watched;
                std::unique_ptr<ScriptState> state = ScriptState::create(std::move(config)).value();
                const auto error = state->run_text(text, "main.lua");
                REQUIRE(error);
                said.push_back(error->text());
                state->push_environment();
                lua_getfield(state->lua(), -1, "said");
                const char* const seen = lua_tostring(state->lua(), -1);
                said.back() += std::string(" | ") + (seen != nullptr ? seen : "");
            }
            INFO(text);
            CHECK(said[1] == said[0]);
            CHECK(said[1].find("perigee/") == std::string::npos);
            CHECK(said[1].starts_with("game/main.lua:"));
        }
}

TEST_CASE("a state that is not watched reports nothing") {
    std::unique_ptr<ScriptState> state = ScriptState::create({}).value();
    REQUIRE_FALSE(state->run_text("for i = 1, 1000 do end", "main.lua"));
    CHECK(state->jit_health().traces == 0);
}

TEST_CASE("LuaJIT's own words become advice") {
    CHECK(plain_jit_reason("NYI: bytecode FNEW") == "makes a function in the loop; make it outside");
    CHECK(plain_jit_reason("NYI: unsupported variant of FastFunc string.rep") ==
          "calls a library function in a way that is not compiled (string.rep)");
    CHECK(plain_jit_reason("call unroll limit reached") == "calls itself; use a loop");
    CHECK(plain_jit_reason("something of a later LuaJIT") == "something of a later LuaJIT");
}
