-- Data saved for the player: the best scores, in the file "best".
local ecs = require "ecs"
local C = ecs.components

local scores = {}

-- Whatever the file contains, a field gets a valid number.
local function count(value)
  if type(value) ~= "number" or not (value >= 0 and value < 2 ^ 32) then return 0 end
  return math.floor(value)
end

local function show(best)
  app.set_title(best > 0 and "Perigee Swarm: best " .. best or "Perigee Swarm")
end

--- Called when the game starts.
function scores.read(game)
  local kept, problem = save.read("best")
  if problem then print(problem) end
  kept = kept or {}
  game.best, game.best_crowd = count(kept.score), count(kept.crowd)
  show(game.best)
end

--- At the end of a run: checks whether it is the best one. Needs write access to Game.
function scores.note(ctx)
  local game = ctx:resource(C.Game)
  game.record = not game.demo
  if game.crowd > 0 then
    game.record = game.record and game.kills > game.best_crowd
    if game.record then game.best_crowd = game.kills end
  else
    game.record = game.record and game.score > game.best
    if game.record then game.best = game.score end
  end
  if not game.record then return end
  local is_kept, problem = save.write("best", { score = game.best, crowd = game.best_crowd })
  if not is_kept then print(problem) end
  show(game.best)
end

return scores
