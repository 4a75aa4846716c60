-- How crowds appear: rings, walls, stampedes, flights. Each takes (ctx, at, …) and records its spawns.
-- All of them start off screen; the screen shows 640 x 360 px around the hero.
local ecs = require "ecs"
local prefabs = require "prefabs"
local C = ecs.components

local formations = {}

local kOutside = 390       -- px: half of the screen's diagonal and a little
local kArena = 1490        -- px from the centre: where creatures may be
local kStraight = 2
local kTau = 6.283185307

--- How much tougher creatures are at this time: 1 at the start, about 3 at the end.
function formations.toughness(time) return 1 + time / 150 end

local function toughen(chunk, i, kind, time)
  local health = kind.health * formations.toughness(time)
  chunk.Health.current[i], chunk.Health.max[i] = health, health
end

--- `count` creatures at random places around the screen.
function formations.scatter(ctx, at, kind, count, time)
  local hx, hy = at.x, at.y
  ctx.commands:spawn_many(kind.prefab, count, function(chunk, first, last)
    for i = first, last do
      local angle, away = ctx.random:range(0, kTau), ctx.random:range(kOutside, kOutside + 60)
      chunk.Position.x[i], chunk.Position.y[i] = hx + math.cos(angle) * away, hy + math.sin(angle) * away
      chunk.Flock.phase[i] = ctx.random:integer(0, 119)
      toughen(chunk, i, kind, time)
    end
  end)
end

--- `count` creatures anywhere off screen, as far out as a crowd reaches.
function formations.surround(ctx, at, kind, count)
  local hx, hy = at.x, at.y
  ctx.commands:spawn_many(kind.prefab, count, function(chunk, first, last)
    for i = first, last do
      local angle, away = ctx.random:range(0, kTau), ctx.random:range(kOutside, kOutside + 700)
      chunk.Position.x[i] = math.max(-kArena, math.min(kArena, hx + math.cos(angle) * away))
      chunk.Position.y[i] = math.max(-kArena, math.min(kArena, hy + math.sin(angle) * away))
      chunk.Flock.phase[i] = ctx.random:integer(0, 119)
    end
  end)
end

--- A closed ring that tightens.
function formations.ring(ctx, at, kind, count, time, radius)
  local hx, hy, from = at.x, at.y, 0
  ctx.commands:spawn_many(kind.prefab, count, function(chunk, first, last)
    for i = first, last do
      local angle = from / count * kTau
      from = from + 1
      chunk.Position.x[i], chunk.Position.y[i] = hx + math.cos(angle) * radius, hy + math.sin(angle) * radius
      chunk.Flock.speed[i] = kind.speed * 0.75
      toughen(chunk, i, kind, time)
    end
  end)
end

--- A crowd that comes from one side: a cloud, deep and wide.
function formations.cloud(ctx, at, kind, count, time, angle)
  local x, y = at.x + math.cos(angle) * (kOutside + 90), at.y + math.sin(angle) * (kOutside + 90)
  ctx.commands:spawn_many(kind.prefab, count, function(chunk, first, last)
    for i = first, last do
      local a, away = ctx.random:range(0, kTau), 90 * math.sqrt(ctx.random:unit())
      chunk.Position.x[i], chunk.Position.y[i] = x + math.cos(a) * away, y + math.sin(a) * away
      chunk.Flock.phase[i] = ctx.random:integer(0, 119)
      toughen(chunk, i, kind, time)
    end
  end)
end

--- Runs straight across the screen and is gone: rows x columns, with a gap to slip through.
function formations.stampede(ctx, at, kind, time, options)
  local angle, rows, columns, speed = options.angle, options.rows, options.columns, options.speed
  local dx, dy = math.cos(angle), math.sin(angle)
  local gap = options.gap and ctx.random:integer(2, rows - 4) or -9
  local spacing, n = options.spacing or 16, 0
  local hx, hy = at.x - dx * (kOutside + 30), at.y - dy * (kOutside + 30)
  local count = rows * columns - (options.gap and 4 * columns or 0)
  ctx.commands:spawn_many(kind.prefab, count, function(chunk, first, last)
    for i = first, last do
      local row, column = n % rows, math.floor(n / rows)
      while row >= gap and row < gap + 4 do
        n = n + 1
        row, column = n % rows, math.floor(n / rows)
      end
      n = n + 1
      local side, back = (row - (rows - 1) / 2) * spacing, column * spacing + ctx.random:range(0, 8)
      chunk.Position.x[i] = hx - dy * side - dx * back
      chunk.Position.y[i] = hy + dx * side - dy * back
      chunk.Flock.mode[i], chunk.Flock.speed[i] = kStraight, speed
      chunk.Flock.heading_x[i], chunk.Flock.heading_y[i] = dx, dy
      chunk.Velocity.x[i], chunk.Velocity.y[i] = dx * speed, dy * speed
      toughen(chunk, i, kind, time)
    end
  end)
end

--- One strong creature from the given direction.
function formations.elite(ctx, at, kind, time, angle)
  local health = kind.health * formations.toughness(time) * 0.8
  local x, y = at.x + math.cos(angle) * kOutside, at.y + math.sin(angle) * kOutside
  ctx.commands:spawn(kind.prefab, C.Position { x = x, y = y }, C.Health { current = health, max = health })
end

--- A supply drop near the hero.
function formations.supplies(ctx, at)
  local angle = ctx.random:range(0, kTau)
  for i, what in ipairs { prefabs.chest, prefabs.heart, prefabs.magnet } do
    local x = at.x + math.cos(angle + i * 0.35) * 170
    local y = at.y + math.sin(angle + i * 0.35) * 170
    ctx.commands:spawn(what, C.Position { x = x, y = y })
    ctx.commands:spawn(prefabs.ring, C.Position { x = x, y = y })
  end
end

return formations
