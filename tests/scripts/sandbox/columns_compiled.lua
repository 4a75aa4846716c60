-- A simulation that uses every kind of column, for comparing compiled with interpreted runs by their world hash.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
local moods = { "calm", "angry", "afraid" }

local All = ecs.prefab("All", { C.Position, C.Velocity, C.Numbers, C.Body, C.Look, C.Bag, C.Health })
for i = 1, 50 do world:spawn(All, C.Position { x = i, y = -i }) end

ecs.system("churn", {
  query = { write = { C.Position, C.Velocity, C.Numbers, C.Body, C.Look, C.Bag, C.Health } },
  run = function(chunk, ctx)
    local p, v, n, body, look, bag = chunk.Position, chunk.Velocity, chunk.Numbers, chunk.Body, chunk.Look, chunk.Bag
    local random = ctx.random
    for i = 1, chunk.count do
      p.x[i] = p.x[i] + v.x[i] * ctx.dt
      v.x[i] = random:range(-9, 9) ^ 2
      n.i8[i], n.u8[i] = random:range(-128, 127), random:range(0, 255)
      n.i16[i], n.u16[i] = random:range(-3e4, 3e4), random:range(0, 6e4)
      n.i32[i], n.u32[i] = random:range(-2e9, 2e9), random:range(0, 4e9)
      n.i64[i], n.u64[i] = random:range(-9e15, 9e15), random:range(0, 9e15)
      n.f64[i] = n.i64[i] / 3 + n.u64[i] + n.u32[i]
      n.bool[i] = not n.bool[i]
      body.velocity.y[i] = body.velocity.x[i] + n.i8[i]
      body.up.z[i] = n.u16[i]
      look.mood[i] = moods[random:integer(1, 3)]
      look.state.wet[i] = n.bool[i]
      look.tint[i] = n.u32[i]
      look.tint.g[i] = n.u8[i]
      look.name[i] = "n" .. n.u8[i]
      look.target[i] = n.bool[i] and chunk.entity[i] or nil
      bag.slots[3][i] = n.u8[i]
      local row = chunk.Health[i]
      row.current = row.current + n.i8[i]
      local hp = ctx:try_get(chunk.entity[i], C.Health)
      hp.max = hp.current * 2
    end
  end,
})

local Burst = ecs.prefab("Burst", { C.Position, C.Marked })
ecs.system("spawn", {
  run = function(_, ctx)
    for i = 1, 20 do ctx.commands:spawn(Burst, C.Position { x = ctx.random:unit(), y = i }) end
    ctx.commands:spawn_many(Burst, 30, function(chunk, first, last)
      for i = first, last do chunk.Position.y[i] = ctx.random:integer(1, 1000) end
    end)
  end,
})

ecs.system("reap", {
  after = "spawn", query = { read = { C.Position, C.Marked } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      if ctx.random:chance(0.3) then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})
finished = true
