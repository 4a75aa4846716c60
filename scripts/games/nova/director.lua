-- Decides what arrives when. Each wave has a budget, spent in groups that come in formations.
local ecs, arena, kinds, lists = require "ecs", require "arena", require "kinds", require "gather"
local sound = require "sound"
local C = ecs.components

local kTau = 2 * math.pi
local kSafeDistance = 250  -- px from a ship: nearer, nothing arrives

local function spawn(ctx, kind, x, y)
  x, y = arena.push(x, y, kind.radius + 20)
  local _, distance = lists.nearest_ship(x, y)
  if distance < kSafeDistance then return end
  ctx.commands:spawn(kind.prefab, C.Position { x = x, y = y },
    C.Enemy { health = kind.health, wait = ctx.random:range(0.6, 2), heading = ctx.random:range(0, kTau) })
end

-- Each returns the place of the k-th of `count` near `at`, a ship.
local formations = {
  function(_, k, count, at)                   -- a ring around it
    return at.x + 430 * math.cos(k * kTau / count), at.y + 430 * math.sin(k * kTau / count)
  end,
  function(_, k, count, at)                   -- a line on one side
    return at.x + (at.x > arena.width / 2 and -520 or 520), at.y + (k - count / 2) * 44
  end,
  function(ctx, _, _, at)                     -- a cloud beside it
    local side = at.y > arena.height / 2 and -1 or 1
    return at.x + ctx.random:range(-350, 350), at.y + side * ctx.random:range(280, 620)
  end,
}

ecs.system("director", {
  group = "play", after = "gather", access = { read = { C.Game }, write = { C.Director } },
  run = function(_, ctx)
    local director, enemies = ctx:resource(C.Director), lists.enemies.count
    director.banner = math.max(0, director.banner - ctx.dt)
    if ctx:resource(C.Game).phase ~= "playing" or #lists.ships == 0 then return end
    director.wait = director.wait - ctx.dt
    local wave = director.wave
    if director.left <= 0 and enemies <= 14 + 3 * wave then
      director.wave, director.banner, director.wait, director.left = wave + 1, 2.6, 0.6, 50 + 45 * wave
      sound("wave", 1)
    elseif director.left > 0 and director.wait <= 0 and enemies < 30 + 14 * wave then
      local kind = kinds[ctx.random:integer(1, math.min(#kinds - 1, wave + 1))]
      local count = math.ceil((9 + wave * 2.5) / kind.cost)
      local place, at = ctx.random:pick(formations), ctx.random:pick(lists.ships)
      for k = 1, count do spawn(ctx, kind, place(ctx, k, count, at)) end
      director.left, director.wait = director.left - count * kind.cost, math.max(0.5, 1.5 - 0.08 * wave)
      sound("arrive", 1)
    end
  end,
})
