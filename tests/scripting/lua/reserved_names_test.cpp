// Names that no file of a mod may have: reported where the file is required, and each name is one that
// require gives.
#include "scripting/lua/reserved_names.h"

#include "scripting/base/native_module.h"
#include "tests/scripting/lua_test.h"

#include <lua.hpp>

namespace perigee {
namespace {

using Catch::Contains;

TEST_CASE("requiring a file that an engine module of the same name hides is an error [N4]") {
    for (const std::string name : {"string", "math", "table", "bit", "coroutine"}) {
        const MemorySource files{
            {{"main.lua", "local x = 1\nlocal y = require '" + name + "'"}, {name + ".lua", "return {}"}}};
        ScriptStateConfig config;
        config.mod = "game";
        config.files = &files;
        const auto state = std::move(ScriptState::create(std::move(config))).value();
        const std::optional<ScriptError> error = state->run_file("main.lua");
        REQUIRE(error);
        CHECK_THAT(error->text(), Contains("game/main.lua:2: '" + name + "' is a reserved name"));
        CHECK_THAT(error->text(), Contains("the file '" + name + ".lua'; rename the file"));
    }
}

TEST_CASE("files with other names, and with reserved names in a folder, are found") {
    const MemorySource files{
        {{"main.lua", "assert(require('lib.math') == 5 and require('maths') == 6 and require 'math')"},
         {"lib/math.lua", "return 5"},
         {"maths.lua", "return 6"}}};
    ScriptStateConfig config;
    config.mod = "game";
    config.files = &files;
    const auto state = std::move(ScriptState::create(std::move(config))).value();
    const std::optional<ScriptError> error = state->run_file("main.lua");
    CHECK((error ? error->text() : "") == "");
}

TEST_CASE("every module that a script can require is reserved") {
    const std::vector<NativeModule> modules{{"gfx", nullptr, {}}};
    const std::vector<std::string> reserved = reserved_names(modules);
    CHECK(why_reserved("gfx.lua", reserved) != "");
    CHECK(why_reserved("gfx/a.lua", reserved).empty());
    CHECK(why_reserved("hero.lua", reserved).empty());
    CHECK(why_reserved("gfx.png", reserved).empty());
    LuaTest test;
    test.state->push_runtime("module", "loaded");
    lua_State* const lua = test.state->lua();
    for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
        INFO(lua_tostring(lua, -2));
        CHECK(why_reserved(std::string(lua_tostring(lua, -2)) + ".lua", reserved) != "");
    }
    for (const char* of_the_world : {"ecs", "settings", "test"})
        CHECK(why_reserved(std::string(of_the_world) + ".lua", reserved) != "");
}

}  // namespace
}  // namespace perigee
