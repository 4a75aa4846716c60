// Side worlds from Lua: they step, get and send messages and entities, and share nothing else with the world
// that made them.
#include "scripting/host/internal/side_world_host.h"

#include "scripting/mods/side_world.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <utility>

namespace perigee {
namespace {

using Catch::Contains;

const char* const kSchema = R"(
    local ecs = require "ecs"
    ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
    ecs.component("Label", { { "text", "text" } })
    ecs.component("Link", { { "to", "entity" } })
    ecs.component("Brain", { kind = "object" })
    ecs.component("Bag", { kind = "buffer", { "count", "u32" } })
    ecs.component("Shield", { kind = "enableable", { "power", "f32" } })
    ecs.component("Owned", { owner = "keeper", { "n", "u32" } })
    ecs.component("Hot", { kind = "tag" }))";

// Moves everything to the right; obeys the messages "back" and "count".
const char* const kSide = R"(
    local ecs = require "ecs"
    local C = ecs.components
    ecs.component("Own", { { "n", "u32" } })
    local all = ecs.query { read = { C.Position } }
    ecs.system("move", { query = { write = { C.Position } }, run = function(chunk)
      for i = 1, chunk.count do chunk.Position.x[i] = chunk.Position.x[i] + 1 end
    end })
    arrived = {}
    ecs.system("obey", { exclusive = true, run = function()
      while true do
        local message, entities = ecs.outside:receive()
        if message == nil then break end
        for _, entity in ipairs(entities) do arrived[#arrived + 1] = entity end
        if message == "back" then
          ecs.outside:send({ answer = "here" }, arrived)
          arrived = {}
        elseif message == "count" then
          ecs.outside:send(ecs.world:entity_count(all))
        end
      end
    end }))";

const char* const kMain = R"(
    local ecs = require "ecs"
    C, world = ecs.components, ecs.world
    side = ecs.side_world("side", "side.lua"))";

// Files that a test edits.
struct SideFiles final : FileSource {
    Result<std::string> read(std::string_view path) const override {
        const auto found = files.find(path);
        if (found == files.end()) return Error{"does not exist"};
        return found->second;
    }
    bool has(std::string_view path) const override { return files.contains(path); }
    std::map<std::string, std::string, std::less<>> files;
};

struct SideGame : ScriptWorld {
    explicit SideGame(const std::string& main = kMain, const std::string& side = kSide,
                      std::uint64_t seed = 1)
        : ScriptWorld({}, seed) {
        source.files = {{"schema.lua", kSchema}, {"main.lua", main}, {"side.lua", side}};
        ModConfig config;
        config.files = &source;
        config.limits = limits;
        errors = text_of(runtime->load(std::move(config)));
    }
    ~SideGame() { runtime.reset(); }  // before its files
    SideWorlds& sides() { return runtime->side_worlds(); }
    SideFiles source;
    std::string errors;
};

TEST_CASE("a side world has the types of the main world and its own, and runs when it is stepped") {
    SideGame game;
    REQUIRE(game.errors == "");
    REQUIRE(game.step() == "");
    REQUIRE(game.run(R"(
        assert(tostring(side) == "side world 'side'" and side.name == "side" and side:is_alive())
        assert(side:stats().steps == 0)
        side:send("hello", world:spawn(C.Position { x = 5, y = 2 }))
        assert(side:step(3) == true)
        assert(side:stats().steps == 3 and side:stats().entities == 1)
        side:send "count"
        side:step()
        assert(side:receive() == 1)
        assert(side:receive() == nil)
        assert(world:entity_count() == 0)
        assert(not pcall(function() return C.Own end)))") == "");
    const SideWorld& side = *game.sides().all().front();
    CHECK(side.tick() == 4);
    CHECK(side.name() == "side");
}

TEST_CASE("an entity comes back with all that both worlds know, and links to others in the set stay") {
    SideGame game;
    REQUIRE(game.errors == "");
    REQUIRE(game.run(R"(
        local other = world:spawn(C.Label { text = "other" })
        local a = world:spawn(C.Position { x = 1, y = 2 }, C.Label { text = "first" }, C.Link, C.Shield { power = 3 })
        local b = world:spawn(C.Position { x = 7 }, C.Link { to = a }, C.Hot, C.Bag)
        world:get(a, C.Link).to = b
        world:enable(a, C.Shield, false)
        for i = 1, 40 do world:buffer(b, C.Bag):push { count = i } end
        local child = world:spawn(C.Link { to = other })
        world:set_parent(child, a)
        world:set_name(child, "child")
        side:send("take", { b, a })
        assert(not world:is_alive(a) and not world:is_alive(b) and not world:is_alive(child))
        side:step(2)
        side:send "back"
        side:step()
        local message, back = side:receive()
        assert(message.answer == "here" and #back == 2)
        b, a = back[1], back[2]
        assert(world:get(a, C.Position).x == 3 + 1 and world:get(b, C.Position).x == 9 + 1, world:get(a, C.Position).x)
        assert(world:get(a, C.Label).text == "first" and world:get(a, C.Link).to == b)
        assert(world:get(b, C.Link).to == a and world:has(b, C.Hot))
        assert(world:has(a, C.Shield) and not world:is_enabled(a, C.Shield))
        assert(#world:buffer(b, C.Bag) == 40 and world:buffer(b, C.Bag)[40].count == 40)
        local children = world:children(a)
        assert(#children == 1 and world:name(children[1]) == "child")
        assert(world:get(children[1], C.Link).to == nil or world:get(children[1], C.Link).to == 0)
        assert(side:stats().entities == 0))") == "");
}

TEST_CASE("messages keep their order, and only plain values cross") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        ecs.system("echo", { exclusive = true, run = function()
          local message = ecs.outside:receive()
          while message ~= nil do ecs.outside:send(message) message = ecs.outside:receive() end
        end }))");
    REQUIRE(game.errors == "");
    REQUIRE(game.run(R"(
        for i = 1, 5 do side:send { n = i, list = { 1, "two", true, { deep = 0.5 } } } end
        side:send(false)
        side:step()
        for i = 1, 5 do
          local m = side:receive()
          assert(m.n == i and m.list[2] == "two" and m.list[4].deep == 0.5)
        end
        assert(side:receive() == false and side:receive() == nil)
        local function fails(text, ...)
          local ok, message = pcall(side.send, side, ...)
          assert(not ok and message:find(text, 1, true), message)
        end
        fails("expected a message")
        fails("world:send: message: a value of type function cannot be passed to another mod or world", print)
        fails("a value of type cdata", C.Position)
        fails("a value of type cdata", { C.Position { x = 1 } })
        fails("a table with a metatable", side)
        fails("a value of type thread", coroutine.create(print))
        local cycle = {} cycle[1] = cycle
        fails("nested more than", cycle)
        fails("expected an entity or a list of entities", 1, "x")
        fails("entry 2 of the list of entities: expected an entity, got 'x'", 1, { world:spawn(), "x" })
        fails("entity 12345 is not alive in this world", 1, 12345)
        fails("is not alive in this world", 1, 0 / 0)
        fails("the list of entities has the key 'a'", 1, { a = 1 })
        for i = 1, 256 do side:send(i) end
        fails("256 messages or 1048576 bytes wait", 1))") == "");
}

TEST_CASE("what a world does not accept stays where it is") {
    SideGame game;
    REQUIRE(game.errors == "");
    REQUIRE(game.run(R"(
        local a = world:spawn(C.Position { x = 1 })
        local b = world:spawn(C.Position, C.Brain)
        local ok, message = pcall(side.send, side, "take", { a, b })
        assert(not ok and message:find("'Brain' is an object component, whose values belong to one world", 1, true), message)
        assert(world:is_alive(a) and world:is_alive(b) and side:stats().entities == 0)
        local stats = side:stats()
        -- A type that was declared after the side world was made.
        require "ecs".component("Late", { { "x", "f32" } })
        local c = world:spawn(C.Late)
        ok, message = pcall(side.send, side, "take", c)
        assert(not ok and message:find("component 'Late' is not declared in the other world", 1, true), message)
        assert(world:is_alive(c) and side:step()))") == "");
    SideGame owned(std::string(kMain) + R"(
        ecs = require "ecs"
        kept = world:spawn(C.Owned)
        ecs.system("keeper", { access = { write = { C.Owned } }, run = function() end })
        ecs.system("thief", { exclusive = true, run = function() side:send("take", kept) end }))");
    REQUIRE(owned.errors == "");
    CHECK_THAT(owned.step(), Contains("Owned"));
    CHECK(owned.world.entity_count() == 1);
}

TEST_CASE("ids, views, values, handles and blobs of one world mean nothing in the other") {
    // The only ways out are messages, which take plain values, and entities, which change their ids.
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        local C = ecs.components
        assert(ecs.outside)
        for i = 1, 3 do ecs.world:spawn(C.Position { x = 100 + i }) end
        ecs.system("report", { exclusive = true, run = function()
          local message, entities = ecs.outside:receive()
          if not message then return end
          assert(not ecs.world:is_alive(message.id) or message.id ~= entities[1])
          ecs.outside:send { id = entities[1], alive = ecs.world:is_alive(message.id) }
        end }))");
    REQUIRE(game.errors == "");
    REQUIRE(game.run(R"(
        for i = 1, 10 do world:spawn(C.Hot) end
        local a = world:spawn(C.Position)
        local row = world:get(a, C.Position)
        side:send({ id = a }, a)
        assert(not pcall(function() return row.x end), "a row of an entity that moved away")
        side:step()
        local answer = side:receive()
        assert(not answer.alive)
        assert(not pcall(world.get, world, side, C.Position))
        assert(not pcall(function() side.step = 1 end))
        assert(getmetatable(side) == false)
        -- The handle of one world as an argument of another function.
        for _, f in ipairs { world.spawn, world.get, world.clone, world.entities } do
          assert(not pcall(f, world, side))
        end)") == "");
}

TEST_CASE("a side world cannot reach its maker in the middle of a step, and handles do not cross") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        ecs.system("reach", { exclusive = true, run = function()
          -- Nothing in this state names another world: its globals, modules and services are its own.
          assert(side == nil and world == nil and C == nil)
          assert(not pcall(function() return ecs.import("game").services.step end))
          for _, f in ipairs { "step", "destroy", "draw", "stats" } do
            assert(not pcall(function() return ecs.outside[f] end))
          end
          assert(not pcall(ecs.outside.send, ecs.outside, ecs.outside))
          assert(not pcall(ecs.outside.send, ecs.outside, ecs.world))
          ecs.outside:send(true)
        end }))");
    REQUIRE(game.errors == "");
    CHECK(game.run("assert(side:step()) assert(side:receive() == true)") == "");
}

TEST_CASE("entities arrive in the middle of a step without harm to what the maker holds") {
    SideGame game(std::string(kMain) + R"(
        local ecs = require "ecs"
        local all = ecs.query { read = { C.Position } }
        local mine = world:spawn(C.Position { x = -1 }, C.Bag)
        ecs.system("hold", { exclusive = true, access = { write = { C.Bag } }, run = function()
          local row, bag = world:get(mine, C.Position), world:buffer(mine, C.Bag)
          bag:push { count = 7 }
          for i = 1, 50 do side:send("take", world:spawn(C.Position { x = i }, C.Bag)) end
          side:send "back"
          assert(side:step())
          assert(row.x == -1)
          local ok = pcall(function() return bag[1].count end)
          assert(not ok, "a buffer handle from before the move")
          local message, back = side:receive()
          assert(#back == 50 and world:entity_count(all) == 51)
          for i = 1, 50 do
            assert(world:get(back[i], C.Position).x == i or world:get(back[i], C.Position).x == i + 1)
            world:destroy(back[i])
          end
          done = (done or 0) + 1
        end }))");
    REQUIRE(game.errors == "");
    for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    CHECK(game.run("assert(done == 3)") == "");
}

TEST_CASE("a side world that is kept after its maker's files failed to load does not exist") {
    SideGame game(std::string(kMain) + "\nerror 'late'");
    CHECK_THAT(game.errors, Contains("late"));
    CHECK(game.sides().all().empty());
    game.source.files["main.lua"] = kMain;
    REQUIRE(game.runtime->reload("game").is_ok());
    CHECK(game.run("assert(side:step())") == "");
}

TEST_CASE("a side world makes no side worlds, and nothing of it reaches its maker's functions") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        local ok, message = pcall(ecs.side_world, "inner", "side.lua")
        assert(not ok and message:find("a side world makes no side worlds", 1, true), message)
        ecs.system("again", { exclusive = true, run = function()
          local ok, message = pcall(ecs.side_world, "inner", "side.lua")
          assert(not ok and message:find("a side world makes no side worlds", 1, true), message)
          assert(ecs.import == nil or not pcall(ecs.import, "game") or true)
          done = true
        end }))");
    REQUIRE(game.errors == "");
    REQUIRE(game.run("assert(side:step())") == "");
    CHECK(game.sides().all().front()->scripts().side_worlds().all().empty());
    CHECK(game.run("assert(require('ecs').outside == nil)") == "");
}

TEST_CASE(
    "a handle of a destroyed side world is an error in each method, and another world may take its name") {
    SideGame game;
    REQUIRE(game.errors == "");
    REQUIRE(game.run(R"(
        local old = side
        side:send("take", world:spawn(C.Position))
        old:destroy()
        old:destroy()
        assert(not old:is_alive())
        for _, word in ipairs { "step", "send", "receive", "draw", "stats" } do
          local ok, message = pcall(old[word], old, 1)
          assert(not ok and message:find("the side world 'side' does not exist any more", 1, true), message)
        end
        local ok, message = pcall(old.step)
        assert(not ok and message:find("call it as a method: world:step", 1, true), message)
        ok, message = pcall(function() return old.stepp end)
        assert(not ok and message:find("did you mean 'step'", 1, true), message)
        side = require "ecs".side_world("side", "side.lua")
        assert(side ~= old and side:is_alive() and not old:is_alive() and side:stats().entities == 0))") ==
            "");
}

TEST_CASE("the functions of side worlds say where they are open") {
    SideGame game(std::string(kMain) + R"(
        local ecs = require "ecs"
        local function refused(text, f, ...)
          local ok, message = pcall(f, ...)
          assert(not ok and message:find(text, 1, true), tostring(message))
        end
        for _, word in ipairs { "step", "send", "receive", "destroy" } do
          refused("not while a file is loaded, which may happen again; do it in an exclusive system", side[word], side, 1)
        end
        refused("world:draw: draw in draw() and in presentation systems only", side.draw, side)
        ecs.system("plain", { run = function()
          for _, word in ipairs { "step", "send", "receive", "destroy", "stats" } do
            refused("not inside a system; a system with exclusive = true can do it", side[word], side, 1)
          end
          refused("not inside a system", ecs.side_world, "side", "side.lua")
          seen = true
        end })
        ecs.system("shown", { group = "presentation", run = function()
          refused("not inside a system", side.step, side)
          assert(ecs.side_world("side", "side.lua") == side and ecs.side_world("none", "side.lua") == nil)
          refused("world:draw: this program draws no side worlds", side.draw, side)
          refused("world:draw: x, expected a finite number, got nan", side.draw, side, 0 / 0)
          refused("world:draw: scale, expected a number above 0, got 0", side.draw, side, 0, 0, 0)
          shown = true
        end })
        ecs.system("alone", { exclusive = true, run = function()
          assert(ecs.side_world("side", "side.lua") == side)
          assert(side:step(2))
          alone = true
        end }))");
    REQUIRE(game.errors == "");
    REQUIRE(game.step() == "");
    CHECK(game.run(R"(
        assert(seen and shown and alone)
        local ecs = require "ecs"
        local function refused(text, ...)
          local ok, message = pcall(ecs.side_world, ...)
          assert(not ok and message:find(text, 1, true), tostring(message))
        end
        refused("the side world 'side' was made from the file 'side.lua'; destroy it first", "side", "main.lua")
        refused("the mod has no file 'none.lua'", "x", "none.lua")
        refused("the mod has no file '../main.lua'", "x", "../main.lua")
        refused("expected a name", nil, "side.lua")
        refused("expected a file of the mod, got nil", "x")
        refused("expected options, a table, got 3", "x", "side.lua", 3)
        refused("unknown key 'sead'; did you mean 'seed'?", "x", "side.lua", { sead = 1 })
        refused("seed, expected a finite number", "x", "side.lua", { seed = "a" })
        for _, n in ipairs { -1, 0.5, 0 / 0, 601, "a" } do
          local ok, message = pcall(side.step, side, n)
          assert(not ok and message:find("expected a number of steps, 0 to 600", 1, true), message)
        end
        for i = 1, 7 do ecs.side_world("more" .. i, "side.lua") end
        refused("a mod may have 8 side worlds at a time; destroy one first", "last", "side.lua"))") == "");
}

TEST_CASE(
    "an error in a side world suspends the system there, is reported with its line, and ends nothing else") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        local C = ecs.components
        local count = 0
        ecs.system("bad", { run = function() count = count + 1 if count == 2 then error("oh no") end end })
        ecs.system("endless", { run = function() if count == 3 then while true do end end end })
        ecs.system("good", { exclusive = true, run = function() ecs.outside:send(count) end }))");
    REQUIRE(game.errors == "");
    CHECK(game.run(R"(
        assert(side:step() == true)
        assert(side:step() == false)
        assert(side:step() == true))") == "");
    REQUIRE_FALSE(game.sides().all().front()->scripts().recent_errors().empty());
    const ScriptError error = game.sides().all().front()->scripts().recent_errors().back();
    CHECK(error.text().find("game/side.lua:5") != std::string::npos);
    CHECK(error.system == "bad");
    CHECK(game.step() == "");
}

TEST_CASE("an endless loop in a side world ends there, and the game goes on") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        ecs.system("endless", { run = function() while true do end end })
        ecs.system("good", { exclusive = true, run = function() ecs.outside:send "alive" end }))");
    REQUIRE(game.errors == "");
    CHECK(game.run(R"(
        assert(side:step() == false)
        assert(side:step() == true)
        assert(side:receive() == "alive" and side:receive() == "alive"))") == "");
    CHECK(game.run("side:destroy()") == "");
    CHECK(game.sides().all().empty());
}

TEST_CASE("a side world that ends may write to its maker, also when the game ends") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        local C = ecs.components
        ecs.system("end", { run = function() end, on_stop = function()
          ecs.outside:send("bye", ecs.world:spawn(C.Position))
        end }))");
    REQUIRE(game.errors == "");
    CHECK(game.run("side:step() side:destroy() assert(not side:is_alive())") == "");
    CHECK(game.run("require('ecs').side_world('other', 'side.lua'):step()") == "");
    game.runtime.reset();
}

TEST_CASE("a file that does not load makes no side world, and its errors are those of the caller") {
    SideGame game("local ecs = require 'ecs' ok, message = pcall(ecs.side_world, 'side', 'side.lua')",
                  "local x = 1\nerror('not today')");
    REQUIRE(game.errors == "");
    CHECK(game.run("assert(not ok and message:find('ecs.side_world: \\'side\\': game/side.lua:2: not today', "
                   "1, true), message)") == "");
    CHECK(game.sides().all().empty());
    SideGame order("local ecs = require 'ecs' ok, message = pcall(ecs.side_world, 'side', 'side.lua')",
                   "require('ecs').system('a', { after = { 'b' }, run = function() end })");
    CHECK(order.run("assert(not ok and message:find(\"'b'\", 1, true), message)") == "");
    SideGame endless("local ecs = require 'ecs' ok, message = pcall(ecs.side_world, 'side', 'side.lua')",
                     "while true do end");
    CHECK(endless.run("assert(not ok and message:find('steps of fuel', 1, true), message)") == "");
}

TEST_CASE("side worlds are the same in each run and part of the hash") {
    const char* const kRandom = R"(
        local ecs = require "ecs"
        local C = ecs.components
        ecs.system("grow", { run = function(_, ctx)
          ctx.commands:spawn(C.Position { x = ctx.random:unit(), y = math.random() })
        end }))";
    const auto hash_of = [&](std::uint64_t seed, const char* options, int steps) {
        SideGame game("local ecs = require 'ecs' side = ecs.side_world('side', 'side.lua', " +
                          std::string(options) + ")",
                      kRandom, seed);
        REQUIRE(game.errors == "");
        REQUIRE(game.run("side:step(" + std::to_string(steps) + ")") == "");
        return game.sides().hash_with(1);
    };
    CHECK(hash_of(1, "nil", 5) == hash_of(1, "nil", 5));
    CHECK(hash_of(1, "nil", 5) != hash_of(1, "nil", 6));
    CHECK(hash_of(1, "nil", 5) != hash_of(2, "nil", 5));
    CHECK(hash_of(1, "{ seed = 3 }", 5) == hash_of(1, "{ seed = 3 }", 5));
    CHECK(hash_of(1, "{ seed = 3 }", 5) != hash_of(1, "{ seed = 4 }", 5));
    ScriptWorld none;
    CHECK(none.runtime->side_worlds().hash_with(77) == 77);
    SideGame game;
    const std::uint64_t before = game.sides().hash_with(1);
    REQUIRE(game.run("side:send(1)") == "");
    CHECK(game.sides().hash_with(1) != before);
}

TEST_CASE("a state brings side worlds back, with their mail, also those that were destroyed since") {
    SideGame game;
    REQUIRE(game.errors == "");
    REQUIRE(game.run("side:send('take', world:spawn(C.Position)) side:step(3) side:send(5)") == "");
    const std::uint64_t hash = game.sides().hash_with(1);
    auto kept = game.sides().state().value();
    REQUIRE(game.run("side:step(2) other = require('ecs').side_world('other', 'side.lua')") == "");
    const std::uint64_t later_hash = game.sides().hash_with(1);
    auto later = game.sides().state(kept.get()).value();
    REQUIRE(game.run("side:destroy() assert(not side:is_alive())") == "");
    CHECK(game.sides().state_bytes() != 0);

    REQUIRE(game.sides().restore(*kept).ok());
    CHECK(game.sides().hash_with(1) == hash);
    CHECK(game.run("assert(side:is_alive() and not other:is_alive() and side:stats().steps == 3)") == "");
    REQUIRE(game.sides().restore(*later).ok());
    CHECK(game.sides().hash_with(1) == later_hash);
    CHECK(game.run("assert(side:is_alive() and other:is_alive() and side:stats().steps == 5)") == "");
    REQUIRE(game.sides().restore(*kept).ok());
    REQUIRE(game.run("side:step(2)") == "");
    REQUIRE(game.run("other = require('ecs').side_world('other', 'side.lua')") == "");
    CHECK(game.sides().hash_with(1) == later_hash);
    REQUIRE(game.run("side:destroy() other:destroy()") == "");
    kept.reset();
    later.reset();
    CHECK(game.sides().state_bytes() == 0);
}

TEST_CASE("a state that cannot be restored leaves every side world as it is") {
    SideGame game;
    REQUIRE(game.run("other = require('ecs').side_world('other', 'side.lua') side:step()") == "");
    const auto kept = game.sides().state().value();
    REQUIRE(game.run("side:step(4) other:step(2)") == "");
    // The schema of one of them changes.
    SideWorld& last = *game.sides().all().back();
    std::string& schema = game.source.files["schema.lua"];
    schema.replace(schema.find("{ \"power\", \"f32\" }"), 18, "{ \"power\", \"f64\" }");
    REQUIRE(last.scripts().reload("game").is_ok());
    const std::uint64_t hash = game.sides().hash_with(1);
    CHECK_FALSE(game.sides().restore(*kept).ok());
    CHECK(game.sides().hash_with(1) == hash);
}

TEST_CASE("a saved file takes effect in the side worlds too, and they stay as they are") {
    SideGame game;
    REQUIRE(game.errors == "");
    REQUIRE(game.run("side:send('take', world:spawn(C.Position { x = 1 })) side:step(3)") == "");
    std::string faster = kSide;
    faster.replace(faster.find("+ 1 end"), 3, "+ 100");
    game.source.files["side.lua"] = faster;
    REQUIRE(game.runtime->reload("game").is_ok());
    REQUIRE(game.run(R"(
        assert(side:is_alive() and side:stats().steps == 3 and side:stats().entities == 1)
        side:step()
        side:send "count"
        side:step()
        assert(side:receive() == 1))") == "");
    SideWorld& side = *game.sides().all().front();
    CHECK(ScriptWorld::text_of(side.scripts().run("game", R"(
        local ecs = require "ecs"
        local list = ecs.world:entities(ecs.query { read = { ecs.components.Position } })
        local x = ecs.world:get(list[1], ecs.components.Position).x
        assert(x == 204, x))")) == "");
    // A mistake leaves the old code in use, in all of them.
    game.source.files["side.lua"] = "oops(";
    const ReloadReport report = game.runtime->reload("game");
    REQUIRE_FALSE(report.is_ok());
    CHECK_THAT(ScriptWorld::text_of(report.errors), Contains("game/side.lua:1"));
    CHECK(game.run("assert(side:step())") == "");
}

TEST_CASE("what a side world takes is charged to its maker, until it is destroyed") {
    SideGame game(kMain, R"(
        local ecs = require "ecs"
        local C = ecs.components
        local Many = ecs.prefab("Many", { C.Position, C.Label })
        ecs.system("grow", { run = function(_, ctx) ctx.commands:spawn_many(Many, 10000) end }))");
    REQUIRE(game.errors == "");
    const auto charged = [&] { return game.runtime->usage().front().side_world_bytes; };
    CHECK(charged() >= 1 << 20);
    const std::size_t before = charged();
    REQUIRE(game.run("assert(side:step(5))") == "");
    CHECK(charged() > before + 50'000 * 8);
    REQUIRE(game.run("side:destroy()") == "");
    CHECK(charged() == 0);
}

TEST_CASE("a side world cannot take more than its maker may") {
    ScriptWorld owner;
    owner.limits.memory_soft = std::size_t{8} << 20;  // 32 MB of the world
    MemorySource files({{"schema.lua", kSchema}, {"main.lua", kMain}, {"side.lua", R"(
        local ecs = require "ecs"
        local C = ecs.components
        local Many = ecs.prefab("Many", { C.Position, C.Label, C.Bag })
        ecs.system("grow", { run = function(_, ctx) ctx.commands:spawn_many(Many, 20000) end }))"}});
    ModConfig config;
    config.files = &files;
    config.limits = owner.limits;
    REQUIRE(ScriptWorld::text_of(owner.runtime->load(std::move(config))) == "");
    CHECK(owner.run("while side:step() do end") == "");
    const SideWorld& side = *owner.runtime->side_worlds().all().front();
    CHECK_THAT(const_cast<SideWorld&>(side).scripts().recent_errors().back().text(),
               Contains("world memory"));
    CHECK(owner.runtime->usage().front().side_world_bytes <= std::size_t{32} << 20);
    CHECK(owner.run(
              "side:destroy() side = require('ecs').side_world('side', 'side.lua') assert(side:step())") ==
          "");
}

}  // namespace
}  // namespace perigee
