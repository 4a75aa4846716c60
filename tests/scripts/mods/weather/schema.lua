-- A component, a resource and an event for other mods to import.
local ecs = require "ecs"

ecs.component("Rain", { { "amount", "f32", 3 } })
ecs.resource("Sky", { { "clouds", "u8", 2 } })
ecs.event("Storm", { { "power", "f32" } })
