-- Decides what appears when: the constant, growing trickle, and the events of timeline.lua with their banners.
-- All its state is the resource Director, so a saved or replayed game continues in the same way.
local ecs = require "ecs"
local formations = require "formations"
local hero = require "hero"
local kinds = require("kinds").by_name
local prefabs = require "prefabs"
local sound = require "sound"
local timeline = require "timeline"
local C = ecs.components

local kBannerSeconds = 3.5
local kMaxRefill = 40  -- in a step
local kTau = 6.283185307

-- The kinds in the trickle, each from which second on, and how often compared with the others.
local mix = {
  { kind = kinds.mite, from = 0, weight = 10 },
  { kind = kinds.crawler, from = 12, weight = 5 },
  { kind = kinds.moth, from = 50, weight = 2.5 },
  { kind = kinds.bomber, from = 118, weight = 0.8 },
  { kind = kinds.spitter, from = 178, weight = 0.7 },
  { kind = kinds.brute, from = 212, weight = 0.8 },
}

--- Creatures per second in the trickle.
local function rate(time) return 2.6 + 0.05 * time + 0.0009 * time * time end

--- The trickle waits while more than this many are alive.
local function max_alive(time) return 80 + 9 * time end

local function pick_kind(ctx, time)
  local total = 0
  for _, entry in ipairs(mix) do
    if time >= entry.from then total = total + entry.weight end
  end
  local left = ctx.random:range(0, total)
  for _, entry in ipairs(mix) do
    if time >= entry.from then
      left = left - entry.weight
      if left < 0 then return entry.kind end
    end
  end
  return mix[1].kind
end

local function trickle(ctx, director, at, time)
  director.owed = director.owed + rate(time) * ctx.dt
  if ctx:resource(C.Senses).enemies >= max_alive(time) then
    director.owed = math.min(director.owed, 1)
    return
  end
  while director.owed >= 1 do
    local count = math.min(math.floor(director.owed), 8)
    formations.scatter(ctx, at, pick_kind(ctx, time), count, time)
    director.owed = director.owed - count
  end
end

-- In crowd mode each death is replaced. Spawns of the previous step are not counted yet.
local function refill(ctx, at, crowd, time)
  local missing = crowd - ctx:resource(C.Senses).enemies
  if time > 0.5 and missing > 0 then formations.surround(ctx, at, kinds.mite, math.min(missing, kMaxRefill)) end
end

local function announce(ctx, director, event, time)
  director.banner, director.banner_left = director.next, kBannerSeconds
  director.longest_gap = math.max(director.longest_gap, time - director.last_news)
  director.last_news, director.news = time, director.news + 1
  if event.warning then sound.play("boss_warning.ogg") else sound.play("powerup.ogg", 0.5, 0.8) end
  ctx:log(("%d:%02d %s"):format(math.floor(time / 60), math.floor(time % 60), event.text))
end

local function drop_meteors(ctx, director, at)
  if director.meteors_left <= 0 then return end
  director.meteors_left, director.meteor_wait = director.meteors_left - ctx.dt, director.meteor_wait - ctx.dt
  if director.meteor_wait > 0 then return end
  director.meteor_wait = 0.16
  local angle, away = ctx.random:range(0, kTau), 260 * math.sqrt(ctx.random:unit())
  -- Every fourth falls on the hero's position.
  if ctx.random:chance(0.25) then away = 10 end
  local x, y = at.x + math.cos(angle) * away, at.y + math.sin(angle) * away
  ctx.commands:spawn(prefabs.meteor, C.Position { x = x, y = y })
end

ecs.system("director", {
  group = "simulation", before = "flock", after = "walk",
  access = { read = { C.Clock, C.Hero, C.Senses, C.Game }, write = { C.Director } },
  run = function(_, ctx)
    local clock, director = ctx:resource(C.Clock), ctx:resource(C.Director)
    if not clock.running then return end
    local at, time = ctx:resource(C.Hero), clock.time
    director.banner_left = director.banner_left - ctx.dt
    if ctx:resource(C.Game).crowd > 0 then return refill(ctx, at, ctx:resource(C.Game).crowd, time) end
    local event = timeline[director.next]
    if event and time >= event.time then
      announce(ctx, director, event, time)
      director.next = director.next + 1
      if event.act then event.act(ctx, at, time, director) end
    end
    drop_meteors(ctx, director, at)
    trickle(ctx, director, at, time)
  end,
})

--- Meteors fall on their marks and hit friend and foe.
ecs.system("meteors", {
  group = "simulation", after = "strike",
  query = { write = { C.Meteor }, read = { C.Position } },
  access = { read = { C.Hero, C.Clock, C.Game }, write = { C.Stats, C.View } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, pos, meteor = ctx:resource(C.Hero), chunk.Position, chunk.Meteor
    for i = 1, chunk.count do
      meteor.left[i] = meteor.left[i] - ctx.dt
      if meteor.left[i] <= 0 then
        local x, y, radius = pos.x[i], pos.y[i], meteor.radius[i]
        local dx, dy = at.x - x, at.y - y
        prefabs.explode(ctx.commands, x, y, 90, radius + 10, 160)
        prefabs.burst(ctx, x, y, 5, 0x5C6488FF, 200)
        if dx * dx + dy * dy < radius * radius then hero.hurt(ctx, meteor.damage[i]) end
        ctx:resource(C.View).shake = math.max(ctx:resource(C.View).shake, 3)
        ctx.commands:destroy(chunk.entity[i])
        sound.play("explosion.ogg", 0.6, ctx.random:range(0.8, 1.1))
      end
    end
  end,
})

return { timeline = timeline, kBannerSeconds = kBannerSeconds }
