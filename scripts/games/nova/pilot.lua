-- Plays the demonstration: flies where the least danger is, aims ahead of the nearest enemy, and bombs when surrounded.
local ecs = require "ecs"
local arena = require "arena"
local phases = require "phases"
local senses = require "senses"
local C = ecs.components
local sqrt = math.sqrt

local kTau = 6.283185307
local kSight = 420

-- How bad it is to be at x, y: enemies near there, spits, walls and corners.
local function danger(x, y, spits)
  local enemies, sum = senses.enemies, 0
  for k = 1, enemies.count do
    local dx, dy = enemies.x[k] + enemies.vx[k] * 0.25 - x, enemies.y[k] + enemies.vy[k] * 0.25 - y
    local gap = dx * dx + dy * dy
    if gap < kSight * kSight then sum = sum + 60 / (30 + math.max(0, sqrt(gap) - enemies.radius[k] - 12)) end
  end
  for k = 1, #spits do
    local dx, dy = spits[k].x - x, spits[k].y - y
    sum = sum + 1600 / (400 + dx * dx + dy * dy)
  end
  if arena.is_solid(x, y) then sum = sum + 6 end
  local away_x, away_y = x / arena.width - 0.5, y / arena.height - 0.5
  return sum + 6 * (away_x * away_x + away_y * away_y)
end

local spits = {}  -- scratch: rebuilt in each step

ecs.system("clear spits", { before = "watch spits", run = function() spits = {} end })
ecs.system("watch spits", {
  query = { read = { C.Position, C.Velocity, C.Spit } },
  run = function(chunk)
    local pos, vel = chunk.Position, chunk.Velocity
    for i = 1, chunk.count do
      spits[#spits + 1] = { x = pos.x[i] + vel.x[i] * 0.2, y = pos.y[i] + vel.y[i] * 0.2 }
    end
  end,
})

-- Where to fly: the best of some directions. Gems attract.
local function steer(ctx, ship, x, y, gem)
  local best, best_x, best_y = danger(x, y, spits) + 0.3, 0, 0
  for k = 0, 11 do
    local dx, dy = math.cos(k * kTau / 12), math.sin(k * kTau / 12)
    local cost = danger(x + dx * 90, y + dy * 90, spits) - 0.25 * (dx * ship.move_x + dy * ship.move_y)
    if gem then cost = cost - 1.1 * (dx * gem.x + dy * gem.y) end
    if cost < best then best, best_x, best_y = cost, dx, dy end
  end
  ship.move_x, ship.move_y = ship.move_x * 0.75 + best_x * 0.25, ship.move_y * 0.75 + best_y * 0.25
end

-- Aims at the enemy that is nearest, where it will be.
local function aim(ship, x, y)
  local enemies, best, at = senses.enemies, 640 * 640, nil
  local near = 0
  for k = 1, enemies.count do
    local dx, dy = enemies.x[k] - x, enemies.y[k] - y
    local gap = dx * dx + dy * dy
    if gap < best then best, at = gap, k end
    if gap < 110 * 110 then near = near + 1 end
  end
  ship.firing, ship.bomb = at ~= nil, near >= 9
  if not at then return end
  local ahead = sqrt(best) / 880
  local dx, dy = enemies.x[at] + enemies.vx[at] * ahead - x, enemies.y[at] + enemies.vy[at] * ahead - y
  local length = math.max(1, sqrt(dx * dx + dy * dy))
  ship.aim_x, ship.aim_y = dx / length, dy / length
end

local gems = {}  -- scratch: rebuilt in each step
ecs.system("clear gems", { before = "watch gems", run = function() gems = {} end })
ecs.system("watch gems", {
  query = { read = { C.Position, C.Gem } },
  run = function(chunk)
    for i = 1, chunk.count do gems[#gems + 1] = { chunk.Position.x[i], chunk.Position.y[i] } end
  end,
})

local function nearest_gem(x, y)
  local best, found = 380, nil
  for k = 1, #gems do
    local dx, dy = gems[k][1] - x, gems[k][2] - y
    local gap = sqrt(dx * dx + dy * dy)
    if gap < best and gap > 1 then best, found = gap, { x = dx / gap, y = dy / gap } end
  end
  return found
end

ecs.system("pilot", {
  after = { "gather enemies", "watch spits", "watch gems" },
  query = { read = { C.Position }, write = { C.Ship } }, access = { read = { C.Game } },
  run = function(chunk, ctx)
    local game = ctx:resource(C.Game)
    if not game.demo or game.phase ~= phases.playing then return end
    for i = 1, chunk.count do
      local ship, x, y = chunk.Ship[i], chunk.Position.x[i], chunk.Position.y[i]
      if ctx.tick % 3 == 0 then steer(ctx, ship, x, y, nearest_gem(x, y)) end
      aim(ship, x, y)
    end
  end,
})
