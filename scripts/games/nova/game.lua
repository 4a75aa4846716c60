-- The course of a game: title, run, pause, end, and again; and the demonstration without a player. All of it is in the
-- group "initialization", so that the phase does not change within a step. The group "play" stands still in a pause.
local ecs, app, input, prefabs = require "ecs", require "app", require "input", require "prefabs"
local save, arena = require "save", require "arena"
local C = ecs.components

input.action("confirm", { keys = { "return", "space" }, pad = { "a", "start" } })
input.action("duo", { keys = { "2", "tab" }, pad = { "y" } })
input.action("pause", { keys = { "p", "escape" }, pad = { "start" } })
input.action("touched", { keys = { "w", "a", "s", "d", "left", "right", "up", "down", "return", "space", "escape", "2",
  "tab" }, mouse = { "left" }, pad = { "a", "b", "x", "y", "start" } })

--- The title waits this long for a player; then the game plays itself for a while.
local kDemoAfter, kDemoSeconds = 4, 75

local best = (save.read("best") or {}).score
if type(best) == "number" and best >= 0 and best < 2 ^ 32 then ecs.world:resource(C.Game).best = math.floor(best) end
app.set_cursor(false)

ecs.group("play", {
  group = "simulation", access = { read = { C.Game } },
  run_if = function(ctx) return ctx:resource(C.Game).phase ~= "paused" end,
})

local function go(game, phase) game.phase, game.since = phase, 0 end

local function start(game, players, is_demo)
  game.sweep, game.players, game.demo = true, players, is_demo
  go(game, "playing")
end

local function start_on_key(game)
  if input.pressed("confirm") then start(game, 1, false) elseif input.pressed("duo") then start(game, 2, false) end
end

local menus = {}

function menus.title(game)
  if input.pressed("q") then return app.quit() end
  if game.since > kDemoAfter then             -- every second demonstration shows two ships
    game.demos = game.demos + 1
    start(game, 2 - game.demos % 2, true)
  end
  start_on_key(game)
end

function menus.playing(game)
  if not game.demo and input.pressed("pause") then go(game, "paused") end
  if not game.demo or game.time < kDemoSeconds and not input.pressed("touched") then return end
  go(game, "title")
  start_on_key(game)
end

function menus.paused(game)
  if input.pressed("pause") or input.pressed("confirm") then go(game, "playing") end
  if input.pressed("q") then go(game, "title") end
end

function menus.over(game)
  if game.since < 1.2 then return end         -- a player does not skip the result by accident
  if input.pressed("pause") or game.demo and game.since > 5 then go(game, "title") end
  start_on_key(game)
end

--- Reads the keys of the menus.
ecs.system("menus", {
  group = "initialization", access = { write = { C.Game } },
  run = function(_, ctx)
    local game = ctx:resource(C.Game)
    game.since = game.since + ctx.dt
    if game.phase == "playing" then game.time = game.time + ctx.dt end
    if input.pressed("f") then app.toggle_fullscreen() end
    menus[game.phase](game)
  end,
})

local everything = ecs.query { read = { C.Velocity } }

--- Removes everything of the old run, and sets up the new one.
ecs.system("begin", {
  group = "initialization", after = "menus", access = { write = { C.Game, C.Director, C.Scene } },
  run = function(_, ctx)
    local game, director, scene = ctx:resource(C.Game), ctx:resource(C.Director), ctx:resource(C.Scene)
    if not game.sweep then return end
    ctx.commands:destroy_all(everything)
    game.sweep, game.score, game.kills, game.time, game.record = false, 0, 0, 0, false
    game.multiplier, game.gems, game.lives, game.bombs = 1, 0, 2 + game.players, 3
    director.wave, director.left, director.wait, director.banner = 0, 0, 0.5, 0
    if game.demo then director.wave, game.multiplier = 5, 5 end    -- it begins in the middle of the action
    scene.count, scene.trauma = 1, 0
    for player = 1, game.players do
      local x, y = arena.width / 2 + (player * 2 - 1 - game.players) * 60, arena.height / 2
      ctx.commands:spawn(prefabs[player], C.Position { x = x, y = y })
      prefabs.flare(ctx, x, y, prefabs.player_colors[player], 420, 0.9, true)
    end
    ctx.commands:spawn(prefabs.dust, C.Position { x = arena.width / 2, y = arena.height / 2 })
  end,
})

--- Ends the run, and keeps the best score.
local function finish(game)
  go(game, "over")
  game.record = not game.demo and game.score > game.best
  if not game.record then return end
  game.best = game.score
  local is_kept, problem = save.write("best", { score = game.best })
  if not is_kept then print(problem) end
end

return { finish = finish }
