-- What happens to enemies that were hit, and what the special ones do: bombers, spitters, stragglers.
local ecs = require "ecs"
local hero = require "hero"
local kinds = require "kinds"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

local kMaxGems = 300    -- on the ground; the value of further ones is collected in one red crystal
local kFlash, kNoFlash = 0.08, 0.12  -- seconds: white when hit, then not again for a while
local kMaxShows = 30    -- deaths in a step that leave stains and shards
local kMaxNumbers = 14  -- damage numbers in a step

local enemies = {}

local function drop_experience(ctx, x, y, value, stats)
  if stats.gems > kMaxGems then
    stats.banked = stats.banked + value
    return
  end
  if stats.banked >= 25 then value, stats.banked = value + stats.banked, 0 end
  local gem = prefabs.gems[value >= 20 and 3 or value >= 4 and 2 or 1]
  ctx.commands:spawn(gem, C.Position { x = x, y = y }, C.Pickup { kind = 1, value = math.min(value, 60000) })
end

local function drop_luck(ctx, x, y, stats)
  local chance = ctx.random:unit()
  local luck = 1 + stats.luck * 0.6
  if chance < 0.0035 * luck then
    ctx.commands:spawn(prefabs.heart, C.Position { x = x, y = y })
  elseif chance < 0.005 * luck then
    ctx.commands:spawn(prefabs.bomb, C.Position { x = x, y = y })
  elseif chance < 0.0062 * luck then
    ctx.commands:spawn(prefabs.magnet, C.Position { x = x, y = y })
  end
end

local function die_grandly(ctx, x, y, kind)
  ctx.commands:spawn(prefabs.chest, C.Position { x = x, y = y })
  ctx.commands:spawn(prefabs.big_explosion, C.Position { x = x, y = y })
  ctx.commands:spawn(prefabs.wave, C.Position { x = x, y = y })
  ctx:resource(C.View).shake = 6
  sound.play("explosion.ogg")
  if kind.name == "boss" then ctx.commands:spawn(prefabs.heart, C.Position { x = x + 20, y = y }) end
  if kind == kinds.by_name.last_boss then ctx:resource(C.Director).last_boss_dead = true end
end

local function die(ctx, entity, x, y, number, score)
  local game, stats, kind = ctx:resource(C.Game), ctx:resource(C.Stats), kinds.list[number]
  game.kills, game.score = game.kills + 1, game.score + score * 10
  ctx.commands:destroy(entity)
  drop_experience(ctx, x, y, score, stats)
  if score >= 40 then die_grandly(ctx, x, y, kind) end
  local view = ctx:resource(C.View)
  view.deaths = view.deaths + 1
  if view.deaths > kMaxShows then
    stats.gems = stats.gems + 1
    return
  end
  ctx.commands:spawn(prefabs.splat, C.Position { x = x, y = y + kind.drop * 0.6 }, kind.splat)
  prefabs.burst(ctx, x, y, 2, kind.blood, 130)
  drop_luck(ctx, x, y, stats)
  sound.play(number % 2 == 0 and "enemy_die_1.wav" or "enemy_die_2.wav", 0.7, ctx.random:range(0.85, 1.15))
end

for _, kind in ipairs(kinds.list) do
  kind.splat = require("art").sprite("splat", require("art").layers.decal, { color = kind.blood - 0xFF + 100 })
end

local function show_number(ctx, x, y, damage)
  if damage < 8 and ctx.random:unit() > 0.25 then return end
  local view = ctx:resource(C.View)
  if view.numbers >= kMaxNumbers then return end
  view.numbers = view.numbers + 1
  ctx.commands:spawn(prefabs.number, C.Position { x = x + ctx.random:range(-5, 5), y = y - 12 },
    C.Number { value = math.min(60000, math.floor(damage + 0.5)), tint = damage >= 25 and 0xFFB53AFF or 0xFFF2B0FF })
end

--- Applies the damage that "strike" summed up. Most rows were not hit and cost one comparison.
ecs.system("wounds", {
  group = "simulation", after = "strike",
  query = { write = { C.Health, C.Enemy }, read = { C.Position } },
  access = { write = { C.Game, C.Stats, C.View, C.Director } },
  run = function(chunk, ctx)
    local health, enemy, pos = chunk.Health, chunk.Enemy, chunk.Position
    for i = 1, chunk.count do
      local damage = health.pending[i]
      if damage > 0 then
        local left = health.current[i] - damage
        health.pending[i], health.current[i] = 0, left
        if enemy.flash[i] < -kNoFlash then enemy.flash[i] = kFlash end
        show_number(ctx, pos.x[i], pos.y[i], damage)
        if left <= 0 then die(ctx, chunk.entity[i], pos.x[i], pos.y[i], enemy.kind[i], enemy.score[i]) end
      end
    end
  end,
})

-- ---- special ones ---------------------------------------------------------------------------------------------------

local kBomberReach, kBomberBlast, kBomberDamage, kFuse = 34, 46, 20, 0.55

--- A bomber lights its fuse near the hero, swells, and blows up: the swarm around it suffers too.
ecs.system("bombers", {
  group = "simulation", before = "flock",
  query = { write = { C.Fuse, C.Animation, C.Flock, C.Enemy }, read = { C.Position } },
  access = { read = { C.Hero, C.Clock, C.Game }, write = { C.Stats, C.View } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at = ctx:resource(C.Hero)
    local pos, left = chunk.Position, chunk.Fuse.left
    for i = 1, chunk.count do
      local dx, dy = at.x - pos.x[i], at.y - pos.y[i]
      local squared = dx * dx + dy * dy
      if left[i] < 0 then
        if squared < kBomberReach * kBomberReach then
          left[i], chunk.Flock.speed[i], chunk.Animation.rate[i] = kFuse, 0, 24
        end
      else
        left[i] = left[i] - ctx.dt
        chunk.Animation.size[i] = 1 + 0.5 * (1 - left[i] / kFuse)
        chunk.Enemy.flash[i] = math.floor(left[i] * 16) % 2 == 0 and 0.05 or 0
        if left[i] <= 0 then
          prefabs.explode(ctx.commands, pos.x[i], pos.y[i], 30, kBomberBlast, 200)
          if squared < kBomberBlast * kBomberBlast then hero.hurt(ctx, kBomberDamage) end
          ctx.commands:destroy(chunk.entity[i])
          sound.play("explosion.ogg", 0.8)
        end
      end
    end
  end,
})

--- Spits at the hero.
function enemies.spit(ctx, x, y, angle, speed)
  local dx, dy = math.cos(angle), math.sin(angle)
  ctx.commands:spawn(prefabs.spit, C.Position { x = x + dx * 8, y = y + dy * 8 },
    C.Velocity { x = dx * speed, y = dy * speed })
end

ecs.system("spitters", {
  group = "simulation", before = "flock",
  query = { write = { C.Shooter }, read = { C.Position } }, access = { read = { C.Hero, C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, pos, wait = ctx:resource(C.Hero), chunk.Position, chunk.Shooter.wait
    for i = 1, chunk.count do
      wait[i] = wait[i] - ctx.dt
      if wait[i] <= 0 then
        local dx, dy = at.x - pos.x[i], at.y - pos.y[i]
        wait[i] = chunk.Shooter.every[i] * ctx.random:range(0.8, 1.2)
        if dx * dx + dy * dy < 240 * 240 then
          enemies.spit(ctx, pos.x[i], pos.y[i], math.atan2(dy, dx), 120)
        end
      end
    end
  end,
})

--- Enemy shots hurt the hero.
ecs.system("enemy shots", {
  group = "simulation", after = "strike",
  query = { read = { C.Position, C.Spit } },
  access = { read = { C.Hero, C.Clock, C.Game }, write = { C.Stats, C.View } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at = ctx:resource(C.Hero)
    local hx, hy, pos, spit = at.x, at.y, chunk.Position, chunk.Spit
    for i = 1, chunk.count do
      local dx, dy, touch = hx - pos.x[i], hy - pos.y[i], 6 + spit.radius[i]
      if dx * dx + dy * dy < touch * touch then
        hero.hurt(ctx, spit.damage[i])
        ctx.commands:spawn(prefabs.spark, C.Position { x = pos.x[i], y = pos.y[i] })
        ctx.commands:destroy(chunk.entity[i])
      end
    end
  end,
})

local kLost, kGone = 560, 900

--- Chasers that fell far behind come back on the hero's other side; a stampede that has passed is gone.
ecs.system("stragglers", {
  group = "simulation", every = 0.5, before = "flock",
  query = { write = { C.Position }, read = { C.Flock, C.Enemy } },
  access = { read = { C.Hero, C.Clock, C.Game } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running or ctx:resource(C.Game).crowd > 0 then return end
    local at, pos, mode = ctx:resource(C.Hero), chunk.Position, chunk.Flock.mode
    local hx, hy = at.x, at.y
    for i = 1, chunk.count do
      local dx, dy = pos.x[i] - hx, pos.y[i] - hy
      local squared = dx * dx + dy * dy
      if mode[i] == 2 then
        if squared > kGone * kGone then ctx.commands:destroy(chunk.entity[i]) end
      elseif squared > kLost * kLost then
        local angle = ctx.random:range(0, 6.2832)
        pos.x[i], pos.y[i] = hx + math.cos(angle) * 430, hy + math.sin(angle) * 430
      end
    end
  end,
})

return enemies
