-- The storage of rows, as far as a script can tell: chunks of two rows, two components, three archetypes.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world
local archetypes = world:stats().archetypes

-- [S10] five entities: two with Position and Velocity, one with Position, two with Velocity
local both1, both2 = world:spawn(C.Position { x = 1 }, C.Velocity), world:spawn(C.Velocity, C.Position { x = 2 })
local one = world:spawn(C.Position { x = 3 })
local other1, other2 = world:spawn(C.Velocity { x = 4 }), world:spawn(C.Velocity { x = 5 })

-- [S1] the same set, named in another order, is the same archetype
t.equal(world:stats().archetypes, archetypes + 3)
local positions = ecs.query { read = { C.Position } }
local velocities = ecs.query { read = { C.Velocity } }
t.equal(world:entity_count(positions), 3)
t.equal(world:chunk_count(positions), 2)
t.equal(world:entity_count(velocities), 4)
t.equal(world:chunk_count(velocities), 2)
t.equal(world:entity_count(ecs.query { read = { C.Position }, without = { C.Velocity } }), 1)

-- [S6] the row moves with what both have
world:add(one, C.Velocity { x = 9 })
t.equal(world:get(one, C.Position).x, 3)
t.equal(world:chunk_count(positions), 2)
world:remove(both1, C.Velocity)
t.equal(world:get(both1, C.Position).x, 1)

-- [S7] a number is not used for two
world:destroy(other1)
local reborn = world:spawn(C.Velocity { x = 6 })
t.is_true(reborn ~= other1)
t.equal(world:is_alive(other1), false)
t.equal(world:get(other1, C.Velocity), nil)
t.equal(world:get(other2, C.Velocity).x, 5)

local Marked = ecs.prefab("MarkedNumber", { C.Numbers, C.Marked })
local step, order, sizes = 0, {}, {}
local born = {}

ecs.system("fill", {
  run = function(_, ctx)
    step = step + 1
    if step == 1 then
      local next = 0
      ctx.commands:spawn_many(Marked, 7, function(chunk, first, last)   -- [S8] chunk after chunk
        for i = first, last do
          next = next + 1
          chunk.Numbers.i32[i] = next
          born[next] = chunk.entity[i]
        end
      end)
    elseif step == 2 then
      ctx.commands:destroy(born[3])   -- [S5] the last row of its chunk takes the place; a new one the room
    elseif step == 3 then
      ctx.commands:spawn(Marked, C.Numbers { i32 = 8 })
    end
  end,
})
ecs.system("look", {
  group = "presentation", query = { read = { C.Numbers, C.Marked } }, access = { read = { C.Position } },
  run = function(chunk, ctx)
    if chunk.index == 1 then order, sizes = {}, {} end
    sizes[chunk.index] = chunk.count
    for i = 1, chunk.count do order[chunk.first_row + i - 1] = chunk.Numbers.i32[i] end
    -- [Q6] random access to another entity
    t.equal(ctx:try_get(both2, C.Position).x, 2)
    if chunk.index < ctx:chunk_count() then return end
    local got = table.concat(order, " ") .. " in " .. table.concat(sizes, " ")
    if step == 1 then t.equal(got, "1 2 3 4 5 6 7 in 2 2 2 1") end
    if step == 2 then t.equal(got, "1 2 4 5 6 7 in 2 1 2 1") end
    if step == 3 then
      t.equal(got, "1 2 4 8 5 6 7 in 2 2 2 1")
      finished = true
    end
  end,
})
