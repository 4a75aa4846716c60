-- How enemies move: what each kind wants, and that they keep apart.
local ecs = require "ecs"
local kinds = require "kinds"
local phases = require "phases"
local prefabs = require "prefabs"
local senses = require "senses"
local C = ecs.components
local sqrt, cos, sin, atan2, max, min = math.sqrt, math.cos, math.sin, math.atan2, math.max, math.min

-- Each returns the wanted velocity of a row. dx, dy is a unit vector to the nearest ship, `gap` its distance.
local moves = {}

function moves.wander(ctx, kind, enemy, i, dx, dy)
  enemy.heading[i] = enemy.heading[i] + ctx.random:range(-5, 5) * ctx.dt
  local angle = enemy.heading[i]
  return (cos(angle) + dx * 0.35) * kind.speed, (sin(angle) + dy * 0.35) * kind.speed
end

function moves.chase(_, kind, _, _, dx, dy) return dx * kind.speed, dy * kind.speed end

-- Steps aside from the nearest shot that comes near.
function moves.dodge(_, kind, _, _, dx, dy, _, x, y)
  local shots, best, from = senses.shots, 120 * 120, nil
  for k = 1, shots.count do
    local sx, sy = x - shots.x[k], y - shots.y[k]
    local gap = sx * sx + sy * sy
    if gap < best and sx * shots.vx[k] + sy * shots.vy[k] > 0 then best, from = gap, k end
  end
  if not from then return dx * kind.speed, dy * kind.speed end
  local vx, vy = shots.vx[from], shots.vy[from]
  local side = (x - shots.x[from]) * -vy + (y - shots.y[from]) * vx > 0 and 2 or -2
  local length = max(1, sqrt(vx * vx + vy * vy))
  return -vy / length * side * kind.speed, vx / length * side * kind.speed
end

-- Aims for a while, then dashes straight on.
function moves.ram(ctx, kind, enemy, i, dx, dy, gap)
  enemy.wait[i] = enemy.wait[i] - ctx.dt
  if enemy.wait[i] > 0 then
    enemy.heading[i] = atan2(dy, dx)
    return dx * kind.speed, dy * kind.speed
  end
  if enemy.wait[i] < -0.75 then enemy.wait[i] = ctx.random:range(1.2, 2.4) end
  return cos(enemy.heading[i]) * kind.speed * 8, sin(enemy.heading[i]) * kind.speed * 8
end

-- Keeps its distance and spits.
function moves.aim(ctx, kind, enemy, i, dx, dy, gap, x, y)
  enemy.wait[i] = enemy.wait[i] - ctx.dt
  if enemy.wait[i] <= 0 and gap < 700 then
    enemy.wait[i] = 1.8
    local angle = atan2(dy, dx)
    for k = -1, 1 do
      ctx.commands:spawn(prefabs.spit, C.Position { x = x, y = y },
        C.Velocity { x = cos(angle + k * 0.22) * 190, y = sin(angle + k * 0.22) * 190 })
    end
  end
  local toward = gap > 330 and 1 or gap < 250 and -1 or 0
  return (dx * toward - dy * 0.6) * kind.speed, (dy * toward + dx * 0.6) * kind.speed
end

-- How neighbours push a row aside.
local function crowding(self, x, y, radius)
  local grid, px, py, left = senses.enemies, 0, 0, 12
  local center = senses.cell_of(x, y)
  for row = -senses.columns, senses.columns, senses.columns do
    for cell = center + row - 1, center + row + 1 do
      local k = grid.first[cell] or 0
      while k > 0 and left > 0 do
        if k ~= self then
          local dx, dy = x - grid.x[k], y - grid.y[k]
          local reach, gap = radius + grid.radius[k] + 4, dx * dx + dy * dy
          if gap < reach * reach and gap > 0.01 then
            local length = sqrt(gap)
            local push = (reach - length) / length
            px, py, left = px + dx * push, py + dy * push, left - 1
          end
        end
        k = grid.next[k]
      end
    end
  end
  return px, py
end

ecs.system("steer", {
  after = { "gather enemies", "gather shots", "gather ships", "director" },
  query = { read = { C.Position, C.Kind }, write = { C.Enemy, C.Velocity } }, access = { read = { C.Game } },
  run = function(chunk, ctx)
    if not phases.moves(ctx) then return end
    local kind, dt = kinds[chunk.Kind.id], ctx.dt
    local move, share = moves[kind.move], min(1, kind.turn * dt)
    local pos_x, pos_y, vel_x, vel_y = chunk.Position.x, chunk.Position.y, chunk.Velocity.x, chunk.Velocity.y
    local enemy = chunk.Enemy
    local before = chunk.first_row - 1
    for i = 1, chunk.count do
      enemy.age[i], enemy.flash[i] = enemy.age[i] + dt, max(0, enemy.flash[i] - dt)
      if enemy.age[i] > kinds.arrival then
        local x, y = pos_x[i], pos_y[i]
        local ship, gap = senses.nearest_ship(x, y)
        local dx, dy = 0, 0
        if ship then dx, dy = (ship.x - x) / max(1, gap), (ship.y - y) / max(1, gap) end
        local vx, vy = move(ctx, kind, enemy, i, dx, dy, gap, x, y)
        local px, py = crowding(before + i, x, y, kind.radius)
        vel_x[i] = vel_x[i] + (vx - vel_x[i]) * share + px * 14 * dt * 10
        vel_y[i] = vel_y[i] + (vy - vel_y[i]) * share + py * 14 * dt * 10
      end
    end
  end,
})
