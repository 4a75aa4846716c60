-- The harbour with its three mods: boats sail, and nothing fails.
local t = require "test"
local C = t.components

t.it("sails, whatever its mods do", function()
  local game = t.game()
  game:step(60)
  local boats = game:find { C.Boat }
  t.equal(#boats > 0, true)
  local before = game:get(boats[1], C.Position)
  game:step(120)
  local after = game:get(boats[1], C.Position)
  t.equal(before.x ~= after.x or before.y ~= after.y, true)
  t.healthy(game)
end)
