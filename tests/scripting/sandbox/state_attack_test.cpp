// What a hostile mod tries against its state; the scripts are tests/scripts/attacks/.
#include "scripting/sandbox/state.h"
#include "tests/scripting/lua_test.h"

namespace perigee {
namespace {

// No handler of the mod catches these: the host's own handler, which notes where it happened, runs at the end
// of the stack. Now and then LuaJIT finds no room for it, and then the line is unknown.
TEST_CASE("the end of the stack in compiled code is an error like any other") {
    const auto state = ScriptState::create({}).value();
    const std::string before = "local t, n = {}, 0\nfor i = 1, 200 do t[i] = i end\n";
    const std::string bodies[] = {
        "local function f(k) n = n + t[k % 200 + 1] return 1 + f(k + 1) end f(1)",
        "local function f(a, b, c) return (f(b, c, a + 1)) + 1 end f(1, 2, 3)",
        "local m = setmetatable({}, { __index = function(s, k) return s[k + 1] end }) n = m[1]",
        "local f f = function(...) return select('#', ...) + f(1, ...) end f()",
        "local g local function f(k) return g(k) + 1 end g = function(k) return f(k + 1) + t[1] end f(1)",
        "for i = 1, 100 do n = n + i end local function f(k) for i = 1, 3 do n = n + f(k + i) end return n "
        "end f(1)",
    };
    for (int round = 0; round < 20; ++round) {
        for (const std::string& body : bodies) {
            const std::optional<ScriptError> error = state->run_text(before + body, "main.lua");
            INFO(body << "\n" << (error ? error->text() + "\n" + error->traceback : ""));
            REQUIRE(error);
            CHECK_THAT(error->message, Catch::Contains("stack overflow"));
            CHECK((error->line == 3 || error->traceback.empty()));
        }
    }
}

TEST_CASE("excessive depth of any kind is an error, not a crash") { run_script("attacks/nesting.lua"); }

}  // namespace
}  // namespace perigee
