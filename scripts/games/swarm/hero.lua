-- The astronaut: walking, being hurt, dying, and the camera that follows.
local ecs = require "ecs"
local gfx = require "gfx"
local input = require "input"
local phases = require "phases"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

local hero = {}

local kRim = 1200           -- px from the middle: the hero cannot go farther
local kBiteEvery = 0.4      -- seconds between two bites, however many bite
local kShareOfOthers = 0.25 -- of the bites of all but the strongest

--- Takes damage off the hero, unless he is safe. Needs write access to Stats and View.
function hero.hurt(ctx, damage)
  local stats, view = ctx:resource(C.Stats), ctx:resource(C.View)
  if stats.safe > 0 or ctx:resource(C.Game).crowd > 0 then return end
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
  access = { read = { C.Clock }, write = { C.Stats } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local stats = ctx:resource(C.Stats)
    local pos, vel = chunk.Position, chunk.Velocity
    local x, y = input.vector("left", "right", "up", "down")
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
  game.record = game.score > game.best and game.crowd == 0
  if game.record then game.best = game.score end
  phases.go(ctx, phase)
  ctx:resource(C.View).flash = phase == phases.over and 0.6 or 0
  sound.quieter(0.15)
  sound.play(phase == phases.over and "game_over.ogg" or "level_up.ogg")
end

--- Bites, healing, and the end of the run.
ecs.system("wounds of the hero", {
  group = "simulation", after = { "strike", "enemy shots", "meteors" },
  access = { read = { C.Senses, C.Hero, C.Director }, write = { C.Stats, C.Game, C.Clock, C.View } },
  run = function(_, ctx)
    if not ctx:resource(C.Clock).running then return end
    local stats, senses = ctx:resource(C.Stats), ctx:resource(C.Senses)
    stats.safe, stats.hurt = stats.safe - ctx.dt, stats.hurt - ctx.dt
    if senses.touching > 0 then
      hero.hurt(ctx, senses.bite + (senses.bite_sum - senses.bite) * kShareOfOthers)
    end
    if stats.health <= 0 then
      local at = ctx:resource(C.Hero)
      stats.health = 0
      ctx.commands:spawn(prefabs.big_explosion, C.Position { x = at.x, y = at.y })
      ctx.commands:destroy(at.entity)
      finish(ctx, phases.over)
      return
    end
    stats.health = math.min(stats.max_health, stats.health + stats.regeneration * ctx.dt)
    if ctx:resource(C.Director).last_boss_dead then finish(ctx, phases.won) end
  end,
})

--- Follows the hero, shakes, and looks a little ahead.
ecs.system("camera", {
  group = "simulation", after = { "motion", "wounds of the hero" },
  access = { read = { C.Hero, C.Stats, C.Clock, C.Game }, write = { gfx.Camera, C.View } },
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
