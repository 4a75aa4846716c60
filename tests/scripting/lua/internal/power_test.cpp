// Compiled and interpreted code must agree to the last bit, or a replay is no replay.
#include "scripting/lua/internal/power.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/world/world_config.h"
#include "tests/scripting/lua_test.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

#include <cmath>

namespace perigee {
namespace {

void stop_compiling(ScriptState& state) {
    luaJIT_setmode(state.lua(), 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    luaJIT_setmode(state.lua(), 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_FLUSH);
}

TEST_CASE("a square is a product, other powers come from the C library") {
    volatile double two = 2;
    volatile double three = 3;
    volatile double half = 0.5;
    for (int i = 1; i < 2000; ++i) {
        const double x = std::sin(i) * 1000;
        CHECK(pow(x, two) == x * x);
        CHECK(std::abs(pow(x, three) - x * x * x) <= std::abs(x * x * x) * 1e-15);
        CHECK(pow(x * x, half) == std::abs(x));
    }
}

TEST_CASE("arithmetic gives the same numbers interpreted and compiled") {
    LuaTest compiled;
    LuaTest interpreted;
    stop_compiling(*interpreted.state);
    REQUIRE_FALSE(compiled.state->run_file("sandbox/arithmetic.lua"));
    REQUIRE_FALSE(interpreted.state->run_file("sandbox/arithmetic.lua"));
    REQUIRE(compiled.log.size() == 15);
    for (std::size_t i = 0; i < compiled.log.size(); ++i) CHECK(compiled.log[i] == interpreted.log[i]);
}

TEST_CASE("a world that scripts change has the same hash interpreted, compiled and on every run") {
    const auto hash_after = [](int steps, bool is_compiled) {
        WorldConfig config;
        config.shape = {.unit_bytes = 4096, .max_rows = 16};
        ScriptWorld game(config);
        REQUIRE(game.load_script("sandbox/columns_compiled.lua") == "");
        if (!is_compiled) stop_compiling(*game.runtime->state("game"));
        for (int i = 0; i < steps; ++i) REQUIRE(game.step() == "");
        return world_hash(game.world);
    };
    const std::uint64_t first = hash_after(60, true);
    CHECK(hash_after(59, true) != first);
    CHECK(hash_after(60, false) == first);
    for (int run = 0; run < 5; ++run) CHECK(hash_after(60, true) == first);
}

}  // namespace
}  // namespace perigee
