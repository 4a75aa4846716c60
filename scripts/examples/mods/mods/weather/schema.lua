-- The wind, one for the whole sea, and the sail that catches it.
local ecs = require "ecs"

ecs.resource("Wind", { { "x", "f32", unit = "px/s²" }, { "y", "f32", unit = "px/s²" } })
ecs.component("Sail", { { "area", "f32", 1, min = 0, max = 20, doc = "How much of the wind it catches" } })
