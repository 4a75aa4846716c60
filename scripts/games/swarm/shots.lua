-- The hero's shots in flight: homing, returning, landing, and vanishing when they are spent.
-- "strike" decides what they hit, and counts it in Strike.hits and Strike.pierce.
local ecs = require "ecs"
local gfx = require "gfx"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

--- Shots point where they fly.
ecs.system("point shots", {
  group = "simulation", after = "flock", before = "motion",
  query = { read = { C.Velocity, C.Strike }, write = { gfx.Sprite }, without = { C.Returning } },
  run = function(chunk)
    local vel, rotation = chunk.Velocity, chunk.Sprite.rotation
    for i = 1, chunk.count do rotation[i] = math.atan2(vel.y[i], vel.x[i]) end
  end,
})

--- Missiles turn towards their target; without one they take the nearest enemy.
ecs.system("homing", {
  group = "simulation", before = "flock",
  query = { read = { C.Position }, write = { C.Velocity, C.Homing } },
  access = { read = { C.Senses, C.Clock, C.Enemy, C.Position } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local senses = ctx:resource(C.Senses)
    local pos, vel, homing = chunk.Position, chunk.Velocity, chunk.Homing
    for i = 1, chunk.count do
      local target = ctx:try_get(homing.target[i], C.Position)
      if not target and senses.count > 0 then
        homing.target[i] = senses.entity[1]
        target = ctx:try_get(homing.target[i], C.Position)
      end
      if target then
        local dx, dy = target.x - pos.x[i], target.y - pos.y[i]
        local length = math.max(1, math.sqrt(dx * dx + dy * dy))
        local share = math.min(1, homing.turn[i] * ctx.dt)
        vel.x[i] = vel.x[i] + (dx / length * homing.speed[i] - vel.x[i]) * share
        vel.y[i] = vel.y[i] + (dy / length * homing.speed[i] - vel.y[i]) * share
      end
    end
  end,
})

--- Boomerangs slow down, turn and come back.
ecs.system("returning", {
  group = "simulation", before = "flock",
  query = { read = { C.Position }, write = { C.Velocity, C.Returning, C.Lifetime } },
  access = { read = { C.Hero, C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, dt = ctx:resource(C.Hero), ctx.dt
    local pos, vel, age = chunk.Position, chunk.Velocity, chunk.Returning.age
    for i = 1, chunk.count do
      age[i] = age[i] + dt
      if age[i] > 0.45 then
        local dx, dy = at.x - pos.x[i], at.y - pos.y[i]
        local length = math.max(1, math.sqrt(dx * dx + dy * dy))
        vel.x[i] = vel.x[i] + (dx / length * 340 - vel.x[i]) * 5 * dt
        vel.y[i] = vel.y[i] + (dy / length * 340 - vel.y[i]) * 5 * dt
        if length < 14 then chunk.Lifetime.left[i] = 0 end
      end
    end
  end,
})

--- Lobbed bombs land and explode.
ecs.system("landing", {
  group = "simulation", after = "motion",
  query = { read = { C.Position, C.Blast }, write = { C.Lobbed, C.Shadow } },
  access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local left = chunk.Lobbed.left
    for i = 1, chunk.count do
      left[i] = left[i] - ctx.dt
      local rise = left[i] / 0.6
      chunk.Shadow.drop[i] = 8 + 60 * math.max(0, rise * (1 - rise))
      if left[i] <= 0 then
        local blast = chunk.Blast[i]
        prefabs.explode(ctx.commands, chunk.Position.x[i], chunk.Position.y[i], blast.damage, blast.radius, blast.push)
        ctx.commands:destroy(chunk.entity[i])
        sound.play("explosion.ogg", 0.5, ctx.random:range(0.9, 1.2))
      end
    end
  end,
})

--- Sparks where shots hit; spent ones vanish, missiles with a bang.
ecs.system("impacts", {
  group = "simulation", after = "strike",
  query = { read = { C.Position, C.Strike, C.Velocity, C.Lifetime }, optional = { C.Blast } },
  access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local pos, strike = chunk.Position, chunk.Strike
    for i = 1, chunk.count do
      if strike.hits[i] > 0 then
        local is_spent = strike.period[i] == 0 and strike.pierce[i] < 0
        if chunk.Blast and is_spent then
          local blast = chunk.Blast[i]
          prefabs.explode(ctx.commands, pos.x[i], pos.y[i], blast.damage, blast.radius, blast.push)
          sound.play("explosion.ogg", 0.35, 1.3)
        else
          ctx.commands:spawn(prefabs.spark, C.Position { x = pos.x[i], y = pos.y[i] })
          sound.play("hit.wav", 0.7, ctx.random:range(0.9, 1.1))
        end
        if is_spent then ctx.commands:destroy(chunk.entity[i]) end
      end
    end
  end,
})
