-- @title@: a mod. It sits in the folder mods/ of a game, and what the game has is reached by ecs.import.
local ecs = require "ecs"

ecs.system("greet", {
  every = 10,
  run = function(_, ctx) print("@title@ is here, tick " .. ctx.tick) end,
})
