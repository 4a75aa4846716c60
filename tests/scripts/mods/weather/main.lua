-- A mod that others use: components, a prefab, a system between the game's, and services.
local ecs = require "ecs"
local C = ecs.components
local game = ecs.import("game")

ecs.prefab("Cloud", { C.Rain { amount = 7 }, game.components.Position })

ecs.system("rain", {
  after = "game:move", before = "game:score", access = { write = { game.resources.Trace } },
  run = function(_, ctx)
    local trace = ctx:resource(game.resources.Trace)
    trace.steps = trace.steps .. "r"
  end,
})

local asked = 0
ecs.service("forecast", function(day, place)
  asked = asked + 1
  return { day = day, where = { place }, rain = { 1, 2, day } }, asked
end)
ecs.service("echo", function(...) return ... end)
ecs.service("fail", function() error("no weather today") end)
ecs.service("handle", function() return C.Rain end)
ecs.service("world", function() ecs.world:spawn() end)
ecs.service("forever", function() return setmetatable({}, {}) end)
