// Side worlds that a mod makes, beside those of the game.
#include "scripting/host/internal/side_world_host.h"
#include "scripting/mods/side_world.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

TEST_CASE("side worlds of a mod have its names, and entities of the game can visit them") {
    ScriptWorld game;
    MemorySource root({{"schema.lua", "require('ecs').component('Position', { { 'x', 'f32' } })"},
                       {"main.lua", "local ecs = require 'ecs' C = ecs.components world = ecs.world"}});
    MemorySource mod({{"schema.lua", "require('ecs').component('Spice', { { 'heat', 'f32' } })"},
                      {"main.lua", R"(
                          local ecs = require "ecs"
                          local C = ecs.components
                          local side = ecs.side_world("kitchen", "kitchen.lua")
                          local one = ecs.world:spawn(C.Position { x = 1 }, C.Spice { heat = 2 })
                          local ticks = 0
                          ecs.system("cook", { exclusive = true, run = function()
                            ticks = ticks + 1
                            if ticks == 1 then side:send("cook", one) end
                            assert(side:step())
                            local message, back = side:receive()
                            if message then
                              assert(ecs.world:get(back[1], C.Spice).heat == 4)
                              assert(ecs.world:get(back[1], C.Position).x == 1)
                              cooked = true
                            end
                          end }))"},
                      {"kitchen.lua", R"(
                          local ecs = require "ecs"
                          local C = ecs.components
                          ecs.system("heat", { query = { write = { C.Spice }, read = { C.Position } }, run = function(chunk)
                            for i = 1, chunk.count do chunk.Spice.heat[i] = chunk.Spice.heat[i] + 1 end
                          end })
                          local list
                          ecs.system("wait", { exclusive = true, run = function()
                            if list then ecs.outside:send("done", list) list = nil end
                            local message, entities = ecs.outside:receive()
                            if message then list = entities end
                          end }))"}});
    std::vector<ModConfig> configs(2);
    configs[0].files = &root;
    configs[1].files = &mod;
    configs[1].name = "spices";
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(configs))) == "");
    for (int i = 0; i < 3; ++i) REQUIRE(game.step() == "");
    CHECK(ScriptWorld::text_of(game.runtime->run("spices", "assert(cooked)")) == "");
    const SideWorld& side = *game.runtime->side_worlds().all().front();
    CHECK(side.name() == "spices:kitchen");
    CHECK(game.runtime->usage()[1].side_world_bytes > 0);
    CHECK(game.runtime->usage()[0].side_world_bytes == 0);
}

}  // namespace
}  // namespace perigee
