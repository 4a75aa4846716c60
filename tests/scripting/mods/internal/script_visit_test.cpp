// Visits of named queries: what they mark, what they cost, and what refuses them. What they show is tested by
// tests/scripts/systems/queries.lua.
#include "scripting/mods/internal/script_visit.h"

#include "scripting/mods/runtime.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>

namespace perigee {
namespace {

constexpr const char* kSchema = R"lua(
local ecs = require "ecs"
ecs.component("P", { { "x", "f32" }, { "y", "f32" } })
ecs.component("H", { { "left", "i32", 100 } })
ecs.component("Shield", { kind = "enableable", { "power", "f32" } })
ecs.component("Claim", { kind = "cleanup", owner = "claims", { "of", "i32" } })
ecs.resource("Wave", { { "number", "u16" } })
)lua";
const std::string kStart = "local ecs = require 'ecs' local C, world = ecs.components, ecs.world\n";
const std::string kMany = kStart + "for i = 1, 40 do world:spawn(C.P { x = i }, C.H) end\n";

WorldConfig small_chunks() {
    WorldConfig config;
    config.shape = {.unit_bytes = 4096, .max_rows = 4};
    return config;
}

TEST_CASE("a visit marks the chunks that it shows, and only those that the query writes") {
    ScriptWorld game(small_chunks());
    REQUIRE(game.load(kSchema, kMany + R"lua(
ecs.system("s", {
  queries = { write = { write = { C.P } }, read = { read = { C.H, C.P } } },
  run = function(_, ctx)
    for chunk in ctx.queries.write:chunks() do
      for _ in ctx.queries.read:chunks() do end
      if chunk.index == 3 then break end
    end
  end,
})
ecs.system("of P", { after = "s", query = { read = { C.P }, changed = { C.P } },
  run = function(chunk) p = chunk.index end })
ecs.system("of H", { after = "s", query = { read = { C.H }, changed = { C.H } },
  run = function(chunk) h = chunk.index end })
)lua") == "");
    CHECK(game.step() == "");
    REQUIRE(game.run("assert(p == 10 and h == 10) p, h = 0, 0") == "");
    CHECK(game.step() == "");
    CHECK(game.run("assert(p == 3 and h == 0, p .. ' ' .. h)") == "");
}

TEST_CASE("the scheduler knows what the named queries of a system access") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kStart + R"lua(
ecs.system("s", {
  queries = { a = { write = { C.P }, without = { C.Shield } }, b = { read = { C.H }, changed = { C.Shield } } },
  run = function() end,
})
)lua") == "");
    const SystemDesc& desc = game.schedule.description(*game.schedule.find("s"));
    const auto id = [&](const char* name) { return *game.world.registry().find(name); };
    CHECK(declares(desc, id("P"), Access::write));
    CHECK(declares(desc, id("H"), Access::read));
    CHECK_FALSE(declares(desc, id("H"), Access::write));
    CHECK(declares(desc, id("Shield"), Access::read));
    CHECK_FALSE(desc.needs_rows);
}

TEST_CASE("visits of named queries are charged, and end with the run's fuel") {
    const auto error_of = [](const std::string& body, int rows = 4000) {
        ScriptWorld game(small_chunks());
        game.limits.fuel_per_run = 1e5;
        REQUIRE(game.load(kSchema, kStart + "for i = 1, " + std::to_string(rows) +
                                       " do world:spawn(C.P { x = i }) end\n"
                                       "ecs.system('s', { queries = {\n"
                                       "plain = { read = { C.P } },\n"
                                       "changed = { read = { C.P }, changed = { C.H, C.P } },\n"
                                       "sorted = { read = { C.P }, order_by = { C.P, 'x' } } },\n"
                                       "run = function(_, ctx) local q = ctx.queries\n" +
                                       body + "\nend })") == "");
        std::string errors;
        for (int i = 0; i < 2; ++i) errors += game.step();
        return errors;
    };
    const auto ends = Catch::Contains("more than 100000 steps of fuel");
    CHECK(error_of("for _ in q.plain:chunks() do end") == "");
    CHECK_THAT(error_of("while true do for _ in q.plain:chunks() do end end"), ends);
    CHECK_THAT(error_of("while true do for _ in q.plain:chunks() do break end end"), ends);
    CHECK_THAT(error_of("local f, s = q.plain:chunks() while true do pcall(f, s) end"), ends);
    // Chunks that did not change are looked at, too.
    CHECK_THAT(error_of("for i = 1, 100 do for _ in q.changed:chunks() do end end"), ends);
    CHECK(error_of("for i = 1, 2 do for _ in q.sorted:chunks() do end end") == "");
    CHECK_THAT(error_of("for i = 1, 9 do for _ in q.sorted:chunks() do break end end"), ends);
}

TEST_CASE("an error inside nested visits ends them, and the next run begins again") {
    ScriptWorld game(small_chunks());
    REQUIRE(game.load(kSchema, kMany + R"lua(
fail = true
ecs.system("s", {
  queries = { a = { write = { C.P } }, b = { write = { C.P } } },
  run = function(_, ctx)
    for a in ctx.queries.a:chunks() do
      for b in ctx.queries.b:chunks() do
        if fail and b.index == 2 then b.P.x[9] = 1 end
        seen = b
      end
    end
  end,
})
)lua") == "");
    CHECK_THAT(game.step(),
               Catch::Contains("main.lua:10: system 's': component 'P', field 'x': row 9 is out of range, "
                               "this chunk has rows 1 to 4"));
    CHECK_FALSE(game.world.is_locked());
    REQUIRE(game.run("fail = false") == "");
    game.schedule.resume(*game.schedule.find("s"));
    CHECK(game.step() == "");
    CHECK_THAT(game.run("return seen.count"), Catch::Contains("this chunk is used after its visit"));
}

TEST_CASE("named queries are visited in 'run' alone, and may not be visited by on_create or run_if") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kMany + R"lua(
local function try(ctx)
  local ok, message = pcall(function() for _ in ctx.queries.a:chunks() do end end)
  said = (said or "") .. tostring(ok) .. tostring(message):match(": (.*)")
  return true
end
ecs.system("s", { queries = { a = { read = { C.P } } }, run_if = try, on_start = try, on_create = try,
  run = function() end })
)lua") == "");
    CHECK(game.step() == "");
    CHECK(game.run("local one = \"falsectx.queries.a: queries are visited in 'run'\" "
                   "assert(said == one .. one .. one, said)") == "");
}

TEST_CASE("wrong declarations of named queries are refused with what was expected") {
    const auto error_of = [](const std::string& declaration, const std::string& more = "") {
        ScriptWorld game;
        return game.load(kSchema, kStart + "ecs.system('s', { run = function() end, queries = " +
                                      declaration + more + " })");
    };
    CHECK(error_of("{ a = { read = { C.P } } }") == "");
    CHECK(error_of("{ a = { read = { C.P } }, ['b c'] = { without = { C.P } } }") == "");
    CHECK_THAT(error_of("5"), Catch::Contains("system 's', queries: expected a table of queries, got 5"));
    CHECK_THAT(error_of("{ { read = { C.P } } }"),
               Catch::Contains("system 's', queries: expected a name, got 1"));
    CHECK_THAT(error_of("{ a = 7 }"), Catch::Contains("system 's', queries.a: expected a table, got 7"));
    CHECK_THAT(error_of("{ a = { reed = { C.P } } }"),
               Catch::Contains("system 's', queries.a: unknown key 'reed'; did you mean 'read'?"));
    CHECK_THAT(error_of("{ a = { read = { C.P, 5 } } }"),
               Catch::Contains("system 's', queries.a.read, entry 2: expected a component"));
    CHECK_THAT(error_of("{ a = { read = { C.P }, write = { C.P } } }"),
               Catch::Contains("component 'P' is named twice in the query"));
    CHECK_THAT(error_of("{ a = { read = { C.Wave } } }"), Catch::Contains("'Wave' is a resource"));
    CHECK_THAT(error_of("{ a = { read = { C.P }, runs = 1 } }"),
               Catch::Contains("queries.a.runs: expected true or false, got 1"));
    CHECK_THAT(error_of("{ a = { read = { C.P }, order_by = { C.P, 'z' } } }"),
               Catch::Contains("system 's', queries.a: "));
    CHECK_THAT(error_of("{ a = { write = { C.P } } }", ", group = 'presentation'"),
               Catch::Contains("a presentation system sees a finished world and may not write 'P'"));
    CHECK_THAT(error_of("{ a = { write = { C.Claim } } }"), Catch::Contains("'Claim'"));
    CHECK_THAT(error_of("{ a = { write = { C.P }, order_by = { C.P, 'x' } }, b = { read = { C.P } } }"),
               Catch::Contains(
                   "system 's': a query writes 'P' in an order, so no other query of the system may name "
                   "it; its rows are copies until the visit ends"));
    CHECK_THAT(
        error_of("{ a = { read = { C.P } } }", ", query = { write = { C.P }, order_by = { C.P, 'x' } }"),
        Catch::Contains("a query writes 'P' in an order"));
    CHECK_THAT(
        error_of("(function() local q = {} for i = 1, 9 do q['q' .. i] = { read = { C.P } } end return q "
                 "end)()"),
        Catch::Contains("system 's', queries: expected at most 8, got 9"));
    CHECK(error_of("(function() local q = {} for i = 1, 8 do q['q' .. i] = { read = { C.P } } end return q "
                   "end)()") == "");
}

TEST_CASE("loops over named queries and chunk:changed are compiled") {
    const std::string main = kStart + R"lua(
for i = 1, 300 do world:spawn(C.P { x = i }) end
for i = 1, 3000 do world:spawn(C.P { x = i, y = 1 }, C.H) end
ecs.system("nested", {
  queries = { a = { read = { C.P }, without = { C.H } }, b = { read = { C.P }, write = { C.H } } },
  run = function(_, ctx)
    local a, b = ctx.queries.a, ctx.queries.b
    for one in a:chunks() do
      local p = one.P
      for i = 1, one.count do
        local x = p.x[i]
        for other in b:chunks() do
          local q, h = other.P, other.H
          if other:changed(C.P) or other:changed() or ctx.tick > 1 then
            for j = 1, other.count do
              if q.x[j] < x then h.left[j] = h.left[j] - 1 end
            end
          end
        end
      end
    end
  end,
})
local asked = 0
ecs.system("ask", {
  query = { read = { C.P, C.H } }, access = { read = { C.Shield } },
  run = function(chunk)
    for i = 1, 100 do if chunk:changed(C.P) or chunk:changed(C.Shield) then asked = asked + 1 end end
  end,
})
)lua";
    // LuaJIT gives up some attempts at random, so one run of eight without a problem is enough.
    bool is_compiled = false;
    std::string problems;
    for (int turn = 0; turn < 8 && !is_compiled; ++turn) {
        ScriptWorld game({}, 1, true);
        REQUIRE(game.load(kSchema, main) == "");
        for (int i = 0; i < 5; ++i) REQUIRE(game.step() == "");
        const JitHealth health = game.runtime->state("game")->jit_health();
        for (const JitProblem& problem : health.problems)
            problems += std::to_string(problem.line) + ": " + problem.reason + "\n";
        is_compiled = health.problems.empty() && health.traces > 0;
    }
    INFO(problems);
    CHECK(is_compiled);
}

TEST_CASE("a reloaded file brings other named queries, and objects kept of the old ones are errors") {
    ScriptWorld game(small_chunks());
    EditedFiles source;
    source["schema.lua"] = kSchema;
    const auto main_with = [](const std::string& queries, const std::string& body) {
        return kStart +
               "if not made then made = true for i = 1, 10 do world:spawn(C.P { x = i }, C.H) end end\n" +
               "ecs.system('s', { queries = { " + queries + " }, run = function(_, ctx) rows = 0\n" + body +
               " end })";
    };
    source["main.lua"] = main_with("a = { read = { C.P } }",
                                   "old = ctx.queries.a for c in old:chunks() do rows = rows + c.count end");
    ModConfig config;
    config.name = "game";
    config.files = &source;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(rows == 10)") == "");
    for (int i = 0; i < 5; ++i) {
        source["main.lua"] =
            main_with("b = { write = { C.H } }, a = { read = { C.H } }",
                      "for a in ctx.queries.a:chunks() do for b in ctx.queries.b:chunks() do\n"
                      "b.H.left[1] = b.H.left[1] + 1 rows = rows + a.count * b.count end end\n"
                      "if old then assert(not pcall(function() return old:chunks() end)) end");
        REQUIRE(ScriptWorld::text_of(game.runtime->reload("game").errors) == "");
        REQUIRE(game.step() == "");
        const std::string rows = std::to_string(game.world.entity_count() * game.world.entity_count());
        REQUIRE(game.run("assert(rows == " + rows + ", rows)") == "");
    }
}

}  // namespace
}  // namespace perigee
