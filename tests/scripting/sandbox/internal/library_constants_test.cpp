// Every state finds the constants by name, and those of its modules.
#include "scripting/sandbox/internal/library_constants.h"

#include "scripting/lua/fuel_rewriter.h"
#include "scripting/sandbox/bind.h"
#include "tests/scripting/lua_test.h"

#include <lua.hpp>

#include <string>

namespace perigee {
namespace {

// Leaves the constant on the stack; the message if there is none.
std::string ask(ScriptState& state, const char* name, const char* module = nullptr) {
    state.push_runtime("host", "constant");
    lua_pushstring(state.lua(), name);
    if (module != nullptr) lua_pushstring(state.lua(), module);
    const std::optional<ScriptError> error = state.call(module != nullptr ? 2 : 1, 1);
    return error ? error->message : "";
}

TEST_CASE("a constant is found by its name, and an unknown name is an error") {
    LuaTest test;
    REQUIRE(ask(*test.state, "max_source_bytes") == "");
    CHECK(lua_tonumber(test.state->lua(), -1) == static_cast<double>(kMaxSourceBytes));
    REQUIRE(ask(*test.state, "runtime_files") == "");
    CHECK(text_at(test.state->lua(), -1) == "perigee//");
    CHECK(ask(*test.state, "max_sauce_bytes") == "C++ has no constant 'max_sauce_bytes' for the Lua library");
    CHECK(ask(*test.state, "max_source_bytes", "gfx") != "");
}

TEST_CASE("a module has constants of its own: numbers, texts, lists and ranges") {
    ScriptStateConfig config;
    config.mod = "test";
    NativeModule module;
    module.name = "app";
    module.constants = {{"side", 64},
                        {"word", std::string_view("yes")},
                        {"words", std::vector<std::string_view>{"a", "b"}},
                        {"ranges", ScriptConstant::Ranges{{"small", -1, 1}}}};
    config.modules = {module};
    const auto state = std::move(ScriptState::create(std::move(config))).value();
    lua_State* const lua = state->lua();
    REQUIRE(ask(*state, "side", "app") == "");
    CHECK(lua_tonumber(lua, -1) == 64);
    REQUIRE(ask(*state, "word", "app") == "");
    CHECK(text_at(lua, -1) == "yes");
    REQUIRE(ask(*state, "words", "app") == "");
    CHECK(texts_on_top(lua) == std::vector<std::string>{"a", "b"});
    REQUIRE(ask(*state, "ranges", "app") == "");
    lua_getfield(lua, -1, "small");
    lua_rawgeti(lua, -1, 1);
    CHECK(lua_tonumber(lua, -1) == -1);
    CHECK(ask(*state, "side") != "");
}

}  // namespace
}  // namespace perigee
