// What a hostile mod puts into a system: bodies of `run = function(chunk, ctx)` over three entities of
// another mod. Each ends in an error of that system. `C` are its components, `stash` has what another system
// of the mod kept from its own run, `x` is a local.
#pragma once

#include <array>

namespace perigee {

inline constexpr std::array kHostileBodies{
    // rows that are not there
    "chunk.Position.x[0] = 1",
    "chunk.Position.x[-1] = 1",
    "chunk.Position.x[chunk.count + 1] = 1",
    "chunk.Position.x[0 / 0] = 1",
    "chunk.Position.x[1 / 0] = 1",
    "chunk.Position.x[-1 / 0] = 1",
    "chunk.Position.x[2 ^ 31] = 1",
    "chunk.Position.x[2 ^ 32] = 1",
    "chunk.Position.x[2 ^ 53] = 1",
    "chunk.Position.x[2 ^ 63] = 1",
    "chunk.Position.x['1'] = 1",
    "chunk.Position.x[true] = 1",
    "chunk.Position.x[{}] = 1",
    "chunk.Position.x[chunk] = 1",
    "chunk.Position.x[1LL] = 1",
    "chunk.Position.x[setmetatable({}, { __sub = function() return -5 end })] = 1",
    "for i = 1, 1e9 do chunk.Position.x[i] = i end",
    "for i = chunk.count, 0, -1 do chunk.Position.x[i] = i end",
    "x = chunk.Position.x for i = 1, 500 do x[i < 490 and 1 or 1e9] = 1 end",
    // values that do not fit
    "chunk.Position.x[1] = 'one'",
    "chunk.Position.x[1] = {}",
    "chunk.Position.x[1] = chunk",
    "chunk.Position[1].x = print",
    "chunk.Position[1] = 5",
    // what was not declared
    "chunk.Velocity.x[1] = 1",
    "return chunk.Nothing.x[1]",
    "return ctx:resource(C.Score).value",
    "ctx:send(C.Hit, {})",
    "x = ctx:events(C.Hit)",
    "return ctx:try_get(chunk.entity[1], C.Velocity).x",
    // objects of the engine
    "chunk.count = 1e6",
    "chunk.Position = chunk",
    "chunk.Position.x = chunk.Position.y",
    "setmetatable(chunk, {})",
    "getmetatable(chunk).__index = print",
    "getmetatable('').__index = nil",
    "return chunk.Position.x + 1",
    "return chunk.Position.x < 1LL",
    "x = chunk.Position.x()",
    "return chunk .. ''",
    "rawset(chunk, 'count', 5)",
    "for k in pairs(ctx) do x = k end",
    "ctx.commands.destroy = print",
    "ctx.dt = 5",
    "C.Position = nil",
    "ecs.components.Position.id = 5",
    "ecs.system = nil  ecs.system('x', {})",
    // kept from another system's run
    "stash.chunk.Position.x[1] = 1",
    "return stash.column[1]",
    "stash.column[1] = 1",
    "return stash.row.x",
    "stash.row.x = 1",
    "stash.commands:destroy(stash.entity)",
    "return stash.ctx.dt + stash.ctx:try_get(stash.entity, C.Position).x",
    "x = stash.random:next()",
    "stash.coroutine()",
    // entities and values that were made up
    "ctx.commands:destroy('1')",
    "ctx.commands:destroy({})",
    "ctx.commands:destroy(chunk)",
    "ctx.commands:add(stash.entity, 5)",
    "ctx.commands:add(stash.entity, {})",
    "ctx.commands:add(stash.entity, C.Score { value = 1 })",
    "ctx.commands:add(stash.entity, C.Hit)",
    "ctx.commands:add(stash.entity, setmetatable({}, { __index = C.Position }))",
    "ctx.commands:remove(stash.entity, 1)",
    "ctx.commands:set(stash.entity, C.Position)",
    "ctx.commands:enable(stash.entity, C.Position, true)",
    "ctx.commands:spawn(nil)",
    "ctx.commands:spawn({ C.Position })",
    "ctx.commands:spawn(C.Position { z = 1 })",
    "ctx.commands:spawn(C.Position { x = {} })",
    "ctx.commands:spawn(C.Position { x = 1 }, C.Nothing)",
    "ctx.commands:spawn_many(stash.prefab, -1)",
    "ctx.commands:spawn_many(stash.prefab, 0 / 0)",
    "ctx.commands:spawn_many(stash.prefab, 2 ^ 31)",
    "ctx.commands:spawn_many(stash.prefab, 1, 'x')",
    "ctx.commands:spawn_many({}, 1)",
    "ctx.commands.spawn(1, C.Position)",
    // what belongs outside of systems
    "ecs.world:spawn(C.Position)",
    "ecs.world:destroy(stash.entity)",
    "x = ecs.world:get(stash.entity, C.Position)",
    // declared for the next step, and used in this one
    "x = ecs.component('More', { { 'x', 'f32' } }) { x = 1 }",
    "ctx.commands:spawn(ecs.component('More', { { 'x', 'f32' } }))",
    "ctx.commands:spawn(ecs.prefab('more', { C.Position }))",
    "ecs.import('nobody').services.x()",
    // floods: what the engine keeps for them costs as well
    "while true do ctx.commands:spawn(C.Position) end",
    "while true do ctx.commands:destroy(stash.entity) end",
    "while true do ctx.commands:add(stash.entity, C.Position { x = 1 }) end",
    "while true do pcall(ctx.commands.spawn, ctx.commands, 5) end",
    "ctx.commands:spawn_many(stash.prefab, 2 ^ 31 - 1)",
    "while true do ctx.commands:spawn_many(stash.prefab, 1000) end",
    "while true do ctx.commands:spawn_many(stash.prefab, 1, function() end) end",
    "while true do ctx:send(C.Shout { loud = 1 }) end",
    "while true do ctx:send_many(C.Shout, 1000) end",
    "ctx:send_many(C.Shout, 2 ^ 31 - 1)",
    "while true do x = C.Position { x = 1 } end",
    "while true do x = chunk.Position[1] end",
    "while true do x = ctx:try_get(stash.entity, C.Position) end",
    "while true do pcall(ecs.system, 'x', {}) end",
    "while true do ctx.random:next() end",
    "while true do chunk.Position.x[1] = 1 end",
    "while true do pcall(function() chunk.Position.x[0] = 1 end) end",
};

/// The same for one that stays within its fuel each time but makes the world grow for ever. `stash` survives
/// runs; `C.Wide` has rows of 4 KB, `C.Path` is a buffer, `C.Note` has a text.
inline constexpr std::array kGrowingBodies{
    "for i = 1, 300 do ctx.commands:spawn(C.Wide) end",
    "for i = 1, 3000 do ctx.commands:spawn() end",
    "ctx.commands:spawn_many(stash.wide, 1000)",
    "ctx.commands:spawn_many(stash.wide, 1000, function(chunk, first, last) chunk.Wide.text[first] = 'x' "
    "end)",
    "ctx.commands:spawn_many(stash.subtree, 200)",
    "for i = 1, 300 do ctx.commands:spawn(stash.wide) end",
    "for i = 1, 300 do pcall(ctx.commands.spawn, ctx.commands, stash.wide) end "
    "ctx.commands:spawn(stash.wide)",
    "for i = 1, 300 do stash.last = ctx.commands:clone(stash.last or chunk.entity[1]) "
    "ctx.commands:add(stash.last, C.Wide) end",
    "for i = 1, chunk.count do ctx.commands:clone(chunk.entity[i]) end",
    "ctx.commands:spawn(C.Path { { x = 1 }, { x = 2 } }, C.Position) ctx.commands:add_all(stash.all, C.Wide) "
    "for i = 1, 200 do ctx.commands:spawn(C.Position) end",
    "for i = 1, 300 do ctx.commands:change(ctx.commands:spawn(C.Position), { C.Wide }) end",
    "stash.size = (stash.size or 0) + 20000 chunk.Path[1]:resize(stash.size)",
    "for i = 1, 2000 do chunk.Path[1]:push { x = i } end",
    "local e = ctx.commands:spawn(C.Position) local b = ctx.commands:buffer(e, C.Path) b:resize(20000)",
    "local e = ctx.commands:spawn(C.Position, C.Path(stash.list))",
    "stash.n = (stash.n or 0) + 1 "
    "ctx.commands:spawn(C.Note { text = string.rep('x', 30000) .. stash.n })",
    "stash.n = (stash.n or 0) + 1 local e = ctx.commands:spawn(C.Position) "
    "ctx.commands:set_name(e, string.rep('x', 30000) .. stash.n)",
    "for i = 1, 6000 do ctx:send(C.Cry) end",
    "for i = 1, 60 do ctx:send_many(C.Cry, 100) end",
};

}  // namespace perigee
