-- The automatic weapons: when each fires, and what it fires. shots.lua moves the shots.
-- Arsenal.level[number] is the weapon's level (0: not owned), Arsenal.wait[number] the seconds to its next shot.
local ecs = require "ecs"
local gfx = require "gfx"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

local kBlasterRange = 270

local function aim(from, senses, place)
  local dx, dy = senses.x[place] - from.x, senses.y[place] - from.y
  local length = math.sqrt(dx * dx + dy * dy)
  if length < 0.01 then return 1, 0 end
  return dx / length, dy / length
end

--- Each fires and returns the seconds until its next shot; 0: it had no target and tries again in the next
--- step. w: { hero, senses, stats, commands, random }
local fire = {}

fire[1] = function(w, level)  -- blaster
  local senses, at, stats = w.senses, w.hero, w.stats
  if senses.count == 0 or senses.distance[1] > kBlasterRange then return 0 end
  local dx, dy = aim(at, senses, 1)
  local damage, pierce = (7 + 2.5 * level) * stats.damage, stats.pierce
  local shots = 1 + stats.count + (level >= 4 and 1 or 0)
  local angle = math.atan2(dy, dx)
  for i = 1, shots do
    local a = angle + (i - (shots + 1) / 2) * 0.13
    local x, y = math.cos(a), math.sin(a)
    w.commands:spawn(prefabs.bolt, C.Position { x = at.x + x * 12, y = at.y + y * 12 - 2 },
      C.Velocity { x = x * 430, y = y * 430 }, C.Strike { damage = damage, radius = 4, push = 45, pierce = pierce })
  end
  w.commands:spawn(prefabs.muzzle, C.Position { x = at.x + dx * 15, y = at.y + dy * 15 - 2 })
  sound.play("shoot.wav", 1, w.random:range(0.94, 1.06))
  return (0.46 - 0.035 * level) / stats.fire_rate
end

fire[4] = function(w, level)  -- missiles
  local senses, at, stats = w.senses, w.hero, w.stats
  if senses.count == 0 then return 0 end
  for i = 1, level do
    local place = math.min(senses.count, 1 + (i * 3) % 8)
    local angle = w.random:range(0, 6.2832)
    w.commands:spawn(prefabs.missile, C.Position { x = at.x, y = at.y - 4 },
      C.Velocity { x = math.cos(angle) * 120, y = math.sin(angle) * 120 },
      C.Homing { target = senses.entity[place] }, C.Strike { damage = 4, radius = 5 },
      C.Blast { damage = (20 + 4 * level) * stats.damage, radius = 34 + 2 * level })
  end
  sound.play("shoot.wav", 1, 0.6)
  return 2.1 / stats.fire_rate
end

fire[5] = function(w, level)  -- boomerang
  local senses, at, stats = w.senses, w.hero, w.stats
  if senses.count == 0 then return 0 end
  local dx, dy = aim(at, senses, 1)
  local angle, shots = math.atan2(dy, dx), 1 + math.floor(level / 2)
  for i = 1, shots do
    local a = angle + (i - 1) * 6.2832 / shots
    w.commands:spawn(prefabs.boomerang, C.Position { x = at.x, y = at.y },
      C.Velocity { x = math.cos(a) * 300, y = math.sin(a) * 300 },
      C.Strike { damage = (9 + 3 * level) * stats.damage, radius = 10, push = 30, period = 7 })
  end
  return 2.4 / stats.fire_rate
end

fire[6] = function(w, level)  -- cluster bombs
  local senses, at, stats = w.senses, w.hero, w.stats
  if senses.count == 0 then return 0 end
  for _ = 1, 1 + math.floor((level + 1) / 2) do
    local place = w.random:integer(1, senses.count)
    local dx, dy = senses.x[place] - at.x, senses.y[place] - at.y
    dx, dy = dx + w.random:range(-40, 40), dy + w.random:range(-40, 40)
    w.commands:spawn(prefabs.grenade, C.Position { x = at.x, y = at.y }, C.Velocity { x = dx / 0.6, y = dy / 0.6 },
      C.Blast { damage = (18 + 7 * level) * stats.damage, radius = 40 + 4 * level, push = 140 })
  end
  return 2.6 / stats.fire_rate
end

fire[7] = function(w, level)  -- shockwave
  local at, stats = w.hero, w.stats
  if w.senses.count == 0 or w.senses.distance[1] > 120 then return 0 end
  local radius = 90 + 14 * level
  w.commands:spawn(prefabs.blow, C.Position { x = at.x, y = at.y },
    C.Strike { period = 1, damage = (8 + 5 * level) * stats.damage, radius = radius, push = 380 })
  w.commands:spawn(prefabs.wave, C.Position { x = at.x, y = at.y })
  sound.play("shockwave.ogg")
  return (5.4 - 0.4 * level) / stats.fire_rate
end

--- Fires every weapon that is ready.
ecs.system("weapons", {
  group = "simulation", after = "walk", before = "flock",
  access = { read = { C.Senses, C.Hero, C.Stats, C.Clock }, write = { C.Arsenal } },
  run = function(_, ctx)
    if not ctx:resource(C.Clock).running or ctx:resource(C.Stats).health <= 0 then return end
    local arsenal = ctx:resource(C.Arsenal)
    local w = { hero = ctx:resource(C.Hero), senses = ctx:resource(C.Senses), stats = ctx:resource(C.Stats),
      commands = ctx.commands, random = ctx.random }
    for number = 1, 7 do
      local level = arsenal.level[number]
      if level > 0 and fire[number] then
        local wait = arsenal.wait[number] - ctx.dt
        if wait <= 0 then wait = fire[number](w, level) end
        arsenal.wait[number] = wait
      end
    end
  end,
})

-- ---- weapons that stay out -----------------------------------------------------------------------------------------

--- Drones circle; each level brings one more. A run begins without drones, so there are never too many.
ecs.system("drones", {
  group = "simulation", after = "motion", before = "strike",
  query = { write = { C.Position, C.Strike }, read = { C.Orbit } },
  access = { read = { C.Hero, C.Stats, C.Arsenal, C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, stats, level = ctx:resource(C.Hero), ctx:resource(C.Stats), ctx:resource(C.Arsenal).level[2]
    local time = ctx:resource(C.Clock).time
    local hx, hy, damage = at.x, at.y, (4 + 2 * level) * stats.damage
    for i = 1, chunk.count do
      if stats.health <= 0 then ctx.commands:destroy(chunk.entity[i]) end  -- they die with him
      local angle = time * 3.1 + chunk.Orbit.index[i] * 6.2832 / level
      chunk.Position.x[i] = hx + math.cos(angle) * (46 + 3 * level)
      chunk.Position.y[i] = hy + math.sin(angle) * (46 + 3 * level)
      chunk.Strike.damage[i] = damage
    end
  end,
})

ecs.system("ion field", {
  group = "simulation", after = "motion", before = "strike",
  query = { read = { C.Aura }, write = { C.Position, C.Strike, gfx.Sprite } },
  access = { read = { C.Hero, C.Stats, C.Arsenal, C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, stats, level = ctx:resource(C.Hero), ctx:resource(C.Stats), ctx:resource(C.Arsenal).level[3]
    local radius, time = 40 + 9 * level, ctx:resource(C.Clock).time
    for i = 1, chunk.count do
      if stats.health <= 0 then ctx.commands:destroy(chunk.entity[i]) end
      chunk.Position.x[i], chunk.Position.y[i] = at.x, at.y
      chunk.Strike.radius[i], chunk.Strike.damage[i] = radius, (2.5 + 1.5 * level) * stats.damage
      chunk.Sprite.scale_x[i], chunk.Sprite.scale_y[i] = radius / 62, radius / 62
      chunk.Sprite.rotation[i] = time * 0.6
    end
  end,
})

--- Spawns new drones and the field when their level has risen.
ecs.system("equip", {
  group = "simulation", before = "walk",
  access = { read = { C.Hero, C.Clock }, write = { C.Arsenal } },
  run = function(_, ctx)
    if not ctx:resource(C.Clock).running then return end
    local arsenal, at = ctx:resource(C.Arsenal), ctx:resource(C.Hero)
    -- wait[2] and wait[3] have no shots to count down to: they store how many are out.
    while arsenal.wait[2] < arsenal.level[2] do
      ctx.commands:spawn(prefabs.drone, C.Position { x = at.x, y = at.y }, C.Orbit { index = arsenal.wait[2] })
      arsenal.wait[2] = arsenal.wait[2] + 1
    end
    if arsenal.wait[3] < 1 and arsenal.level[3] > 0 then
      ctx.commands:spawn(prefabs.aura, C.Position { x = at.x, y = at.y })
      arsenal.wait[3] = 1
    end
  end,
})
