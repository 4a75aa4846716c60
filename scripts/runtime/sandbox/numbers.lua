-- The mods' math library: a copy whose results are the same interpreted, compiled, and on every run. math.min and
-- math.max treat NaN the same way in both (stock LuaJIT does not): any NaN argument makes the result NaN. math.random
-- draws from the mod's own stream, seeded by the game.
local need = ...
local api, is_less = need "api", need "merge".is_less
local random, refuse_argument = need "host".random, need "callers".refuse_argument
local noise = need "noise"
local type, error, select, tonumber = type, error, select, tonumber
local floor, ceil = math.floor, math.ceil
local random_unit, random_integer, random_seed = api.random_unit, api.random_integer, api.random_seed


local numbers = {}
for name, value in pairs(math) do numbers[name] = value end
numbers.mod = nil  -- leftovers of Lua 5.0

local kLargest = 2 ^ 53

local function check_number(value, position, name, level)
  local number = tonumber(value)
  if type(number) ~= "number" then
    refuse_argument(position, name, "number", value, level or 3)
  end
  return number
end

local function fold(name, is_better, first, ...)
  local best = check_number(first, 1, name)
  for i = 1, select("#", ...) do
    local value = check_number((select(i, ...)), i + 1, name)
    if value ~= value or is_better(value, best) then best = value end
  end
  return best
end

local function is_greater(a, b) return a > b end

-- Two numbers are the usual case and stay free of calls. A NaN that is already in `a` survives every comparison.
function numbers.min(a, b, ...)
  if type(a) == "number" and type(b) == "number" and select("#", ...) == 0 then
    if b < a or b ~= b then return b end
    return a
  end
  if b == nil and select("#", ...) == 0 then return fold("min", is_less, a) end
  return fold("min", is_less, a, b, ...)
end

function numbers.max(a, b, ...)
  if type(a) == "number" and type(b) == "number" and select("#", ...) == 0 then
    if b > a or b ~= b then return b end
    return a
  end
  if b == nil and select("#", ...) == 0 then return fold("max", is_greater, a) end
  return fold("max", is_greater, a, b, ...)
end

-- The stock function gives -0 between -1 and 0 when compiled, 0 when interpreted.
function numbers.ceil(x) return ceil(check_number(x, 1, "ceil")) + 0 end

local function integer(value, position)
  local number = floor(check_number(value, position, "random", 4))
  if not (number >= -kLargest and number <= kLargest) then
    error("bad argument #" .. position .. " to 'random' (number out of range)", 3)
  end
  return number
end

function numbers.random(low, high)
  if low == nil then return (random_unit(random)) end
  low = integer(low, 1)
  if high == nil then low, high = 1, low else high = integer(high, 2) end
  if low > high then error("bad argument #2 to 'random' (interval is empty)", 2) end
  return (random_integer(random, low, high))
end

function numbers.randomseed(seed)
  random_seed(random, check_number(seed, 1, "randomseed"))
end

local function place(value, position)
  local number = check_number(value, position, "noise", 4)
  if number - number ~= 0 then error("bad argument #" .. position .. " to 'noise' (finite number expected)", 3) end
  return number
end

--- math.noise(x [, y [, z]]): from 0 to 1, smooth, the same for the same place; 0.5 at whole numbers.
function numbers.noise(x, y, z)
  return noise(place(x, 1), y ~= nil and place(y, 2) or nil, z ~= nil and place(z, 3) or nil)
end

return numbers
