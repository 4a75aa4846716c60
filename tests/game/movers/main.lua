-- A hundred squares that move at random; the seed and the step decide where they are.
local ecs = require "ecs"
local gfx = require "gfx"
local C = ecs.components

for i = 1, 100 do ecs.world:spawn(C.Position { x = i, y = i }, C.Velocity {}) end

ecs.system("wander", {
  group = "simulation",
  query = { write = { C.Position, C.Velocity } },
  run = function(chunk, ctx)
    local pos, vel, random = chunk.Position, chunk.Velocity, ctx.random
    for i = 1, chunk.count do
      vel.x[i] = vel.x[i] + random:range(-10, 10)
      pos.x[i] = pos.x[i] + vel.x[i] * ctx.dt
    end
  end,
})

function draw()
  gfx.set_space("screen")
  gfx.rectangle("fill", 0, 0, 100, 50, "red")
end
