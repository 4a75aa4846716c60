-- Component values outside chunks: the results of C.Health { current = 40 }, and the conversion of tables to rows.
-- Invariant: a value contains the complete, checked bytes of one row; C++ copies them and never calls Lua again. Not
-- here: creating values (value_make.lua).
local need = ...
local library, fail, component, layout = need "library", need "fail", need "component", need "layout"
local later, fill = need "parts".later, need "template".fill
local value_make = later "value_make"
local ffi = require("ffi")
local type, next, rawget = type, next, rawget
local format = string.format
local cast, typeof, istype = ffi.cast, ffi.typeof, ffi.istype

local ID, FLAG = component.id_name, component.flag_name
local byte_pointer, word_pointer = typeof("uint8_t *"), typeof("uint32_t *")
local kHeaderBytes = 8  -- ID and FLAG; the row's bytes follow

local value = {}

-- Values with text or blob fields whose handles are valid, and where in their bytes the handles are.
local with_handles = setmetatable({}, { __mode = "k" })

-- Values that have seen a sweep: { flag =, offsets =, text, text, …, blobs = { blob or false, … } }.
local contents_of = setmetatable({}, { __mode = "k" })

-- The flag of a value whose handles a sweep may have freed.
local kDetached = 2 ^ 32 - 1

--- Called by C++ before a sweep. Values keep no texts and blobs in the world: when Lua frees a value depends on the
--- collector, and how much room is left for them must not. The next use of a value recreates its texts; its blobs
--- must still be there then. Cost: by the number of values that were created or used since the last sweep.
function value.detach()
  local text_at, blob_at = library.text, library.blob
  for v, offsets in next, with_handles do
    local contents = contents_of[v]
    if contents == nil then
      local bytes, blobs = cast(byte_pointer, v) + kHeaderBytes, {}
      contents = { offsets = offsets, blobs = blobs }
      for i = 1, #offsets do contents[i] = text_at(cast(word_pointer, bytes + offsets[i])[0]) end
      for i = 1, #offsets.blobs do
        blobs[i] = blob_at(cast(word_pointer, bytes + offsets.blobs[i])[0]) or false
      end
      contents_of[v] = contents
    end
    contents.flag = v[FLAG]
    cast(word_pointer, v)[1] = kDetached
    with_handles[v] = nil
  end
end

-- The handles change, what they refer to does not.
local function attach(v)
  local bytes, contents = cast(byte_pointer, v) + kHeaderBytes, contents_of[v]
  local root, offsets = component.by_id(v[ID]).root, contents.offsets
  for i = 1, #contents do cast(word_pointer, bytes + offsets[i])[0] = library.intern(root, contents[i]) end
  for i = 1, #contents.blobs do
    cast(word_pointer, bytes + offsets.blobs[i])[0] = library.blob_handle(root, contents.blobs[i] or nil)
  end
  cast(word_pointer, v)[1] = contents.flag
  with_handles[v] = offsets
end

-- ---- values of buffers: all elements, after their number ---------------------------------------------------

-- The flag has the kind of the value, and how often layouts had changed when it was created: older values are invalid.
local kListHeaderBytes, kFlags = 16, 4
local changes = 0
local kValue, kList, kOff, kOn = 1, 2, 3, 4

--- Called when layouts have changed: older values are refused. Makers of values are dropped with their descriptions.
function value.forget_layouts()
  changes = changes + 1
  kValue, kList = changes * kFlags + 1, changes * kFlags + 2
  kOff, kOn = changes * kFlags + 3, changes * kFlags + 4
end

local meta = {
  __index = function(_, key)
    fail.raise("a component value is passed on as it is; it has no readable field " .. fail.shown(key))
  end,
  __newindex = function() fail.raise("a component value cannot be changed; make a new one") end,
  __tostring = function(v) return "value of component " .. component.by_id(v[ID]).name end,
}

-- ---- for value_make.lua ------------------------------------------------------------------------------------------

value.meta, value.with_handles = meta, with_handles
value.header_bytes, value.list_header_bytes = kHeaderBytes, kListHeaderBytes
value.list_type = typeof(fill(
  "struct { const uint32_t $id; const uint32_t $flag; const uint64_t $count; uint64_t $bytes[?]; }",
  { id = ID, flag = FLAG, count = layout.secret_name(), bytes = layout.secret_name() }))
ffi.metatype(value.list_type, meta)

--- The header flags of a value, of a list, and of disabled and enabled values.
function value.flags() return kValue, kList, kOff, kOn end

--- Writers by node: writers[node](base, t, row).
function value.writers(description)
  local writers = description.writers
  if writers == nil then
    writers = value_make.writers(description)
    description.writers = writers
  end
  return writers
end

--- The fields of a row as plain tables; `fields` is a proxy or a column's row.
function value.table_of(node, fields) return (value_make.table_of(node, fields)) end

--- C.Health { current = 40 }: the bytes of a row, with the schema's defaults for missing fields.
function component.value_from(description, fields)
  if description.kind == "enableable" and type(fields) == "table" and rawget(fields, "enabled") ~= nil then
    return (value_make.switched_from(description, fields))
  end
  if description.kind == "tag" or (description.kind == "enableable" and description.size == 0) then
    if fields ~= nil and (type(fields) ~= "table" or next(fields) ~= nil) then
      fail.raise("component '" .. description.name .. "' is " ..
        (description.kind == "tag" and "a tag" or description.kind) .. " and has no fields")
    end
    return description.handle
  end
  if description.kind == "blob" then
    fail.raise(format("'%s' is a blob type and belongs to no entity; make a blob with ecs.build_blob and keep it " ..
      "in a field of type 'blob'", description.name))
  end
  if description.kind == "buffer" then return (value_make.list_from(description, fields)) end
  local make = description.make
  if not make then
    component.expect_reachable(description, "C." .. description.short)
    make = value_make.maker(description)
    description.make = make
  end
  return (make(fields))
end

local i64, u64, complex = typeof("int64_t"), typeof("uint64_t"), typeof("complex")

local function not_a_value(what, v)
  fail.raise(what .. ": expected a component such as C.Health or C.Health { current = 1 }, got " .. fail.shown(v))
end

-- Result of parts for values with more than the bytes of one row.
local function more_parts(v, id, what, takes_more)
  local description, flag = component.by_id(id), v[FLAG]
  if flag < kValue then
    fail.raise(format("%s: this value of '%s' was made before schemas changed; make it again", what, description.name))
  end
  if not takes_more then
    if flag == kList then
      fail.raise(format("%s: a list of elements of '%s' can only be given to spawn, add, set, change or a prefab; " ..
        "fill a " ..
        "buffer with commands:buffer(entity, C.%s) or, outside of systems, ecs.world:buffer", what, description.name,
        description.short))
    end
    fail.raise(format("%s: whether '%s' is enabled can only be given to spawn, add, set, change or a prefab; " ..
      "use enable", what,
      description.name))
  end
  if flag == kList then return cast(byte_pointer, v) + kListHeaderBytes, cast(word_pointer, v)[2] end
  return description.size > 0 and cast(byte_pointer, v) + kHeaderBytes or nil, flag == kOn
end

--- Type number and address of the bytes (nil: defaults) of a handle or value. Raises for anything else. All our other
--- objects return nil for ID; LuaJIT's boxed numbers cannot be indexed. With `takes_more` some values have a third
--- result: the number of elements of a buffer, or a boolean, whether the component is enabled.
function value.parts(v, what, takes_more)
  if type(v) ~= "cdata" or istype(i64, v) or istype(u64, v) or istype(complex, v) then not_a_value(what, v) end
  local id = v[ID]
  if id == nil then not_a_value(what, v) end
  local flag = v[FLAG]
  if flag == kValue then return id, cast(byte_pointer, v) + kHeaderBytes, nil end
  if flag == 0 then
    if component.by_id(id).kind == "blob" then component.value_from(component.by_id(id)) end
    return id, nil, nil
  end
  if flag == kDetached then
    attach(v)
    return value.parts(v, what, takes_more)
  end
  local bytes, more = more_parts(v, id, what, takes_more)
  return id, bytes, more
end

return value
