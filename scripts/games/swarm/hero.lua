-- The astronaut: walking, being hurt, dying, and the camera that follows.
local ecs = require "ecs"
local gfx = require "gfx"
local input = require "input"
local phases = require "phases"
local prefabs = require "prefabs"
local scores = require "scores"
local sound = require "sound"
local C = ecs.components

local hero = {}

local kRim = 1200           -- px from the centre: the hero cannot go farther
local kBiteEvery = 0.4      -- seconds between two bites, however many enemies bite
local kShareOfOthers = 0.25 -- how much the bites of all but the strongest enemy count
local kDying = 1.4          -- seconds from the last wound to the result, to show the explosion
hero.kCrowdSeconds = 120    -- then the crowd mode ends

--- Damages the hero, unless he is safe. Needs write access to Stats and View.
function hero.hurt(ctx, damage)
  local stats, view = ctx:resource(C.Stats), ctx:resource(C.View)
  if stats.safe > 0 or stats.health <= 0 or ctx:resource(C.Game).crowd > 0 then return end
  damage = math.max(1, damage - stats.armor)
  stats.health = stats.health - damage
  stats.safe, stats.hurt = kBiteEvery, 0.25
  view.shake = math.min(7, math.max(view.shake, 2 + damage * 0.15))
  sound.play("player_hurt.ogg")
end

--- Walks where the player wants.
ecs.system("walk", {
  group = "simulation", before = "flock",
  query = { read = { C.Astronaut }, write = { C.Velocity, C.Position, C.Animation } },
  access = { read = { C.Clock, C.Game, C.Pilot }, write = { C.Stats } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local stats = ctx:resource(C.Stats)
    local pos, vel = chunk.Position, chunk.Velocity
    local x, y = input.vector("left", "right", "up", "down")
    if ctx:resource(C.Game).demo then x, y = ctx:resource(C.Pilot).x, ctx:resource(C.Pilot).y end
    if x ~= 0 or y ~= 0 then
      local length = math.sqrt(x * x + y * y)
      stats.facing_x, stats.facing_y = x / length, y / length
    end
    for i = 1, chunk.count do
      vel.x[i], vel.y[i] = x * stats.speed, y * stats.speed
      pos.x[i] = math.max(-kRim, math.min(kRim, pos.x[i]))
      pos.y[i] = math.max(-kRim, math.min(kRim, pos.y[i]))
      chunk.Animation.rate[i] = (x ~= 0 or y ~= 0) and 9 or 0
    end
  end,
})

local function finish(ctx, phase)
  local game = ctx:resource(C.Game)
  scores.note(ctx)
  if game.demo then
    game.demo = false
    sound.all(1)
    return phases.go(ctx, phases.title)
  end
  phases.go(ctx, phase)
  sound.quieter(0.15)
  sound.play(phase == phases.over and "game_over.ogg" or "level_up.ogg")
end

-- The swarm keeps moving for a moment where he fell.
local function die(ctx, stats)
  local at, view = ctx:resource(C.Hero), ctx:resource(C.View)
  stats.health = 0
  prefabs.burst(ctx, at.x, at.y, 24, 0xF6F8FFFF, 220)
  ctx.commands:spawn(prefabs.big_explosion, C.Position { x = at.x, y = at.y })
  ctx.commands:spawn(prefabs.wave, C.Position { x = at.x, y = at.y })
  ctx.commands:destroy(at.entity)
  phases.go(ctx, phases.dying)
  view.flash, view.shake = 0.6, 7
  sound.play("explosion.ogg", 1.2, 0.7)
end

--- Bites, healing, and the end of the run.
ecs.system("wounds of the hero", {
  group = "simulation", after = { "strike", "enemy shots", "meteors" },
  access = { read = { C.Senses, C.Hero, C.Director }, write = { C.Stats, C.Game, C.Clock, C.View } },
  run = function(_, ctx)
    local game, stats, senses = ctx:resource(C.Game), ctx:resource(C.Stats), ctx:resource(C.Senses)
    if game.phase == phases.dying and game.since > kDying then finish(ctx, phases.over) end
    if game.phase ~= phases.playing then return end
    stats.safe, stats.hurt = stats.safe - ctx.dt, stats.hurt - ctx.dt
    if senses.touching > 0 then
      hero.hurt(ctx, senses.bite + (senses.bite_sum - senses.bite) * kShareOfOthers)
    end
    if stats.health <= 0 then return die(ctx, stats) end
    stats.health = math.min(stats.max_health, stats.health + stats.regeneration * ctx.dt)
    local is_crowd_over = game.crowd > 0 and ctx:resource(C.Clock).time >= hero.kCrowdSeconds
    if is_crowd_over or ctx:resource(C.Director).last_boss_dead then finish(ctx, phases.won) end
  end,
})

--- Follows the hero, shakes, and looks a little ahead.
ecs.system("camera", {
  group = "simulation", after = { "motion", "wounds of the hero" },
  access = { read = { C.Hero, C.Stats, C.Clock }, write = { gfx.Camera, C.View } },
  run = function(_, ctx)
    local camera, view, at = ctx:resource(gfx.Camera), ctx:resource(C.View), ctx:resource(C.Hero)
    local stats = ctx:resource(C.Stats)
    if ctx:resource(C.Clock).running then
      local follow = 1 - math.exp(-7 * ctx.dt)
      view.x = view.x + (at.x + stats.facing_x * 14 - view.x) * follow
      view.y = view.y + (at.y + stats.facing_y * 10 - view.y) * follow
    end
    if ctx:resource(C.Clock).step <= 1 then view.x, view.y = at.x, at.y end
    view.shake = math.max(0, view.shake - 14 * ctx.dt)
    view.flash = math.max(0, view.flash - ctx.dt)
    view.deaths, view.numbers = 0, 0
    camera.zoom, camera.y_sort = 2, true
    camera.x = view.x + ctx.random:range(-1, 1) * view.shake
    camera.y = view.y + ctx.random:range(-1, 1) * view.shake
  end,
})

return hero
