-- Things that move: what the tests of the command line play.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Velocity", { { "x", "f32" }, { "y", "f32" } })
