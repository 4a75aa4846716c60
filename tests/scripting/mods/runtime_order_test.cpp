// Systems whose query has an order: what sorting costs, and that nothing written to a row is lost.
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>

namespace perigee {
namespace {

constexpr const char* kSchema = R"lua(
local ecs = require "ecs"
ecs.component("P", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Shield", { kind = "enableable", { "power", "f32" } })
)lua";
const std::string kStart = "local ecs = require 'ecs' local C = ecs.components\n";

// Four rows, their x from 4 down to 1.
const std::string kFour = kStart +
                          "local all = {}\n"
                          "for i = 1, 4 do all[i] = ecs.world:spawn(C.P { x = 5 - i }, C.Shield) end\n";

TEST_CASE("components that an ordered query writes are accessed only through its columns") {
    const auto error_of = [](const std::string& query, const std::string& access, const std::string& body) {
        ScriptWorld game;
        REQUIRE(game.load(kSchema, kFour + "ecs.system('s', { query = { " + query +
                                       ", order_by = { C.P, 'x' } }, access = { " + access +
                                       " }, run = function(chunk, ctx)\n" + body + "\nend })") == "");
        return game.step();
    };
    const std::string advice =
        " in an order, and its rows are copies until the visit ends; use the chunk's columns, or name the "
        "component under access instead of in the query";
    CHECK_THAT(error_of("write = { C.P }", "", "local row = ctx:try_get(all[1], C.P)"),
               Catch::Contains("ctx:try_get: the query of this system writes 'P'" + advice));
    CHECK_THAT(
        error_of("write = { C.Shield }, read = { C.P }", "", "print(ctx:is_enabled(all[1], C.Shield))"),
        Catch::Contains("ctx:is_enabled: the query of this system writes 'Shield'" + advice));
    CHECK(error_of("write = { C.P }", "", "assert(ctx:is_enabled(all[1], C.P) and ctx:has(all[1], C.P))") ==
          "");
    // What it only reads, and what it does not name, is the same in both ways.
    CHECK(error_of("read = { C.P }", "write = { C.Shield }",
                   "for i = 1, chunk.count do local e = chunk.entity[i]\n"
                   "assert(ctx:try_get(e, C.P).x == chunk.P.x[i])\n"
                   "ctx:try_get(e, C.Shield).power = 7 end\n"
                   "assert(ctx:try_get(all[1], C.Shield).power == 7 and ctx:is_enabled(all[1], C.Shield))") ==
          "");
}

TEST_CASE("a write to a component outside the columns of an ordered query reaches the row") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema,
                      kFour + "ecs.system('s', { query = { read = { C.P }, order_by = { C.P, 'x' } },\n"
                              "access = { write = { C.P } }, run = function(chunk, ctx)\n"
                              "for i = 1, chunk.count do\n"
                              "  local row = ctx:try_get(chunk.entity[i], C.P) row.y = row.y + 10\n"
                              "end end })\n"
                              "ecs.system('t', { after = 's', query = { read = { C.P } },\n"
                              "run = function(chunk, ctx) for i = 1, chunk.count do\n"
                              "assert(chunk.P.y[i] == 10 * ctx.tick + 10, chunk.P.y[i]) end end })") == "");
    for (int i = 0; i < 3; ++i) CHECK(game.step() == "");
}

TEST_CASE("sorting for an order is charged before it begins") {
    const auto error_of = [](int rows, double fuel, const std::string& system) {
        ScriptWorld game;
        game.limits.fuel_per_run = fuel;
        REQUIRE(
            game.load(kSchema, kStart +
                                   "local many = ecs.prefab('many', { C.P })\n"
                                   "local ordered = ecs.query { read = { C.P }, order_by = { C.P, 'x' } }\n"
                                   "local n = " +
                                   std::to_string(rows) +
                                   "\n"
                                   "local fill = { run = function(_, ctx) if ctx.tick == 1 then\n"
                                   "ctx.commands:spawn_many(many, n) end end }\n"
                                   "ecs.system('fill', fill)\n" +
                                   system) == "");
        std::string errors;
        for (int i = 0; i < 3; ++i) errors += game.step();
        return errors;
    };
    const std::string visits =
        "ecs.system('s', { query = { read = { C.P }, order_by = { C.P, 'x' } }, run = function() end })";
    const std::string counts =
        "ecs.system('s', { run = function(_, ctx) for i = 1, 100 do ctx:chunk_count(ordered) end end })";
    const std::string counts_own =
        "ecs.system('s', { query = { read = { C.P }, order_by = { C.P, 'x' } },\n"
        "run = function(_, ctx) for i = 1, 1000 do assert(ctx:chunk_count() > 0) end end })";
    CHECK_THAT(error_of(30'000, 100'000, visits), Catch::Contains("more than 100000 steps of fuel"));
    CHECK(error_of(10'000, 100'000, visits) == "");
    CHECK_THAT(error_of(1'000, 100'000, counts), Catch::Contains("more than 100000 steps of fuel"));
    CHECK(error_of(100, 100'000, counts) == "");
    CHECK(error_of(5'000, 100'000, counts_own) == "");  // counted once in a run
}

}  // namespace
}  // namespace perigee
