-- The phases of the game, and the only function that changes them. The world moves except while it is paused.
local ecs = require "ecs"
local C = ecs.components

local phases = { title = 1, playing = 2, paused = 3, over = 4 }

--- Enters a phase. The calling system needs write access to Game.
function phases.go(ctx, phase)
  local game = ctx:resource(C.Game)
  game.phase, game.since = phase, 0
end

--- Whether the world moves. The calling system needs access to Game.
function phases.moves(ctx)
  return ctx:resource(C.Game).phase ~= phases.paused
end

return phases
