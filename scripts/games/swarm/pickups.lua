-- Crystals, hearts, magnets, bombs and chests: pulled in, taken and used.
local ecs = require "ecs"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

local kTouch = 13
local kPull = 330  -- px/s

local take = {}

take[1] = function(ctx, stats, value)  -- experience; a streak raises the pitch
  stats.xp = stats.xp + value
  stats.streak = stats.streak_left > 0 and math.min(11, stats.streak + 1) or 0
  stats.streak_left = 0.5
  sound.play("gem_" .. stats.streak % 4 + 1 .. ".wav", 1, 1 + math.floor(stats.streak / 4) * 0.25)
end

take[2] = function(ctx, stats)
  stats.health = math.min(stats.max_health, stats.health + 30)
  sound.play("heal.ogg")
end

take[3] = function(ctx, stats)
  stats.pull = true
  sound.play("powerup.ogg", 1, 1.3)
end

take[4] = function(ctx, stats, _, at)
  prefabs.explode(ctx.commands, at.x, at.y, 150, 380, 300)
  ctx.commands:spawn(prefabs.wave, C.Position { x = at.x, y = at.y })
  local view = ctx:resource(C.View)
  view.shake, view.flash = 7, 0.15
  sound.play("explosion.ogg", 1.2, 0.8)
end

take[5] = function(ctx, stats)
  stats.pending = stats.pending + 1
  stats.health = math.min(stats.max_health, stats.health + 15)
  local game = ctx:resource(C.Game)
  game.score = game.score + 250
  sound.play("powerup.ogg")
end

--- Pulls in what is in range and takes what the hero touches.
ecs.system("pickups", {
  group = "simulation", after = { "strike", "wounds" },
  query = { write = { C.Pickup, C.Velocity }, read = { C.Position } },
  access = { read = { C.Hero, C.Clock }, write = { C.Stats, C.Game, C.View } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, stats = ctx:resource(C.Hero), ctx:resource(C.Stats)
    local hx, hy, reach, pull = at.x, at.y, stats.reach * stats.reach, stats.pull
    local pos, vel, pickup = chunk.Position, chunk.Velocity, chunk.Pickup
    local gems = 0
    for i = 1, chunk.count do
      local dx, dy = hx - pos.x[i], hy - pos.y[i]
      local squared = dx * dx + dy * dy
      if pickup.kind[i] == 1 then gems = gems + 1 end
      if stats.health <= 0 then
        vel.x[i], vel.y[i] = 0, 0  -- no hero is there to take it
      elseif squared < kTouch * kTouch then
        ctx.commands:destroy(chunk.entity[i])
        take[pickup.kind[i]](ctx, stats, pickup.value[i], at)
      elseif pickup.pulled[i] then
        local speed = kPull / math.sqrt(squared)
        vel.x[i], vel.y[i] = dx * speed, dy * speed
      elseif squared < reach or (pull and pickup.kind[i] == 1) then
        pickup.pulled[i] = true
      end
    end
    stats.gems = stats.gems + gems
  end,
})

--- The magnet works for one step; the crystals are counted again in each.
ecs.system("before pickups", {
  group = "simulation", before = "pickups", after = "wounds", access = { read = { C.Clock }, write = { C.Stats } },
  run = function(_, ctx)
    if not ctx:resource(C.Clock).running then return end
    ctx:resource(C.Stats).gems = 0
  end,
})
ecs.system("after pickups", {
  group = "simulation", before = "flock", access = { read = { C.Clock }, write = { C.Stats } },
  run = function(_, ctx)
    local stats = ctx:resource(C.Stats)
    if not ctx:resource(C.Clock).running then return end
    stats.streak_left = stats.streak_left - ctx.dt
    -- A magnet taken in this step may have missed earlier chunks, so the next step pulls all of them.
    if stats.pull then stats.pulls = stats.pulls + 1 else stats.pulls = 0 end
    if stats.pulls > 1 then stats.pull, stats.pulls = false, 0 end
  end,
})
