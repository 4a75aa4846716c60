-- How enemies move: what each kind wants, and that they keep apart.
local ecs, gfx, kinds = require "ecs", require "gfx", require "kinds"
local lists, prefabs = require "gather", require "prefabs"
local C = ecs.components
local sqrt, cos, sin, atan2, max = math.sqrt, math.cos, math.sin, math.atan2, math.max

-- Each returns the wanted velocity of a row. dx, dy is a unit vector to the nearest ship, `gap` its distance.
local moves = {}

function moves.wander(ctx, kind, enemy, i, dx, dy)
  enemy.heading[i] = enemy.heading[i] + ctx.random:range(-5, 5) * ctx.dt
  return (cos(enemy.heading[i]) + dx * 0.8) * kind.speed, (sin(enemy.heading[i]) + dy * 0.8) * kind.speed
end

function moves.chase(_, kind, _, _, dx, dy) return dx * kind.speed, dy * kind.speed end

-- Steps aside from a shot that comes near.
function moves.dodge(_, kind, _, _, dx, dy, _, x, y)
  local shots = lists.shots
  for k in lists.near(shots, x, y, 115) do
    local vx, vy, sx, sy = shots.vx[k], shots.vy[k], x - shots.x[k], y - shots.y[k]
    if sx * vx + sy * vy > 0 then
      local share = (sy * vx > sx * vy and 2 or -2) * kind.speed / max(1, sqrt(vx * vx + vy * vy))
      return -vy * share, vx * share
    end
  end
  return dx * kind.speed, dy * kind.speed
end

-- Aims for a while, then dashes straight on.
function moves.ram(ctx, kind, enemy, i, dx, dy)
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
    enemy.wait[i] = 2.4
    for k = -1, 1 do
      local angle = atan2(dy, dx) + k * 0.22
      ctx.commands:spawn(prefabs.spit, C.Position { x = x, y = y },
        C.Velocity { x = cos(angle) * 190, y = sin(angle) * 190 })
    end
  end
  local toward = gap > 330 and 1 or gap < 250 and -1 or 0
  return (dx * toward - dy * 0.6) * kind.speed, (dy * toward + dx * 0.6) * kind.speed
end

-- How its neighbours push an enemy aside.
local function crowding(entity, x, y, radius)
  local list, px, py = lists.enemies, 0, 0
  for k = 1, list.count do
    local dx, dy, reach = x - list.x[k], y - list.y[k], radius + list.radius[k] + 4
    local gap = dx * dx + dy * dy
    if gap < reach * reach and gap > 0.01 and list.entity[k] ~= entity then
      local push = reach / sqrt(gap) - 1
      px, py = px + dx * push, py + dy * push
    end
  end
  return px, py
end

-- Two loops, each of which is simple enough to be compiled.
local function spread(chunk, radius, dt)
  local pos, vel = chunk.Position, chunk.Velocity
  for i = 1, chunk.count do
    local px, py = crowding(chunk.entity[i], pos.x[i], pos.y[i], radius)
    vel.x[i], vel.y[i] = vel.x[i] + px * 140 * dt, vel.y[i] + py * 140 * dt
  end
end

local function pursue(chunk, ctx, kind, move, share)
  local pos, vel, enemy, dt = chunk.Position, chunk.Velocity, chunk.Enemy, ctx.dt
  for i = 1, chunk.count do
    enemy.age[i], enemy.flash[i] = enemy.age[i] + dt, max(0, enemy.flash[i] - dt)
    local x, y, dx, dy, vx, vy = pos.x[i], pos.y[i], 0, 0, 0, 0
    local ship, gap = lists.nearest_ship(x, y)
    if ship then dx, dy = (ship.x - x) / max(1, gap), (ship.y - y) / max(1, gap) end
    if enemy.age[i] > kinds.arrival then vx, vy = move(ctx, kind, enemy, i, dx, dy, gap, x, y) end
    vel.x[i], vel.y[i] = vel.x[i] + (vx - vel.x[i]) * share, vel.y[i] + (vy - vel.y[i]) * share
  end
end

ecs.system("steer", {
  group = "play", after = { "gather", "director" },
  query = { read = { C.Position, C.Kind }, write = { C.Enemy, C.Velocity } },
  run = function(chunk, ctx)
    local kind = kinds[chunk.Kind.id]
    pursue(chunk, ctx, kind, moves[kind.move], kind.turn * ctx.dt)
    spread(chunk, kind.radius, ctx.dt)
  end,
})

--- How they look: one that arrives closes in from nothing, and one that is hit turns white.
ecs.system("pose", {
  group = "play", after = "steer",
  query = { read = { C.Velocity, C.Kind, C.Enemy }, write = { gfx.Sprite, gfx.Light } },
  run = function(chunk, ctx)
    local id, kind, enemy, vel, sprite = chunk.Kind.id, kinds[chunk.Kind.id], chunk.Enemy, chunk.Velocity, chunk.Sprite
    for i = 1, chunk.count do
      local left, is_hit = max(0, 1 - enemy.age[i] / kinds.arrival), enemy.flash[i] > 0
      local scale = kind.radius / prefabs.unit * (1 + 2 * left + (is_hit and 0.15 or 0.06 * sin(ctx.time * 7 + i)))
      sprite.scale_x[i], sprite.scale_y[i], sprite.frame[i] = scale, scale, id - 1 + (is_hit and prefabs.white or 0)
      sprite.rotation[i] = kind.move == "ram" and enemy.heading[i] or kind.spin and ctx.time * kind.spin + i
        or atan2(vel.y[i], vel.x[i])
      sprite.color[i] = prefabs.fade(0xFFFFFFFF, 1 - left)
      chunk.Light.intensity[i] = left > 0 and 0 or 0.5
    end
  end,
})
