-- The memory that C++ and trusted Lua share, as FFI types. C++ owns and writes it; mods only get references to structs
-- whose fields are constant and, especially addresses, have names that cannot be guessed.
-- The types come from scripting/views/lua_memory.h, the header that C++ is compiled with.
local need = ...
local host = need "host"
local fill = need "template".fill
local constants = need "constants"
local ffi = require("ffi")
local typeof, cast, istype, gsub = ffi.typeof, ffi.cast, ffi.istype, string.gsub

local layout = {}

--- A name for a field of a struct that mods can reference. It cannot be guessed and reveals no other name, since the
--- field may be an address.
function layout.secret_name() return "f" .. host.secret() end

ffi.cdef((gsub(host.memory_types(), "#[^\n]*", "")))

layout.view_pointer = typeof("perigee_view *")
layout.chunk_pointer = typeof("perigee_chunk *")
layout.lent_pointer = typeof("perigee_lent *")
layout.lent_short_pointer = typeof("perigee_lent_short *")
layout.system_pointer = typeof("perigee_system *")
layout.state_pointer = typeof("perigee_state *")
layout.view_bytes = ffi.sizeof("perigee_view")
layout.system_bytes = ffi.sizeof("perigee_system")

--- By name.
layout.phases = {}
for number, name in ipairs(constants.phases) do layout.phases[name] = number end
layout.cell = cast(layout.state_pointer, host.cell)

--- A struct type that mods may reference: all fields constant. `fields` is C text with slots for its names.
function layout.opaque(fields, names)
  return typeof("struct { " .. fill(fields, names) .. " }")
end

--- For __eq: true if two objects of a type have equal values in these fields. Each access to the same column creates
--- another object.
function layout.same(ctype, first, second)
  return function(a, b)
    return istype(ctype, a) and istype(ctype, b) and a[first] == b[first] and a[second] == b[second]
  end
end

-- ---- objects of one system --------------------------------------------------------------------------------------
-- A state has room for some 20,000 struct types, and a system needs several. When its code is replaced, they get new
-- metamethods and are reused. Old objects that a mod kept then behave like the new ones, which belong to the same mod.

local spare, in_use = {}, {}

local function new_dress(text, has_length, field)
  local dress = { text = text, ctype = typeof(text) }
  ffi.metatype(dress.ctype, {
    __index = function(object, key) return dress.index(object, key) end,
    __newindex = function(object, key, value) dress.newindex(object, key, value) end,
    __tostring = function(object) return dress.tostring(object) end,
    __len = has_length and function(object) return dress.length(object) end or nil,
    __eq = field and layout.same(dress.ctype, field, field) or nil,
  })
  return dress
end

--- A struct type with these metamethods (__index, __newindex, __tostring, perhaps __len) for the code being loaded.
--- Objects are equal if they have equal values in `field`, if given, else if they have the same address.
function layout.dressed(text, meta, field)
  local key = text .. (meta.__len and " #" or "") .. (field and " =" or "")
  local list = spare[key]
  local dress = list and table.remove(list) or new_dress(text, meta.__len, field)
  dress.key, dress.index, dress.newindex = key, meta.__index, meta.__newindex
  dress.tostring, dress.length = meta.__tostring, meta.__len
  in_use[#in_use + 1] = dress
  return dress.ctype
end

--- From here on types are for other code; the types passed to end_dresses are no longer needed.
function layout.change_dresses(other)
  local before = in_use
  in_use = other or {}
  return before
end

function layout.end_dresses(dresses)
  for i = 1, #dresses do
    local key = dresses[i].key
    spare[key] = spare[key] or {}
    spare[key][#spare[key] + 1] = dresses[i]
  end
end

--- The only field of objects that are valid while a view is lent under their epoch, and its C declaration.
layout.epoch_name = layout.secret_name()
layout.epoch_text = "struct { void * const " .. layout.epoch_name .. "; }"

local object_text = "struct { const uint32_t " .. layout.secret_name() .. "; }"

--- An object with metamethods only. Unlike for a table, __len is called too.
function layout.object(meta) return (ffi.new(layout.dressed(object_text, meta))) end

--- The object at `address` as a reference to `ctype`: for mods. The memory outlives the state.
function layout.reference(ctype, address)
  return cast(typeof("$ *", ctype), address)[0]
end

return layout
