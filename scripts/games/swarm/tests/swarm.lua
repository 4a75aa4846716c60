-- The demo runs; what it does is held by the tests of the program.
local t = require "test"
local C = t.components

t.it("comes to life without an error", function()
  local game = t.game { seed = 1 }
  game:step(300)
  t.equal(game:resource(C.Game).kills, 0)
  t.healthy(game)
end)
