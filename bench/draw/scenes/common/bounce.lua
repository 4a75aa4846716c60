-- Perigee: moves what has a velocity, back and forth between the edges of the screen.
local ecs = require "ecs"
local C = ecs.components

ecs.system("bounce", {
  query = { write = { C.Position, C.Velocity } },
  run = function(chunk, ctx)
    local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt
    for i = 1, chunk.count do
      local x, y = pos.x[i] + vel.x[i] * dt, pos.y[i] + vel.y[i] * dt
      pos.x[i], pos.y[i] = x, y
      if x < 20 or x > 1260 then vel.x[i] = -vel.x[i] end
      if y < 20 or y > 700 then vel.y[i] = -vel.y[i] end
    end
  end,
})
