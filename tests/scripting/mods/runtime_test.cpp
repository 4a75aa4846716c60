// From schema text to a running system, and the errors on the way.
#include "scripting/mods/runtime.h"

#include "tests/scripting/script_world.h"

#include <algorithm>

namespace perigee {
namespace {

const std::string kSchema = R"(
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Velocity", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Health", { { "current", "f32", 100, min = 0 }, { "max", "f32", 100 } })
ecs.component("Frozen", { kind = "tag" })
ecs.resource("Wave", { { "number", "u16" }, { "left", "u16", 3 } })
)";

const std::string kHead = "local ecs = require 'ecs'\nlocal C = ecs.components\n";

constexpr std::uint64_t kNonsenseSeeds = 2;

TEST_CASE("a Lua system moves entities") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kHead + R"(
        ecs.system("move", {
          query = { write = { C.Position }, read = { C.Velocity }, without = { C.Frozen } },
          run = function(chunk, ctx)
            local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt
            for i = 1, chunk.count do
              pos.x[i] = pos.x[i] + vel.x[i] * dt
              pos.y[i] = pos.y[i] + vel.y[i] * dt
            end
          end,
        })
        first = ecs.world:spawn(C.Position { x = 1 }, C.Velocity { x = 60, y = -60 })
        ice = ecs.world:spawn(C.Position { x = 1 }, C.Velocity { x = 60 }, C.Frozen)
    )") == "");
    for (int i = 0; i < 60; ++i) REQUIRE(game.step() == "");
    CHECK(game.run(R"(
        local C = require("ecs").components
        local world = require("ecs").world
        local p = world:get(first, C.Position)
        assert(math.abs(p.x - 61) < 1e-4, p.x)
        assert(math.abs(p.y + 60) < 1e-4, p.y)
        assert(world:get(ice, C.Position).x == 1)
    )") == "");
}

TEST_CASE("columns read and write every field type") { run_world_script("data/views.lua"); }
TEST_CASE("views withstand wrong indices, forgery and late use") {
    run_world_script("data/view_attacks.lua");
}
TEST_CASE("rows are values that never alias and never outlive their run") {
    run_world_script("data/proxies.lua");
}
TEST_CASE("rotations and matrices have columns and parts, and start as the identity [T2]") {
    run_world_script("data/matrices.lua");
}
TEST_CASE("colours are numbers, and texts wherever a value is written") {
    run_world_script("data/colors.lua");
}
TEST_CASE("ecs.world changes the world at once, only outside systems [S9]") {
    run_world_script("world/world.lua");
}
TEST_CASE(
    "every kind of component works from Lua, with queries, counts and changes of many at once "
    "[K1] [K2] [K4] [K5] [K7] [S4] [S6] [S7] [Q4] [Q5] [C2]") {
    run_world_script("data/kinds.lua");
}
TEST_CASE(
    "systems see runs of enabled rows, values of chunks, changed chunks and rows in order "
    "[K4] [K5] [K7] [Q1] [Q3] [Q4] [Q5]") {
    run_world_script("systems/kind_systems.lua");
}
TEST_CASE("named queries show what their descriptions select, nested and next to each other [Q1] [Q2] [Q4]") {
    run_world_script("systems/queries.lua");
}
TEST_CASE("chunk:changed tells what the changed filter tells, and is not deceived by its own visit [Q3]") {
    run_world_script("systems/changed.lua", 200);
}
TEST_CASE(
    "commands change several components at once, clone, and reach all that a query matches "
    "[K4] [K5] [K7] [C1] [C2]") {
    run_world_script("systems/kind_commands.lua");
}
TEST_CASE("prefabs extend others, change single fields and have children [C6]") {
    run_world_script("world/prefabs.lua");
}
TEST_CASE(
    "scripts are systems that keep to what they declare, and references end with the structure [C3] [C4] "
    "[C5] [Q2] [Q9]") {
    run_world_script("systems/seeds.lua");
}
TEST_CASE("values mean the same in every way of creating entities [N12]") {
    ScriptWorld game;
    REQUIRE(game.load_script("data/forms.lua") == "");
    for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("finished()") == "");
}
TEST_CASE("parents, children and names change by command and at once") {
    ScriptWorld game;
    REQUIRE(game.load_script("world/hierarchy.lua") == "");
    REQUIRE(game.step() == "");
    REQUIRE(game.run("finished()") == "");
}
TEST_CASE("nonsense arguments to any function only cause errors") {
    for (std::uint64_t seed = 1; seed <= kNonsenseSeeds; ++seed) {
        ScriptWorld game({.shape = {.unit_bytes = 4096, .max_rows = 16}}, seed);
        INFO("seed " << seed);
        REQUIRE(game.load_script("garbage.lua") == "");
        for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
        REQUIRE(game.run("assert(finished)") == "");
    }
}

TEST_CASE("nonsense in schemas is reported as errors") {
    for (std::uint64_t seed = 1; seed <= kNonsenseSeeds; ++seed) {
        ScriptWorld game({}, seed);
        const std::string errors = game.load_script("garbage_schema.lua");
        INFO("seed " << seed);
        CHECK(std::count(errors.begin(), errors.end(), '\n') > 100);
        CHECK_THAT(errors, Catch::Contains(" more mistakes in these files"));
        CHECK_THAT(errors, !Catch::Contains("perigee/"));
        CHECK_THAT(errors, Catch::Contains("the end was reached"));
    }
}

TEST_CASE("commands are carried out at the end of the group") { run_world_script("systems/commands.lua"); }

TEST_CASE("all errors of a schema file are reported together, with their lines") {
    ScriptWorld game;
    const std::string errors = game.load(R"(local ecs = require "ecs"
ecs.component("Ship", {
  { "speed", "f23" },
  { "speed", "float" },
  { 5, "f32" },
  { "name", "string" },
  { "hull", "f32", unti = "kg" },
  { "shield", "f32", "full" },
})
ecs.component("Team", { kind = "events", { "id", "u8" } })
ecs.component("Odd", { kind = "compnent" })
ecs.component("Good", { { "x", "f32" } })
ecs.component("Enum", { { "state", ecs.enum { "a", "a" } }, { "list", ecs.array("f32", 0) } })
ecs.component("Default", { { "x", "u8", 256 } })
ecs.component("Tag", { kind = "tag", { "x", "f32" } })
ecs.event("Damage", { requires = "Ship" })
ecs.component(5, {})
ecs.component("a:b", {})
ecs.resource("R", 5)
local x = nil + 1
)",
                                         "error('main.lua must not run')");
    INFO(errors);
    for (const char* expected : {
             "game/schema.lua:2: component 'Ship', field 'speed': unknown type 'f23'; did you mean 'f32'?",
             "unknown type 'float'; did you mean 'f32'?",
             "component 'Ship': field 3: expected a name, got 5",
             "field 'name': type 'string' needs parameters: ecs.string(16)",
             "field 'hull': unknown key 'unti'; did you mean 'unit'?",
             "game/schema.lua:10: component 'Team': unknown kind 'events'; did you mean 'event'?",
             "unknown kind 'compnent'; did you mean 'component'?",
             "game/schema.lua:13: component 'Enum', field 'state': label 'a' is named twice",
             "field 'list': expected a length of 1 to 1024, got 0",
             "game/schema.lua:14: ",
             "a tag has no fields",
             "game/schema.lua:16: event 'Damage': 'requires' is for components of entities; no entity has an "
             "event",
             "expected a name, got 5",
             "a name holds no ':'",
             "resource 'R': expected a table, got 5",
             "game/schema.lua:20: attempt to perform arithmetic on a nil value",
         }) {
        CHECK_THAT(errors, Catch::Contains(expected));
    }
    CHECK_THAT(errors, !Catch::Contains("main.lua"));
}

TEST_CASE(
    "mistakes in the kind of a component, and in what only some kinds have, are reported with their lines") {
    ScriptWorld game;
    const std::string errors = game.load(R"(local ecs = require "ecs"
ecs.component("Base", { { "x", "f32" } })
ecs.resource("Wave", { { "x", "f32" } })
ecs.component("Broken", { { "x", "what" } })
ecs.component("A", { requires = { "Bose" }, { "x", "f32" } })
ecs.component("B", { requires = { 5 }, { "x", "f32" } })
ecs.component("C", { requires = 7, { "x", "f32" } })
ecs.component("D", { requires = { Base = true }, { "x", "f32" } })
ecs.component("E", { requires = { "Wave" }, { "x", "f32" } })
ecs.component("F", { requires = { "F" }, { "x", "f32" } })
ecs.resource("G", { requires = { "Base" }, { "x", "f32" } })
ecs.component("H", { requires = { "Broken" }, { "x", "f32" } })
ecs.component("I", { capacity = 4, { "x", "f32" } })
ecs.component("J", { kind = "buffer", capacity = 1.5, { "x", "f32" } })
ecs.component("K", { kind = "buffer", capacity = 0 / 0, { "x", "f32" } })
ecs.component("L", { kind = "buffer" })
ecs.component("M", { kind = "tag", owner = "m" })
ecs.component("N", { kind = "cleanup", owner = {}, { "x", "f32" } })
ecs.component("O", { kind = "shared" })
ecs.component("P", { kind = "enableable", { "enabled", "bool" } })
ecs.component("Q", { kind = "object", { "x", "f32" } })
ecs.component("R", { kind = "sharde", { "x", "f32" } })
ecs.component("S", { kind = "chunk", { "x", "string" } })
ecs.component("T", { requiers = { "Base" } })
ecs.component("U", { shared = true, { "x", "f32" } })
)",
                                         "error('main.lua must not run')");
    INFO(errors);
    for (const char* expected : {
             ":5: component 'A': requires 'Bose', which is not declared above it; did you mean 'Base'?",
             ":6: component 'B': requires, entry 1: expected the name of a component, got 5",
             ":7: component 'C': expected a list of components for 'requires', got 7",
             ":8: component 'D': 'requires' lists names one after the other, without keys; found key 'Base'",
             ":9: component 'E': requires 'Wave', which is a resource",
             ":10: component 'F': requires itself",
             ":11: resource 'G': 'requires' is for components of entities",
             ":13: component 'I': 'capacity' is for buffers; this is a component",
             ":14: component 'J': expected a whole number from 0 to 512 for 'capacity', got 1.5",
             ":15: component 'K': expected a whole number",
             ":16: buffer 'L': expected at least one field",
             ":17: component 'M': a tag has no value that could have an 'owner'",
             ":18: component 'N': expected the name of a system for 'owner', got table",
             ":19: shared 'O': expected at least one field",
             ":20: component 'P': a field cannot be named 'enabled' here",
             ":21: component 'Q': an object has no fields",
             ":22: component 'R': unknown kind 'sharde'; did you mean 'shared'?",
             ":23: component 'S', field 'x': type 'string' needs parameters",
             ":24: component 'T': unknown key 'requiers'; did you mean 'requires'?",
             ":25: component 'U': unknown key 'shared'; write kind = 'shared'",
         }) {
        CHECK_THAT(errors, Catch::Contains(expected));
    }
    CHECK_THAT(errors, !Catch::Contains(":12:"));  // the file that it requires has reported its error
    CHECK_THAT(errors, !Catch::Contains("main.lua"));
}

TEST_CASE("a name declared twice is an error, and so is another layout than that of C++") {
    ScriptWorld game;
    Schema schema;
    schema.fields.resize(1);
    schema.fields[0].name = "x";
    for (const char* name : {"Same", "Other"}) {
        schema.name = name;
        REQUIRE(game.world.declare(schema));
    }
    const std::string errors = game.load(
        "local ecs = require 'ecs'\n"
        "ecs.component('Same', { { 'x', 'f32' } })\n"
        "ecs.component('Other', { { 'x', 'f64' } })\n"
        "ecs.component('Twice', { { 'x', 'f32' } })\n"
        "ecs.component('Twice', { { 'x', 'f32' } })\n",
        "");
    INFO(errors);
    CHECK(errors.starts_with("game/schema.lua:3: "));
    CHECK_THAT(errors, Catch::Contains("f32") && Catch::Contains("f64"));
    CHECK_THAT(errors, Catch::Contains("game/schema.lua:5: component 'Twice' is declared twice, first at "
                                       "game/schema.lua:4"));
    CHECK_THAT(errors, !Catch::Contains("Same"));
}

TEST_CASE("wide components work: many fields, long arrays, many labels") {
    ScriptWorld game;
    REQUIRE(game.load(R"(
        local ecs = require "ecs"
        local fields, labels, bits = {}, {}, {}
        for i = 1, 150 do fields[i] = { "f" .. i, i % 2 == 0 and "f32" or "u16", i } end
        for i = 1, 300 do labels[i] = "label" .. i end
        for i = 1, 32 do bits[i] = "bit" .. i end
        ecs.component("Wide", fields)
        ecs.component("Long", { { "a", ecs.array("f32", 256) },
          { "b", ecs.array(ecs.struct { { "x", "f32", 1 }, { "y", "vec2" } }, 100) } })
        ecs.component("Many", { { "state", ecs.enum(labels) }, { "bits", ecs.flags(bits) },
          { "nine", ecs.flags { "a", "b", "c", "d", "e", "f", "g", "h", "i" } } })
    )",
                      kHead + R"(
        e = ecs.world:spawn(C.Wide { f150 = 5, f149 = 7 }, C.Long { a = { 1, 2, 3 } }, C.Many)
        ecs.system("all", { query = { write = { C.Wide, C.Long, C.Many } }, run = function(chunk, ctx)
          local wide, long, many = chunk.Wide, chunk.Long, chunk.Many
          assert(wide.f150[1] == 5 and wide.f149[1] == 7 and wide.f1[1] == 1)
          for i = 1, 150 do wide["f" .. i][1] = i * 2 end
          for i = 1, 150 do assert(chunk.Wide[1]["f" .. i] == i * 2) end
          assert(long.a[3][1] == 3)
          for i = 1, 256 do long.a[i][1] = i end
          for i = 1, 256 do assert(chunk.Long[1].a[i] == i) end
          for i = 1, 100 do
            long.b[i].x[1] = i
            chunk.Long[1].b[i].y.x = -i
          end
          for i = 1, 100 do
            assert(chunk.Long[1].b[i].x == i)
            assert(long.b[i].y.x[1] == -i)
          end
          for i = 1, 300 do
            many.state[1] = "label" .. i
            assert(many.state[1] == "label" .. i)
          end
          for i = 1, 32 do
            many.bits["bit" .. i][1] = true
            assert(many.bits["bit" .. i][1])
          end
          assert(many.bits[1] == 2 ^ 32 - 1)
          many.bits.bit32[1] = false
          assert(many.bits[1] == 2 ^ 31 - 1)
          many.nine.i[1] = true
          assert(many.nine[1] == 256)
          ran = true
        end })
    )") == "");
    CHECK(game.step() == "");
    CHECK(game.run("assert(ran)") == "");
}

TEST_CASE("structs nest up to a limit") {
    ScriptWorld game;
    const std::string nest =
        "local ecs = require 'ecs'\nlocal inner = 'f32'\n"
        "for i = 1, %s do inner = ecs.struct { { 'f', inner } } end\n"
        "ecs.component('Deep', { { 'top', inner } })";
    const auto with = [&](const std::string& count) {
        return std::string(nest).replace(nest.find("%s"), 2, count);
    };
    CHECK_THAT(game.load(with("5000"), ""), Catch::Contains("structs nest at most 8 deep"));
    ScriptWorld again;
    REQUIRE(again.load(with("8"),
                       "local ecs = require 'ecs'\n"
                       "local e = ecs.world:spawn(ecs.components.Deep)\n"
                       "local top = ecs.world:get(e, ecs.components.Deep).top\n"
                       "top.f.f.f.f.f.f.f.f = 5\n"
                       "assert(top.f.f.f.f.f.f.f.f == 5)") == "");
}

TEST_CASE("schema.lua has no world yet") {
    for (const char* code : {"ecs.world:spawn()", "ecs.world:entity_count()", "ecs.prefab('P', {})",
                             "ecs.system('s', { run = print })"}) {
        ScriptWorld game;
        CHECK_THAT(game.load(std::string("local ecs = require 'ecs'\n") + code, ""),
                   Catch::Contains("there is no world yet in schema.lua") && Catch::Contains("schema.lua:2"));
    }
}

TEST_CASE("native code runs between schema.lua and main.lua") {
    ScriptWorld game;
    const MemorySource files(MemorySource::Files{
        {"schema.lua", kSchema}, {"main.lua", "assert(require('ecs').world:entity_count() == 1)"}});
    ModConfig config;
    config.files = &files;
    const auto between = [&]() -> Result<void> {
        CHECK(game.world.registry().find("Position"));
        game.world.spawn();
        return {};
    };
    CHECK(game.runtime->load(std::move(config), between).empty());

    ScriptWorld failing;
    ModConfig again;
    again.files = &files;
    const auto errors =
        failing.runtime->load(std::move(again), [] { return Result<void>(Error{"no binding"}); });
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "no binding");
}

TEST_CASE("an error names mod, system, file, line and row, suspends its system and drops its commands") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kHead + R"(
        ecs.world:spawn(C.Position)
        ecs.world:spawn(C.Position)
        runs = 0
        ecs.system("fails", { query = { write = { C.Position } }, run = function(chunk, ctx)
          ctx.commands:spawn(C.Position)
          chunk.Position.x[1] = 5
          chunk.Position.x[2] = "far"
        end })
        ecs.system("goes on", { run = function() runs = runs + 1 end })
    )") == "");
    CHECK(game.step() ==
          "game/main.lua:10: system 'fails': component 'Position', field 'x': expected f32, got 'far'");
    REQUIRE(game.runtime->recent_errors().size() == 1);
    const ScriptError& error = game.runtime->recent_errors().front();
    CHECK(error.mod == "game");
    CHECK(error.system == "fails");
    CHECK(error.file == "main.lua");
    CHECK(error.line == 10);
    CHECK(error.row == 2u);
    CHECK(game.world.entity_count() == 2);
    CHECK(game.step() == "");  // suspended
    CHECK(game.run("assert(runs == 2)\n"
                   "local p = require('ecs').world:get(2^21 * 0 + 1, require('ecs').components.Position)") ==
          "");
    CHECK(game.schedule.status(*game.schedule.find("fails")).is_suspended);
    CHECK_FALSE(game.schedule.status(*game.schedule.find("goes on")).is_suspended);
}

TEST_CASE("the row of an error that was caught does not stick to the next one") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kHead + R"(
        ecs.world:spawn(C.Position)
        ecs.system("fails", { query = { read = { C.Position } }, run = function(chunk)
          assert(not pcall(function() return chunk.Position.x[7] end))
          error("something else")
        end })
    )") == "");
    REQUIRE(game.step() != "");
    CHECK_FALSE(game.runtime->recent_errors().front().row);
}

TEST_CASE("a failing initialiser undoes its whole batch") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kHead + R"(
        local P = ecs.prefab("P", { C.Position })
        ecs.system("spawns", { run = function(_, ctx)
          ctx.commands:spawn_many(P, 5000, function(chunk, first, last)
            seen = (seen or 0) + 1
            if seen == 2 then error("second chunk") end
          end)
        end })
    )") == "");
    CHECK_THAT(game.step(), Catch::Contains("main.lua:8: system 'spawns': second chunk"));
    CHECK(game.world.entity_count() == 0);
}

TEST_CASE("wrong declarations of systems are errors at their line") {
    const auto error_of = [](const std::string& code) {
        ScriptWorld game;
        const std::string error = game.load(kSchema, kHead + code);
        CHECK_THAT(error, Catch::Contains("game/main.lua:3: "));
        return error;
    };
    using Catch::Contains;
    CHECK_THAT(error_of("ecs.system('s', { runn = print })"),
               Contains("unknown key 'runn'; did you mean 'run'?"));
    CHECK_THAT(error_of("ecs.system('s', {})"), Contains("expected a function 'run', got nil"));
    CHECK_THAT(error_of("ecs.system(5, {})"), Contains("expected a name, got 5"));
    CHECK_THAT(error_of("ecs.system('s', 5)"), Contains("expected a table, got 5"));
    CHECK_THAT(error_of("ecs.system('s', { run = print, group = 'simulatin' })"),
               Contains("unknown group 'simulatin'") && Contains("did you mean 'simulation'?"));
    CHECK_THAT(error_of("ecs.system('s', { run = print, every = -1 })"),
               Contains("expected 'every' in seconds"));
    CHECK_THAT(error_of("ecs.system('s', { run = print, query = { reed = {} } })"),
               Contains("did you mean 'read'?"));
    CHECK_THAT(error_of("ecs.system('s', { run = print, query = { read = { 'Position' } } })"),
               Contains("query.read, entry 1: expected a component"));
    CHECK_THAT(error_of("ecs.system('s', { run = print, query = { read = { C.Wave } } })"),
               Contains("'Wave' is a resource, name it under access"));
    CHECK_THAT(
        error_of("ecs.system('s', { run = print, query = { read = { C.Health }, write = { C.Health } } })"),
        Contains("component 'Health' is named twice"));
    CHECK_THAT(error_of("ecs.system('s', { run = print, after = 5 })"), Contains("expected a list, got 5"));
    CHECK_THAT(
        error_of("ecs.system('s', { run = print, group = 'presentation', access = { write = { C.Wave } } })"),
        Contains("may not write 'Wave'"));
    CHECK_THAT(error_of("ecs.system('s', { run = print }) ecs.system('s', { run = print })"),
               Contains("'s'"));
    CHECK_THAT(error_of("ecs.on(C.Wave, {})"), Contains("'Wave' is a resource, not an event"));
}

TEST_CASE("an unknown system in `after` is an error with a suggestion when the order is resolved") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kHead + "ecs.system('move', { run = function() end })\n"
                                       "ecs.system('draw', { after = 'mve', run = function() end })") == "");
    CHECK_THAT(game.step(), Catch::Contains("'mve'") && Catch::Contains("'move'"));
}

TEST_CASE("a sketch of update and draw needs no schema") {
    ScriptWorld game;
    REQUIRE(game.load("",
                      "updates, draws, total = 0, 0, 0\n"
                      "function update(dt) updates = updates + 1 total = total + dt end\n"
                      "function draw() draws = draws + 1 end") == "");
    for (int i = 0; i < 60; ++i) REQUIRE(game.step() == "");
    CHECK(game.run("assert(updates == 60 and draws == 60 and math.abs(total - 1) < 1e-9)") == "");
}

TEST_CASE("a missing or broken main.lua is an error") {
    ScriptWorld game;
    const MemorySource empty(MemorySource::Files{});
    ModConfig config;
    config.files = &empty;
    CHECK(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "game/main.lua: does not exist");
    ScriptWorld broken;
    CHECK_THAT(broken.load("", "local = 5"), Catch::StartsWith("game/main.lua:1: "));
}

TEST_CASE("a mod that fails to load does not run in part") {
    ScriptWorld game;
    CHECK_THAT(game.load("",
                         "local ecs = require 'ecs'\nran = 0\n"
                         "ecs.system('s', { run = function() ran = ran + 1 end })\nerror('late')"),
               Catch::Contains("main.lua:4: late"));
    CHECK(game.step() == "");
    CHECK(game.run("assert(ran == 0)") == "");
}

TEST_CASE("a flood of log lines is cut, step by step") {
    ScriptWorld game;
    game.limits.log_lines = 7;
    // Two systems of a mod share what a step may log.
    REQUIRE(game.load("",
                      "function update() for i = 1, 5000 do print(i) end end\n"
                      "require('ecs').system('more', { run = function() print('x') print('x') end })") == "");
    for (std::size_t step = 1; step <= 3; ++step) {
        REQUIRE(game.step() == "");
        CHECK(game.log.size() == 7 * step);
    }
}

TEST_CASE("a program without assets refuses them") {
    World world;
    Schedule schedule(world);
    ScriptRuntime runtime(world, schedule);
    const MemorySource files(MemorySource::Files{
        {"schema.lua", "require('ecs').component('A', { { 'image', 'asset' } })"},
        {"main.lua", "local ecs = require 'ecs'\necs.world:spawn(ecs.components.A { image = 'x.png' })"}});
    ModConfig config;
    config.files = &files;
    CHECK_THAT(ScriptWorld::text_of(runtime.load(std::move(config))),
               Catch::Contains("main.lua:2: this program has no assets: only nil can be assigned"));
}

TEST_CASE("two mods share a world but no state, and see each other's components by name") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, kHead + "first = ecs.world:spawn(C.Position { x = 1 })\nglobal = 1\n"
                                       "ecs.system('move', { run = function() end })") == "");
    REQUIRE(game.load("local ecs = require 'ecs'\necs.component('Position', { { 'z', 'f32', 3 } })",
                      kHead + R"(
        assert(global == nil)
        assert(tostring(C.Position) == "component extra:Position")
        assert(tostring(C["game:Position"]) == "component Position")
        assert(tostring(C.Velocity) == "component Velocity")
        ecs.world:spawn(C.Position, C["game:Position"])
        ecs.system("move", { query = { read = { C.Position, C["game:Position"] } }, after = "game:move",
          run = function(chunk)
            assert(chunk.Position.z[1] == 3)
            assert(chunk[C["game:Position"]].x[1] == 0)
            assert(chunk["extra:Position"].z[1] == 3)
            moved = true
          end })
    )",
                      "extra") == "");
    CHECK(game.step() == "");
    CHECK(ScriptWorld::text_of(game.runtime->run("extra", "assert(moved)")) == "");
    CHECK(game.schedule.find("extra:move"));
    CHECK_THAT(game.load("", "", "extra"), Catch::Contains("is already loaded"));
    CHECK_THAT(ScriptWorld::text_of(game.runtime->run("unknown", "")),
               Catch::Contains("no mod named 'unknown'"));
}

TEST_CASE("ctx shows time, and logs") {
    ScriptWorld game;
    REQUIRE(game.load("", R"(
        local ecs = require "ecs"
        ecs.system("often", { run = function(_, ctx)
          ctx:log("tick", ctx.tick, ctx.dt == 1 / 60, ctx.time == ctx.tick / 60)
        end })
        ecs.system("rarely", { every = 0.5, run = function(_, ctx) ctx:log("rarely", ctx.dt) end })
        ecs.system("wrong", { run = function(_, ctx)
          assert(not pcall(function() ctx.dt = 5 end) and not pcall(function() ctx.x = 5 end))
          local ok, message = pcall(function() return ctx.tiem end)
          assert(message:find("did you mean 'time'?", 1, true), message)
        end })
    )") == "");
    for (int i = 0; i < 31; ++i) REQUIRE(game.step() == "");
    CHECK(game.log.front() == "tick\t0\ttrue\ttrue");
    CHECK(std::count_if(game.log.begin(), game.log.end(),
                        [](const std::string& line) { return line.starts_with("rarely\t0.5"); }) == 1);
}

TEST_CASE("random numbers of a system depend on the seed and its name alone") {
    const auto draw = [](std::uint64_t seed) {
        ScriptWorld game({}, seed);
        REQUIRE(game.load("", R"(
            local ecs = require "ecs"
            for _, name in ipairs { "a", "b" } do
              ecs.system(name, { run = function(_, ctx)
                local r = ctx.random
                ctx:log(name, r:unit(), r:range(5, 6), r:integer(1, 100), r:chance(0.5), r:pick { "x", "y" })
                for _, wrong in ipairs { { 2, 1 }, { 0 / 0, 1 }, { 1, "x" }, { {}, 1 }, { -1 / 0, 1 / 0 } } do
                  assert(not pcall(r.range, r, wrong[1], wrong[2]))
                  assert(not pcall(r.integer, r, wrong[1], wrong[2]))
                end
                assert(not pcall(r.pick, r, {}) and not pcall(r.integer, r, 1.5, 2))
              end })
            end
        )") == "");
        for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
        return game.log;
    };
    const auto first = draw(1);
    REQUIRE(first.size() == 6);
    CHECK(draw(1) == first);
    CHECK(draw(2) != first);
    CHECK(first[0].substr(2) != first[1].substr(2));
}

}  // namespace
}  // namespace perigee
