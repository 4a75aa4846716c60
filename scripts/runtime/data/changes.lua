-- change(entity, { values to add }, { components to remove }): the two lists, checked and packed for C++. Invariant:
-- the packed data points into values that the caller's lists keep alive during the call; nothing is stored.
local need = ...
local fail, component, value = need "fail", need "component", need "value"
local first = need "order".first
local constants = need "constants"
local ffi = require("ffi")
local type, next, rawget, format, cast = type, next, rawget, string.format, ffi.cast

local changes = {}

local kMax = constants.max_changes  -- entries of each list
-- A perigee_change for each entry, written word by word: its component, then the address of its value.
local kWords = ffi.sizeof("perigee_change") / 8
local kValue = ffi.offsetof("perigee_change", "value") / 8
local packed = ffi.new("uint64_t[?]", 2 * kMax * kWords)
local uint64 = ffi.typeof("uint64_t")

local function count_of(list, what)
  if list == nil then return 0 end
  if type(list) ~= "table" then fail.raise(what .. ": expected a list, got " .. fail.shown(list)) end
  fail.expect_whole(list, what)
  local count, wrong = #list, nil
  for key in next, list do
    if type(key) ~= "number" or not (key >= 1 and key <= count) then wrong = first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s: expected a list without keys, found key %s", what, fail.shown(wrong)))
  end
  if count > kMax then fail.raise(format("%s: at most %d entries, got %d", what, kMax, count)) end
  return count
end

--- Returns the packed lists, the lengths of both, and the parts to set after the move, { id, bytes, more } each, or
--- nil: elements of buffers, and enabled flags. `check(id, what)` raises for components that may not be changed.
function changes.pack(added, removed, what, check)
  local behind
  local add_count, remove_count = count_of(added, what .. ", to add"), count_of(removed, what .. ", to remove")
  for i = 1, add_count do
    local entry = rawget(added, i)
    local id, bytes, more = value.parts(entry, what .. ", to add", true)
    check(id, what)
    if more ~= nil then
      behind = behind or {}
      behind[#behind + 1] = { id = id, bytes = bytes, more = more }
      bytes = nil
    end
    packed[kWords * (i - 1)] = id
    packed[kWords * (i - 1) + kValue] = bytes ~= nil and cast(uint64, bytes) or 0
  end
  for i = 1, remove_count do
    local description = component.expect(rawget(removed, i), what .. ", to remove")
    check(description.id, what)
    packed[kWords * (add_count + i - 1)] = description.id
  end
  return packed, add_count, remove_count, behind
end

return changes
