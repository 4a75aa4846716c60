-- What the almanac has to say, for its own picture of it.
local ecs = require "ecs"

ecs.resource("Notice", { { "text", ecs.string(40) } })
