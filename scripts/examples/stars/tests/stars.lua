-- The same seed gives the same stars.
local t = require "test"

t.it("is the same in each run of one seed, and another with another", function()
  local first, again, other = t.game { seed = 1 }, t.game { seed = 1 }, t.game { seed = 2 }
  for _, game in ipairs { first, again, other } do game:step(120) end
  t.equal(first:hash(), again:hash())
  t.equal(first:hash() ~= other:hash(), true)
  t.healthy(first)
end)
