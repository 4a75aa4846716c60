// The functions of a script for older versions, on the values of a saved world.
#include "scripting/mods/saved_migration.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/save/save_file.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>

namespace perigee {
namespace {

using Catch::Contains;

const char* const kOld = R"lua(
    local ecs = require "ecs"
    ecs.component("Health", { { "hp", "f32" }, { "who", "text" } })
    ecs.component("Label", { { "text", "text" } })
    ecs.component("Bag", { kind = "buffer", { "count", "u8" } })
    ecs.component("Team", { kind = "shared", { "number", "u8" } })
    ecs.resource("Wave", { { "number", "u32" } })
    ecs.blob("Curve", { { "at", "f32" } })
    ecs.component("Path", { { "curve", "blob(Curve)" }, { "speed", "f32" } }))lua";

const char* const kNew = R"lua(
    local ecs = require "ecs"
    ecs.component("Health", { version = 2, { "current", "f32" }, { "max", "f32" }, { "who", "text" },
      migrate = { [1] = function(old) return { current = old.hp, max = old.hp * 2, who = old.who .. "!" } end } })
    ecs.component("Label", { version = 3, { "words", "text" }, { "length", "u8" }, migrate = {
      [1] = function(old) return { between = "<" .. old.text .. ">" } end,
      [2] = function(old) return { words = old.between, length = #old.between } end } })
    ecs.component("Bag", { kind = "buffer", version = 2, { "count", "u8" },
      migrate = { [1] = function(old) return { count = old.count + 1 } end } })
    ecs.component("Team", { kind = "shared", version = 2, { "number", "u16" },
      migrate = { [1] = function(old) return { number = old.number * 100 } end } })
    ecs.resource("Wave", { version = 2, { "number", "u8" } })
    ecs.blob("Curve", { { "at", "f32" } })
    ecs.component("Path", { version = 2, { "curve", "blob(Curve)" }, { "quick", "bool" },
      migrate = { [1] = function(old) return { quick = old.speed > 1 } end } }))lua";

// Enough entities for several chunks, each with two components that have functions.
const char* const kFill = R"(
    local ecs = require "ecs"
    local C, world = ecs.components, ecs.world
    local curve = ecs.build_blob(C.Curve, { { at = 1 }, { at = 2.5 } })
    for i = 1, 300 do
      local e = world:spawn(C.Health { hp = i, who = "n" .. i }, C.Label { text = "l" .. i }, C.Bag,
        C.Team { number = i % 3 }, C.Path { curve = curve, speed = i % 2 * 2 })
      world:buffer(e, C.Bag):push { count = i % 100 }
    end
    world:resource(C.Wave).number = 300)";

const char* const kCheck = R"(
    local all = ecs.query { read = { C.Health } }
    function check()
      local n = 0
      for _, e in ipairs(world:entities(all)) do
        local health, label, path = world:get(e, C.Health), world:get(e, C.Label), world:get(e, C.Path)
        local i = health.current
        assert(health.max == i * 2 and health.who == "n" .. i .. "!")
        assert(label.words == "<l" .. i .. ">" and label.length == #label.words)
        assert(world:buffer(e, C.Bag)[1].count == i % 100 + 1)
        assert(world:get(e, C.Team).number == i % 3 * 100)
        assert(path.quick == (i % 2 == 1) and #path.curve == 2 and path.curve[2].at == 2.5)
        n = n + i
      end
      assert(n == 300 * 301 / 2)
      assert(world:resource(C.Wave).number == 255)
    end)";

struct Game : ScriptWorld {
    Game(const std::string& schema, const std::string& main) {
        source["schema.lua"] = schema;
        source["main.lua"] = main;
        ModConfig config;
        config.files = &source;
        config.limits = limits;
        errors = text_of(runtime->load(std::move(config)));
    }
    ~Game() { runtime.reset(); }

    std::string load_world(const std::string& bytes) {
        LoadOptions options;
        options.migrate = [this](const Schema& before, const ComponentInfo& now, World& saved) {
            return migration_of_saved(*runtime, before, now, saved);
        };
        const Result<void> loaded = world_from_bytes(world, bytes, options);
        return loaded ? std::string() : loaded.error().message;
    }

    EditedFiles source;
    std::string errors;
};

std::string saved_by_old() {
    Game old(kOld, kFill);
    REQUIRE(old.errors == "");
    return world_to_bytes(old.world).value();
}

const std::string kHead = "local ecs = require 'ecs' local C, world = ecs.components, ecs.world\n";

}  // namespace

TEST_CASE("values of a saved world pass through the functions of their mod, as on hot reload") {
    const std::string bytes = saved_by_old();
    Game game(kNew, kHead + kCheck);
    REQUIRE(game.errors == "");
    CHECK(game.load_world(bytes) == "");
    CHECK(game.run("check()") == "");
    // What is saved then needs no function.
    Game again(kNew, kHead + kCheck);
    CHECK(again.load_world(world_to_bytes(game.world).value()) == "");
    CHECK(again.run("check()") == "");
    CHECK(world_hash(again.world) == world_hash(game.world));
}

TEST_CASE("hot reload gives the same values, with several changed types in each chunk") {
    Game game(kOld, kFill);
    REQUIRE(game.errors == "");
    game.source["schema.lua"] = kNew;
    game.source["main.lua"] = kHead + kCheck;
    CHECK(game.text_of(game.runtime->reload("game").errors) == "");
    CHECK(game.run("check()") == "");
}

TEST_CASE("a function that fails, runs on or sets a blob is the reason why a world does not load") {
    const std::string bytes = saved_by_old();
    const auto with = [&](const std::string& function) {
        std::string schema = kNew;
        const std::string own = "function(old) return { quick = old.speed > 1 } end";
        schema.replace(schema.find(own), own.size(), function);
        Game game(schema, kHead +
                              "kept = world:spawn(C.Health { current = 7 }) "
                              "curve = ecs.build_blob(C.Curve, { { at = 9 } }) "
                              "function check() assert(world:get(kept, C.Health).current == 7) end");
        REQUIRE(game.errors == "");
        const std::uint64_t hash = world_hash(game.world);
        const std::string reason = game.load_world(bytes);
        CHECK(world_hash(game.world) == hash);
        CHECK(game.run("check()") == "");
        return reason;
    };
    CHECK_THAT(with("function(old) error('too old') end"),
               Contains("component 'Path'") && Contains("too old"));
    CHECK_THAT(with("function() while true do end end"), Contains("the limit of one"));
    CHECK_THAT(with("function() return { speed = 1 } end"),
               Contains("'migrate' of version 1 gives a field 'speed', which it does not have"));
    CHECK_THAT(with("function() ecs.world:spawn() end"), Contains("ecs"));
    CHECK_THAT(with("function() return { curve = curve } end"),
               Contains("'migrate' sets the field 'curve', a blob; blobs of a saved world stay as they are"));
}

}  // namespace perigee
