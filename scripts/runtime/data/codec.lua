-- How each field type is read and written: snippets of Lua source from which accessors are generated. Invariant: a
-- snippet takes the address of its value as an expression, checks what it writes, and has no state. Adding a field type
-- means adding it here, to ecs/schema/field_type.h and to the docs.
--
--   type           reads as                           writes accept
--   f32 f64        number                             number
--   i8 … u32       number                             number in range, once its fraction is cut off
--   i64 u64        number, an error beyond 2^53       number within 2^53
--   bool           boolean                            boolean
--   enum           label                              label
--   flags          number (bit set)                   number or labels; each label is a boolean column of its own
--   string(n)      string                             string of at most n bytes
--   entity         number, nil for none               number or nil
--   asset          path, nil for none                 path or nil
--   text           string                             string of at most 64 KiB
--   blob           blob, nil for none                 blob of the field's type, or nil (blob.lua)
--   list           blob, an empty one for none        the same, in a blob that is being built
--   color          number 0xRRGGBBAA, or a text       number; r, g, b, a are columns of their own, 0 .. 255
--
-- LuaJIT keeps the types of its values in NaNs, so foreign bytes read as a number can be a value of any type at any
-- address. The bits of a float are tested as integers before they are read as a number; once the interpreter has the
-- number, it already has the forged value.
local need = ...
local phase, running, fail, host = need "phase", need "running", need "fail", need "host"
local later, fill = need "parts".later, need "template".fill
local library, constants = later "library", need "constants"
local ffi = require("ffi")
local typeof, format, concat = ffi.typeof, string.format, table.concat
local tonumber, tostring, type, setmetatable, rawget, floor = tonumber, tostring, type, setmetatable, rawget, math.floor

local codec = {}

local machine = {
  bool = "bool", i8 = "int8_t", u8 = "uint8_t", i16 = "int16_t", u16 = "uint16_t", i32 = "int32_t", u32 = "uint32_t",
  i64 = "int64_t", u64 = "int64_t", f32 = "float", f64 = "double", entity = "int64_t", asset = "uint32_t",
  color = "uint32_t", text = "uint32_t", blob = "uint32_t",
}
local by_size = { [1] = "uint8_t", [2] = "uint16_t", [4] = "uint32_t" }

-- u64 is loaded as signed and compared as unsigned: values that fit a Lua number are the same, and convert faster.

local range = constants.number_ranges  -- of whole numbers: { lowest, highest }

--- The C type of a leaf in memory.
function codec.ctype(leaf)
  if leaf.type == "enum" or leaf.type == "flags" or leaf.type == "flag" then return by_size[leaf.size] end
  if leaf.type == "string" then return "uint8_t" end
  return machine[leaf.type]
end

codec.range = range
local kMaxTextBytes = constants.max_text_bytes

-- Maps between asset paths and handles, in both directions, filled on demand.
local paths = setmetatable({}, {
  __index = function(t, handle)
    if handle == 0 then return nil end
    local path = host.asset_path(handle)
    t[handle] = path
    return path
  end,
})
local handles = setmetatable({}, {
  __index = function(t, path)
    if running.is_presentation() then
      fail.raise("a presentation system cannot write assets into values: they belong to the world")
    end
    phase.refuse_hash("the path of an asset")
    local handle, message = host.asset_handle(path)
    if not handle then fail.raise(message) end
    t[path] = handle
    return handle
  end,
})

function codec.asset_handle(path) return handles[path] end

-- ---- the pieces ---------------------------------------------------------------------------------------------

--- Collects the objects that generated code refers to. The first ones become locals of the chunk, which compiled code
--- treats as constants; the rest, and objects needed only for errors, stay in a table, since a function has at most 60
--- upvalues.
local Generator = {}
Generator.__index = Generator

function codec.generator()
  return setmetatable({ values = {}, names = {}, count = 0, cold_values = {} }, Generator)
end

local kMaxLocals = 40
local kGenerated = "=" .. constants.runtime_files .. "generated"

--- The expression for `value` in generated code.
function Generator:ref(value)
  local name = self.names[value]
  if not name then
    self.count = self.count + 1
    name = self.count <= kMaxLocals and "o" .. self.count or "values[" .. self.count .. "]"
    self.values[self.count] = value
    self.names[value] = name
  end
  return name
end

--- Like ref, for objects needed only for errors.
function Generator:cold(value)
  local list = self.cold_values
  list[#list + 1] = value
  return "cold[" .. #list .. "]"
end

--- Compiles `text` with all referred objects as locals; returns what it returns.
function Generator:compile(text)
  local parts = { "local type, cast, tonumber, bswap, floor, band, bor, bnot, lib, values, cold = ..." }
  for i = 1, math.min(self.count, kMaxLocals) do parts[i + 1] = format("local o%d = values[%d]", i, i) end
  parts[#parts + 1] = text
  local chunk, message = loadstring(concat(parts, "\n"), kGenerated)
  if not chunk then error(message .. "\n" .. text, 0) end
  return chunk(type, ffi.cast, tonumber, bit.bswap, floor, bit.band, bit.bor, bit.bnot, library, self.values,
    self.cold_values)
end

local pointer_types = {}
function codec.pointer_type(name)
  local found = pointer_types[name]
  if not found then
    found = typeof(name .. " *")
    pointer_types[name] = found
  end
  return found
end

local function pointer_to(g, leaf)
  return g:ref(codec.pointer_type(codec.ctype(leaf)))
end

--- The value of a leaf whose address is the expression `address`, as an assignable expression.
function codec.at(g, leaf, address)
  return fill("cast($pointer, $address)[0]", { pointer = pointer_to(g, leaf), address = address })
end

--- Element `k` of a column that starts at `start`, for a leaf at byte `offset` of rows `stride` bytes apart.
function codec.element(g, leaf, start, k, offset, stride)
  local size = ffi.sizeof(codec.ctype(leaf))
  if stride % size ~= 0 or offset % size ~= 0 then
    return fill("cast($pointer, $start + ($k * $stride + $offset))[0]", {
      pointer = pointer_to(g, leaf), start = start, k = k, stride = stride, offset = offset,
    })
  end
  local index = stride == size and k or k .. " * " .. stride / size
  if offset > 0 then index = index .. " + " .. offset / size end
  return fill("cast($pointer, $start)[$index]", { pointer = pointer_to(g, leaf), start = start, index = index })
end

-- Bits of NaN, and for f64 also of infinities, go through C, which reads the memory again: compiled code may reuse an
-- integer read before a number was stored at the same address, but never across a call.
local float_text = {
  f32 = "if band(cast($words, $address)[0], 0x7fffffff) > 0x7f800000 then " ..
    "return (lib.number_f32(cast($memory, $address))) end return $cell",
  f64 = "if band(cast($words, $address)[1], 0x7fffffff) >= 0x7ff00000 then " ..
    "return (lib.number_f64(cast($memory, $address))) end return $cell",
}

--- The name of a field, or the number of an element, in generated code.
function codec.key_text(name) return type(name) == "number" and tostring(name) or format("%q", name) end

--- Statements that return the value. `cell` is an assignable expression, `address` its address. `is_canonical`: C++ has
--- ensured that the memory contains only canonical NaNs.
function codec.read(g, leaf, cell, address, row, is_canonical)
  local kind = leaf.type
  local float = not is_canonical and float_text[kind]
  if float then
    return fill(float, {
      words = g:ref(codec.pointer_type("int32_t")), memory = g:ref(codec.pointer_type("void")), address = address,
      cell = cell,
    })
  elseif kind == "i64" then
    return fill("local x = $cell if x + 9007199254740992LL > 18014398509481984ULL then " ..
      "lib.too_wide($leaf, $row) end return (tonumber(x))", { cell = cell, leaf = g:cold(leaf), row = row })
  elseif kind == "u64" then
    return fill("local x = $cell if x > 9007199254740992ULL then lib.too_wide($leaf, $row) end return (tonumber(x))",
      { cell = cell, leaf = g:cold(leaf), row = row })
  elseif kind == "entity" then
    return fill("local x = tonumber($cell) if x == 0 then return nil end return x", { cell = cell })
  elseif kind == "enum" then
    return fill("return $labels[$cell + 1]", { labels = g:ref(leaf.labels), cell = cell })
  elseif kind == "flag" then
    return fill("return band($cell, $mask) ~= 0", { cell = cell, mask = leaf.mask })
  elseif kind == "asset" then
    return fill("return $paths[$cell]", { paths = g:ref(paths), cell = cell })
  elseif kind == "color" then
    return fill("local x = bswap($cell) if x < 0 then x = x + 4294967296 end return x", { cell = cell })
  elseif kind == "string" then
    return fill("return (lib.read_text($address, $size))", { address = address, size = leaf.size })
  elseif kind == "text" then
    return fill("return (lib.text($cell))", { cell = cell })
  elseif kind == "blob" then
    if leaf.is_list then return fill("return (lib.list($leaf, $cell))", { leaf = g:cold(leaf), cell = cell }) end
    return fill("return (lib.blob($cell))", { cell = cell })
  end
  return "return " .. cell
end

local function number_text(number)
  if number == 1 / 0 then return "(1 / 0)" end
  return number == -1 / 0 and "(-1 / 0)" or format("%.17g", number)
end

local function clamp(g, leaf, row)
  local low = leaf.minimum and number_text(leaf.minimum)
  local high = leaf.maximum and number_text(leaf.maximum)
  if not low and not high then return "" end
  if leaf.policy == "refuse" then
    local conditions = {}
    if low then conditions[#conditions + 1] = "x >= " .. low end
    if high then conditions[#conditions + 1] = "x <= " .. high end
    return fill("if not ($conditions) then lib.out_of_bounds($leaf, x, $row) end ",
      { conditions = concat(conditions, " and "), leaf = g:cold(leaf), row = row })
  end
  local text = ""
  if low then text = text .. fill("if x < $low then x = $low end ", { low = low }) end
  if high then text = text .. fill("if x > $high then x = $high end ", { high = high }) end
  return text
end

-- Statements that check the local `x` and store it, by type. $leaf is for errors only.
local write_text = {
  number = 'if type(x) ~= "number" then lib.bad_value($leaf, x, $row) end $clamp$canonical$cell = x',
  bool = 'if type(x) ~= "boolean" then lib.bad_value($leaf, x, $row) end $cell = x',
  enum = "local n = $numbers[x] if n == nil then lib.bad_label($leaf, x, $row) end $cell = n",
  flag = "if x == true then $cell = bor($cell, $mask) elseif x == false then $cell = band($cell, $rest) else " ..
    "lib.bad_value($leaf, x, $row) end",
  flags = 'if type(x) ~= "number" then x = lib.flags($leaf, x, $row) end ' ..
    "if not (x >= 0 and x <= $all) then lib.bad_value($leaf, x, $row) end $cell = x",
  entity = 'if x == nil then x = 0 elseif type(x) ~= "number" or not (x >= 0 and x < 9007199254740992) or ' ..
    "floor(x) ~= x then lib.bad_value($leaf, x, $row) end $cell = x",
  asset = 'if x == nil then x = 0 elseif type(x) ~= "string" then lib.bad_value($leaf, x, $row) ' ..
    "else x = $handles[x] end $cell = x",
  color = 'if type(x) ~= "number" then x = lib.color($leaf, x, $row) end ' ..
    "if not (x >= 0 and x <= $max) then lib.bad_value($leaf, x, $row) end $cell = bswap(x)",
  string = 'if type(x) ~= "string" or #x > $size then lib.bad_value($leaf, x, $row) end ' ..
    "lib.write_text($address, $size, x)",
  text = 'if type(x) ~= "string" or #x > $size then lib.bad_value($leaf, x, $row) end ' ..
    "x = lib.intern($leaf, x, $row) $cell = x",
  blob = "x = lib.blob_handle($leaf, x, $row) $cell = x",
  -- Integers: one unsigned comparison of the truncated number's offset in the range. NaN and numbers beyond any integer
  -- become -2^63, which is in no range.
  integer = 'if type(x) ~= "number" then x = lib.named_number($leaf, x, $row) end local n = x + $offset ' ..
    "if n > $width then lib.bad_value($leaf, x, $row) end $store",
}

-- The slots of a type besides $leaf, $row and $cell.
local slots_of = {
  number = function(g, leaf, slots, _, is_buffer)
    slots.clamp, slots.canonical = clamp(g, leaf, slots.row), is_buffer and "if x ~= x then x = lib.nan end " or ""
  end,
  enum = function(g, leaf, slots) slots.numbers = g:ref(leaf.label_numbers) end,
  flag = function(_, leaf, slots) slots.mask, slots.rest = leaf.mask, bit.bnot(leaf.mask) end,
  flags = function(_, leaf, slots) slots.all = format("%.17g", 2 ^ #leaf.labels - 1) end,
  color = function(_, _, slots) slots.max = format("%.17g", range.color[2]) end,
  asset = function(g, _, slots) slots.handles = g:ref(handles) end,
  string = function(_, leaf, slots, address)
    slots.size, slots.address, slots.cell = leaf.size, address, nil
  end,
  text = function(_, _, slots) slots.size = kMaxTextBytes end,
  integer = function(g, leaf, slots)
    local low, high = range[leaf.type][1], range[leaf.type][2]
    slots.offset, slots.width = format("%.0fLL", -low), format("%.0fULL", high - low)
    slots.store = (leaf.minimum or leaf.maximum) and clamp(g, leaf, slots.row) .. slots.cell .. " = x" or
      fill("$cell = n - $offset", { cell = slots.cell, offset = slots.offset })
    slots.cell = nil
  end,
}

--- Statements that check the local `x` and store it. `is_buffer`: mods can see the bits, so every NaN is stored with
--- the same bits.
function codec.write(g, leaf, cell, address, row, is_buffer)
  local kind = leaf.type
  if kind == "f32" or kind == "f64" then kind = "number" elseif not write_text[kind] then kind = "integer" end
  local slots = { leaf = g:cold(leaf), row = row, cell = cell }
  if slots_of[kind] then slots_of[kind](g, leaf, slots, address, is_buffer) end
  return fill(write_text[kind], slots)
end

--- True for known types, so that docs and tools can list them.
function codec.is_known(name) return machine[name] ~= nil or rawget(range, name) ~= nil end

return codec
