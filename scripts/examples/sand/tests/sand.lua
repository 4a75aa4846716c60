-- The toy plays by itself: two spouts pour.
local t = require "test"

t.it("runs for five seconds, with the mouse pouring each kind", function()
  local game = t.game()
  game:step(200)
  for _ = 1, 3 do
    game:tap("space")
    game:press("mouse_left")
    game:step(30)
    game:release("mouse_left")
  end
  t.healthy(game)
end)
