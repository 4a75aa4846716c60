// Exclusive systems, playback points and sort keys of scripts.
#include "ecs/inspect/world_hash.h"
#include "ecs/schedule/schedule_report.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Lines = std::vector<std::string>;

const char* const kSchema = R"(
    local ecs = require "ecs"
    ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
    ecs.component("Velocity", { { "x", "f32" } })
    ecs.component("Path", { kind = "buffer", capacity = 2, { "x", "f32" } })
    ecs.component("Voice", { kind = "cleanup", owner = "voices", { "channel", "i32", -1 } })
    ecs.event("Ping", { { "number", "u8" } })
)";
const std::string kHead = R"(
    local ecs = require "ecs"
    local C, world = ecs.components, ecs.world
    local all = ecs.query { read = { C.Position } }
    local function fails(text, f, ...)
      local ok, why = pcall(f, ...)
      if ok then error("expected an error with '" .. text .. "'", 2) end
      if not why:find(text, 1, true) then error(why, 2) end
    end
)";

struct Game : ScriptWorld {
    explicit Game(const std::string& main) { REQUIRE(load(kSchema, kHead + main) == ""); }
    Lines lines() {
        log.clear();
        CHECK(step() == "");
        return log;
    }
};

TEST_CASE("[C5] an exclusive system changes the world at once, and what it looked up follows") {
    Game game(R"(
        local first = world:spawn(C.Position { x = 1 }, C.Path { { x = 5 } })
        ecs.system("now", {
          exclusive = true, access = { read = { C.Path }, write = { C.Position } },
          run = function(_, ctx)
            local at, path = ctx:try_get(first, C.Position), ctx:buffer(first, C.Path)
            local direct = world:get(first, C.Position)
            assert(path.x[1] == 5)
            local made = world:spawn(C.Position { x = 2 })
            assert(world:is_alive(made) and ctx:is_alive(made) and ctx:has(made, C.Position))
            world:add(first, C.Velocity { x = 3 })           -- moves the row
            at.x, direct.y = 7, 8
            assert(world:get(first, C.Position).x == 7 and at.y == 8)
            fails("kept while entities or components were added or removed", function() return path.x[1] end)
            assert(ctx:buffer(first, C.Path).x[1] == 5)
            print(#world:entities(all))
            world:destroy(made)
            fails("is gone", function() return world:get(made, C.Position) and 1 or error "is gone" end)
            world:destroy_all(all)
            fails("is gone or no longer has it", function() return at.x end)
            print(#world:entities(all))
            first = world:spawn(C.Position, C.Path { { x = 5 } })
            kept = world:get(first, C.Position)
          end,
        })
        ecs.system("z later", { run = function() fails("kept after its system's run", function() return kept.x end) end }))");
    for (int i = 0; i < 3; ++i) CHECK(game.lines() == Lines{"2", "0"});
}

TEST_CASE("[C5] an exclusive system sees the commands recorded before it, and records its own") {
    Game game(R"(
        ecs.system("a", { run = function(_, ctx) made = ctx.commands:spawn(C.Position) end })
        ecs.system("b", { exclusive = true, run = function(_, ctx)
          print(tostring(world:is_alive(made)))
          late = ctx.commands:spawn(C.Position)
          print(tostring(world:is_alive(late)))
        end })
        ecs.system("c", { run = function(_, ctx) print(tostring(ctx:is_alive(late))) end })
        ecs.system("d", { group = "presentation", run = function(_, ctx) print(tostring(ctx:is_alive(late))) end }))");
    CHECK(game.lines() == Lines{"true", "false", "false", "true"});
    CHECK_THAT(order_report(game.schedule).value(), Contains("  2  b  (sync point)\n"));
}

TEST_CASE("[C5] an exclusive system that fails keeps its changes, and the next step goes on without it") {
    Game game(R"(
        ecs.system("now", { exclusive = true, run = function(_, ctx)
          world:spawn(C.Position)
          ctx.commands:spawn(C.Position)
          error "no"
        end }))");
    CHECK_THAT(game.step(), Contains("system 'now': no"));
    CHECK(game.world.entity_count() == 1);
    CHECK(game.step() == "");
}

TEST_CASE("[C5] what an exclusive system may not do is refused with a reason") {
    Game game(R"(
        ecs.system("voices", { access = { write = { C.Voice } }, run = function() end })
        fails("an exclusive system is lent no rows", ecs.system, "x",
          { exclusive = true, query = { read = { C.Position } }, run = print })
        fails("a presentation system sees a finished world and cannot be exclusive", ecs.system, "x",
          { exclusive = true, group = "presentation", run = print })
        fails("expected true or false for 'exclusive', got 'yes'", ecs.system, "x", { exclusive = "yes", run = print })
        fails("unknown key 'exclusive'", ecs.on, C.Ping, { exclusive = true }, print)
        local entity = world:spawn(C.Position)
        ecs.system("now", { exclusive = true, run = function(_, ctx)
          fails("may not change cleanup 'Voice'; only its owner may, system 'voices'",
            world.add, world, entity, C.Voice)
          fails("ecs.world:spawn: system 'now' may not change cleanup 'Voice'; only its owner may", world.spawn, world, C.Voice)
          fails("use ctx:send", world.send, world, C.Ping)
          fails("not inside an exclusive system", ecs.group, "late", {})
          fails("not declared", ctx.try_get, ctx, entity, C.Position)
          world:run_group "picked"
          print "now"
        end })
        ecs.group("picked", { enabled = false })
        ecs.system("in picked", { group = "picked", run = function() print "picked" end }))");
    CHECK(game.lines() == Lines{"now", "picked"});
}

TEST_CASE("[C1] a script chooses the group at whose end its commands are played back") {
    Game game(R"(
        ecs.group("inner", {})
        ecs.group("off", { enabled = false, after = "inner" })
        ecs.system("early", { group = "initialization", commands = "end of inner",
          run = function(_, ctx) early = ctx.commands:spawn(C.Position) end })
        ecs.system("make", { group = "inner", commands = "end of simulation",
          run = function(_, ctx) made = ctx.commands:spawn(C.Position) end })
        ecs.system("never", { group = "inner", commands = "end of off",
          run = function(_, ctx) never = ctx.commands:spawn(C.Position) end })
        ecs.system("look", { after = "inner", run = function(_, ctx)
          print(tostring(ctx:is_alive(early)) .. " " .. tostring(ctx:is_alive(made)) .. " " ..
            tostring(ctx:is_alive(never)))
        end })
        ecs.system("see", { group = "presentation", run = function(_, ctx)
          print(tostring(ctx:is_alive(made)) .. " " .. tostring(ctx:is_alive(never)))
        end })
        fails("got 'end of iner'; did you mean 'end of inner'?", ecs.system, "x",
          { commands = "end of iner", run = print })
        fails("expected a point such as \"end of simulation\" for 'commands', got 1", ecs.system, "x",
          { commands = 1, run = print })
        fails("a presentation system has no commands", ecs.system, "x",
          { group = "presentation", commands = "end of simulation", run = print }))");
    CHECK(game.lines() == Lines{"true false false", "true true"});
}

TEST_CASE("[C1] a mod names its own groups, and an impossible point leaves the mod out") {
    Game game("");
    CHECK(game.load("", R"(
        local ecs = require "ecs"
        ecs.group("inner", {})
        ecs.system("a", { group = "inner", commands = "end of inner", run = function() end }))",
                    "mod") == "");
    CHECK(game.schedule.description(*game.schedule.find("mod:a")).commands == "end of mod:inner");
    CHECK_THAT(game.load("", R"(require("ecs").system("a", { commands = "end of initialization",
                               run = function() end }))",
                         "wrong"),
               Contains("its commands wait for the end of initialization, which comes before the system"));
    CHECK(game.step() == "");
}

TEST_CASE(
    "[C1] commands under sort keys are played back by key, whatever the order in which rows are visited") {
    Game game(R"(
        local target = world:spawn(C.Position)
        for _, key in ipairs { 3, -1, 2.5, 0, 7, -0.5 } do world:spawn(C.Velocity { x = key }) end
        ecs.system("last wins", { query = { read = { C.Velocity } }, run = function(chunk, ctx)
          for i = 1, chunk.count do
            ctx.commands:sort_key(-chunk.Velocity.x[i])
            ctx.commands:set(target, C.Position { x = chunk.Velocity.x[i] })
          end
        end })
        ecs.system("see", { group = "presentation", access = { read = { C.Position } }, run = function(_, ctx)
          print(ctx:try_get(target, C.Position).x)
        end })
        ecs.system("wrong", { run = function(_, ctx)
          for _, key in ipairs { 0 / 0, 1 / 0, "1", false } do
            fails("commands:sort_key: expected a number", ctx.commands.sort_key, ctx.commands, key)
          end
        end }))");
    CHECK(game.lines() == Lines{"-1"});
}

}  // namespace
}  // namespace perigee
