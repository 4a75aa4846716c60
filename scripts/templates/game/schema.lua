-- The data of the game's entities. This file runs before the world exists; main.lua says what happens to them.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Velocity", { { "x", "f32", unit = "px/s" }, { "y", "f32", unit = "px/s" } })
ecs.component("Spark", {
  { "worth", "u16", 1, doc = "Points for gathering it" },
  { "glow", "f32", 6, unit = "s", doc = "Remaining life" },
})
ecs.component("Ghost", { { "speed", "f32", 90, min = 0, max = 600, unit = "px/s" } })
ecs.resource("Score", { { "points", "u32" }, { "best", "u32" } })
