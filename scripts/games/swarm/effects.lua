-- Everything that only affects looks: animation, fading, drifting, growing, and removal at the end of a lifetime.
local ecs = require "ecs"
local gfx = require "gfx"
local C = ecs.components
local floor = math.floor

--- Frames of creatures: they walk, face where they go, and flash white when hit.
ecs.system("animate creatures", {
  group = "simulation", after = { "motion", "wounds" },
  query = { write = { C.Animation, C.Enemy, gfx.Sprite }, read = { C.Velocity } }, access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local dt = ctx.dt
    local age, rate, first, flash, count = chunk.Animation.age, chunk.Animation.rate, chunk.Animation.first,
      chunk.Animation.flash, chunk.Animation.count
    local size, left, vel_x = chunk.Animation.size, chunk.Enemy.flash, chunk.Velocity.x
    local frame, scale_x, scale_y = chunk.Sprite.frame, chunk.Sprite.scale_x, chunk.Sprite.scale_y
    for i = 1, chunk.count do
      local now = age[i] + dt
      age[i] = now
      local base, shows = first[i], left[i]
      if shows > 0 then base = flash[i] end
      if shows > -1 then left[i] = shows - dt end
      frame[i] = base + floor(now * rate[i]) % count[i]
      scale_y[i] = size[i]
      local vx = vel_x[i]
      if vx > 4 then scale_x[i] = size[i] elseif vx < -4 then scale_x[i] = -size[i] end
    end
  end,
})

--- Frames of everything else.
ecs.system("animate", {
  group = "simulation", after = "motion",
  query = { write = { C.Animation, gfx.Sprite }, without = { C.Enemy, C.Astronaut } },
  access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local dt, animation, frame = ctx.dt, chunk.Animation, chunk.Sprite.frame
    local age, rate, first, count = animation.age, animation.rate, animation.first, animation.count
    for i = 1, chunk.count do
      local now = age[i] + dt
      age[i] = now
      frame[i] = first[i] + floor(now * rate[i]) % count[i]
    end
  end,
})

--- The astronaut faces his target, and blinks while he is hurt.
ecs.system("animate the hero", {
  group = "simulation", after = { "motion", "wounds of the hero" },
  query = { write = { C.Animation, gfx.Sprite }, read = { C.Astronaut } },
  access = { read = { C.Clock, C.Stats, C.Senses, C.Hero } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local stats, senses, at = ctx:resource(C.Stats), ctx:resource(C.Senses), ctx:resource(C.Hero)
    local facing = stats.facing_x
    if senses.count > 0 and senses.distance[1] < 270 then facing = senses.x[1] - at.x end
    for i = 1, chunk.count do
      local animation = chunk.Animation[i]
      animation.age = animation.age + ctx.dt
      local base = stats.hurt > 0.12 and animation.flash or animation.first
      chunk.Sprite.frame[i] = base + floor(animation.age * animation.rate) % animation.count
      chunk.Sprite.scale_x[i] = facing < 0 and -1 or 1
    end
  end,
})

--- Drifting things slow down, spin and grow.
ecs.system("drift", {
  group = "simulation", after = "motion", query = { write = { C.Velocity }, read = { C.Drift } },
  access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local dt, vel, drag = ctx.dt, chunk.Velocity, chunk.Drift.drag
    for i = 1, chunk.count do
      local keep = 1 - drag[i] * dt
      vel.x[i], vel.y[i] = vel.x[i] * keep, vel.y[i] * keep
    end
  end,
})

ecs.system("spin and grow", {
  group = "simulation", after = "motion", query = { write = { gfx.Sprite }, read = { C.Drift } },
  access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local dt, sprite, spin, grow = ctx.dt, chunk.Sprite, chunk.Drift.spin, chunk.Drift.grow
    for i = 1, chunk.count do
      sprite.rotation[i] = sprite.rotation[i] + spin[i] * dt
      sprite.scale_x[i], sprite.scale_y[i] = sprite.scale_x[i] + grow[i] * dt, sprite.scale_y[i] + grow[i] * dt
    end
  end,
})

--- Fades things and ends them when their time is up. After "strike", so that a blow that lasts one step still lands.
ecs.system("lifetimes", {
  group = "simulation", after = { "strike", "impacts" },
  query = { write = { C.Lifetime }, optional = { write = { gfx.Sprite } } }, access = { read = { C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local dt, left, fade = ctx.dt, chunk.Lifetime.left, chunk.Lifetime.fade
    local sprite = chunk.Sprite
    for i = 1, chunk.count do
      local now = left[i] - dt
      left[i] = now
      if now <= 0 then
        ctx.commands:destroy(chunk.entity[i])
      elseif sprite and now < fade[i] then
        sprite.color.a[i] = floor(chunk.Lifetime.alpha[i] * now / fade[i])
      end
    end
  end,
})
