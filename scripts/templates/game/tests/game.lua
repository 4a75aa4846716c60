-- Tests of the game: perigee test. Each starts its own game, which runs only when the test steps it.
local t = require "test"
local C = t.components

t.describe("the game", function()
  t.it("makes sparks that fade", function()
    local game = t.game { seed = 1 }
    t.equal(game:count(C.Spark), 0)
    game:step(60)
    t.equal(game:count(C.Spark), 2)
    game:step(600)
    t.equal(game:count(C.Spark) < 27, true)
    t.healthy(game)
  end)

  t.it("moves the hero with the arrow keys", function()
    local game = t.game { seed = 1 }
    local hero = game:find { C.Position, C.Velocity }[1]
    game:press("right")
    game:step(30)
    t.equal(game:get(hero, C.Velocity), { x = 320, y = 0 })
    t.near(game:get(hero, C.Position).x, 640 + 320 * 0.5, 0.01)
    game:release("right")
    game:step(1)
    t.equal(game:get(hero, C.Velocity).x, 0)
  end)
end)
