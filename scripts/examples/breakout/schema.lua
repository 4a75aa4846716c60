-- The data of Breakout. Everything on the field has a Position, its centre, and a Box, its size; other components say
-- what else it is. There are no rules here; they are in main.lua.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Box", {
  doc = "The size and colour of a rectangle around its position",
  { "width", "f32", 16, min = 1, unit = "px" },
  { "height", "f32", 16, min = 1, unit = "px" },
  { "color", "color", 0xffffffff },
  { "flash", "f32", doc = "1 just after a hit, then down to 0" },
})
ecs.component("Velocity", { { "x", "f32", unit = "px/s" }, { "y", "f32", unit = "px/s" } })
ecs.component("Ball", { kind = "tag" })
ecs.component("Paddle", { kind = "tag" })
ecs.component("Brick", { { "points", "u16", 10, doc = "Points for breaking it" } })

-- The first label of an enum is its default, so a game begins by building a wall.
ecs.resource("Match", {
  { "state", ecs.enum { "new", "serve", "play", "lost", "won" } },
  { "is_demo", "bool", true, doc = "The paddle plays by itself until a player starts a match" },
  { "points", "u32" },
  { "lives", "u8", 3 },
  { "bricks", "u16", doc = "How many are left" },
  { "shake", "f32", doc = "How much the picture shakes, 0 to 1" },
})
