-- The phases of the game, and the only function that changes them.
-- In `playing` and `dying` the clock runs; every other phase is a menu over a frozen game.
local ecs = require "ecs"
local C = ecs.components

local phases = { title = 1, playing = 2, choosing = 3, paused = 4, over = 5, won = 6, dying = 7 }

--- Enters a phase. The calling system needs write access to Game and Clock.
function phases.go(ctx, phase)
  local game = ctx:resource(C.Game)
  game.phase, game.since = phase, 0
  ctx:resource(C.Clock).running = phase == phases.playing or phase == phases.dying
end

return phases
