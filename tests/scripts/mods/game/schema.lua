-- What a game offers to its mods: see tuning/main.lua for what they do with it.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Health", { { "current", "f32", 10 } })
ecs.component("Frozen", { kind = "tag" })
ecs.resource("Trace", { { "steps", ecs.string(60) } })
ecs.resource("Score", { { "points", "f32" } })
ecs.event("Hit", { { "amount", "f32" } })
