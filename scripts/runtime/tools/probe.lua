-- Reads a game's data for tests, as plain tables: loaded on demand, in the state of the game. Invariant: nothing is
-- changed; results contain no row and no handle, so they can be copied into another state.
local need = ...
local component, fail = need "component", need "fail"
local world = need "world".object
local type, format, tostring = type, string.format, tostring

local probe = {}

-- A row, or a part of one, as a table. Blobs are omitted, since they are not plain values.
local function plain(row, node)
  local t = {}
  for _, child in ipairs(node.children or {}) do
    if child.type == nil then
      t[child.name] = plain(row[child.name], child)
    elseif child.type ~= "blob" then
      t[child.name] = row[child.name]
    end
  end
  return t
end

local function expect_component(name)
  local handle, nearest = component.find(name)
  if handle then return handle, component.of_handle(handle) end
  fail.raise(format("unknown component '%s'%s", name, fail.did_you_mean(nearest)))
end

--- The component of an entity: a table of its fields, a list of those for a buffer, true for a component without
--- fields; nil if the entity lacks it or is dead.
function probe.get(name, entity)
  local handle, description = expect_component(name)
  if not world:is_alive(entity) or not world:has(entity, handle) then return nil end
  if description.kind == "object" then
    local value = world:object(entity, handle)
    local kind = type(value)
    return (kind == "number" or kind == "boolean" or kind == "string") and value or tostring(value)
  end
  if description.kind == "buffer" then
    local buffer, list = world:buffer(entity, handle), {}
    for i = 1, buffer.count do list[i] = plain(buffer[i], description.root) end
    return list
  end
  if description.size == 0 then return true end
  return plain(world:get(entity, handle), description.root)
end

function probe.resource(name)
  local handle, description = expect_component(name)
  return plain(world:resource(handle), description.root)
end

return probe
