-- Falling stars, the game of docs/first-game.md: what its data looks like.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Velocity", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Star", { { "size", "f32", 3, min = 1, max = 12, doc = "Radius in px" } })
ecs.component("Ship", { kind = "tag" })
ecs.resource("Score", { { "points", "u32" }, { "missed", "u32" } })
