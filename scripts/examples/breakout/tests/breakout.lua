-- The demo plays by itself until a player serves.
local t = require "test"
local C = t.components

t.it("builds the wall and takes bricks out of it", function()
  local game = t.game()
  game:step(5)
  local all = game:count(C.Brick)
  t.equal(all, 60)
  game:step(600)
  t.equal(game:count(C.Brick) < all, true)
  t.healthy(game)
end)

t.it("starts a match when the player serves", function()
  local game = t.game()
  game:step(5)
  t.equal(game:resource(C.Match).is_demo, true)
  game:tap("serve")
  t.equal(game:resource(C.Match).is_demo, false)
end)
