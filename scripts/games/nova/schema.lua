-- Every component and resource of Perigee Nova. All state of the game is here; Lua locals are constants or scratch.
-- Units: world pixels, seconds.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Velocity", { { "x", "f32", unit = "px/s" }, { "y", "f32", unit = "px/s" } })
ecs.component("Body", { { "radius", "f32", 12, unit = "px" } })
ecs.component("Ship", {
  { "player", "u8", 1 }, { "move_x", "f32" }, { "move_y", "f32" },
  { "aim_x", "f32", 1, doc = "a unit vector" }, { "aim_y", "f32" }, { "firing", "bool" }, { "bomb", "bool" },
  { "wait", "f32", 0, unit = "s", doc = "until it can fire" },
  { "barrel", "u8", 0, doc = "turns the fan of its shots" },
  { "down", "f32", 0, unit = "s", doc = "until it comes back; 0 while it flies" },
  { "safe", "f32", 2, unit = "s", doc = "cannot be hurt" },
})
ecs.component("Kind", { kind = "shared", { "id", "u8", 1, doc = "place in kinds.lua" } })
ecs.component("Enemy", {
  { "health", "f32", 1 }, { "heading", "f32" },
  { "age", "f32", 0, unit = "s", doc = "it arrives during the first kinds.arrival seconds, and is harmless" },
  { "flash", "f32", 0, unit = "s", doc = "shows white: it was hit" },
  { "wait", "f32", 1, unit = "s", doc = "until it dashes or fires" },
})
ecs.component("Shot", { { "left", "f32", 1.1, unit = "s" }, { "player", "u8", 1, doc = "0: an enemy's" } })
ecs.component("Gem", { { "left", "f32", 7, unit = "s" } })
ecs.component("Flash", {
  { "age", "f32" }, { "life", "f32", 0.5, unit = "s" }, { "radius", "f32", 200, unit = "px" },
  { "color", "color", 0xFFFFFFFF }, { "ring", "bool", false, doc = "a blast that spreads" },
})
ecs.component("Eye", { { "half", "u8", 1, doc = "of the screen" }, { "small", "f32", 1, doc = "pixels of its own" } })

ecs.resource("Game", {
  { "phase", ecs.enum { "title", "playing", "paused", "over" } }, { "since", "f32", 0, doc = "time in this phase" },
  { "time", "f32", 0, unit = "s" }, { "players", "u8", 1 }, { "lives", "u8", 3 }, { "bombs", "u8", 3 },
  { "score", "u32" }, { "best", "u32" }, { "record", "bool" }, { "kills", "u32" },
  { "multiplier", "u16", 1 }, { "gems", "u16", 0, doc = "towards the next multiplier" },
  { "demo", "bool", doc = "the bot plays" }, { "demos", "u16" }, { "sweep", "bool", doc = "a new run begins" },
})
ecs.resource("Director", {
  { "wave", "u16" }, { "banner", "f32", 0, unit = "s" }, { "wait", "f32", 1, unit = "s", doc = "to the next group" },
  { "left", "f32", 0, doc = "what the rest of this wave may cost" },
})
ecs.resource("Scene", {
  { "count", "u8", 1, doc = "2: the screen is split" }, { "x", ecs.array("f32", 2) }, { "y", ecs.array("f32", 2) },
  { "zoom", "f32", 1 }, { "trauma", "f32", 0, min = 0, max = 1, doc = "the screen shakes by its square" },
})
