-- The course of the game: title, run, pause, end, and again. screens.lua draws the menus.
-- Everything runs in the group "initialization", so that the phase does not change within a step.
local ecs = require "ecs"
local input = require "input"
local kinds = require "kinds"
local phases = require "phases"
local prefabs = require "prefabs"
local scores = require "scores"
local sound = require "sound"
local timeline = require "timeline"
local upgrades = require "upgrades"
local art = require "art"
local C = ecs.components

input.action("left", { keys = { "a", "left" }, pad = { "left_x-", "dpad_left" } })
input.action("right", { keys = { "d", "right" }, pad = { "left_x+", "dpad_right" } })
input.action("up", { keys = { "w", "up" }, pad = { "left_y-", "dpad_up" } })
input.action("down", { keys = { "s", "down" }, pad = { "left_y+", "dpad_down" } })
input.action("confirm", { keys = { "return", "space" }, pad = { "a" } })
input.action("pause", { keys = { "p", "escape" }, pad = { "start" } })
input.action("restart", { keys = { "r" }, pad = { "back" } })
input.action("crowd", { keys = { "t" }, pad = { "y" } })
input.action("back", { keys = { "escape" }, pad = { "b" } })
input.action("quit", { keys = { "q" } })
input.action("fullscreen", { keys = { "f" } })
input.action("first", { keys = { "1" } })
input.action("second", { keys = { "2" } })
input.action("third", { keys = { "3" } })

--- Seconds after the end of a run in which keys do nothing, so that players do not skip the result by accident.
local kEndPause = 1.2
local kCrowd = 10000
--- The title waits this long for a player; then the game plays itself for a while.
local kDemoAfter, kDemoSeconds = 5, 45
--- The demonstration begins in the middle of the action.
local kDemoTime, kDemoArsenal = 90, { 3, 2, 1, 2, 0, 0, 1 }

scores.read(ecs.world:resource(C.Game))
app.set_cursor(false)

local function start(ctx, crowd)
  local game = ctx:resource(C.Game)
  phases.go(ctx, phases.playing)
  game.sweep, game.crowd, game.demo = true, crowd, false
  sound.all(1)
  sound.play("select.wav")
  sound.music(0.5)
end

local function start_demo(ctx)
  local game = ctx:resource(C.Game)
  phases.go(ctx, phases.playing)
  game.sweep, game.crowd, game.demo = true, 0, true
  sound.all(0.3)
end

local function go_to_title(ctx)
  ctx:resource(C.Game).demo = false
  sound.all(1)
  sound.quieter(0.2)
  phases.go(ctx, phases.title)
end

local function pause(ctx)
  local game = ctx:resource(C.Game)
  game.held = game.phase
  sound.play("click.wav")
  sound.quieter(0.2)
  phases.go(ctx, phases.paused)
end

local function go_on(ctx)
  sound.play("click.wav")
  sound.quieter(0.5)
  phases.go(ctx, ctx:resource(C.Game).held)
end

local function pause_on_key(ctx)
  if input.pressed("pause") then pause(ctx) end
end

local menus = {
  [phases.title] = function(ctx)
    if input.pressed("confirm") then
      start(ctx, 0)
    elseif input.pressed("crowd") then
      start(ctx, kCrowd)
    elseif input.pressed("quit") or input.pressed("back") then
      app.quit()
    elseif ctx:resource(C.Game).since >= kDemoAfter then
      start_demo(ctx)
    end
  end,
  [phases.playing] = pause_on_key,
  [phases.choosing] = pause_on_key,  -- upgrades.lua handles the cards
  [phases.dying] = function() end,
  [phases.paused] = function(ctx)
    if input.pressed("pause") or input.pressed("confirm") then
      go_on(ctx)
    elseif input.pressed("restart") then
      start(ctx, ctx:resource(C.Game).crowd)
    elseif input.pressed("crowd") then
      go_to_title(ctx)
    elseif input.pressed("quit") then
      app.quit()
    end
  end,
}

local function end_menu(ctx)
  local game = ctx:resource(C.Game)
  if game.since < kEndPause then return end
  if input.pressed("restart") or input.pressed("confirm") then
    start(ctx, game.crowd)
  elseif input.pressed("pause") then
    go_to_title(ctx)
  elseif input.pressed("quit") then
    app.quit()
  end
end
menus[phases.over], menus[phases.won] = end_menu, end_menu

local keys = { "left", "right", "up", "down", "confirm", "pause", "restart", "crowd", "back", "quit", "first", "second",
  "third" }

-- The demonstration ends with the first key, which means what it means on the title, or when its time is up.
local function demo_menu(ctx)
  local is_key = false
  for i = 1, #keys do is_key = is_key or input.pressed(keys[i]) end
  if not is_key and ctx:resource(C.Clock).time < kDemoTime + kDemoSeconds then return end
  go_to_title(ctx)
  if input.pressed("confirm") or input.pressed("crowd") then menus[phases.title](ctx) end
end

--- Reads the menu keys and advances the clock.
ecs.system("menus", {
  group = "initialization", access = { write = { C.Game, C.Clock } },
  run = function(_, ctx)
    local game, clock = ctx:resource(C.Game), ctx:resource(C.Clock)
    game.since = game.since + ctx.dt
    if input.pressed("fullscreen") then app.toggle_fullscreen() end
    if game.demo then demo_menu(ctx) else menus[game.phase](ctx) end
    if clock.running then clock.step = clock.step + 1 end
    if game.phase == phases.playing then clock.time = clock.time + ctx.dt end
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

local function reset_stats(stats)
  stats.health, stats.max_health, stats.regeneration, stats.armor = 100, 100, 0.2, 0
  stats.speed, stats.damage, stats.fire_rate, stats.count, stats.pierce = 96, 1, 1, 0, 0
  stats.reach, stats.luck, stats.level, stats.xp, stats.next_xp, stats.pending = 44, 0, 1, 0, 5, 0
  stats.safe, stats.hurt, stats.banked, stats.pull, stats.streak, stats.gems = 1, 0, 0, false, 0, 0
end

local function reset_director(director)
  director.next, director.banner, director.banner_left, director.owed = 1, 0, 0, 0
  director.news, director.last_news, director.longest_gap = 0, 0, 0
  director.meteors_left, director.meteor_wait, director.last_boss_dead = 0, 0, false
end

local function gather_crowd(ctx, count)
  local mite = kinds.by_name.mite
  ctx.commands:spawn_many(mite.prefab, count, function(chunk, first, last)
    for i = first, last do
      local angle, away = ctx.random:range(0, 6.2832), 150 + 1250 * math.sqrt(ctx.random:unit())
      chunk.Position.x[i], chunk.Position.y[i] = math.cos(angle) * away, math.sin(angle) * away
      chunk.Flock.phase[i] = ctx.random:integer(0, 119)
    end
  end)
end

local function begin_demo(ctx)
  local director, arsenal, stats = ctx:resource(C.Director), ctx:resource(C.Arsenal), ctx:resource(C.Stats)
  ctx:resource(C.Clock).time = kDemoTime
  while timeline[director.next].time < kDemoTime do director.next = director.next + 1 end
  director.last_news = kDemoTime
  for weapon = 1, 7 do arsenal.level[weapon] = kDemoArsenal[weapon] end
  stats.level, stats.next_xp, stats.speed, stats.reach = 8, upgrades.next_xp(8), 114, 80
end

local function furnish(ctx)
  ctx.commands:spawn(C.Position { x = 40, y = -46 }, art.sprite("lander", art.layers.creature))
  ctx.commands:spawn(C.Position { x = -34, y = -30 }, art.sprite("flag", art.layers.creature),
    C.Animation { first = art.first.flag, count = 3, rate = 6 })
  for _ = 1, 140 do
    local name = ctx.random:pick { "rock_a", "rock_a", "rock_b", "crystal", "crater", "crater_s", "crater_s" }
    local layer = name:find("crater", 1, true) and art.layers.ground + 2 or art.layers.decal
    ctx.commands:spawn(C.Position { x = ctx.random:range(-1150, 1150), y = ctx.random:range(-1150, 1150) },
      art.sprite(name, layer))
  end
end

--- Sets up the new run.
ecs.system("begin", {
  group = "initialization", after = "sweep",
  access = { write = { C.Game, C.Clock, C.Stats, C.Arsenal, C.Director, C.Hero, C.Offer } },
  run = function(_, ctx)
    local game = ctx:resource(C.Game)
    if not game.sweep then return end
    game.sweep, game.score, game.kills, game.record = false, 0, 0, false
    local clock, arsenal, hero = ctx:resource(C.Clock), ctx:resource(C.Arsenal), ctx:resource(C.Hero)
    clock.time, clock.step = 0, 0
    reset_stats(ctx:resource(C.Stats))
    reset_director(ctx:resource(C.Director))
    for i = 1, 20 do arsenal.level[i], arsenal.wait[i] = 0, 0 end
    arsenal.level[1] = 1  -- the blaster
    if game.crowd > 0 then
      for weapon = 1, 7 do arsenal.level[weapon] = 2 end
    end
    ctx:resource(C.Offer).missed = 0
    hero.x, hero.y = 0, 0
    hero.entity = ctx.commands:spawn(prefabs.hero)
    furnish(ctx)
    if game.demo then begin_demo(ctx) end
    if game.crowd > 0 then gather_crowd(ctx, game.crowd) end
  end,
})
