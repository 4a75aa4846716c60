-- The course of a game: title, run, pause, end, and again; and the demonstration when nobody plays.
-- All of it is in the group "initialization", so that the phase does not change within a step.
local ecs = require "ecs"
local app = require "app"
local input = require "input"
local phases = require "phases"
local prefabs = require "prefabs"
local save = require "save"
local arena = require "arena"
local C = ecs.components

input.action("confirm", { keys = { "return", "space" }, pad = { "a", "start" } })
input.action("duo", { keys = { "2", "tab" }, pad = { "y" } })
input.action("pause", { keys = { "p", "escape" }, pad = { "start" } })
input.action("quit", { keys = { "q" } })
input.action("fullscreen", { keys = { "f" } })
input.action("touched", { keys = { "w", "a", "s", "d", "left", "right", "up", "down", "return", "space", "escape", "2",
  "tab" }, mouse = { "left" }, pad = { "a", "b", "x", "y", "start" } })

--- The title waits this long for a player; then the game plays itself for a while.
local kDemoAfter, kDemoSeconds = 4, 75
--- Seconds after the end in which keys do nothing, so that nobody skips the result by accident.
local kEndPause = 1.2

local kept = save.read("best")
local best = kept and kept.score
if type(best) == "number" and best >= 0 and best < 2 ^ 32 then ecs.world:resource(C.Game).best = math.floor(best) end
app.set_cursor(false)

local function start(ctx, players, is_demo)
  local game = ctx:resource(C.Game)
  game.sweep, game.players, game.demo = true, players, is_demo
  phases.go(ctx, phases.playing)
end

-- Every second demonstration shows two ships.
local function start_demo(ctx)
  local game = ctx:resource(C.Game)
  game.demos = game.demos + 1
  start(ctx, 2 - game.demos % 2, true)
end

local function start_on_key(ctx)
  if input.pressed("confirm") then start(ctx, 1, false) elseif input.pressed("duo") then start(ctx, 2, false) end
end

local menus = {
  [phases.title] = function(ctx, game)
    if input.pressed("quit") then return app.quit() end
    if game.since > kDemoAfter then start_demo(ctx) end
    start_on_key(ctx)
  end,
  [phases.playing] = function(ctx, game)
    if game.demo then
      if game.time > kDemoSeconds or input.pressed("touched") then
        game.demo = false
        phases.go(ctx, phases.title)
        start_on_key(ctx)
      end
    elseif input.pressed("pause") then
      phases.go(ctx, phases.paused)
    end
  end,
  [phases.paused] = function(ctx)
    if input.pressed("quit") then phases.go(ctx, phases.title) end
    if input.pressed("pause") or input.pressed("confirm") then phases.go(ctx, phases.playing) end
  end,
  [phases.over] = function(ctx, game)
    if game.demo and game.since > 5 then return phases.go(ctx, phases.title) end
    if game.since < kEndPause then return end
    start_on_key(ctx)
    if input.pressed("pause") then phases.go(ctx, phases.title) end
  end,
}

--- Reads the keys of the menus.
ecs.system("menus", {
  group = "initialization", access = { write = { C.Game } },
  run = function(_, ctx)
    local game = ctx:resource(C.Game)
    game.since = game.since + ctx.dt
    if game.phase == phases.playing then game.time = game.time + ctx.dt end
    if input.pressed("fullscreen") then app.toggle_fullscreen() end
    menus[game.phase](ctx, game)
  end,
})

--- Removes everything of the old run before a new one.
ecs.system("sweep", {
  group = "initialization", after = "menus", query = { read = { C.Position } }, access = { read = { C.Game } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Game).sweep then return end
    for i = 1, chunk.count do ctx.commands:destroy(chunk.entity[i]) end
  end,
})

--- Sets up the new run.
ecs.system("begin", {
  group = "initialization", after = "sweep", access = { write = { C.Game, C.Director, C.View } },
  run = function(_, ctx)
    local game, director, view = ctx:resource(C.Game), ctx:resource(C.Director), ctx:resource(C.View)
    if not game.sweep then return end
    game.sweep, game.score, game.kills, game.time, game.record = false, 0, 0, 0, false
    game.multiplier, game.gems, game.lives, game.bombs = 1, 0, 2 + game.players, 3
    director.wave, director.left, director.wait, director.banner = 0, 0, 0.5, 0
    -- The demonstration begins in the middle of the action.
    if game.demo then director.wave, game.multiplier = 4, 5 end
    view.trauma, view.hurt = 0, 0
    for player = 1, game.players do
      local x = arena.width / 2 + (player * 2 - 1 - game.players) * 60
      ctx.commands:spawn(prefabs[player], C.Position { x = x, y = arena.height / 2 })
      prefabs.flare(ctx, x, arena.height / 2, prefabs.player_colors[player], 420, 0.9, true)
    end
    ctx.commands:spawn(prefabs.dust, C.Position { x = arena.width / 2, y = arena.height / 2 })
  end,
})

local game_over = {}

--- Ends the run, and keeps the best score. Needs write access to Game.
function game_over.finish(ctx)
  local game = ctx:resource(C.Game)
  phases.go(ctx, phases.over)
  game.record = not game.demo and game.score > game.best
  if not game.record then return end
  game.best = game.score
  local is_kept, problem = save.write("best", { score = game.best })
  if not is_kept then print(problem) end
end

return game_over
