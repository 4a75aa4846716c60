-- Functions for generated code: for values that are not numbers, and for refused values. Invariant: generated code
-- references this table for the life of the state.
local need = ...
local codec, fuel, parts, phase, running = need "codec", need "fuel", need "parts", need "phase", need "running"
local fail, host, api = need "fail", need "host", need "api"
local first = need "order".first
local later = parts.later
local blob = later "blob"
local constants = need "constants"
local ffi = require("ffi")
local type, next, rawget, format, concat, typeof = type, next, rawget, string.format, table.concat, ffi.typeof
local find = string.find

local library = {}
local kMaxTextBytes = constants.max_text_bytes

function library.bad_value(leaf, value, row)
  local bounds = codec.range[leaf.type]
  local expected = leaf.type
  if bounds and type(value) == "number" then
    expected = format("%s (%.17g to %.17g)", leaf.type, bounds[1], bounds[2])
  elseif leaf.type == "string" then
    expected = "string of at most " .. leaf.size .. " bytes"
    if type(value) == "string" then
      fail.raise(format("%s: expected a %s, got %d bytes", leaf.where, expected, #value), row)
    end
  elseif leaf.type == "text" then
    expected = "text of at most " .. kMaxTextBytes .. " bytes"
    if type(value) == "string" then
      fail.raise(format("%s: expected a %s, got %d bytes", leaf.where, expected, #value), row)
    end
  elseif leaf.type == "flag" then
    expected = "true or false"
  elseif leaf.type == "color" then
    expected = 'a colour (0xRRGGBBAA, "#rrggbb" or a name like "red")'
  end
  fail.raise(format("%s: expected %s, got %s", leaf.where, expected, fail.shown(value)), row)
end

-- number_of(name): the number of a layer, or nil and why; set by the module gfx, whose components have a field for one.
library.layers = {}

--- The number of a text in an integer field.
function library.named_number(leaf, value, row)
  local number_of = library.layers.number_of
  if not number_of or type(value) ~= "string" or leaf.name ~= "layer" or not find(leaf.whose, "'gfx:", 1, true) then
    library.bad_value(leaf, value, row)
  end
  local number, message = number_of(value)
  return number or fail.raise(leaf.where .. ": " .. message, row)
end

local color_numbers = {}

--- The number of a text in a colour field.
function library.color(leaf, value, row)
  local known = color_numbers[value]
  if known then return known end
  if type(value) ~= "string" then library.bad_value(leaf, value, row) end
  local number, message = host.color(value)
  if not number then fail.raise(leaf.where .. ": " .. message, row) end
  color_numbers[value] = number
  return number
end

function library.bad_label(leaf, value, row)
  fail.raise(format("%s: expected one of the labels %s, got %s%s", leaf.where, concat(leaf.labels, ", "),
    fail.shown(value), fail.suggestion(value, leaf.labels)), row)
end

-- The entry `key` of flags is wrong.
local function refuse_flag(leaf, flags, key, row)
  local label, is_set = key, rawget(flags, key)
  if type(key) == "number" then label, is_set = is_set, true end
  if not leaf.label_numbers[label] then library.bad_label(leaf, label, row) end
  fail.raise(format("%s, label '%s': expected true or false, got %s", leaf.where, label, fail.shown(is_set)), row)
end

--- The bits of flags that are given by their labels: "wet", { "wet", "hot" } or { wet = true, hot = false }.
function library.flags(leaf, value, row)
  if type(value) == "string" then value = { value } end
  if type(value) ~= "table" then
    fail.raise(format("%s: expected a number or labels such as { \"%s\" }, got %s", leaf.where, leaf.labels[1],
      fail.shown(value)), row)
  end
  local bits, seen, wrong = 0, {}, nil
  for key, entry in next, value do
    local label, is_set = key, entry
    if type(key) == "number" then label, is_set = entry, true end
    local number = leaf.label_numbers[label]
    if not number or type(is_set) ~= "boolean" then
      wrong = first(wrong, key)
    elseif is_set and not seen[number] then
      bits, seen[number] = bits + 2 ^ number, true
    end
  end
  if wrong ~= nil then refuse_flag(leaf, value, wrong, row) end
  return bits
end

function library.out_of_bounds(leaf, value, row)
  fail.raise(format("%s: %s is outside its range %s to %s", leaf.where, fail.shown(value),
    leaf.minimum and format("%.17g", leaf.minimum) or "any",
    leaf.maximum and format("%.17g", leaf.maximum) or "any"), row)
end

function library.too_wide(leaf, row)
  fail.raise(format("%s: the value is beyond 2^53 and no Lua number can hold it", leaf.where), row)
end

-- Floats whose bits may be a NaN (codec.lua).
library.number_f32, library.number_f64 = api.number_f32, api.number_f64
-- The only NaN in buffers.
local bits = ffi.new("union { uint32_t words[2]; double number; }")
bits.words[1] = 0x7ff80000
library.nan = bits.number
-- Does nothing, but compiled code cannot assume that (buffer.lua).
library.barrier = api.barrier

-- string(n): up to the first zero byte.
local text_length, byte_pointer = api.text_length, typeof("uint8_t *")
function library.read_text(address, capacity)
  local bytes = ffi.cast(byte_pointer, address)
  return ffi.string(bytes, text_length(bytes, capacity))
end

function library.write_text(address, capacity, text)
  local bytes = ffi.cast(byte_pointer, address)
  ffi.fill(bytes, capacity)
  ffi.copy(bytes, text, #text)
end

-- text: a handle into the world's pool. Reading does not copy texts that the state already has.
local text_data, text_size = api.text_data, api.text_size
local text_known, text_intern = api.text_known, api.text_intern
local looks_per_byte, kFreeLooks = api.text_looks_per_byte, 16

function library.text(handle)
  if handle == 0 then return "" end
  return ffi.string(text_data(host.world, handle), text_size(host.world, handle))
end

function library.intern(leaf, text, row)
  if running.is_presentation() then
    fail.raise(leaf.where .. ": texts belong to the world, and a presentation system cannot create any", row)
  end
  phase.refuse_hash(leaf.where .. ": a text")
  if #text > 256 then fuel.spend(#text / 64) end
  local handle = text_known(host.world, text, #text)
  if handle ~= 0 then return handle end
  -- A new text brings the next sweep closer: the mod pays for the cells that it created.
  local looks = #text * looks_per_byte(host.world)
  if looks > kFreeLooks then fuel.spend(looks) end
  handle = text_intern(host.world, text, #text)
  if handle < 0 then fail.raise(leaf.where .. ": " .. host.texts_full(), row) end
  return handle
end

return parts.grow(library, function() blob.load() end)
