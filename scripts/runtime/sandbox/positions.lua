-- Library functions that take positions, with positions clamped to the text or table that they index.
-- LuaJIT's compiled code converts such a number to 32 bits unchecked and counts from the end differently than
-- interpreted code: results differ, and string.sub can read memory outside the string. Here positions are corrected
-- before the stock function gets them; their meaning is unchanged.
-- The stock functions are called last, so that their errors name the mod's line.
local need = ...
local spend, refuse_argument = need "fuel".spend, need "callers".refuse_argument
local type, tonumber, tostring, error, select = type, tonumber, tostring, error, select
local floor = math.floor
local sub, byte, insert = string.sub, string.byte, table.insert

local positions = {}
local kMax = 2 ^ 31 - 1
local kFreeBytes, kBytesPerStep = 4096, 256

-- The position counted from the start, without its fraction; nil if not a number. NaN counts as before the start.
local function counted(value, length)
  value = tonumber(value)
  if not value then return nil end
  if value >= 0 then return floor(value < kMax and value or kMax) end
  return length + 1 - floor(value > -kMax and -value or kMax)
end

local function string_of(value, position, name)
  if type(value) == "string" then return value end
  if type(value) == "number" then return tostring(value) end
  refuse_argument(position, name, "string", value, 3)
end

local function place_of(value, length, position, name)
  return counted(value, length) or refuse_argument(position, name, "number", value, 3)
end

function positions.sub(s, first, last)
  s = string_of(s, 1, "sub")
  local length = #s
  local from, to = place_of(first, length, 2, "sub"), last == nil and length or place_of(last, length, 3, "sub")
  if from < 1 then from = 1 end
  if to > length then to = length end
  if from > to then return "" end
  if to - from > kFreeBytes then spend((to - from) / kBytesPerStep) end
  return sub(s, from, to)
end

function positions.byte(s, first, last)
  s = string_of(s, 1, "byte")
  local length = #s
  local from = first == nil and 1 or place_of(first, length, 2, "byte")
  local to = last == nil and from or place_of(last, length, 3, "byte")
  if from < 1 then from = 1 end
  if to > length then to = length end
  if from > to then return end
  if to - from > 32 then spend((to - from) / 8) end
  return byte(s, from, to)
end

local function start_in(s, init, name)
  if init == nil then return 1 end
  local from = place_of(init, #s, 3, name)
  return from < 1 and 1 or from > #s + 1 and #s + 1 or from
end

positions.string_of, positions.start_in = string_of, start_in  -- for pattern.lua

-- The stock one moves everything from the end down to the position, even if that is far below 1.
local function insert_at(t, position, value)
  local number = tonumber(position)
  if number and (number < 1 or number ~= number) then
    error("bad argument #2 to 'insert' (position " .. tostring(number) .. " is before the list)", 3)
  end
  return insert(t, number and number > kMax and kMax or position, value)
end

function positions.insert(t, ...)
  if select("#", ...) == 2 then return insert_at(t, ...) end
  return insert(t, ...)
end

return positions
