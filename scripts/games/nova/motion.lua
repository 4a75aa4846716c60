-- Everything moves: bodies stop at walls, shots and spits end there, gems drift, flashes fade.
local ecs = require "ecs"
local gfx = require "gfx"
local arena = require "arena"
local phases = require "phases"
local prefabs = require "prefabs"
local senses = require "senses"
local C = ecs.components
local sqrt = math.sqrt

ecs.system("move", {
  after = { "steer", "control" },
  query = { write = { C.Position, C.Velocity }, read = { C.Body } }, access = { read = { C.Game } },
  run = function(chunk, ctx)
    if not phases.moves(ctx) then return end
    local pos, vel, radius, dt, push = chunk.Position, chunk.Velocity, chunk.Body.radius, ctx.dt, arena.push
    for i = 1, chunk.count do
      local vx, vy = vel.x[i], vel.y[i]
      local x, y, nx, ny = push(pos.x[i] + vx * dt, pos.y[i] + vy * dt, radius[i])
      pos.x[i], pos.y[i] = x, y
      local into = vx * nx + vy * ny
      if into < 0 then vel.x[i], vel.y[i] = vx - 1.6 * into * nx, vy - 1.6 * into * ny end
    end
  end,
})

local function fly(name, component, on_wall)
  ecs.system(name, {
    after = { "steer", "control", "gather shots" }, before = "strike",
    query = { write = { C.Position, component }, read = { C.Velocity } }, access = { read = { C.Game } },
    run = function(chunk, ctx)
      if not phases.moves(ctx) then return end
      local pos, vel, left, dt = chunk.Position, chunk.Velocity, chunk[component].left, ctx.dt
      for i = 1, chunk.count do
        pos.x[i], pos.y[i], left[i] = pos.x[i] + vel.x[i] * dt, pos.y[i] + vel.y[i] * dt, left[i] - dt
        local is_in_wall = arena.is_solid(pos.x[i], pos.y[i])
        if is_in_wall and on_wall then gfx.burst(on_wall, pos.x[i] - vel.x[i] * dt, pos.y[i] - vel.y[i] * dt) end
        if is_in_wall or left[i] <= 0 then ctx.commands:destroy(chunk.entity[i]) end
      end
    end,
  })
end
fly("fly", C.Shot, prefabs.sparks_of_shots)
fly("fly of spits", C.Spit)

--- Gems drift to a ship that is near.
ecs.system("drift", {
  after = { "gather ships", "control" },
  query = { write = { C.Position, C.Velocity, C.Gem } }, access = { read = { C.Game } },
  run = function(chunk, ctx)
    if not phases.moves(ctx) then return end
    local pos, vel, gem, dt = chunk.Position, chunk.Velocity, chunk.Gem, ctx.dt
    for i = 1, chunk.count do
      local x, y = pos.x[i], pos.y[i]
      local ship, gap = senses.nearest_ship(x, y)
      local vx, vy = vel.x[i] * (1 - 2 * dt), vel.y[i] * (1 - 2 * dt)
      if ship and gap < 170 then
        local pull = 2600 * dt / math.max(20, gap) * (1.6 - gap / 170)
        vx, vy = vx + (ship.x - x) * pull, vy + (ship.y - y) * pull
      end
      local speed = sqrt(vx * vx + vy * vy)
      if speed > 620 then vx, vy = vx * 620 / speed, vy * 620 / speed end
      vel.x[i], vel.y[i] = vx, vy
      pos.x[i], pos.y[i] = arena.push(x + vx * dt, y + vy * dt, 6)
      gem.spin[i], gem.left[i] = gem.spin[i] + 3 * dt, gem.left[i] - dt
      if gem.left[i] <= 0 then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})

ecs.system("flashes", {
  query = { write = { C.Flash } }, access = { read = { C.Game } },
  run = function(chunk, ctx)
    if not phases.moves(ctx) then return end
    local age, life = chunk.Flash.age, chunk.Flash.life
    for i = 1, chunk.count do
      age[i] = age[i] + ctx.dt
      if age[i] >= life[i] then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})
