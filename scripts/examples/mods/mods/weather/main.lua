-- By Ada: a component and a resource of its own, systems between the game's, and a service for other mods.
local ecs, settings = require "ecs", require "settings"
local C = ecs.components
local harbour = ecs.import("harbour").components

local function wind_at(time)
  return settings.strength * 10 * math.sin(time * 0.7), settings.strength * 2 * math.cos(time * 1.3)
end

ecs.system("blow", {
  before = "harbour:move", access = { write = { C.Wind } },
  run = function(_, ctx)
    local wind = ctx:resource(C.Wind)
    wind.x, wind.y = wind_at(ctx.time)
  end,
})

ecs.system("push", {
  after = "blow", before = "harbour:move",
  query = { write = { harbour.Velocity }, read = { C.Sail } }, access = { read = { C.Wind } },
  run = function(chunk, ctx)
    local vel, sail, wind = chunk[harbour.Velocity], chunk[C.Sail], ctx:resource(C.Wind)
    local x, y = wind.x * ctx.dt, wind.y * ctx.dt
    for i = 1, chunk.count do
      vel.x[i] = vel.x[i] + x * sail.area[i]
      vel.y[i] = vel.y[i] + y * sail.area[i]
    end
  end,
})

-- From now on boats have sails.
ecs.patch_prefab("harbour:Boat", { C.Sail })

--- The wind in this many seconds: { x, y, word }.
ecs.service("forecast", function(time, seconds)
  local x, y = wind_at(time + seconds)
  local word = math.abs(x) < 8 and "calm" or x < 0 and "wind from the east" or "wind from the west"
  return { x = x, y = y, word = word }
end)
