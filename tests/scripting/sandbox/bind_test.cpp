// The errors of bound functions, and the fuel for their texts.
#include "scripting/sandbox/bind.h"

#include "scripting/sandbox/internal/fuel_tank.h"
#include "tests/scripting/lua_test.h"

#include <catch2/catch.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace perigee {
namespace {

int raises_text(lua_State* lua) { return raise(lua, "a text"); }
int has_no_memory(lua_State*) { throw std::bad_alloc{}; }
int throws(lua_State*) { throw std::runtime_error{"thrown"}; }
int size_of_text(lua_State* lua) {
    lua_pushinteger(lua, static_cast<lua_Integer>(text_at(lua, 1).size()));
    return 1;
}

std::unique_ptr<ScriptState> state_with_functions() {
    std::unique_ptr<ScriptState> state = ScriptState::create({}).value();
    state->push_environment();
    const auto set = [&state](const char* name, lua_CFunction function) {
        lua_pushcfunction(state->lua(), function);
        lua_setfield(state->lua(), -2, name);
    };
    set("raises_text", bound<raises_text>);
    set("has_no_memory", bound<has_no_memory>);
    set("throws", bound<throws>);
    set("size_of_text", bound<size_of_text>);
    lua_pop(state->lua(), 1);
    return state;
}

}  // namespace

TEST_CASE("an error of a bound function is reported at the line that called it") {
    const std::unique_ptr<ScriptState> state = state_with_functions();
    const auto error = [&state](const std::string& call) {
        return state->run_text("\n" + call, "main.lua")->text();
    };
    CHECK(error("raises_text()") == "game/main.lua:2: a text");
    CHECK(error("throws()") == "game/main.lua:2: thrown");
    CHECK(error("has_no_memory()") == "game/main.lua:2: " + std::string(messages::kNoMemory));
    CHECK_FALSE(
        state->run_text("assert(not pcall(has_no_memory)) assert(size_of_text('abc') == 3)", "main.lua"));
}

TEST_CASE("a text argument of a bound function costs fuel by its length; short ones are free") {
    const std::unique_ptr<ScriptState> state = state_with_functions();
    const auto cost = [&state](int bytes) {
        REQUIRE_FALSE(state->run_text("text = string.rep('x', " + std::to_string(bytes) + ")", "main.lua"));
        REQUIRE_FALSE(state->run_text("size_of_text(text)", "main.lua"));
        return state->fuel_used();
    };
    CHECK(cost(4096) == cost(1));
    CHECK(cost(256 * 10'000) == cost(1) + 10'000);
    const auto error = state->run_text(
        "local text = string.rep('x', 1e7) while true do pcall(size_of_text, text) end", "main.lua");
    CHECK_THAT(error->text(), Catch::Contains("steps of fuel"));
}

}  // namespace perigee
