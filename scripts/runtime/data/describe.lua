-- Descriptions of types: the data from C++, with the fields as a tree. Stateless; component.lua keeps the results.
local need = ...
local fail = need "fail"
local format, find, sub = string.format, string.find, string.sub

local describe = {}

-- ---- fields as a tree of nodes ------------------------------------------------------------------------------
-- A node has a name, an absolute offset in the row, and either a type to be read as, or children, or both (color and
-- flags). Array elements are children named 1, 2, 3 …

local vector_parts = {
  vec2 = { "x", "y" }, vec3 = { "x", "y", "z" }, vec4 = { "x", "y", "z", "w" }, quat = { "x", "y", "z", "w" },
  mat4 = { "xx", "xy", "xz", "xw", "yx", "yy", "yz", "yw", "zx", "zy", "zz", "zw", "wx", "wy", "wz", "ww" },
}
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
    policy = field.policy, where = format("%s, field '%s'", whose, path), blob_type = field.blob_type,
    is_list = field.is_list,
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

--- The description of a type from the data of C++.
function describe.description(raw, handle)
  local is_component = raw.kind ~= "resource" and raw.kind ~= "event" and raw.kind ~= "blob"
  local whose = format("%s '%s'", is_component and "component" or raw.kind, raw.name)
  if raw.owner == "engine" then fail.note_engine_type(whose) end
  local description = {
    id = raw.id, name = raw.name, short = short_name(raw.name), kind = raw.kind, size = raw.size,
    owner = raw.owner, index = raw.index, presentation = raw.presentation,
    defaults = raw.defaults, handle = handle,
    root = { name = raw.name, path = raw.name, owner = raw.name, offset = 0, where = whose },
  }
  for i = 1, #raw.fields do add_child(description.root, node_from(raw.fields[i], 0, "", raw.name, whose)) end
  description.shape = raw.shape
  -- The elements of a list have no field: they are the rows.
  if raw.shape == "values" then
    local element = description.root.children[1]
    element.name, element.path, element.where, element.owner = raw.name, "", whose, raw.name
    description.root = element
  end
  return description
end

return describe
