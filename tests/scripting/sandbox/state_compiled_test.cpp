// What a script computes does not depend on what happened to be compiled: which loops get hot is not
// repeatable.
#include "scripting/sandbox/bind.h"
#include "tests/scripting/lua_test.h"
#include "tests/scripting/shown_value.h"

#include <lua.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

using test::shown_value;

struct Column {
    std::string expression;
    std::vector<std::string> inputs;
    std::vector<std::string> values;  ///< then whether the loop ended, or with which error
};

std::vector<Column> columns_of(bool is_compiled, std::uint64_t seed) {
    LuaTest test(seed);
    lua_State* lua = test.state->lua();
    if (!is_compiled) luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    const std::optional<ScriptError> error = test.state->run_file("sandbox/same_compiled.lua");
    INFO((error ? error->text() : ""));
    REQUIRE_FALSE(error);
    std::vector<Column> columns;
    test.state->push_environment();
    lua_getfield(lua, -1, "results");
    const auto count = static_cast<int>(lua_objlen(lua, -1));
    for (int number = 1; number <= count; ++number) {
        lua_rawgeti(lua, -1, number);
        const int entry = lua_gettop(lua);
        for (int i = 1; i <= 7; ++i) lua_rawgeti(lua, entry, i);
        Column column;
        column.expression = text_at(lua, entry + 1);
        for (int row = 1; row <= static_cast<int>(lua_objlen(lua, entry + 2)); ++row) {
            std::string inputs;
            for (int i = 2; i <= 5; ++i) {
                lua_rawgeti(lua, entry + i, row);
                inputs += " " + shown_value(lua, -1);
                lua_pop(lua, 1);
            }
            lua_rawgeti(lua, entry + 6, row);
            column.inputs.push_back(inputs);
            column.values.push_back(shown_value(lua, -1));
            lua_pop(lua, 1);
        }
        column.inputs.emplace_back("the loop");
        column.values.push_back(shown_value(lua, entry + 7));
        columns.push_back(std::move(column));
        lua_settop(lua, entry - 1);
    }
    lua_settop(lua, 0);
    return columns;
}

TEST_CASE("each operation of the language gives the same interpreted and compiled, to the bit") {
    for (const std::uint64_t seed : {1, 2}) {
        const std::vector<Column> compiled = columns_of(true, seed);
        const std::vector<Column> interpreted = columns_of(false, seed);
        REQUIRE(compiled.size() == interpreted.size());
        REQUIRE(compiled.size() > 200);
        for (std::size_t i = 0; i < compiled.size(); ++i) {
            REQUIRE(compiled[i].inputs == interpreted[i].inputs);
            for (std::size_t row = 0; row < compiled[i].values.size(); ++row) {
                if (compiled[i].values[row] == interpreted[i].values[row]) continue;
                CAPTURE(seed, compiled[i].expression, compiled[i].inputs[row]);
                CHECK(compiled[i].values[row] == interpreted[i].values[row]);
                break;
            }
        }
    }
}

}  // namespace
}  // namespace perigee
