-- ctx.random: a system's own stream of random numbers, the same in every run of the same seed.
-- Like everything in ctx, using it outside its system (and its initialisers) is an error.
local need = ...
local component, order, fail, layout = need "component", need "order", need "fail", need "layout"
local api = need "api"
local ffi = require("ffi")
local type, floor, rawget = type, math.floor, rawget
local random_unit, random_range, random_integer = api.random_unit, api.random_range, api.random_integer
local istype = ffi.istype

local random = {}
local STREAM = layout.secret_name()
-- The head of perigee_system up to `random`.
local ctype = layout.opaque("const double $times[4]; const uint64_t $epoch; const uint32_t $flags[2]; " ..
  "void * const $stream;", {
    times = layout.secret_name(), epoch = layout.secret_name(), flags = layout.secret_name(), stream = STREAM,
  })

local function stream_of(self)
  if not istype(ctype, self) then fail.raise("call it as a method: ctx.random:range(low, high)") end
  local stream = self[STREAM]
  if stream == nil then fail.run_closed("ctx.random", 0) end
  return stream
end

local function check_interval(low, high, name)
  if type(low) ~= "number" or type(high) ~= "number" then
    fail.raise("random:" .. name .. ": expected two numbers, got " .. fail.shown(low) .. " and " .. fail.shown(high))
  end
  if not (low <= high and high - low < 1e308) then
    fail.raise("random:" .. name .. ": the interval from " .. fail.shown(low) .. " to " .. fail.shown(high) ..
      " is empty or endless")
  end
end

local methods = {}

--- A number in [0, 1).
function methods.unit(self) return (random_unit(stream_of(self))) end

--- A number in [low, high).
function methods.range(self, low, high)
  local stream = stream_of(self)
  check_interval(low, high, "range")
  return (random_range(stream, low, high))
end

--- An integer from low to high, both included.
function methods.integer(self, low, high)
  local stream = stream_of(self)
  check_interval(low, high, "integer")
  if low ~= floor(low) or high ~= floor(high) or low < -2 ^ 53 or high > 2 ^ 53 then
    fail.raise("random:integer: expected whole numbers, got " .. fail.shown(low) .. " and " .. fail.shown(high))
  end
  return (random_integer(stream, low, high))
end

--- True with the given probability.
function methods.chance(self, probability)
  local stream = stream_of(self)
  if type(probability) ~= "number" then
    fail.raise("random:chance: expected a probability from 0 to 1, got " .. fail.shown(probability))
  end
  return random_unit(stream) < probability
end

--- One element of an array.
function methods.pick(self, list)
  local stream = stream_of(self)
  if type(list) ~= "table" or rawget(list, 1) == nil then
    fail.raise("random:pick: expected a list that is not empty")
  end
  return rawget(list, random_integer(stream, 1, #list))
end

ffi.metatype(ctype, {
  __index = function(_, key)
    local method = methods[key]
    if method or key == component.id_name then return method end  -- value.lua queries the latter
    fail.raise("ctx.random has no method " .. fail.shown(key) .. fail.suggestion(key, order.names(methods)))
  end,
  __tostring = function() return "random stream" end,
})

function random.at(address) return layout.reference(ctype, address) end

return random
