-- Decides what arrives when. Each wave has a budget, spent in groups that come in formations.
local ecs = require "ecs"
local arena = require "arena"
local kinds = require "kinds"
local phases = require "phases"
local prefabs = require "prefabs"
local senses = require "senses"
local sound = require "sound"
local C = ecs.components

local kTau = 6.283185307
local kSafeDistance = 260  -- px from a ship: nearer, nothing arrives

local function spawn(ctx, kind, x, y)
  x, y = arena.push(math.min(math.max(x, 40), arena.width - 40), math.min(math.max(y, 40), arena.height - 40), kind.radius)
  local _, distance = senses.nearest_ship(x, y)
  if distance < kSafeDistance then return end
  ctx.commands:spawn(kind.prefab, C.Position { x = x, y = y },
    C.Enemy { health = kind.health, wait = ctx.random:range(0.6, 2), heading = ctx.random:range(0, kTau) })
end

local formations = {
  -- A ring around a ship.
  function(ctx, kind, count, at)
    local turn = ctx.random:range(0, kTau)
    for k = 1, count do
      local angle = turn + k * kTau / count
      spawn(ctx, kind, at.x + 430 * math.cos(angle), at.y + 430 * math.sin(angle))
    end
  end,
  -- A cloud in a corner.
  function(ctx, kind, count)
    local x, y = ctx.random:integer(0, 1) * arena.width, ctx.random:integer(0, 1) * arena.height
    for _ = 1, count do spawn(ctx, kind, x + ctx.random:range(-320, 320), y + ctx.random:range(-320, 320)) end
  end,
  -- A line on one side.
  function(ctx, kind, count, at)
    local x = at.x > arena.width / 2 and at.x - 560 or at.x + 560
    for k = 1, count do spawn(ctx, kind, x, at.y + (k - count / 2) * 44) end
  end,
  -- Scattered.
  function(ctx, kind, count)
    for _ = 1, count do spawn(ctx, kind, ctx.random:range(0, arena.width), ctx.random:range(0, arena.height)) end
  end,
}

local function next_wave(ctx, director)
  director.wave, director.banner, director.wait = director.wave + 1, 2.6, 0.8
  director.left = 26 + 15 * director.wave
  sound.play("wave", 1)
end

-- A kind that this wave may bring; dear ones are rarer.
local function pick(ctx, wave)
  for _ = 1, 20 do
    local kind = kinds[ctx.random:integer(1, #kinds)]
    if kind.from <= wave and ctx.random:chance(1.4 / kind.cost) then return kind end
  end
  return kinds[1]
end

ecs.system("director", {
  after = { "gather enemies", "gather ships" },
  access = { read = { C.Game, C.Crowd }, write = { C.Director } },
  run = function(_, ctx)
    local director = ctx:resource(C.Director)
    director.banner = math.max(0, director.banner - ctx.dt)
    if ctx:resource(C.Game).phase ~= phases.playing or #senses.ships == 0 then return end
    director.wait = director.wait - ctx.dt
    local enemies = ctx:resource(C.Crowd).enemies
    if director.left <= 0 then
      if enemies <= 6 + director.wave then next_wave(ctx, director) end
      return
    end
    if director.wait > 0 and not (enemies < 4 and director.wait < 1) then return end
    local kind = pick(ctx, director.wave)
    local count = math.ceil((5 + director.wave * 1.3) / kind.cost)
    formations[ctx.random:integer(1, #formations)](ctx, kind, count, ctx.random:pick(senses.ships))
    director.left = director.left - count * kind.cost
    director.wait = math.max(0.7, 2.3 - 0.1 * director.wave)
    sound.play("arrive", 1)
  end,
})

return { spawn = spawn }
