-- Component types as trusted Lua knows them: one description per type, one handle per description.
-- Invariant: a handle is an opaque constant object with the type's number; nothing a mod can make is taken for one.
-- Names: C.Name is the mod's own type or one of the game; C["mod:Name"] is another mod's.
local rt = ...
local ffi = require("ffi")
local type, format, find, sub = type, string.format, string.find, string.sub
local istype, setmetatable = ffi.istype, setmetatable
local host, fail, layout = rt.host, rt.fail, rt.layout

local component = {}

-- Both handles and values (value.lua) carry these two, under these names; only handles have no bytes behind them.
component.id_name, component.flag_name = layout.secret_name(), layout.secret_name()
local ID = component.id_name

local handle_type = layout.opaque("const uint32_t %s; const uint32_t %s;", ID, component.flag_name)

local descriptions = {}
local kept_handles = {}  -- of types whose layout was forgotten

-- ---- fields as a tree of nodes ------------------------------------------------------------------------------
-- A node has a name, an absolute offset in the row, and either a type it can be read as, or children, or both
-- (color and flags). Array elements are children named 1, 2, 3 …

local vector_parts = { vec2 = { "x", "y" }, vec3 = { "x", "y", "z" }, vec4 = { "x", "y", "z", "w" } }
local color_parts = { "r", "g", "b", "a" }

local node_from

local function add_child(node, child)
  node.children = node.children or {}
  node.children[#node.children + 1] = child
end

local function expand(node, field)
  local kind = field.type
  local parts = vector_parts[kind]
  if parts then
    node.type, node.is_vector = nil, true
    for i = 1, #parts do
      add_child(node, {
        name = parts[i], type = "f32", offset = node.offset + 4 * (i - 1), size = 4, where = node.where,
        minimum = field.minimum, maximum = field.maximum, policy = field.policy,
      })
    end
  elseif kind == "struct" then
    node.type = nil
    for i = 1, #field.nested do
      add_child(node, node_from(field.nested[i], node.offset, node.path .. ".", node.owner, node.whose))
    end
  elseif kind == "color" then
    for i = 1, 4 do
      local offset = node.offset + i - 1
      add_child(node, { name = color_parts[i], type = "u8", offset = offset, size = 1, where = node.where })
    end
  elseif kind == "flags" then
    for i = 1, #field.labels do
      add_child(node, {
        name = field.labels[i], type = "flag", offset = node.offset, size = node.size, where = node.where,
        mask = 2 ^ (i - 1),
      })
    end
  end
  return node
end

function node_from(field, base, prefix, owner, whose)
  local path = prefix .. field.name
  local node = {
    name = field.name, path = path, owner = owner, whose = whose, type = field.type, offset = base + field.offset,
    size = field.element_size, labels = field.labels, minimum = field.minimum, maximum = field.maximum,
    policy = field.policy, where = format("%s, field '%s'", whose, path),
  }
  if field.labels then
    node.label_numbers = {}
    for i = 1, #field.labels do node.label_numbers[field.labels[i]] = i - 1 end
  end
  if field.array_length == 0 then return expand(node, field) end
  local element = {}
  for key, value in next, field do element[key] = value end
  element.array_length = 0
  node.type, node.is_array = nil, true
  for i = 1, field.array_length do
    element.name, element.offset = i, field.offset + (i - 1) * field.element_size
    local child = node_from(element, base, prefix, owner, whose)
    child.path = format("%s[%d]", path, i)
    child.where = format("%s, field '%s'", whose, child.path)
    add_child(node, child)
  end
  return node
end

local function short_name(name)
  local colon = find(name, ":", 1, true)
  return colon and sub(name, colon + 1) or name
end

local function description_from(raw)
  local is_component = raw.kind ~= "resource" and raw.kind ~= "event" and raw.kind ~= "blob"
  local whose = format("%s '%s'", is_component and "component" or raw.kind, raw.name)
  local description = {
    id = raw.id, name = raw.name, short = short_name(raw.name), kind = raw.kind, size = raw.size,
    owner = raw.owner,
    defaults = raw.defaults, handle = kept_handles[raw.id] or ffi.new(handle_type, raw.id, 0),
    root = { name = raw.name, path = raw.name, owner = raw.name, offset = 0, where = whose },
  }
  for i = 1, #raw.fields do add_child(description.root, node_from(raw.fields[i], 0, "", raw.name, whose)) end
  return description
end

--- A description that nobody finds by its number.
component.described = description_from

--- All types are described anew when they are asked for next; their handles stay.
function component.forget_layouts()
  for id, description in next, descriptions do
    kept_handles[id] = description.handle
    descriptions[id] = nil
  end
end

function component.by_id(id)
  local description = descriptions[id]
  if not description then
    description = description_from(host.describe(id))
    descriptions[id] = description
  end
  return description
end

-- ---- handles ------------------------------------------------------------------------------------------------

--- The description behind a handle, or nil for anything else.
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
  fail.raise("unknown component '" .. name .. "'" ..
    (nearest ~= "" and "; did you mean '" .. nearest .. "'?" or ""))
end

ffi.metatype(handle_type, {
  __index = function(_, key)
    fail.raise("a component handle has no fields; values come from chunk columns or ctx:try_get, not from C." ..
      (type(key) == "string" and #key < 40 and key or "…"))
  end,
  __newindex = function() fail.raise("a component handle cannot be changed") end,
  __call = function(handle, fields) return (component.value_from(component.by_id(handle[ID]), fields)) end,
  __tostring = function(handle) return "component " .. component.by_id(handle[ID]).name end,
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

--- Its value stands once for all rows of a chunk, and only `set` changes it, by moving the row.
function component.is_shared(description)
  return description.kind == "shared" or description.kind == "shared_cleanup"
end

--- Is there a value of the component for each entity, as bytes?
function component.has_value(description)
  return description.size > 0 and description.kind ~= "buffer" and description.kind ~= "object"
end

local other_ways = {
  buffer = "is a buffer; reach it with ctx:buffer or ecs.world:buffer, and fill new ones with commands:buffer",
  object = "is an object component; its value is read with ctx:object or ecs.world:object, and set with set_object",
}

--- Is the value of the component the bytes of one row? Not for buffers and objects, which are reached otherwise.
function component.expect_reachable(description, what)
  local way = other_ways[description.kind]
  if way then fail.raise(format("%s: '%s' %s", what, description.name, way)) end
end

--- What a mod called the type: for messages that expect a handle.
function component.expect(value, what)
  local description = component.of_handle(value)
  if description then return description end
  fail.raise(what .. ": expected a component such as C.Position, got " .. fail.shown(value))
end

return component
