// What a mod sees of the charging: only its limits.
#include "scripting/sandbox/internal/charged_chunk.h"

#include "scripting/lua/fuel_rewriter.h"
#include "tests/scripting/linked_limits.h"
#include "tests/scripting/lua_test.h"

#include <string>

namespace perigee::internal {
namespace {

TEST_CASE("source text cannot close the function that is put around it") {
    LuaTest test;
    for (const char* const code :
         {"end while true do end do", "end) return (function()", "end end", "return end"}) {
        INFO(code);
        CHECK(test.run(code).find("expected near") != std::string::npos);
    }
}

TEST_CASE("a syntax error is reported in LuaJIT's words, for the text as written") {
    LuaTest test;
    CHECK(test.run("for i = 1, 2 do\nx = = 1\nend") == "test/inline.lua:2: unexpected symbol near '='");
    CHECK(test.run("while true do") == "test/inline.lua:1: 'end' expected near '<eof>'");
    CHECK(test.run("local t = load('x = ') assert(t == nil) print(select(2, load('\\nfor')))") == "");
    CHECK(test.log.back() == "test/load:2: '<name>' expected near '<eof>'");
}

TEST_CASE("tracebacks name files and functions as without charging") {
    LuaTest test;
    const auto error = test.state->run_text("local function f() error('x') end\nf()", "a.lua");
    REQUIRE(error);
    CHECK(error->traceback == "test/a.lua:1: in function 'f'\ntest/a.lua:2: in the file\n");
}

TEST_CASE("a program has its arguments, its environment and its results") {
    LuaTest test;
    CHECK(
        test.run("local f = load('return select(\"#\", ...), ..., x', 'n', 't', { x = 5, select = select }) "
                 "local n, a, x = f(7) assert(n == 1 and a == 7 and x == 5)") == "");
    CHECK(test.run("assert(load('local function f() while true do return y end end return f()', 'n', 't', { "
                   "y = 3 })() == 3)") == "");
}

TEST_CASE("an error that only the counting causes says so") {
    LuaTest lua;
    const int most = test::max_upvalues();
    CHECK(lua.run(test::with_upvalues(most - 2)) == "");
    const std::string text = lua.run(test::with_upvalues(most));
    CHECK(text.find("has more than " + std::to_string(most) +
                    " upvalues (counting fuel takes 2 of the outer variables") != std::string::npos);
    CHECK(lua.run(test::with_upvalues(most + 1)).find("counting") == std::string::npos);
}

TEST_CASE("long sources and sources that name the counter are refused") {
    LuaTest test;
    CHECK(test.run(std::string(kMaxSourceBytes + 1, ' ')) ==
          "test/inline.lua:1: the file has 262145 bytes; the limit is 262144");
    CHECK(test.run("x = " + FuelNames::of_process().counter) ==
          "test/inline.lua:1: its loops cannot be counted");
    CHECK(test.run("assert(load((' '):rep(300000)) == nil)") == "");
}

TEST_CASE("compiling costs fuel: loading in a loop ends, and code that is slow to compile costs more") {
    ScriptLimits limits;
    limits.fuel_per_load = 1e6;
    LuaTest test(1, limits);
    CHECK(test.run("while true do load((' '):rep(10000)) end").find("1000000 steps of fuel") !=
          std::string::npos);
    std::string chain = "local x = 1 if x == 0 then ";
    for (int i = 0; i < 3000; ++i) chain += "elseif x == 2 then ";
    CHECK(test.run(chain + "end").find("1000000 steps of fuel") != std::string::npos);
}

}  // namespace
}  // namespace perigee::internal
