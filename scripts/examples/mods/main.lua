-- A harbour with boats, made to be modded: small systems with names, a prefab, a resource and an event. It also runs
-- alone. Run it with: ./run scripts/examples/mods
local ecs, gfx = require "ecs", require "gfx"
local C = ecs.components
local WIDTH, HEIGHT = gfx.size()

local Boat = ecs.prefab("Boat", { C.Position, C.Velocity, C.Boat { color = "white" } })

--- A boat every half second, until there are 40.
ecs.system("arrive", {
  every = 0.5, access = { write = { C.Harbour } },
  run = function(_, ctx)
    local harbour = ctx:resource(C.Harbour)
    if harbour.boats >= 40 then return end
    harbour.boats = harbour.boats + 1
    ctx.commands:spawn(Boat, C.Position { x = ctx.random:range(0, WIDTH), y = ctx.random:range(100, HEIGHT) },
      C.Velocity { x = ctx.random:range(-60, 60), y = ctx.random:range(-20, 20) })
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

--- Boats turn at the edges.
ecs.system("turn", {
  after = "move",
  query = { read = { C.Position, C.Boat }, write = { C.Velocity } }, access = { write = { C.Harbour, C.Turned } },
  run = function(chunk, ctx)
    local pos, vel, harbour = chunk.Position, chunk.Velocity, ctx:resource(C.Harbour)
    for i = 1, chunk.count do
      local leaves_x = pos.x[i] < 0 and vel.x[i] < 0 or pos.x[i] > WIDTH and vel.x[i] > 0
      local leaves_y = pos.y[i] < 80 and vel.y[i] < 0 or pos.y[i] > HEIGHT and vel.y[i] > 0
      if leaves_x then vel.x[i] = -vel.x[i] end
      if leaves_y then vel.y[i] = -vel.y[i] end
      if leaves_x or leaves_y then
        harbour.turns = harbour.turns + 1
        ctx:send(C.Turned, { boat = chunk.entity[i] })
      end
    end
  end,
})

ecs.system("draw", {
  group = "presentation",
  query = { read = { C.Position, C.Velocity, C.Boat } },
  run = function(chunk)
    gfx.set_background("#10304a")
    local pos, boat = chunk.Position, chunk.Boat
    for i = 1, chunk.count do
      gfx.rectangle("fill", pos.x[i] - boat.length[i] / 2, pos.y[i] - 4, boat.length[i], 8, boat.color[i])
    end
  end,
})

ecs.system("draw sign", {
  group = "presentation", access = { read = { C.Harbour } },
  run = function(_, ctx)
    local harbour = ctx:resource(C.Harbour)
    gfx.print("boats " .. harbour.boats .. "   turns " .. harbour.turns, 20, 20, { size = 28 })
  end,
})
