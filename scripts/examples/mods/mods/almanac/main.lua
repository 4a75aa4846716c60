-- By Chen: asks another mod's service, which runs in that mod's own Lua state; the result is a copy.
local ecs, gfx = require "ecs", require "gfx"
local C = ecs.components
local weather = ecs.import("weather")

ecs.system("ask", {
  every = 1, access = { write = { C.Notice }, services = { "weather:forecast" } },
  run = function(_, ctx)
    ctx:resource(C.Notice).text = "in five seconds: " .. weather.services.forecast(ctx.time, 5).word
  end,
})

ecs.system("draw notice", {
  group = "presentation", access = { read = { C.Notice } },
  run = function(_, ctx) gfx.print(ctx:resource(C.Notice).text, 20, 56, { size = 24, color = "sky" }) end,
})
