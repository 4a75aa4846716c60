-- Values that no caller should pass, and a repeatable way to draw from them.
local nonsense = {}

local hostile = setmetatable({}, {
  __index = function() error("hostile") end, __newindex = function() error("hostile") end,
  __call = function() return {} end, __tostring = function() error("hostile") end, __len = function() return -1 end,
  __sub = function() return 1e300 end, __lt = function() return true end, __eq = function() return true end,
})
local circular = {}
circular[1], circular.x, circular.fields = circular, circular, circular

nonsense.values = {
  0, 1, 2, -1, 1.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 31, 2 ^ 53, -2 ^ 63, 1e300, true, false, "", "x", "Position", "game:Health",
  "\0", ("long"):rep(200), "f32", "string(4)", "string(99999999999)", "enum", "name", 5LL, 2i, print, hostile, circular,
  {}, { 1, 2, 3 }, { x = 1 }, { x = {} }, { "x", "f32" }, { { "x", "f32" } }, { { "x", "f32", {} } }, { kind = "tag" },
  { run = print }, { run = function() end, query = { read = hostile } }, coroutine.create(print),
}

--- 1 … n, from the stream that the game's seed decides.
nonsense.random = math.random

--- A value of `list` or nonsense, or a table of such.
function nonsense.draw(list)
  local random = nonsense.random
  if random(2) == 1 then return nonsense.values[random(#nonsense.values)] end
  if random(8) == 1 then return nil end
  if random(8) == 1 then
    return { nonsense.draw(list), x = nonsense.draw(list), [random(3)] = nonsense.draw(list) }
  end
  return list[random(#list + 1)]
end

return nonsense
