-- The demo runs; the program's own tests check how well it plays.
local t = require "test"
local C = t.components

local kPlaying, kChoosing, kPaused, kOver, kWon, kDying = 2, 3, 4, 5, 6, 7

local function phase(game) return game:resource(C.Game).phase end

local function start(key)
  local game = t.game { seed = 1 }
  game:step(5)
  game:tap(key or "return")
  game:step(1)
  t.equal(phase(game), kPlaying)
  return game
end

-- Steps until the game is in that phase, up to a limit.
local function step_to(game, wanted, most)
  for _ = 1, most do
    if phase(game) == wanted then return end
    game:step(1)
  end
  t.equal(phase(game), wanted)
end

t.it("plays itself without a player, differently with each seed, and gives way to a player", function()
  local kills = {}
  for seed = 1, 2 do
    local game = t.game { seed = seed }
    game:step(900)
    t.equal(game:resource(C.Game).demo, true)
    kills[seed] = game:hash()
    t.equal(game:resource(C.Game).kills > 10, true, "the pilot shoots")
    t.equal(game:resource(C.Stats).health > 50, true, "and keeps away")
    t.equal(math.abs(game:resource(C.Hero).x) + math.abs(game:resource(C.Hero).y) > 20, true, "and walks")
    t.healthy(game)
    if seed == 1 then
      game:tap("a")
      game:step(1)
      t.equal(phase(game), 1)
      game:tap("return")
      game:step(1)
      t.equal(game:resource(C.Game).demo, false)
      t.equal(phase(game), kPlaying)
    end
  end
  t.equal(kills[1] ~= kills[2], true)
end)

t.it("shows the hero's end before the result, and keeps the best score", function()
  local game = start()
  game:step(120)
  game:run("require('ecs').world:resource(require('ecs').components.Game).score = 1234")
  game:run("require('ecs').world:resource(require('ecs').components.Stats).health = 0")
  game:step(2)
  t.equal(phase(game), kDying)
  local time = game:resource(C.Clock).time
  t.equal(game:count(C.Astronaut), 0)
  t.equal(game:count(C.Drift, C.Animation) > 0, true, "the explosion")
  game:step(40)
  t.equal(game:resource(C.Clock).running, true, "it is seen")
  step_to(game, kOver, 100)
  t.equal(game:resource(C.Clock).time, time)
  t.equal(game:resource(C.Game).best >= 1234, true)
  game:run("assert(save.read('best').score == " .. game:resource(C.Game).best .. ")")
  t.healthy(game)
end)

t.it("starts with the saved scores, whatever the file contains", function()
  for _, kept in ipairs { "{}", "{ score = -1, crowd = 'x' }", "{ score = 0/0, crowd = 2 ^ 40 }", "{ score = {} }" } do
    local game = t.game()
    game:run("assert(save.write('best', " .. kept .. "))")
    game:run("require('scores').read(require('ecs').world:resource(require('ecs').components.Game))")
    t.equal(game:resource(C.Game).best, 0)
    t.equal(game:resource(C.Game).best_crowd, 0)
  end
  local game = t.game()
  game:run("assert(save.write('best', { score = 99.5, crowd = 7 }))")
  game:run("require('scores').read(require('ecs').world:resource(require('ecs').components.Game))")
  t.equal(game:resource(C.Game).best, 99)
  t.equal(game:resource(C.Game).best_crowd, 7)
end)

t.it("pauses while cards are shown, and goes on with them", function()
  local game = start()
  game:run("require('ecs').world:resource(require('ecs').components.Stats).xp = 5")
  step_to(game, kChoosing, 5)
  local cards = game:resource(C.Offer)
  game:tap("escape")
  game:step(1)
  t.equal(phase(game), kPaused)
  game:step(2000)
  game:tap("p")
  game:step(1)
  t.equal(phase(game), kChoosing)
  t.equal(game:resource(C.Offer).card, cards.card)
  game:step(30)
  game:tap("1")
  game:step(1)
  t.equal(phase(game), kPlaying)
  game:tap("p")
  game:step(1)
  t.equal(phase(game), kPaused)
  game:tap("t")
  game:step(1)
  t.equal(phase(game), 1)
end)

t.it("ends from the title and from the pause", function()
  for _, keys in ipairs { { "q" }, { "escape" }, { "return", "p", "q" } } do
    local game = t.game { seed = 1 }
    game:step(5)
    for _, key in ipairs(keys) do
      game:tap(key)
      game:step(2)
    end
    t.equal(game:has_quit(), true)
    local before = game:resource(C.Game).since
    game:step(5)
    t.equal(game:resource(C.Game).since, before, "no step runs any more")
  end
end)

t.it("keeps the crowd full, and ends it", function()
  local game = start("t")
  game:step(600)
  t.equal(game:resource(C.Game).kills > 500, true)
  t.equal(game:resource(C.Senses).enemies > 9000, true)
  t.equal(game:resource(C.Senses).enemies < 10500, true)
  game:run("require('ecs').world:resource(require('ecs').components.Clock).time = 120")
  step_to(game, kWon, 3)
  t.equal(game:resource(C.Game).best_crowd, game:resource(C.Game).kills)
  t.equal(game:resource(C.Game).best, 0)
  t.healthy(game)
end)
