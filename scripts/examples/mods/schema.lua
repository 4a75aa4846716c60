-- What the harbour is made of, and what its mods find under ecs.import("harbour").
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Velocity", { { "x", "f32", unit = "px/s" }, { "y", "f32", unit = "px/s" } })
ecs.component("Boat", { { "length", "f32", 30, min = 8, max = 120 }, { "color", "color", 0xffffffff } })
ecs.resource("Harbour", { { "boats", "u32" }, { "turns", "u32" } })
ecs.event("Turned", { { "boat", "entity" } })
