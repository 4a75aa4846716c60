-- The components of the Perigee scenes.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Velocity", { { "x", "f32", unit = "px/s" }, { "y", "f32", unit = "px/s" } })
ecs.component("Look", {
  { "frame", "u16" }, { "rotation", "f32" }, { "scale", "f32" }, { "color", "color" },
  { "number", "u32", doc = "Place in the list of sprites, from 1" },
})
