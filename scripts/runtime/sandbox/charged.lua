-- Library functions whose work grows with their arguments: the work is charged before it is done. Small work is free,
-- so that LuaJIT can still compile it. Results and errors are those of the stock functions.
local need = ...
local insert, spend = need "positions".insert, need "fuel".spend
local type, tonumber = type, tonumber
local rep, lower, upper, reverse = string.rep, string.lower, string.upper, string.reverse
local concat, remove, move, maxn = table.concat, table.remove, table.move, table.maxn
local raw_unpack, min = unpack, math.min

local charged = {}
local kFreeBytes, kBytesPerStep = 4096, 256
local kFreeItems, kItemsPerStep = 32, 8
-- Beyond these limits the stock functions only raise their error.
local kLongestText, kMaxResults = 2 ^ 31, 8000
local kMaxUnknown = 2 ^ 20

local function spend_bytes(count)
  if count > kFreeBytes then spend(count / kBytesPerStep) end
end

local function spend_items(count)
  if count > kFreeItems then spend(count / kItemsPerStep) end
end

function charged.rep(s, n, separator)
  local count = tonumber(n)
  if type(s) == "string" and count then
    local bytes = count * (#s + (type(separator) == "string" and #separator or 0))
    if bytes < kLongestText then spend_bytes(bytes) end
  end
  return rep(s, n, separator)
end

-- tonumber() without an argument is nil here: telling that apart takes a vararg function, which compiles worse.
function charged.tonumber(value, base)
  if type(value) == "string" then spend_bytes(#value) end
  return tonumber(value, base)
end

function charged.lower(s)
  if type(s) == "string" then spend_bytes(#s) end
  return lower(s)
end

function charged.upper(s)
  if type(s) == "string" then spend_bytes(#s) end
  return upper(s)
end

function charged.reverse(s)
  if type(s) == "string" then spend_bytes(#s) end
  return reverse(s)
end

function charged.concat(t, separator, first, last)
  if type(t) == "table" then
    -- It ends at the first nil: after the length, or after an unknown number of elements if it starts outside the
    -- length.
    local from, length = tonumber(first) or 1, #t
    local is_inside = from >= 1 and from <= length
    local count = min((tonumber(last) or length) - from, is_inside and length - from + 1 or kMaxUnknown)
    spend_items(count)
    if type(separator) == "string" then spend_bytes(count * #separator) end
  end
  return concat(t, separator, first, last)
end

function charged.insert(t, ...)
  local position, value = ...
  local from = value ~= nil and type(t) == "table" and tonumber(position)
  if from and from >= 1 then spend_items(#t - from) end
  return insert(t, ...)
end

function charged.remove(t, position)
  if position == nil then return remove(t) end
  local from = type(t) == "table" and tonumber(position)
  if from and from >= 1 then spend_items(#t - from) end
  return remove(t, position)
end

function charged.move(from, first, last, at, to)
  local begins, ends = tonumber(first), tonumber(last)
  if begins and ends then spend_items(ends - begins) end
  return move(from, begins or first, ends or last, tonumber(at) or at, to)
end

function charged.maxn(t)
  -- It visits every key, and their number is unknown.
  if type(t) == "table" then spend(32 + #t / kItemsPerStep) end
  return maxn(t)
end

function charged.unpack(t, first, last)
  if type(t) == "table" then
    local count = (tonumber(last) or #t) - (tonumber(first) or 1)
    if count < kMaxResults then spend_items(count) end
  end
  return raw_unpack(t, first, last)
end

return charged
