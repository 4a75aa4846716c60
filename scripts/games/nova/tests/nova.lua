-- The demonstration plays, and the course of a game: start, pause, the end, the split screen.
local t = require "test"
local C = t.components

local function start(key)
  local game = t.game { seed = 1 }
  game:step(5)
  game:tap(key or "return")
  game:step(2)
  t.equal(game:resource(C.Game).phase, "playing")
  return game
end

local prelude = "local ecs = require('ecs'); local C, world = ecs.components, ecs.world; "

local function change(game, code) game:run(prelude .. code) end

t.it("plays itself without a player: it lives, scores and wins light, differently with each seed", function()
  local hashes = {}
  for seed = 1, 2 do
    local game = t.game { seed = seed }
    game:step(600)
    local first = game:resource(C.Game)
    t.equal(first.demo, true)
    game:step(540)
    local later = game:resource(C.Game)
    t.equal(later.phase, "playing", "the bot lives for 15 seconds")
    t.equal(later.score > first.score and first.score > 500, true, "the score grows")
    t.equal(later.kills > 20, true, "the bot aims")
    t.equal(game:count(C.Enemy) > 5, true, "and more enemies come")
    t.healthy(game)
    hashes[seed] = game:hash()
  end
  t.equal(hashes[1] ~= hashes[2], true)
  t.golden("after_19_seconds", hashes[1])
end)

t.it("gives way to a player who touches a key", function()
  local game = t.game { seed = 1 }
  game:step(400)
  t.equal(game:resource(C.Game).demo, true)
  game:tap("w")
  game:step(2)
  t.equal(game:resource(C.Game).phase, "title")
  game:tap("return")
  game:step(2)
  t.equal(game:resource(C.Game).demo, false)
  t.equal(game:resource(C.Game).lives, 3)
end)

t.it("fires where the keys aim, and shots end at the rim", function()
  local game = start()
  game:press("right")
  game:step(30)
  t.equal(game:count(C.Shot) >= 8, true)
  for _, shot in ipairs(game:find { C.Shot }) do t.equal(game:get(shot, C.Velocity).x > 800, true) end
  game:release("right")
  game:step(120)
  t.equal(game:count(C.Shot), 0)
  t.healthy(game)
end)

t.it("loses a life and the multiplier, ends, keeps the best score, and begins again", function()
  local game = start()
  game:step(200)
  change(game, "local game = world:resource(C.Game); game.lives, game.multiplier, game.score = 1, 9, 4321")
  change(game, [[for _, e in ipairs(world:entities(ecs.query { read = { C.Ship } })) do
    local at = world:get(e, C.Position)
    world:get(e, C.Ship).safe = 0
    world:spawn(require('kinds')[1].prefab, C.Position { x = at.x + 5, y = at.y }, C.Enemy { age = 5 })
  end]])
  game:step(2)
  local over = game:resource(C.Game)
  t.equal({ over.phase, over.lives, over.multiplier, over.record, over.best }, { "over", 0, 1, true, 4321 })
  game:run("assert(save.read('best').score == 4321)")
  game:tap("return")
  game:step(5)
  t.equal(game:resource(C.Game).phase, "over", "not by accident")
  game:step(90)
  game:tap("return")
  game:step(2)
  local again = game:resource(C.Game)
  t.equal({ again.phase, again.lives, again.score, again.best }, { "playing", 3, 0, 4321 })
  t.equal(game:count(C.Ship), 1)
  t.healthy(game)
end)

t.it("a bomb clears what is near", function()
  local game = start()
  game:step(60)
  change(game, [[for k = 1, 50 do
    world:spawn(require('kinds')[1].prefab, C.Position { x = 1280 + 200 * math.cos(k), y = 720 + 200 * math.sin(k) })
  end]])
  game:step(2)
  local enemies = game:count(C.Enemy)
  game:tap("space")
  game:step(2)
  t.equal(enemies - game:count(C.Enemy) >= 50, true)
  t.equal(game:resource(C.Game).bombs, 2)
  t.equal(game:resource(C.Scene).trauma > 0.5, true, "the screen shakes")
end)

t.it("stands still in a pause", function()
  local game = start()
  game:step(200)
  game:tap("p")
  game:step(2)
  t.equal(game:resource(C.Game).phase, "paused")
  local ship = game:find { C.Ship }[1]
  local at, enemies = game:get(ship, C.Position), game:count(C.Enemy)
  game:press("d")
  game:step(60)
  t.equal({ game:get(ship, C.Position), game:count(C.Enemy) }, { at, enemies })
  game:release("d")
  game:tap("p")
  game:step(2)
  t.equal(game:resource(C.Game).phase, "playing")
end)

t.it("splits the screen when two ships are far from each other, and joins it when they are near", function()
  local game = start("2")
  t.equal({ game:count(C.Ship), game:resource(C.Scene).count }, { 2, 1 })
  local function move(x)
    change(game, ("for k, e in ipairs(world:entities(ecs.query { read = { C.Ship } })) do " ..
      "world:get(e, C.Position).x = k == 1 and 300 or %d; world:get(e, C.Ship).safe = 9 end"):format(x))
    game:step(5)
  end
  move(2300)
  t.equal(game:resource(C.Scene).count, 2)
  move(600)
  t.equal(game:resource(C.Scene).count, 1)
  t.healthy(game)
end)

-- A run of a player: the step, what happens to a key, and the key.
local recording = {
  { 5, "tap", "return" }, { 30, "press", "right" }, { 40, "press", "d" }, { 95, "press", "w" },
  { 130, "release", "d" }, { 150, "press", "up" }, { 160, "release", "right" }, { 220, "release", "w" },
  { 225, "press", "a" }, { 300, "tap", "space" }, { 310, "press", "left" }, { 330, "release", "up" },
  { 390, "press", "s" }, { 420, "release", "a" }, { 480, "tap", "p" }, { 520, "tap", "p" }, { 560, "press", "down" },
  { 600, "release", "s" }, { 610, "press", "d" }, { 700, "tap", "space" }, { 760, "release", "left" },
  { 820, "release", "d" }, { 830, "press", "w" }, { 900, "release", "w" }, { 950, "release", "down" },
}

t.it("replays a recorded run to the same world", function()
  local game, at = t.game { seed = 5 }, 0
  for _, event in ipairs(recording) do
    game:step(event[1] - at)
    at = event[1]
    game[event[2]](game, event[3])
  end
  game:step(1000 - at)
  local result = game:resource(C.Game)
  t.equal({ result.demo, result.score > 1000, result.kills > 20 }, { false, true, true })
  t.healthy(game)
  t.golden("a_recorded_run", game:hash())
end)
