-- @title@: a mod. It belongs in the folder mods/ of a game, and reaches the game's declarations with ecs.import.
local ecs = require "ecs"

ecs.system("greet", {
  every = 10,
  run = function(_, ctx) print("@title@ is here, tick " .. ctx.tick) end,
})
