// What text and blob fields are to scripts: strings, and arrays that never change.
#include "ecs/schema/text_pool.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/world_config.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace perigee {
namespace {

TEST_CASE("texts are strings in columns, rows, values, prefabs, resources and commands") {
    WorldConfig config;
    config.shape = {.unit_bytes = 4096, .max_rows = 4};
    config.max_text_bytes = 8u << 20;  // "talks" alone says more than that in four steps
    ScriptWorld game(config);
    REQUIRE(game.load_script("data/texts.lua") == "");
    for (int i = 0; i < 20; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(finished, 'the script did not get to its end')") == "");
    CHECK(game.world.texts().stats().bytes < (6u << 20));
}

TEST_CASE("a mod that creates texts without end gets an error that names the limit") {
    WorldConfig config;
    config.max_text_bytes = 1u << 20;
    ScriptWorld game(config);
    const char* kMain = R"(local ecs = require "ecs"
local C = ecs.components
local one = ecs.world:spawn(C.Label)
ecs.system("hoards", { access = { write = { C.Label } }, run = function(_, ctx)
  for i = 1, 1e6 do ctx:try_get(one, C.Label).text = i .. ("x"):rep(1000) end
end }))";
    REQUIRE(game.load("require('ecs').component('Label', { { 'text', 'text' } })", kMain) == "");
    CHECK_THAT(game.step(),
               Catch::Contains("main.lua:5: system 'hoards': component 'Label', field 'text': the "
                               "texts of this world have used up their 1 MiB of memory"));
    CHECK(game.step() == "");  // suspended; the rest runs on
    CHECK(game.run("assert(require('ecs').world:spawn(require('ecs').components.Label { text = 'room' }))") ==
          "");
}

// A game and two mods whose systems write a hundred texts in each step. Mod "rich" has a million cells of
// text, or one.
struct Writers {
    explicit Writers(bool has_cells) {
        const std::string writes = R"lua(local ecs = require "ecs"
local C = ecs.components
ecs.component("Label", { { "text", "text" } })
local one = ecs.world:spawn(C.Label)
local known = ("a text that the world has already; "):rep(7)
ecs.world:spawn(C.Label { text = known })
local n = 0
ecs.system("writes", { access = { write = { C.Label } }, run = function(_, ctx)
  n = n + 1
  local label = ctx:try_get(one, C.Label)
  for i = 1, 100 do
    local new = n .. "_" .. i .. known
    label.text = writes_new and new or known
  end
end })
)lua";
        const std::string cells = R"lua(
ecs.component("Many", { { "a", ecs.array("text", 250) } })
local P = ecs.prefab("P", { C.Many })
for i = 1, 4000 do ecs.world:spawn(P) end
)lua";
        REQUIRE(game.load("", writes) == "");
        REQUIRE(game.load("", writes, "poor") == "");
        REQUIRE(game.load("", has_cells ? writes + cells : writes, "rich") == "");
        // The first sweep finds out what sweeps cost.
        REQUIRE(game.run(R"lua(local ecs = require "ecs"
for i = 1, 40 do ecs.world:spawn(ecs.components.Label { text = i .. ("x"):rep(60000) }) end)lua") == "");
        for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    }

    double fuel(const std::string& mod) const {
        for (const ModUsage& usage : game.runtime->usage())
            if (usage.mod == mod) return usage.systems.front().fuel;
        return -1;
    }
    double fuel_of_step(const std::string& mod, bool writes_new) {
        REQUIRE(game.runtime->run(mod, writes_new ? "writes_new = true" : "writes_new = false").empty());
        const double before = fuel(mod);
        REQUIRE(game.step() == "");
        return fuel(mod) - before;
    }
    double extra_of_new(const std::string& mod) { return fuel_of_step(mod, true) - fuel_of_step(mod, false); }

    ScriptWorld game;
};

TEST_CASE("a mod pays for sweeps in proportion to its own cells, and only for new texts") {
    Writers few(false);
    Writers many(true);
    REQUIRE(few.game.world.texts().sweep_cost_per_byte() < 0.01);
    REQUIRE(many.game.world.texts().sweep_cost_per_byte() > 0.3);
    const double looks = 100 * 250 * many.game.world.texts().sweep_cost_per_byte();
    CHECK(many.extra_of_new("rich") > 0.8 * looks);
    CHECK(many.extra_of_new("poor") < 0.05 * looks);
    CHECK(many.extra_of_new("game") == 0);
    for (const char* const mod : {"game", "poor", "rich"})
        CHECK(many.fuel_of_step(mod, false) == few.fuel_of_step(mod, false));
}

TEST_CASE("values keep no texts in the world, and have their texts at each use") {
    ScriptWorld game;
    const char* kSchema = R"lua(local ecs = require "ecs"
ecs.component("Label", { { "text", "text", "nobody" }, { "title", "text" } })
ecs.component("Lines", { kind = "buffer", capacity = 2, { "text", "text" } })
ecs.component("Shield", { kind = "enableable", { "name", "text" } })
)lua";
    const char* kMain = R"lua(local ecs = require "ecs"
local C = ecs.components
for i = 1, 100 do local unused = C.Label { text = "unused " .. i } end
local label = C.Label { text = "kept by a value" }
local lines = C.Lines { { text = "first line" }, { text = "second line" } }
local shield = C.Shield { name = "a shield", enabled = false }
local e = ecs.world:spawn(C.Label, C.Lines, C.Shield)
ecs.system("uses", { run = function(_, ctx)
  ctx.commands:add(e, label)
  ctx.commands:set(e, label)
  ctx.commands:set(e, lines)
  ctx.commands:set(e, shield)
end })
)lua";
    REQUIRE(game.load(kSchema, kMain) == "");
    const auto has = [&](std::string_view text) { return game.world.texts().find(text).index != 0; };
    const std::string start = R"lua(local ecs = require "ecs"
local C, world = ecs.components, ecs.world
local e = world:entities(ecs.query { read = { C.Label } })[1]
)lua";
    const std::string forget = start + R"lua(
world:set(e, C.Label {})
world:set(e, C.Lines {})
world:set(e, C.Shield {}))lua";
    const std::string check = start + R"lua(
local label, lines = world:get(e, C.Label), world:buffer(e, C.Lines)
assert(label.text == "kept by a value" and label.title == "", label.text)
assert(#lines == 2 and lines[1].text == "first line" and lines[2].text == "second line")
assert(world:get(e, C.Shield).name == "a shield" and not world:is_enabled(e, C.Shield)))lua";
    for (int round = 0; round < 3; ++round) {
        REQUIRE(game.run(forget) == "");
        collect_texts(game.world);  // new texts survive one
        collect_texts(game.world);
        for (const char* text : {"unused 1", "unused 100", "kept by a value", "first line", "a shield"})
            CHECK_FALSE(has(text));
        CHECK(has("nobody"));
        REQUIRE(game.step() == "");
        for (const char* text : {"kept by a value", "second line", "a shield"}) CHECK(has(text));
        CHECK(game.run(check) == "");
    }
}

TEST_CASE("a value whose texts have no room is refused, and works once there is room") {
    WorldConfig config;
    config.max_text_bytes = 1u << 20;
    ScriptWorld game(config);
    REQUIRE(game.load("require('ecs').component('Label', { { 'text', 'text' } })", R"lua(
local ecs = require "ecs"
local C, tick = ecs.components, 0
local large, e = C.Label { text = ("x"):rep(60000) }, ecs.world:spawn(C.Label)
local all = ecs.query { read = { C.Label } }
ecs.system("s", { run = function(_, ctx)
  tick = tick + 1
  for i = 1, tick == 1 and 200 or 0 do
    local is_made, value = pcall(function() return C.Label { text = i .. ("y"):rep(9000) } end)
    if not is_made then break end
    ctx.commands:spawn(value)
  end
  if tick == 2 then
    local is_set, message = pcall(function() ctx.commands:set(e, large) end)
    assert(not is_set and message:find("component 'Label': the texts of this world", 1, true), message)
  end
  if tick == 3 then ctx.commands:destroy_all(all) e = ctx.commands:spawn(C.Label) end
  if tick == 6 then ctx.commands:set(e, large) end
end }))lua") == "");
    for (int i = 0; i < 2; ++i) collect_texts(game.world);
    for (int i = 0; i < 6; ++i) {
        CHECK(game.step() == "");
        for (int k = 0; k < 2 && i >= 2; ++k) collect_texts(game.world);
    }
    CHECK(game.world.texts().find(std::string(60000, 'x')).index != 0);
}

TEST_CASE("[K8] blobs are built once, kept in fields and read as columns and rows") {
    run_world_script("data/blobs.lua");
}

TEST_CASE("[K8] blobs are structs with lists, and trees of nodes of one type") {
    run_world_script("data/blob_trees.lua");
}

TEST_CASE("[K8] names of blob types work like names of components") {
    ScriptWorld game;
    REQUIRE(game.load("local ecs = require 'ecs'\necs.blob('Curve', { { 'a', 'f32' } })", "") == "");
    REQUIRE(game.load("local ecs = require 'ecs'\necs.blob('Curve', { { 'b', 'f32' } })\n"
                      "ecs.component('Mine', { { 'curve', 'blob(Curve)' } })\n"
                      "ecs.component('Theirs', { { 'curve', 'blob(game:Curve)' } })",
                      R"(local ecs = require 'ecs'
local C = ecs.components
local mine, theirs = ecs.build_blob("Curve", { { b = 1 } }), ecs.build_blob("game:Curve", { { a = 1 } })
ecs.world:spawn(C.Mine { curve = mine }, C.Theirs { curve = theirs })
assert(not pcall(C.Mine, { curve = theirs }))
assert(not pcall(C.Theirs, { curve = mine })))",
                      "mod") == "");
    CHECK_THAT(
        game.load("local ecs = require 'ecs'\necs.component('A', { { 'curve', 'blob(Curvy)' } })", "",
                  "other"),
        Catch::Contains("schema.lua:2: component 'other:A', field 'curve': no blob type 'Curvy' is declared "
                        "before it; did you mean 'Curve'?"));
}

TEST_CASE("values outside a range are clamped or refused, and an invalid range is an error") {
    ScriptWorld game;
    REQUIRE(
        game.load("local ecs = require 'ecs'\n"
                  "ecs.component('Level', { { 'soft', 'f32', 1, min = 0, max = 10 },\n"
                  "  { 'hard', 'u8', 1, min = 1, max = 9, range = 'refuse' }, { 'name', 'text', 'low' } })",
                  R"(local ecs = require 'ecs'
local C = ecs.components
local e = ecs.world:spawn(C.Level { soft = 50 })
local level = ecs.world:get(e, C.Level)
assert(level.soft == 10)
level.soft = -1
assert(level.soft == 0)
local ok, message = pcall(function() level.hard = 10 end)
assert(not ok and message:find("field 'hard': 10 is outside its range 1 to 9", 1, true), message)
ok, message = pcall(C.Level, { hard = 0 })
assert(not ok and message:find("field 'hard': 0 is outside its range 1 to 9", 1, true), message)
assert(level.hard == 1))") == "");
    CHECK(game.load("local ecs = require 'ecs'\necs.component('Bad', { { 'x', 'f32', min = 9, max = 1 } })",
                    "", "other") ==
          "other/schema.lua:2: component 'other:Bad', field 'x': expected min <= max, got min 9 and max 1");
}

TEST_CASE("a row of 70 KB is refused with its size and the limit") {
    ScriptWorld game;
    CHECK(game.load("local ecs = require 'ecs'\nlocal fields = {}\n"
                    "for i = 1, 35 do fields[i] = { 'f' .. i, ecs.array('f64', 256) } end\n"
                    "ecs.component('Huge', fields)",
                    "") ==
          "game/schema.lua:4: component 'Huge': a row takes 71680 bytes, at most 8192 are allowed");
}

TEST_CASE("a refused spawn leaves no entity, even if the error is caught") {
    ScriptWorld game;
    REQUIRE(game.load("local ecs = require 'ecs'\necs.component('A', { { 'x', 'f32' } })", R"(
        local ecs = require "ecs"
        local C = ecs.components
        ecs.system("spawn", { run = function(_, ctx)
          assert(not pcall(ctx.commands.spawn, ctx.commands, C.A, "bad"))
          assert(not pcall(ctx.commands.spawn, ctx.commands, C.A, nil, nil, nil, nil, nil, nil, nil, 5))
          assert(not pcall(ctx.commands.spawn, ctx.commands, nil, C.A))
          ctx.commands:spawn(C.A)
        end })
    )") == "");
    CHECK(game.step() == "");
    CHECK(game.run("assert(require('ecs').world:entity_count() == 1)") == "");
}

TEST_CASE("a struct that contains itself is reported at once") {
    ScriptWorld game;
    CHECK_THAT(
        game.load("local ecs = require 'ecs'\nlocal list = {}\nlocal loop = ecs.struct(list)\n"
                  "for i = 1, 60 do list[i] = { 'f' .. i, i % 2 == 0 and loop or ecs.array(loop, 2) } end\n"
                  "ecs.component('Loop', { { 'top', loop } })",
                  ""),
        Catch::Contains("a struct cannot contain itself"));
}

}  // namespace
}  // namespace perigee
