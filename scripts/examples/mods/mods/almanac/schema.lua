-- The almanac's text, for the system that draws it.
local ecs = require "ecs"

ecs.resource("Notice", { { "text", ecs.string(40) } })
