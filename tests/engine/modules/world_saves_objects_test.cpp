// Objects of scripts in worlds that a game saves, loads and goes back to.
#include "ecs/save/internal/packed_file.h"
#include "engine/modules/world_saves.h"
#include "tests/engine/game_folder.h"

#include <fmt/format.h>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("objects that are data are saved with their rows, and others are refused by name") {
    constexpr char kBrain[] =
        "require('ecs').component('Brain', { kind = 'object', hash = function(v)\n"
        "return type(v) == 'table' and v.mood or 0 end })\n";
    constexpr char kAim[] = "require('ecs').component('Aim', { kind = 'object' })\n";
    const std::string brains = fmt::format("{}{}", kBrain, kAim);
    GameFolder game{R"lua(
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
state = { step = 0, ids = {} }
local ids = state.ids
function update()
  state.step = state.step + 1
  if state.step == 1 then
    for i = 1, 6 do ids[i] = world:spawn(C.Brain, C.Aim) end
    ids[7] = world:spawn(C.Aim)
  elseif state.step == 2 then
    for i, value in ipairs { 1.5, true, "text", "", { mood = 3, path = { 1, 2, { x = 0.1 } } }, false } do
      world:set_object(ids[i], C.Brain, value)
    end
    world:set_object(ids[2], C.Aim, { at = ids[1] })
  elseif state.step == 3 then
    ids[8] = world:clone(ids[5])
  elseif state.step == 4 then
    save.write_world "a"
  elseif state.step == 5 then
    for i = 1, 6 do world:set_object(ids[i], C.Brain, nil) end
    save.load_world "a"
  end
end
function check()
  assert(world:object(ids[1], C.Brain) == 1.5 and world:object(ids[2], C.Brain) == true)
  assert(world:object(ids[3], C.Brain) == "text" and world:object(ids[4], C.Brain) == "")
  local brain = world:object(ids[5], C.Brain)
  assert(brain.mood == 3 and brain.path[3].x == 0.1 and world:object(ids[6], C.Brain) == false)
  assert(world:object(ids[2], C.Aim).at == ids[1] and world:object(ids[7], C.Aim) == nil)
  brain.mood = 4
  assert(world:object(ids[8], C.Brain).mood == 4, "a clone shares the value")
  brain.mood = 3
end
)lua",
                    brains};
    EngineConfig config = game.config();
    config.save_folder = game.file("saves");
    const auto engine = GameFolder::play(config);
    run(*engine, 4);
    const std::uint64_t hash = engine->hash();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->tick() == 4);
    CHECK(engine->hash() == hash);
    CHECK(engine->session().scripts().run("game", "check()").empty());
    // In another run, whose scripts declare the types in another order.
    game.write("schema.lua", fmt::format("{}{}", kAim, kBrain));
    const auto later = GameFolder::play(config);
    INFO(later->errors_as_text());
    CHECK(later->session().scripts().run("game", "save.load_world 'a'").empty());
    run(*later, 1);
    CHECK(later->tick() == 4);
    CHECK(later->hash() == hash);
    CHECK(later->session().scripts().run("game", "check()").empty());
    CHECK(later->error_count() == 0);

    GameFolder refused{R"lua(
local ecs = require "ecs"
local C = ecs.components
function update(_, ctx)
  if ctx.tick == 0 then state.e = ecs.world:spawn(C.Brain) end
  if ctx.tick == 1 then
    ecs.world:set_object(state.e, C.Brain, { a = { think = print } })
    save.write_world "a"
  end
end
)lua",
                       brains};
    run(*refused.play(), 2);
    CHECK(refused.log ==
          "world 'a' cannot be saved: component 'Brain', entity 1: the object cannot be kept: "
          "'value.a.think' is a function; numbers, texts, booleans and tables of those can be kept\n");
}

TEST_CASE("a damaged object in a saved world is an error, and those of a mod that is gone are nil") {
    constexpr char kBrains[] = "require('ecs').component('Brain', { kind = 'object' })\n";
    constexpr char kMain[] =
        "local ecs = require 'ecs' local C = ecs.components\n"
        "local e = ecs.world:spawn(C.Brain) ecs.world:set_object(e, C.Brain, { 'xyzzy' })\n"
        "function update() end function value() return ecs.world:object(e, C.Brain) end";
    GameFolder game{kMain, kBrains};
    const auto engine = game.play();
    run(*engine, 1);
    const std::string bytes = engine->session().write_world().value();
    const std::string contents = internal::unpack(bytes, 1 << 20).value();
    const auto load = [&](std::string_view from, std::string_view to) {
        std::string other = contents;
        const std::size_t at = other.find(from);
        REQUIRE(at != std::string::npos);
        other.replace(at, from.size(), to);
        Result<void> loaded = engine->session().read_world(internal::pack(other, true));
        return loaded ? std::string() : loaded.error().message;
    };
    CHECK(load("{\"xyzzy\"}", "{\"xyzzy\"}").empty());
    CHECK(engine->session().scripts().run("game", "assert(value()[1] == 'xyzzy')").empty());
    CHECK(load("{\"xyzzy\"}", "{\"xyzzy\"!") == "component 'Brain', entity 1: the object is damaged");
    CHECK(engine->session().scripts().run("game", "assert(value()[1] == 'xyzzy')").empty());
    const std::string of_mod("\4\0\0\0game", 8);
    CHECK(load(of_mod, std::string("\4\0\0\0gone", 8)).empty());
    CHECK(engine->session().scripts().run("game", "assert(value() == nil)").empty());
    CHECK(load(of_mod, std::string("\4\0\0\1game", 8)) == "the saved world is damaged: an object is broken");
}

TEST_CASE("a game with objects goes back to earlier steps with them") {
    GameFolder game{
        "local ecs = require 'ecs' local C = ecs.components\n"
        "local e = ecs.world:spawn(C.Brain) ecs.world:set_object(e, C.Brain, { n = 0 })\n"
        "function update() local v = ecs.world:object(e, C.Brain) v.n = v.n + 1 end\n"
        "function value() return ecs.world:object(e, C.Brain).n end",
        "require('ecs').component('Brain', { kind = 'object', hash = function(v) return v.n end })\n"};
    EngineConfig config = game.config();
    config.rewind_bytes = std::size_t{64} << 20;
    const auto engine = GameFolder::play(config);
    run(*engine, 5);
    const std::uint64_t hash = engine->hash();
    run(*engine, 5);
    REQUIRE(engine->rewind_to(5));
    CHECK(engine->hash() == hash);
    CHECK(engine->session().scripts().run("game", "assert(value() == 5)").empty());
    CHECK(game.log.empty());
}

TEST_CASE("components of a mod that is gone stay in a loaded world, with a warning, until it comes back") {
    constexpr char kSpark[] = "require('ecs').component('Spark', { { 'x', 'f32' } })\n";
    constexpr char kGame[] = "require('ecs').system('s', { run = function() end })\n";
    constexpr char kSchema[] =
        "local ecs = require 'ecs' ecs.component('Brain', { kind = 'object' })\n"
        "ecs.component('Hue', { { 'of', 'text' } }) ecs.component('Bag', { kind = 'buffer', { 'n', 'u8' } "
        "})\n"
        "ecs.resource('Wave', { { 'n', 'u8' } })\n";
    constexpr char kHead[] = "local ecs = require 'ecs' local C, world = ecs.components, ecs.world\n";
    GameFolder game{kGame, kSpark};
    game.write("mods/more/schema.lua", kSchema);
    game.write("mods/more/main.lua",
               fmt::format("{}{}", kHead,
                           "local e = world:spawn(ecs.import('game').components.Spark { x = 3 }, "
                           "C.Hue { of = 'red' }, C.Bag, C.Brain)\n"
                           "world:buffer(e, C.Bag):push { n = 7 } world:resource(C.Wave).n = 5\n"
                           "world:set_object(e, C.Brain, { 'clever' })"));
    const auto engine = game.play();
    run(*engine, 3);
    REQUIRE(engine->errors_as_text().empty());
    const std::uint64_t hash = engine->hash();
    const std::string bytes = engine->session().write_world().value();

    GameFolder without{kGame, kSpark};
    const auto other = without.play();
    run(*other, 1);
    REQUIRE(other->session().read_world(bytes).ok());
    CHECK(other->hash() == hash);
    for (const char* what :
         {"object 'more:Brain'", "component 'more:Hue'", "buffer 'more:Bag'", "resource 'more:Wave'"})
        CHECK(contains(without.log, fmt::format("the saved world has {}, whose mod is not there; it stays in "
                                                "the world and in its saves\n",
                                                what)));
    run(*other, 2);
    const std::string again = other->session().write_world().value();

    game.write(
        "mods/more/main.lua",
        fmt::format("{}{}", kHead,
                    "function check()\n"
                    "  local e = world:entities(ecs.query { read = { C.Hue } })[1]\n"
                    "  assert(world:get(e, ecs.import('game').components.Spark).x == 3)\n"
                    "  assert(world:get(e, C.Hue).of == 'red' and world:buffer(e, C.Bag)[1].n == 7)\n"
                    "  assert(world:resource(C.Wave).n == 5 and world:object(e, C.Brain)[1] == 'clever')\n"
                    "end"));
    game.log.clear();
    const auto third = game.play();
    run(*third, 1);
    REQUIRE(third->session().read_world(again).ok());
    CHECK(third->hash() == hash);
    CHECK(third->session().scripts().run("more", "check()").empty());
    CHECK(game.log.empty());
}
