-- Object components: any Lua value per entity, stored in this mod, released with its entity.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local thinkers = {}
for i = 1, 6 do thinkers[i] = world:spawn(C.Brain, C.Position { x = i }) end
local plain = world:spawn(C.Position)
local step, born, kept = 0, nil, nil

ecs.system("[K3] by row", {
  query = { write = { C.Brain }, read = { C.Position } },
  run = function(chunk)
    if step > 0 then return end
    kept = chunk.Brain
    for i = 1, chunk.count do
      local n = chunk.Position.x[i]
      t.equal(chunk.Brain[i], nil)
      chunk.Brain[i] = { mood = n, think = function() return n * 2 end }
      t.equal(chunk.Brain[i].think(), n * 2)
      chunk.Brain[i].mood = n + 0.5
      t.fails("out of range", function() return chunk.Brain[chunk.count + 1] end)
      t.fails("out of range", function() chunk.Brain[0 / 0] = 1 end)
      t.fails("must be a number", function() chunk.Brain.x = 1 end)
    end
  end,
})

ecs.system("[K3] read only", {
  query = { read = { C.Brain } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      t.fails("is read-only here", function() chunk.Brain[i] = 1 end)
      t.fails("is read-only here", function() ctx:set_object(chunk.entity[i], C.Brain, 1) end)
    end
  end,
})

ecs.system("[K3] by entity and by command", {
  after = { "[K3] by row", "[K3] read only" },
  access = { write = { C.Brain }, read = { C.Position } },
  run = function(_, ctx)
    step = step + 1
    if step == 1 then
      t.fails("no longer lent", function() return kept[1] end)
      for i = 1, 6 do t.equal(ctx:object(thinkers[i], C.Brain).mood, i + 0.5) end
      for _, v in ipairs { 1.5, true, false, "text", "", print, coroutine.create(print) } do
        t.equal(ctx:set_object(thinkers[1], C.Brain, v), true)
        t.equal(ctx:object(thinkers[1], C.Brain), v)
      end
      ctx:set_object(thinkers[1], C.Brain, nil)
      t.equal(ctx:object(thinkers[1], C.Brain), nil)
      t.equal(ctx:set_object(plain, C.Brain, {}), false)
      t.equal(ctx:object(plain, C.Brain), nil)
      t.equal(ctx:object(nil, C.Brain), nil)
      t.fails("'Position' is a component, not an object component", function() ctx:object(plain, C.Position) end)
      t.fails("is not declared", function() ctx:object(plain, C.Secret) end)
      t.fails("is an object component", function() ctx:try_get(plain, C.Brain) end)
      t.fails("is an object component", function() return C.Brain {} end)
      born = ctx.commands:spawn(C.Position)
      ctx.commands:set_object(born, C.Brain, { mood = 99 })
      ctx.commands:set_object(thinkers[2], C.Brain, "new")
      t.fails("not an object component", function() ctx.commands:set_object(born, C.Position, 1) end)
      t.equal(ctx:object(thinkers[2], C.Brain).mood, 2.5)
    elseif step == 2 then
      t.equal(ctx:object(born, C.Brain).mood, 99)
      t.equal(ctx:object(thinkers[2], C.Brain), "new")
      ctx.commands:add(born, C.Velocity)  -- the row moves
      ctx.commands:destroy(thinkers[3])
    else
      t.equal(ctx:object(born, C.Brain).mood, 99)
      t.equal(ctx:object(thinkers[3], C.Brain), nil)
      finished = true
    end
  end,
})

local e = world:spawn(C.Brain)
t.equal(world:object(e, C.Brain), nil)
t.equal(world:set_object(e, C.Brain, thinkers), true)
t.equal(world:object(e, C.Brain), thinkers)
t.equal(world:set_object(plain, C.Brain, 1), false)
world:destroy(e)
t.equal(world:object(e, C.Brain), nil)

-- [K3] a table that is set on several entities is one value, released with the last of them
local shared, pair = { mood = 5 }, {}
for i = 1, 2 do
  pair[i] = world:spawn(C.Brain)
  t.equal(world:set_object(pair[i], C.Brain, shared), true)
end
t.equal(world:set_object(pair[1], C.Brain, shared), true)
world:destroy(pair[1])
t.equal(world:object(pair[2], C.Brain), shared)
world:set_object(pair[2], C.Brain, nil)
for i = 1, 20 do
  local other = {}
  world:set_object(pair[2], C.Brain, other)
  t.equal(world:object(pair[2], C.Brain), other)
  world:set_object(pair[2], C.Brain, shared)
  t.equal(world:object(pair[2], C.Brain), shared)
end
world:destroy(pair[2])
