-- By Bo: replaces one of the game's systems, wraps another, and patches its prefab. If the mod weather is loaded, the
-- patch includes what weather added.
local ecs, gfx = require "ecs", require "gfx"
local game, weather = ecs.import("harbour"), ecs.import("weather")
local C = game.components
local WIDTH, HEIGHT = gfx.size()

local changes = { { C.Boat, length = 60 } }
if weather then changes[2] = { weather.components.Sail, area = 4 } end
ecs.patch_prefab("harbour:Boat", changes)

ecs.replace_system("harbour:turn", {
  query = { write = { C.Position }, read = { C.Boat } },
  run = function(chunk)
    local pos = chunk[C.Position]
    for i = 1, chunk.count do
      if pos.x[i] < -60 then pos.x[i] = WIDTH + 60 elseif pos.x[i] > WIDTH + 60 then pos.x[i] = -60 end
      if pos.y[i] < 80 then pos.y[i] = HEIGHT elseif pos.y[i] > HEIGHT then pos.y[i] = 80 end
    end
  end,
})

-- The speed limit of all boats.
ecs.wrap_system("harbour:move", {
  before = {
    query = { write = { C.Velocity } },
    run = function(chunk)
      local vel = chunk[C.Velocity]
      for i = 1, chunk.count do
        vel.x[i] = math.max(-200, math.min(200, vel.x[i]))
        vel.y[i] = math.max(-40, math.min(40, vel.y[i]))
      end
    end,
  },
})

local colors = { "red", "orange", "sky" }
ecs.on_added(C.Boat, { access = { write = { C.Boat } } }, function(added, ctx)
  for i = 1, added.count do
    local boat = ctx:try_get(added.entity[i], C.Boat)
    if boat then boat.color = colors[ctx.random:integer(1, #colors)] end
  end
end)
