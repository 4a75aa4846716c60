-- pairs and next in an order that depends on the keys alone.
-- Stock LuaJIT seeds its string hashes per state, so the stock order differs from run to run. Ours: 1, 2, 3, … ; other
-- numbers ascending; strings bytewise; false, true; and last a key of another type, such as a table. Several of these
-- have no repeatable order: they are an error in simulation code; in presentation code they come in stock order.
-- An array costs one extra pass at its end; other tables are sorted once per loop. Setting existing fields to nil
-- during a loop is fine, as in stock Lua.
local need = ...
local running, api, merge = need "running", need "api", need "merge"
local spend, refuse_argument = need "fuel".spend, need "callers".refuse_argument
local is_presentation, leaves_nothing = running.is_presentation, running.leaves_nothing
local next, type, rawget, error = next, type, rawget, error
local floor, max = math.floor, math.max
local setmetatable, log = setmetatable, math.log
local ffi = require("ffi")
local typeof, new = ffi.typeof, ffi.new

local order = {}


local function check_table(t, name)
  if type(t) ~= "table" then
    refuse_argument(1, name, "table", t, 3)
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

-- Scanning a table takes time even if it is empty, since it may have been full before.
local kStepsPerLook = 8

-- The cost of sorting, charged in advance: a list of a million texts takes a second.
-- Long texts with a common prefix take time by length.
local kShortText, kBytesPerStep = 4096, 256
local kFewKeys, kKeysPerStep = 32, 4

-- Without a call, so that loops over small tables compile completely.
local function sort_few(list, count)
  for i = 2, count do
    local key, at = list[i], i
    while at > 1 and key < list[at - 1] do
      list[at] = list[at - 1]
      at = at - 1
    end
    list[at] = key
  end
end

local function sort_texts(list, count, longest)
  if longest > kShortText then spend(count * log(count) * longest / kBytesPerStep) end
  if count <= kFewKeys then return sort_few(list, count) end
  spend(count * log(count) / 8)
  merge.sort(list, count)
end

-- Room for the keys of one table, and the same amount as scratch memory for C++.
local numbers_type, room, room_for = typeof("double[?]"), nil, 0

local function sort_numbers(list, count)
  if count <= kFewKeys then return sort_few(list, count) end
  spend(count / kKeysPerStep)
  if count > room_for then
    room_for = max(count, 2 * room_for)
    room = new(numbers_type, 2 * room_for)
  end
  local numbers = room
  for i = 1, count do numbers[i - 1] = list[i] end
  api.sort_numbers(numbers, count, numbers + count)
  for i = 1, count do list[i] = numbers[i - 1] end
end

-- Moves the positive integers of sorted numbers before the others.
local function positive_first(numbers, count)
  local sorted, others, at, other_count = {}, {}, 0, 0
  for i = 1, count do
    local k = numbers[i]
    if is_positive_integer(k) then
      at = at + 1
      sorted[at] = k
    else
      other_count = other_count + 1
      others[other_count] = k
    end
  end
  append(sorted, at, others)
  return sorted
end

--- The keys of t in order, without the positive integers up to `done`; nil when there are none.
local function ordered_keys(t, done)
  local numbers, strings, others, has_false, has_true
  local count, number_count, string_count, longest = 0, 0, 0, 0
  local has_positive, has_other, other_type = false, false, nil
  spend(kStepsPerLook)
  for k in next, t do
    count = count + 1
    if count % 1024 == 0 then spend(256) end
    local kind = type(k)
    if kind == "number" then
      local is_positive = is_positive_integer(k)
      if not is_positive or k > done then
        if is_positive then has_positive = true else has_other = true end
        numbers = numbers or {}
        number_count = number_count + 1
        numbers[number_count] = k
      end
    elseif kind == "string" then
      strings = strings or {}
      string_count = string_count + 1
      strings[string_count] = k
      if #k > longest then longest = #k end
    elseif kind == "boolean" then
      if k then has_true = true else has_false = true end
    else
      others = others or {}
      others[#others + 1] = k
      if other_type == nil or kind < other_type then other_type = kind end
    end
  end
  if others and #others > 1 and not is_presentation() then
    error("several keys of types such as '" .. other_type .. "' have no repeatable order: use numbers, strings or " ..
      "booleans as keys, or keep a list beside the table", 4)
  end
  if running.cell then running.cell.sorted_keys = running.cell.sorted_keys + number_count + string_count end
  if numbers then
    sort_numbers(numbers, number_count)
    if has_positive and has_other then numbers = positive_first(numbers, number_count) end
  end
  if strings then sort_texts(strings, string_count, longest) end
  if not (others or has_false or has_true) then
    if not strings then return numbers end
    if not numbers then return strings end
  end
  local keys = numbers or {}
  count = append(keys, number_count, strings)
  if has_false then count = count + 1; keys[count] = false end
  if has_true then count = count + 1; keys[count] = true end
  append(keys, count, others)
  return keys
end

-- A loop's state: its table, the last position visited, and the keys after 1, 2, 3, …; false while the loop is still on
-- those. A list, which takes one small block of memory.
local kTable, kPosition, kKeys = 1, 2, 3

local function step(s)
  local i = s[kPosition] + 1
  local keys = s[kKeys]
  if not keys then
    local value = rawget(s[kTable], i)
    if value ~= nil then
      s[kPosition] = i
      return i, value
    end
    keys = ordered_keys(s[kTable], i - 1)
    if not keys then return nil end
    s[kKeys], i = keys, 1
  end
  local key = keys[i]
  if key == nil then return nil end
  s[kPosition] = i
  local value = rawget(s[kTable], key)
  if value == nil then return step(s) end  -- removed meanwhile; a loop here would not compile into the mod's loop
  return key, value
end

function order.pairs(t)
  check_table(t, "pairs")
  return step, { t, 0, false }, nil
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

-- As comes_before; keys without an order are ordered by the names of their types.
local function precedes(a, b)
  if rank(a) == 6 and rank(b) == 6 then return type(a) < type(b) end
  return comes_before(a, b)
end

--- The one of two wrong keys that a message names, the same in each run; `found` may be nil. For keys without an order
--- it is any key of the first type, and a message shows only its type.
function order.first(found, key)
  spend(type(key) == "string" and #key > kShortText and 1 + #key / kBytesPerStep or 1)
  if found == nil or precedes(key, found) then return key end
  return found
end

--- Sorts a list of keys in their fixed order; all of them must have one (precedes).
function order.sort(keys)
  local count = #keys
  if count > 1 then
    local comparisons = count * log(count)
    spend(comparisons + merge.text_steps(keys, count, comparisons))
    merge.sort(keys, count, precedes)
  end
  return keys
end

--- The texts among the keys of t, in order: the order decides which of several equally near names is suggested.
function order.names(t)
  local list = {}
  for name in next, t do
    if type(name) == "string" then list[#list + 1] = name end
  end
  return order.sort(list)
end

--- Smallest key, without sorting: `if next(t) then` is common.
local function first_key(t)
  if rawget(t, 1) ~= nil then return 1 end
  local smallest
  local count, others = 0, 0
  spend(kStepsPerLook)
  for k in next, t do
    count = count + 1
    if count % 1024 == 0 then spend(256) end
    if rank(k) == 6 then
      others = others + 1
      if others == 2 and not is_presentation() then ordered_keys(t, 0) end  -- raises
    end
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
  return high  -- the key was removed: continue after its position
end

-- Position of the last next(t, k) of a table, so that iterating with next sorts once and not once per step. An
-- iteration uses the keys from its start, so presentation and simulation have separate ones.
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
  local walk = walks[t]
  if not walk or walk.keys[walk.i] ~= k then
    if rank(k) == 6 and rawget(t, k) == nil and not is_presentation() then error("invalid key to 'next'", 2) end
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
