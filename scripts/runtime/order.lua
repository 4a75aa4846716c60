-- pairs and next in an order that depends on the keys alone.
-- Stock LuaJIT seeds its string hashes per state, so the stock order differs from run to run. Ours: 1, 2, 3, … ;
-- other numbers ascending; strings bytewise; false, true. Keys of other types have no order that could be repeated:
-- an error in simulation code, last and in stock order in presentation code.
-- An array costs one extra pass at its end; other tables are sorted once per loop. Setting existing fields to nil
-- during a loop is fine, as in stock Lua.
local rt = ...
local next, type, rawget, error = next, type, rawget, error
local floor, sort = math.floor, table.sort
local setmetatable, log = setmetatable, math.log
local spend, merge = rt.fuel.spend, rt.merge

local order = {}

local is_presentation, leaves_nothing = rt.is_presentation, rt.leaves_nothing

local function check_table(t, name)
  if type(t) ~= "table" then
    error("bad argument #1 to '" .. name .. "' (table expected, got " .. (t == nil and "no value" or type(t)) .. ")", 3)
  end
end

local function is_positive_integer(k) return k >= 1 and k == floor(k) end

local function append(to, count, from)
  if from then
    for i = 1, #from do to[count + i] = from[i] end
    count = count + #from
  end
  return count
end

-- Looking through a table takes time even when it is empty: it may have been full.
local kStepsPerLook = 8

-- What sorting costs, in advance: a list of a million keys takes a second.
-- Long texts that begin alike take time by their length.
local kShortText, kBytesPerStep = 4096, 256

local function sort_charged(list, longest)
  local count = #list
  if count > 32 then spend(count * log(count) / 8) end
  if longest > kShortText then spend(count * log(count) * longest / kBytesPerStep) end
  if count > merge.kShort then merge.sort(list, count) else sort(list) end
end

--- The keys of t in order, without the positive integers up to `done`; nil when there are none.
local function ordered_keys(t, done)
  local positive, numbers, strings, others, has_false, has_true
  local count, longest = 0, 0
  spend(kStepsPerLook)
  for k in next, t do
    count = count + 1
    if count % 1024 == 0 then spend(256) end
    local kind = type(k)
    if kind == "number" then
      if not is_positive_integer(k) then
        numbers = numbers or {}
        numbers[#numbers + 1] = k
      elseif k > done then
        positive = positive or {}
        positive[#positive + 1] = k
      end
    elseif kind == "string" then
      strings = strings or {}
      strings[#strings + 1] = k
      if #k > longest then longest = #k end
    elseif kind == "boolean" then
      if k then has_true = true else has_false = true end
    elseif is_presentation() then
      others = others or {}
      others[#others + 1] = k
    else
      error("a table with a key of type '" .. kind .. "' has no repeatable order: use numbers, strings or " ..
        "booleans as keys, or keep a list beside it", 4)
    end
  end
  if not (positive or numbers or strings or others or has_false or has_true) then return nil end
  if positive then sort_charged(positive, 0) end
  if numbers then sort_charged(numbers, 0) end
  if strings then sort_charged(strings, longest) end
  local keys = positive or {}
  count = append(keys, #keys, numbers)
  count = append(keys, count, strings)
  if has_false then count = count + 1; keys[count] = false end
  if has_true then count = count + 1; keys[count] = true end
  append(keys, count, others)
  return keys
end

-- s.keys is nil while the loop is still on 1, 2, 3, …; s.i is the last position visited, in either mode.
local function step(s)
  local i = s.i + 1
  local keys = s.keys
  if not keys then
    local value = rawget(s.t, i)
    if value ~= nil then
      s.i = i
      return i, value
    end
    keys = ordered_keys(s.t, i - 1)
    if not keys then return nil end
    s.keys, i = keys, 1
  end
  local key = keys[i]
  if key == nil then return nil end
  s.i = i
  local value = rawget(s.t, key)
  if value == nil then return step(s) end  -- removed meanwhile
  return key, value
end

function order.pairs(t)
  check_table(t, "pairs")
  return step, { t = t, i = 0, keys = nil }, nil
end

local function rank(k)
  local kind = type(k)
  if kind == "number" then return is_positive_integer(k) and 1 or 2 end
  if kind == "string" then return 3 end
  if kind == "boolean" then return k and 5 or 4 end
  return 6
end

local function comes_before(a, b)
  local rank_a, rank_b = rank(a), rank(b)
  if rank_a ~= rank_b then return rank_a < rank_b end
  return rank_a <= 3 and a < b
end

--- Smallest key, without sorting: `if next(t) then` is asked often.
local function first_key(t)
  if rawget(t, 1) ~= nil then return 1 end
  local smallest
  local count = 0
  spend(kStepsPerLook)
  for k in next, t do
    count = count + 1
    if count % 1024 == 0 then spend(256) end
    if rank(k) == 6 and not is_presentation() then ordered_keys(t, 0) end  -- raises
    if type(k) == "string" and #k > kShortText then spend(#k / kBytesPerStep) end
    if smallest == nil or comes_before(k, smallest) then smallest = k end
  end
  return smallest
end

local function position_of(keys, key)
  local low, high = 1, #keys
  while low <= high do
    local middle = floor((low + high) / 2)
    if keys[middle] == key then return middle end
    if comes_before(keys[middle], key) then low = middle + 1 else high = middle - 1 end
  end
  return high  -- the key is gone: go on behind where it would be
end

-- Where the last next(t, k) of a table stopped, so that walking with next sorts once and not once per step. A walk has
-- the keys of when it began, so those of presentation are none of simulation's.
local simulation_walks = setmetatable({}, { __mode = "k" })
local presentation_walks = setmetatable({}, { __mode = "k" })

function order.next(t, k)
  check_table(t, "next")
  local walks = leaves_nothing() and presentation_walks or simulation_walks
  if k == nil then
    walks[t] = nil
    local key = first_key(t)
    if key == nil then return nil end
    return key, rawget(t, key)
  end
  if type(k) == "number" and is_positive_integer(k) then
    local value = rawget(t, k + 1)
    if value ~= nil then return k + 1, value end
  end
  if rank(k) == 6 and not is_presentation() then error("invalid key to 'next'", 2) end
  local walk = walks[t]
  if not walk or walk.keys[walk.i] ~= k then
    local keys = ordered_keys(t, 0)
    if not keys then return nil end
    walk = { keys = keys, i = position_of(keys, k) }
    walks[t] = walk
  end
  local keys, i = walk.keys, walk.i
  while true do
    i = i + 1
    local key = keys[i]
    if key == nil then
      walks[t] = nil
      return nil
    end
    local value = rawget(t, key)
    if value ~= nil then
      walk.i = i
      return key, value
    end
  end
end

return order
