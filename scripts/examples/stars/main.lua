-- Falling stars, the game of docs/first-game.md: catch what falls. Run it with: ./run scripts/examples/stars
local ecs, gfx, input = require "ecs", require "gfx", require "input"
local C = ecs.components

local Star = ecs.prefab("Star", { C.Position { y = -10 }, C.Velocity, C.Star })
local ship = ecs.world:spawn(C.Ship, C.Position { x = 640, y = 650 })

--- Ten stars a second, at random places. A command is carried out when the group has ended.
ecs.system("shower", {
  every = 0.1,
  run = function(_, ctx)
    ctx.commands:spawn(Star, C.Position { x = ctx.random:range(0, 1280), y = -10 },
      C.Velocity { y = ctx.random:range(150, 350) }, C.Star { size = ctx.random:range(2, 8) })
  end,
})

ecs.system("steer", {
  query = { write = { C.Position }, read = { C.Ship } },
  run = function(chunk, ctx)
    local step = 500 * input.axis("left", "right") * ctx.dt
    for i = 1, chunk.count do
      chunk.Position.x[i] = math.max(20, math.min(1260, chunk.Position.x[i] + step))
    end
  end,
})

ecs.system("move", {
  query = { write = { C.Position }, read = { C.Velocity } },
  run = function(chunk, ctx)
    local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt
    for i = 1, chunk.count do
      pos.x[i] = pos.x[i] + vel.x[i] * dt
      pos.y[i] = pos.y[i] + vel.y[i] * dt
    end
  end,
})

ecs.system("draw stars", {
  group = "presentation",
  query = { read = { C.Position, C.Star } },
  run = function(chunk)
    local pos, star = chunk.Position, chunk.Star
    for i = 1, chunk.count do gfx.circle("fill", pos.x[i], pos.y[i], star.size[i], "yellow") end
  end,
})

ecs.system("draw ship", {
  group = "presentation",
  query = { read = { C.Position, C.Ship } },
  run = function(chunk)
    for i = 1, chunk.count do
      gfx.rectangle("fill", chunk.Position.x[i] - 30, chunk.Position.y[i], 60, 14, "sky")
    end
  end,
})

ecs.system("catch", {
  after = { "move", "steer" },
  query = { read = { C.Position, C.Star } },
  access = { write = { C.Score } },
  run = function(chunk, ctx)
    local pos, star, score = chunk.Position, chunk.Star, ctx:resource(C.Score)
    local ship_x = ctx:try_get(ship, C.Position).x
    for i = 1, chunk.count do
      local is_caught = pos.y[i] > 645 and pos.y[i] < 670 and math.abs(pos.x[i] - ship_x) < 30 + star.size[i]
      if is_caught then score.points = score.points + 1 end
      if pos.y[i] > 740 then score.missed = score.missed + 1 end
      if is_caught or pos.y[i] > 740 then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})

ecs.system("draw score", {
  group = "presentation",
  access = { read = { C.Score } },
  run = function(_, ctx)
    local score = ctx:resource(C.Score)
    gfx.print("caught " .. score.points .. "   missed " .. score.missed, 20, 20, { size = 28 })
  end,
})
