-- Component types in trusted Lua: one description per type, one handle per description. Invariant: a handle is an
-- opaque constant object with the type's number; mods cannot forge one. Names: C.Name is the mod's own type or one of
-- the game; C["mod:Name"] is another mod's.
local need = ...
local describe, host, fail, layout = need "describe", need "host", need "fail", need "layout"
local late = need "parts".later "late"
local ffi = require("ffi")
local type, format = type, string.format
local istype, setmetatable = ffi.istype, setmetatable

local component = {}

-- Handles and values (value.lua) both have these two fields; only values have bytes after them.
component.id_name, component.flag_name = layout.secret_name(), layout.secret_name()
local ID = component.id_name

local handle_type = layout.opaque("const uint32_t $id; const uint32_t $flag;", { id = ID, flag = component.flag_name })

component.handle_type = handle_type  -- for late.lua

local descriptions = {}
local kept_handles = {}  -- of types whose layout was dropped

--- A description that cannot be found by its number.
function component.described(raw)
  return (describe.description(raw, ffi.new(handle_type, raw.id, 0)))
end

--- Types are described again on next use; their handles stay.
function component.forget_layouts()
  for id, description in next, descriptions do
    kept_handles[id] = description.handle
    descriptions[id] = nil
  end
end

function component.by_id(id)
  local description = descriptions[id]
  if not description then
    if id >= 2 ^ 16 then late.not_yet(id) end  -- no type has this number
    local handle = kept_handles[id] or ffi.new(handle_type, id, 0)
    description = describe.description(host.describe(id), handle)
    descriptions[id] = description
  end
  return description
end

-- ---- handles ------------------------------------------------------------------------------------------------

--- The description of a handle, or nil for anything else.
function component.of_handle(handle)
  if not istype(handle_type, handle) then return nil end
  return component.by_id(handle[ID])
end

--- The number of a handle's type, or nil for anything else. Free in compiled code.
function component.id_of(handle)
  if istype(handle_type, handle) then return handle[ID] end
end

--- The handle of a type by the name that the mod uses; nil and a suggestion when there is none.
function component.find(name)
  local id, suggestion = host.component_id(name)
  if not id then return nil, suggestion end
  return component.by_id(id).handle
end

local function unknown(name)
  local _, nearest = host.component_id(name)
  fail.raise("unknown component '" .. name .. "'" .. fail.did_you_mean(nearest))
end

ffi.metatype(handle_type, {
  __index = function(_, key)
    fail.raise("a component handle has no fields; values come from chunk columns or ctx:try_get, not from C." ..
      (type(key) == "string" and #key < 40 and key or "…"))
  end,
  __newindex = function() fail.raise("a component handle cannot be changed") end,
  __call = function(handle, fields) return (component.value_from(component.by_id(handle[ID]), fields)) end,
  __tostring = function(handle)
    return "component " .. (handle[ID] < 2 ^ 16 and component.by_id(handle[ID]).name or "of a later step")
  end,
})

--- ecs.components: a name gives a handle, or an error that suggests the nearest name. The table itself stays empty, so
--- that every assignment is caught.
local handles = {}
component.components = setmetatable({}, {
  __index = function(_, name)
    local known = handles[name]
    if known then return known end
    if type(name) ~= "string" then fail.raise("component names are strings, got " .. type(name)) end
    local handle = component.find(name)
    if not handle then unknown(name) end
    handles[name] = handle
    return handle
  end,
  __newindex = function() fail.raise("components are declared with ecs.component, not assigned") end,
  __metatable = false,
})

--- True if its value is stored once for all rows of a chunk; only `set` changes it, by moving the row.
function component.is_shared(description)
  return description.kind == "shared" or description.kind == "shared_cleanup"
end

--- True if each entity has a value of the component, as bytes.
function component.has_value(description)
  return description.size > 0 and description.kind ~= "buffer" and description.kind ~= "object"
end

local other_ways = {
  buffer = "is a buffer; reach it with ctx:buffer or ecs.world:buffer, and fill new ones with commands:buffer",
  object = "is an object component; its value is read with ctx:object or ecs.world:object, and set with set_object",
}

--- Expects a component whose value is the bytes of one row. Not for buffers and objects, which have other functions.
function component.expect_reachable(description, what)
  local way = other_ways[description.kind]
  if way then fail.raise(format("%s: '%s' %s", what, description.name, way)) end
end

--- Expects an enableable component, and true or false for it. `before` and `name` are those of the method.
function component.expect_enableable(description, flag, before, name)
  if description.kind ~= "enableable" then
    fail.raise(format("%s%s: '%s' is a %s and cannot be disabled; declare it with kind = \"enableable\"", before, name,
      description.name, description.kind))
  end
  if type(flag) ~= "boolean" then
    fail.raise(format("%s%s: expected true or false, got %s", before, name, fail.shown(flag)))
  end
end

--- Expects a handle; raises with the given name of the argument.
function component.expect(value, what)
  local description = component.of_handle(value)
  if description then return description end
  fail.raise(what .. ": expected a component such as C.Position, got " .. fail.shown(value))
end

return component
