-- One type of each kind, for the calls of calls.lua.
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" } })
ecs.component("Health", { { "current", "f32", 10 } })
ecs.component("Frozen", { kind = "tag" })
ecs.component("Shield", { kind = "enableable", { "power", "f32" } })
ecs.component("Team", { kind = "shared", { "id", "i32" } })
ecs.component("Path", { kind = "buffer", { "x", "f32" } })
ecs.component("Brain", { kind = "object", hash = function(v) return hash_of(v) end })
ecs.component("Likes", { { "target", "entity" }, index = true })
ecs.event("Ping", { { "number", "i32" } })
ecs.resource("Score", { { "points", "i32" } })
ecs.blob("Curve", { { "t", "f32" } })
