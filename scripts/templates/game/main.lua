-- @title@: gather sparks with the arrow keys or WASD and keep away from the ghosts. Their number grows.
-- Change a number, save, and look.
local ecs, gfx, input = require "ecs", require "gfx", require "input"
local C, world = ecs.components, ecs.world

local WIDTH, HEIGHT = 1280, 720
local SPEED, REACH = 320, 24

input.action("left", { keys = { "left", "a" }, pad = { "left_x-", "dpad_left" } })
input.action("right", { keys = { "right", "d" }, pad = { "left_x+", "dpad_right" } })
input.action("up", { keys = { "up", "w" }, pad = { "left_y-", "dpad_up" } })
input.action("down", { keys = { "down", "s" }, pad = { "left_y+", "dpad_down" } })

local Spark = ecs.prefab("Spark", { C.Position, C.Spark })
local Ghost = ecs.prefab("Ghost", { C.Position, C.Velocity, C.Ghost })
local hero = world:spawn(C.Position { x = WIDTH / 2, y = HEIGHT / 2 }, C.Velocity)

local ghosts = ecs.query { read = { C.Ghost } }

-- Velocities first: the hero follows the keys, and ghosts follow the hero. Then "move" applies them.
ecs.system("steer", {
  access = { write = { C.Velocity } },
  run = function(_, ctx)
    local x, y = input.vector("left", "right", "up", "down")
    local velocity = ctx:try_get(hero, C.Velocity)
    velocity.x, velocity.y = x * SPEED, y * SPEED
  end,
})

ecs.system("haunt", {
  query = { write = { C.Velocity }, read = { C.Position, C.Ghost } },
  run = function(chunk, ctx)
    local at = ctx:try_get(hero, C.Position)
    local x, y = at.x, at.y
    local pos, vel, ghost = chunk.Position, chunk.Velocity, chunk.Ghost
    for i = 1, chunk.count do
      local dx, dy = x - pos.x[i], y - pos.y[i]
      local scale = ghost.speed[i] / math.max(1, math.sqrt(dx * dx + dy * dy))
      vel.x[i], vel.y[i] = dx * scale, dy * scale
    end
  end,
})

ecs.system("move", {
  after = { "steer", "haunt" },
  query = { write = { C.Position }, read = { C.Velocity } },
  run = function(chunk, ctx)
    local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt
    for i = 1, chunk.count do
      pos.x[i] = math.max(0, math.min(WIDTH, pos.x[i] + vel.x[i] * dt))
      pos.y[i] = math.max(0, math.min(HEIGHT, pos.y[i] + vel.y[i] * dt))
    end
  end,
})

-- What the hero touches. Commands create and destroy entities when all systems of the group have run.
local function is_reached(chunk, i, at)
  local dx, dy = chunk.Position.x[i] - at.x, chunk.Position.y[i] - at.y
  return dx * dx + dy * dy < REACH * REACH
end

ecs.system("gather", {
  after = "move",
  query = { read = { C.Position, C.Spark } },
  access = { write = { C.Score } },
  run = function(chunk, ctx)
    local at, score = ctx:try_get(hero, C.Position), ctx:resource(C.Score)
    for i = 1, chunk.count do
      if is_reached(chunk, i, at) then
        score.points = score.points + chunk.Spark.worth[i]
        score.best = math.max(score.best, score.points)
        ctx.commands:destroy(chunk.entity[i])
      end
    end
  end,
})

ecs.system("catch", {
  after = "gather",
  query = { read = { C.Position, C.Ghost } },
  access = { write = { C.Score } },
  run = function(chunk, ctx)
    local at = ctx:try_get(hero, C.Position)
    for i = 1, chunk.count do
      if is_reached(chunk, i, at) then
        ctx:resource(C.Score).points = 0
        ctx.commands:destroy_all(ghosts)
        return
      end
    end
  end,
})

ecs.system("fade", {
  after = "gather",
  query = { write = { C.Spark } },
  run = function(chunk, ctx)
    local glow, dt = chunk.Spark.glow, ctx.dt
    for i = 1, chunk.count do
      glow[i] = glow[i] - dt
      if glow[i] <= 0 then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})

-- Sparks appear often and anywhere, ghosts now and then at the sides.
ecs.system("sparkle", {
  every = 0.4,
  run = function(_, ctx)
    local x, y = ctx.random:range(40, WIDTH - 40), ctx.random:range(40, HEIGHT - 40)
    ctx.commands:spawn(Spark, C.Position { x = x, y = y })
  end,
})

ecs.system("appear", {
  every = 3,
  run = function(_, ctx)
    local left = ctx.random:range(0, 1) < 0.5
    ctx.commands:spawn(Ghost, C.Position { x = left and 0 or WIDTH, y = ctx.random:range(0, HEIGHT) },
      C.Ghost { speed = ctx.random:range(60, 160) })
  end,
})

-- Drawing. Systems of this group read the world and change nothing in it.
ecs.system("draw sparks", {
  group = "presentation",
  query = { read = { C.Position, C.Spark } },
  run = function(chunk)
    local pos, glow = chunk.Position, chunk.Spark.glow
    for i = 1, chunk.count do gfx.circle("fill", pos.x[i], pos.y[i], 3 + glow[i], "yellow") end
  end,
})

ecs.system("draw ghosts", {
  group = "presentation",
  after = "draw sparks",
  query = { read = { C.Position, C.Ghost } },
  run = function(chunk)
    local pos = chunk.Position
    for i = 1, chunk.count do gfx.circle("fill", pos.x[i], pos.y[i], 16, "#b9a8ff") end
  end,
})

ecs.system("draw hero", {
  group = "presentation",
  after = "draw ghosts",
  access = { read = { C.Position, C.Score } },
  run = function(_, ctx)
    local at, score = ctx:try_get(hero, C.Position), ctx:resource(C.Score)
    gfx.circle("fill", at.x, at.y, 14, "sky")
    gfx.print("sparks " .. score.points .. "   best " .. score.best, 20, 20, { size = 28 })
  end,
})
