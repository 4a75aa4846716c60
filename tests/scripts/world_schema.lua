-- Every field type in some component: the world in which the other scripts test.
local ecs = require "ecs"

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })
ecs.component("Velocity", { { "x", "f32", 1 }, { "y", "f32", 2 } })
ecs.component("Health", { { "current", "f32", 100, min = 0, max = 1000 }, { "max", "f32", 100, doc = "after bonuses" } })
ecs.component("Frozen", { kind = "tag" })
ecs.component("Marked", {})
ecs.component("Numbers", {
  { "i8", "i8" }, { "u8", "u8" }, { "i16", "i16" }, { "u16", "u16" }, { "i32", "i32" }, { "u32", "u32" },
  { "i64", "i64" }, { "u64", "u64" }, { "f32", "f32" }, { "f64", "f64" }, { "bool", "bool" },
})
ecs.component("Body", {
  { "velocity", ecs.struct { { "x", "f32", 3 }, { "y", "f32", 4 } } },
  { "at", "vec2", { x = 5, y = 6 } }, { "up", "vec3" }, { "box", "vec4" },
})
ecs.component("Pose", {
  { "turn", "quat" }, { "place", "mat4" }, { "bent", "quat", { x = 1, w = 0 } }, { "turns", ecs.array("quat", 2) },
})
ecs.component("Look", {
  { "tint", "color", 0x11223344 }, { "mood", ecs.enum { "calm", "angry", "afraid" }, "angry" },
  { "state", ecs.flags { "burning", "wet", "flying" } }, { "name", ecs.string(8), "nobody" },
  { "image", "asset" }, { "target", "entity" },
})
ecs.component("Bag", { { "slots", ecs.array("u8", 3), { 7, 8, 9 } }, { "spots", ecs.array("vec2", 2) } })
-- Names that a careless code generator trips over: C keywords, names of the view's own, UTF-8, quotes.
ecs.component("Odd", {
  { "short", "f32" }, { "int", "f32" }, { "struct", "f32" }, { "count", "f32" }, { "entity", "f32" },
  { "größe", "f32" }, { "end", "f32" }, { "a b", "f32" }, { 'q"uote', "f32" }, { "n", "f32" }, { "self", "f32" },
})
ecs.component("count", { { "value", "f32", 1 } })
ecs.component("Strict", { { "level", "u8", 1, min = 1, max = 9, range = "refuse" } })
ecs.component("Label", {
  { "text", "text", "nobody" }, { "number", "u8" }, { "lines", ecs.array("text", 2) },
  { "of", ecs.struct { { "text", "text", "inside" } } },
})
ecs.blob("Curve", { { "t", "f32" }, { "v", "f32", 5 }, { "name", "text" } })
ecs.blob("Count", { { "count", "u8" }, { "at", "vec2" } })
ecs.blob("Tree", { root = true, { "value", "f32", 1 }, { "name", "text" }, { "children", "list(blob(Tree))" } })
ecs.blob("Level", {
  root = true, { "size", "vec2" }, { "start", "blob(Tree)" }, { "heights", "list(f32)" },
  { "corners", ecs.list("vec2") },
  { "waves", ecs.list(ecs.struct { { "at", "f32" }, { "kinds", ecs.list(ecs.enum { "bat", "orc" }) } }) },
  { "part", ecs.struct { { "notes", "list(text)" } } },
})
ecs.component("Plant", { { "tree", "blob(Tree)" }, { "level", "blob(Level)" } })
ecs.component("Mover", { { "curve", "blob(Curve)" }, { "any", "blob" }, { "time", "f32" } })
ecs.resource("Story", { { "title", "text", "untitled" }, { "curve", "blob(Curve)" } })
ecs.component("Path", {
  kind = "buffer", capacity = 3,
  { "x", "f32", 1 }, { "y", "f32" }, { "cost", "u8", 5, max = 9 }, { "at", "vec2" }, { "mood", ecs.enum { "calm", "angry" } },
  { "next", "entity" }, { "pair", ecs.array("u8", 2) },
})
ecs.component("Steps", { kind = "buffer", { "n", "i32" } })
ecs.component("Weights", { kind = "buffer", capacity = 0, { "w", "f32" } })
ecs.component("Notes", { kind = "buffer", { "text", "text" } })
ecs.component("Brain", { kind = "object", hash = function(v) return type(v) == "table" and v.mood or 0 end })
ecs.component("Secret", { kind = "object" })
ecs.resource("Wave", { { "number", "u16" }, { "left", "u16", 3 } })
-- The kinds that are more than a column.
ecs.component("Team", { kind = "shared", { "id", "u8" }, { "tint", "color" }, { "base", "vec2" } })
ecs.component("Bounds", {
  kind = "chunk", { "min_x", "f32", 5 }, { "mood", ecs.enum { "calm", "angry" } },
  { "corner", ecs.struct { { "x", "f32" }, { "y", "i32" } } }, { "counts", ecs.array("u8", 3) },
  { "spots", ecs.array("vec2", 2) },
})
ecs.component("Climate", { kind = "chunk", { "heat", "u16", 4 } })
ecs.component("Key", { kind = "shared", { "id", "u32" } })
ecs.component("Shield", { kind = "enableable", { "power", "f32", 1 }, { "hits", "i32" } })
ecs.component("Stunned", { kind = "enableable" })
ecs.component("Voice", { kind = "cleanup", owner = "voices", { "channel", "i32", -1 } })
ecs.component("Room", { kind = "shared_cleanup", { "number", "u16" } })
ecs.component("Engine", { requires = { "Position", "Shield" }, { "thrust", "f32", 2 } })
-- What is reported, not kept.
ecs.event("Hit", { { "target", "entity" }, { "amount", "f32" } })
ecs.event("Over")
ecs.event("Talk", {
  { "text", "text" }, { "mood", ecs.enum { "calm", "angry" } }, { "at", "vec2" }, { "slots", ecs.array("u8", 2) },
})
ecs.event("Echo", { { "left", "i32" } })
ecs.event("Unheard", { { "count", "u8", 7 } })
