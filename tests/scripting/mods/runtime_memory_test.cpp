// The ledger: whatever a mod makes the process hold counts for it, by kind, before it is there; and what the
// game needs of pools that all share is kept for it.
#include "ecs/archetype/archetype_graph.h"
#include "ecs/inspect/world_memory.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/world_config.h"
#include "scripting/mods/mod_usage.h"
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace perigee {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

ModUsage usage_of(const ScriptWorld& game, const std::string& mod) {
    for (const ModUsage& usage : game.runtime->usage())
        if (usage.mod == mod) return usage;
    FAIL("no such mod: " << mod);
    return {};
}

// All but the Lua heap.
std::size_t bytes_charged(const ModUsage& usage) {
    return usage.world_bytes.sum() + usage.object_bytes + usage.command_bytes + usage.system_bytes;
}

// A game that in each step needs a new text, a new entity and once an archetype that was never there.
constexpr const char* kGameSchema = R"lua(
local ecs = require "ecs"
ecs.component("Pos", { { "x", "f32" } })
ecs.component("Label", { { "text", "text" } })
ecs.component("Mind", { kind = "object" })
for i = 1, 20 do ecs.component("Rare" .. i, { kind = "tag" }) end
)lua";
constexpr const char* kGame = R"lua(
local ecs = require "ecs"
local C, n = ecs.components, 0
ecs.system("lives", { run = function(_, ctx)
  n = n + 1
  ctx.commands:spawn(C.Pos { x = n }, C.Label { text = "number " .. n }, C["Rare" .. n % 20 + 1])
end })
)lua";

struct Game : ScriptWorld {
    explicit Game(WorldConfig config = {}) : ScriptWorld(config) { REQUIRE(load(kGameSchema, kGame) == ""); }

    // Loads the mod and runs until it fails; returns the error. The game goes on through all of it.
    std::string flood(const std::string& main, const std::string& schema = "", std::size_t megabytes = 16,
                      int max_steps = 400) {
        limits.memory_soft = megabytes * kMegabyte / 4;
        limits.memory_hard = limits.memory_per_run = 512 * kMegabyte;
        std::string errors =
            load(schema, "local ecs = require 'ecs' local C = ecs.components\n" + main, "evil");
        for (int i = 0; i < max_steps && errors.empty(); ++i) errors = step();
        INFO(errors);
        CHECK(errors.find("lives") == std::string::npos);
        CHECK(bytes_charged(usage_of(*this, "evil")) <= megabytes * kMegabyte);
        const std::size_t before = world.entity_count();
        for (int i = 0; i < 20; ++i) CHECK(step() == "");
        CHECK(world.entity_count() == before + 20);
        return errors;
    }
};

std::string system(const std::string& body) {
    return "ecs.system('flood', { run = function(_, ctx)\n" + body + "\nend })";
}

TEST_CASE("a mod that fills the texts of the world stops at its quota, and the game keeps its own") {
    WorldConfig config;
    config.max_text_bytes = 4 * kMegabyte;
    Game game(config);
    const std::string error =
        game.flood("local n = 0\n" + system("for i = 1, 20 do n = n + 1 ctx.commands:spawn(C.Label { text = "
                                            "('x'):rep(30000) .. n }) end"));
    CHECK_THAT(error, Catch::Contains("this mod has used up its quota of the texts of the world"));
    CHECK(game.world.texts().stats().bytes < 3 * kMegabyte);
}

TEST_CASE("a mod that creates every archetype it can leaves half of them to the game") {
    Game game;
    std::string schema = "local ecs = require 'ecs'\n";
    schema += "for i = 1, 16 do ecs.component('T' .. i, { kind = 'tag' }) end";
    const std::string error =
        game.flood("local n, tags = 0, {} for i = 1, 16 do tags[i] = C['T' .. i] end\n" +
                       system("for i = 1, 400 do n = n + 1 local list = {} for b = 0, 15 do "
                              "if bit.band(n, bit.lshift(1, b)) ~= 0 then list[#list + 1] = "
                              "tags[b + 1] end end ctx.commands:destroy("
                              "ctx.commands:spawn(unpack(list))) end"),
                   schema, 512);
    CHECK_THAT(error, Catch::Contains("this mod has used up its quota of the archetypes of the world"));
    CHECK_THAT(error, Catch::Contains("of its commands could not be carried out"));
    CHECK(game.world.archetypes().size() <= kMaxArchetypes / 2 + 100);
}

TEST_CASE("texts in objects count for each object until it is gone") {
    Game game;
    const std::string error =
        game.flood("local text = ('x'):rep(200000)\n" +
                   system("for i = 1, 4 do ctx.commands:set_object(ctx.commands:spawn(), C.Mind, text) end"));
    CHECK_THAT(error, Catch::Contains("no room for more objects"));
    const std::size_t full = usage_of(game, "evil").object_bytes;
    CHECK(full > 8 * kMegabyte);
    const std::string clear =
        "local ecs = require 'ecs' local C = ecs.components ecs.world:destroy_all(ecs.query { read = { "
        "C.Mind } })";
    CHECK(ScriptWorld::text_of(game.runtime->run("evil", clear)) == "");
    CHECK(ScriptWorld::text_of(game.runtime->run("evil", "local x = 1")) == "");
    CHECK(usage_of(game, "evil").object_bytes < full / 4);
}

TEST_CASE("prefabs inside prefabs are charged part by part before they are created") {
    Game game;
    const std::string error = game.flood(
        "local last = ecs.prefab('P0', { C.Pos }) for i = 1, 4000 do last = ecs.prefab('P' .. i, { C.Pos, "
        "children = { { last, name = 'below' } } }) end");
    CHECK_THAT(error, Catch::Contains("no room for more prefabs"));
    CHECK(world_memory(game.world)[MemoryKind::prefabs] < 17 * kMegabyte);
}

TEST_CASE("a list of commands that becomes too long ends its system before it allocates") {
    Game game;
    const std::string wide = "{ 'a', 'string(250)' }";
    const std::string error =
        game.flood("local e = ecs.world:spawn(C.Wide)\n" +
                       system("for i = 1, 1e6 do ctx.commands:set(e, C.Wide { a = 'x' }) end"),
                   "require('ecs').component('Wide', { " + wide + " })", 8);
    CHECK_THAT(error, Catch::Contains("its list of commands has become too long: this mod uses"));
    CHECK_THAT(error, Catch::Contains("no room for more commands"));
}

TEST_CASE("declaring systems or queries without end is refused while the mod loads") {
    {
        Game game;
        const std::string error =
            game.flood("for i = 1, 1e5 do ecs.system('s' .. i, { run = function() end }) end", "", 4);
        CHECK_THAT(error, Catch::Contains("no room for more systems") || Catch::Contains("memory"));
    }
    {
        Game game;
        const std::string error = game.flood(
            "for i = 1, 1e6 do local list = {} for b = 1, 20 do if bit.band(i, bit.lshift(1, b - 1)) ~= 0 "
            "then "
            "list[#list + 1] = C['Rare' .. b] end end ecs.query { read = list } end",
            "", 2);
        CHECK_THAT(error, Catch::Contains("no room for more queries") ||
                              Catch::Contains("no more room for queries") || Catch::Contains("memory"));
    }
}

TEST_CASE("types and values of resources count") {
    Game game;
    const std::string error = game.flood("",
                                         "local ecs = require 'ecs' local fields = {} for i = 1, 8 do "
                                         "fields[i] = { 'f' .. i, 'string(1000)' } "
                                         "end for i = 1, 4000 do ecs.resource('R' .. i, fields) end");
    CHECK(error != "");  // of the Lua heap or of types, the one that is used up first
    CHECK(world_memory(game.world)[MemoryKind::types] < 17 * kMegabyte);
}

TEST_CASE("of thousands of errors in a schema, a hundred are reported, with the total") {
    ScriptWorld game;
    const std::string errors = game.load(
        "local ecs = require 'ecs' for i = 1, 3000 do ecs.component('C' .. i, { { 'x', 'f31' } }) end", "");
    CHECK(std::ranges::count(errors, '\n') == 100);
    CHECK_THAT(errors, Catch::Contains("C100'") && !Catch::Contains("C101'"));
    CHECK_THAT(errors, Catch::Contains("and 2900 more mistakes in these files"));
}

TEST_CASE("events of alternating types share their memory") {
    Game game;
    std::string schema = "local ecs = require 'ecs'\n";
    schema += "for i = 1, 40 do ecs.event('E' .. i, { { 'a', 'string(1000)' } }) end";
    const std::string error = game.flood(
        "local n, all = 0, {} for i = 1, 40 do all[i] = C['E' .. i] end\n"
        "ecs.system('flood', { access = { write = all }, run = function(_, ctx)\n"
        "n = n % 40 + 1 for i = 1, 1000 do ctx:send(all[n] { a = 'x' }) end end })",
        schema, 16, 200);
    INFO(error);
    CHECK(world_memory(game.world)[MemoryKind::events] < 17 * kMegabyte);
}

TEST_CASE("a clone of an entity with a large buffer is refused before the copy is made") {
    Game game;
    const std::string error = game.flood(
        "local e = ecs.world:spawn(C.Path)\n"
        "ecs.system('grow', { query = { write = { C.Path } }, run = function(chunk) if #chunk.Path[1] == 0 "
        "then "
        "chunk.Path[1]:resize(200000) end end })\n" +
            system("for i = 1, 50 do ctx.commands:clone(e) end"),
        "require('ecs').component('Path', { kind = 'buffer', capacity = 2, { 'x', 'f32' } })");
    CHECK_THAT(error, Catch::Contains("no room for more buffers"));
    CHECK(game.world.buffers().stats().bytes_in_use < 17 * kMegabyte);
}

TEST_CASE("a mod that fills the holes of a game that creates and destroys in waves pays for them") {
    ScriptWorld game;
    game.limits.memory_soft = 4 * kMegabyte;  // and 16 of the world
    REQUIRE(
        game.load("local ecs = require 'ecs' ecs.component('Wave', { { 'a', ecs.array('f32', 20) } })",
                  "local ecs = require 'ecs' local C = ecs.components\n"
                  "local wave = ecs.prefab('wave', { C.Wave }) local all = ecs.query { read = { C.Wave } }\n"
                  "ecs.system('waves', { run = function(_, ctx)\n"
                  "if ctx.tick % 4 == 0 then ctx.commands:spawn_many(wave, 20000) end\n"
                  "if ctx.tick % 4 == 2 then ctx.commands:destroy_all(all) end end })") == "");
    REQUIRE(game.load("local ecs = require 'ecs' ecs.component('Hole', { { 'a', ecs.array('f32', 20) } })",
                      "local ecs = require 'ecs' local C = ecs.components\n"
                      "local hole = ecs.prefab('hole', { C.Hole })\n"
                      "ecs.system('fills', { run = function(_, ctx)\n"
                      "if ctx.tick % 4 == 3 then ctx.commands:spawn_many(hole, 18000) end end })",
                      "evil") == "");
    std::string errors;
    for (int i = 0; i < 200; ++i) errors += game.step();
    CHECK_THAT(errors, Catch::Contains("system 'evil:fills'"));
    CHECK(errors.find("'waves'") == std::string::npos);
    CHECK(bytes_charged(usage_of(game, "game")) < 4 * kMegabyte);
    CHECK(bytes_charged(usage_of(game, "evil")) > 12 * kMegabyte);
}

TEST_CASE(
    "a mod that fills the holes of a game that writes and forgets texts in waves pays for them itself") {
    std::size_t charged_alone = 0;
    for (const bool has_mod : {false, true}) {
        ScriptWorld game;
        REQUIRE(game.load("local ecs = require 'ecs' ecs.component('Said', { { 'text', 'text' } })",
                          "local ecs = require 'ecs' local C = ecs.components\n"
                          "for i = 1, 100 do ecs.world:spawn(C.Said) end\n"
                          "ecs.system('waves', { query = { write = { C.Said } }, run = function(chunk, ctx)\n"
                          "for i = 1, chunk.count do\n"
                          "if ctx.tick % 4 == 0 then chunk.Said.text[i] = ctx.tick .. ' ' .. i .. "
                          "string.rep('x', 60000) end\n"
                          "if ctx.tick % 4 == 2 then chunk.Said.text[i] = '' end end end })") == "");
        game.limits.memory_soft = 4 * kMegabyte;  // and 16 of the world
        if (has_mod)
            REQUIRE(game.load("local ecs = require 'ecs' ecs.component('Note', { { 'text', 'text' } })",
                              "local ecs = require 'ecs' local C = ecs.components\n"
                              "ecs.system('fills', { run = function(_, ctx)\n"
                              "if ctx.tick % 4 == 3 then for i = 1, 40 do ctx.commands:spawn(C.Note { text = "
                              "ctx.tick .. ' ' .. i .. string.rep('y', 60000) })\n"
                              "end end end })",
                              "evil") == "");
        std::string errors;
        for (int i = 0; i < 200; ++i) errors += game.step();
        INFO(errors);
        CHECK(errors.find("'waves'") == std::string::npos);
        const std::size_t of_game = bytes_charged(usage_of(game, "game"));
        if (!has_mod) {
            charged_alone = of_game;
            continue;
        }
        CHECK_THAT(errors,
                   Catch::Contains("system 'evil:fills'") && Catch::Contains("no room for more texts"));
        CHECK(usage_of(game, "evil").world_bytes[MemoryKind::texts] > 8 * kMegabyte);
        CHECK(bytes_charged(usage_of(game, "evil")) < 17 * kMegabyte);
        // What the mod holds lets more garbage wait for the sweep, the game's too; that is all, for good.
        CHECK(of_game <= charged_alone + 2 * bytes_charged(usage_of(game, "evil")));
        for (int i = 0; i < 200; ++i) errors += game.step();
        CHECK(bytes_charged(usage_of(game, "game")) <= of_game + kMegabyte);
        CHECK(errors.find("'waves'") == std::string::npos);
    }
}

TEST_CASE("prefabs with thousands of parts cost their parts at playback") {
    Game game;
    const std::string error = game.flood(
        "local part = ecs.prefab('part', { C.Pos }) local list = {} for i = 1, 2000 do list[i] = { part } "
        "end\n"
        "local all = ecs.prefab('all', { C.Pos, children = list })\n" +
            system("for i = 1, 240 do ctx.commands:destroy(ctx.commands:spawn(all)) end"),
        "", 512, 3);
    CHECK_THAT(error, Catch::Contains("its commands take more work than it may cause in one step"));
}

TEST_CASE("the observer pays for old values and records, not the mod that adds the rows") {
    std::string schema = "local ecs = require 'ecs'\n";
    std::string adds =
        "local ecs = require 'ecs' local C = ecs.components\n"
        "ecs.system('lives', { run = function(_, ctx) ctx.commands:spawn(";
    std::string main = "local ecs = require 'ecs' local C = ecs.import('game').components\n";
    for (int i = 0; i < 30; ++i) {
        const std::string name = "Seen" + std::to_string(i);
        schema += "ecs.component('" + name + "', { { 'x', 'u8' } })\n";
        adds += (i == 0 ? "C." : ", C.") + name;
        main += "ecs.on_changed(C." + name + ", {}, function() end)\n";
    }
    // Rows of the game will be in pages that nothing else is in.
    main +=
        "local all = {} for i = 1, 60000 do all[i] = ecs.world:spawn() end\n"
        "for i = 1, 60000, 256 do ecs.world:destroy(all[i]) end";
    ScriptWorld game;
    game.limits.memory_soft = 2 * kMegabyte;  // and 8 of the world
    REQUIRE(game.load(schema, adds + ") end })") == "");
    REQUIRE(game.load("", main, "evil") == "");
    std::string errors;
    for (int i = 0; i < 200; ++i) errors += game.step();
    INFO(errors);
    CHECK(errors.find("lives") == std::string::npos);
    CHECK_THAT(errors,
               Catch::Contains("cannot react any more: there was no memory for records and old values"));
    CHECK(bytes_charged(usage_of(game, "game")) < kMegabyte);
    const ModUsage evil = usage_of(game, "evil");
    CHECK(evil.observed_bytes > kMegabyte);
    CHECK(bytes_charged(evil) + evil.observed_bytes <= 8 * kMegabyte);
}

TEST_CASE("writing values that a reaction compares costs fuel by their bytes") {
    const auto fuel_of = [](bool is_observed) {
        ScriptWorld game;
        REQUIRE(game.load("require('ecs').component('Big', { { 'a', require('ecs').array('f64', 100) } })",
                          std::string("local ecs = require 'ecs' local C = ecs.components\n") +
                              "for i = 1, 1000 do ecs.world:spawn(C.Big) end\n" +
                              (is_observed ? "ecs.on_changed(C.Big, {}, function() end)\n" : "") +
                              "ecs.system('s', { query = { write = { C.Big } }, run = function() end })") ==
                "");
        for (int i = 0; i < 10; ++i) REQUIRE(game.step() == "");
        for (const ScriptSystemUsage& system : usage_of(game, "game").systems)
            if (system.name == "s") return system.fuel;
        return 0.0;
    };
    CHECK(fuel_of(true) - fuel_of(false) > 10 * 1000 * 800 / 64);
}

TEST_CASE("names that C++ stores are short, whatever they name") {
    for (const std::string name :
         {"ecs.system(long, { run = function() end })",
          "ecs.system('s', { run = function() end, after = { long } })",
          "ecs.system('s', { run = function() end, before = { long } })",
          "ecs.system('s', { run = function() end, access = { services = { long } } })",
          "ecs.group(long, {})", "ecs.group('g', { after = { long } })", "ecs.service(long, function() end)",
          "ecs.prefab(long, { C.Pos })", "ecs.prefab('p', { C.Pos, children = { { C.Pos, name = long } } })",
          "ecs.replace_system(long, { run = function() end })",
          "ecs.wrap_system(long, { before = function() end })",
          "ecs.on_added(C.Pos, { name = long }, function() end)"}) {
        const std::string start =
            "local ecs = require 'ecs' local C = ecs.components\nlocal long = ('x'):rep(";
        const std::string schema = "require('ecs').component('Pos', { { 'x', 'f32' } })";
        INFO(name);
        CHECK_THAT(ScriptWorld().load(schema, start + "201)\n" + name),
                   Catch::Contains("a name has at most 200 bytes, this one has 201"));
        CHECK_THAT(ScriptWorld().load(schema, start + "200)\n" + name),
                   !Catch::Contains("a name has at most"));
    }
}

TEST_CASE("the memory of a mod is reported by kind") {
    Game game;
    static_cast<void>(game.flood(
        "for i = 1, 3000 do ecs.world:spawn(C.Pos, C.Label { text = 'text ' .. i }) end", "", 64, 3));
    const ModUsage usage = usage_of(game, "evil");
    CHECK(usage.world_bytes[MemoryKind::chunks] > 3000 * 16);
    CHECK(usage.world_bytes[MemoryKind::texts] > 3000 * 8);
    CHECK(usage.world_bytes[MemoryKind::archetypes] > 0);
    CHECK(usage.max_world_bytes == 64 * kMegabyte);
    CHECK(usage_of(game, "game").world_bytes[MemoryKind::types] > 0);
}

}  // namespace
}  // namespace perigee
