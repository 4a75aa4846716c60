-- ecs.world: the world outside of systems, at load and in tests. Changes happen at once.
-- Inside a system each change is an error that names ctx.commands; before main.lua there is no world yet.
local rt = ...
local ffi = require("ffi")
local type, select, setmetatable, format = type, select, setmetatable, string.format
local host, fail, layout, api, component, value, prefab, proxy =
  rt.host, rt.fail, rt.layout, rt.api, rt.component, rt.value, rt.prefab, rt.proxy
local cell, phases = layout.cell, layout.phases
local handle = host.world
local epoch_address = ffi.cast("uint64_t", ffi.cast("void *", cell))

local world = {}

--- For what happens only while files are loaded: systems, prefabs, components.
function world.expect_loading(what)
  if cell.phase == phases.schema then
    fail.raise(what .. ": there is no world yet in schema.lua; move this to main.lua")
  end
  world.expect_outside_systems(what)
end

function world.expect_outside_systems(what)
  if cell.phase == phases.system or cell.phase == phases.playback then
    fail.raise(what .. ": declare it while the file is loaded, not inside a system")
  end
end

local function expect_outside(self, name)
  if self ~= world.object then fail.raise("call it as a method: ecs.world:" .. name .. "(…)") end
  local phase = cell.phase
  if phase == phases.schema then
    fail.raise("ecs.world:" .. name .. ": there is no world yet in schema.lua; move this to main.lua")
  end
  if phase == phases.system then
    fail.raise("ecs.world:" .. name .. ": not inside a system; use ctx.commands for changes and ctx:try_get for values")
  end
  if phase == phases.playback then fail.raise("ecs.world:" .. name .. ": not inside an initialiser of spawn_many") end
end

local function parts(v, name)
  local id, bytes = value.parts(v, "ecs.world:" .. name)
  local description = component.by_id(id)
  if description.kind == "resource" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is a resource; use ecs.world:resource")
  end
  return id, bytes, description
end

local function check_entity(entity, name)
  if type(entity) ~= "number" then
    fail.raise("ecs.world:" .. name .. ": expected an entity, got " .. fail.shown(entity))
  end
end

local function check_alive(entity, name)
  check_entity(entity, name)
  if not api.world_is_alive(handle, entity) then
    fail.raise(format("ecs.world:%s: entity %.0f is not alive", name, entity))
  end
end

local methods = {}

--- spawn(prefab, values…) or spawn(values…): the new entity, alive at once.
function methods.spawn(self, first, ...)
  expect_outside(self, "spawn")
  local is_prefab = prefab.is_prefab(first)
  local values = is_prefab and { ... } or { first, ... }
  local count = select("#", ...) + ((is_prefab or first == nil) and 0 or 1)
  for i = 1, count do parts(values[i], "spawn") end  -- all checked before there is an entity
  local entity = is_prefab and api.world_spawn(handle, prefab.expect(first)) or api.world_spawn_empty(handle)
  if entity == 0 then fail.raise("ecs.world:spawn: the world is full") end
  for i = 1, count do
    local id, bytes = parts(values[i], "spawn")
    api.world_add(handle, entity, id, bytes)
  end
  return entity
end

--- destroy(entity): false when it was not alive.
function methods.destroy(self, entity)
  expect_outside(self, "destroy")
  check_entity(entity, "destroy")
  return api.world_destroy(handle, entity)
end

function methods.add(self, entity, v)
  expect_outside(self, "add")
  check_alive(entity, "add")
  local id, bytes = parts(v, "add")
  return api.world_add(handle, entity, id, bytes)
end

function methods.remove(self, entity, v)
  expect_outside(self, "remove")
  check_alive(entity, "remove")
  return api.world_remove(handle, entity, (parts(v, "remove")))
end

--- set(entity, C.Health { current = 1 }): false when the entity lacks the component.
function methods.set(self, entity, v)
  expect_outside(self, "set")
  check_alive(entity, "set")
  local id, bytes = parts(v, "set")
  if bytes == nil then
    fail.raise("ecs.world:set: expected a value such as C.Health { current = 1 }, got a component")
  end
  return api.world_set(handle, entity, id, bytes)
end

local makers = {}

--- get(entity, C.Health): a proxy whose fields read and write, or nil. For tags use has.
function methods.get(self, entity, v)
  expect_outside(self, "get")
  if entity == nil then return nil end
  check_entity(entity, "get")
  local id, _, description = parts(v, "get")
  component.expect_reachable(description, "ecs.world:get")
  if description.size == 0 then
    fail.raise("ecs.world:get: '" .. description.name .. "' is a tag and has no value; use has")
  end
  makers[id] = makers[id] or proxy.entity_maker(description, true, epoch_address)
  return makers[id](entity)
end

function methods.has(self, entity, v)
  expect_outside(self, "has")
  if entity == nil then return false end
  check_entity(entity, "has")
  return api.world_has(handle, entity, (parts(v, "has")))
end

function methods.is_alive(self, entity)
  expect_outside(self, "is_alive")
  if entity == nil then return false end
  check_entity(entity, "is_alive")
  return api.world_is_alive(handle, entity)
end

--- The number of living entities.
function methods.entity_count(self)
  expect_outside(self, "entity_count")
  return api.world_entity_count(handle)
end

local resource_makers = {}

--- resource(C.Wave): a proxy of the world's one value.
function methods.resource(self, v)
  expect_outside(self, "resource")
  local description = component.expect(v, "ecs.world:resource")
  if description.kind ~= "resource" then
    fail.raise("ecs.world:resource: '" .. description.name .. "' is not a resource")
  end
  local id = description.id
  resource_makers[id] = resource_makers[id] or proxy.resource_maker(description, true, epoch_address)
  return resource_makers[id]()
end

--- schema_json(C.Health): the schema as JSON, for tools.
function methods.schema_json(self, v)
  expect_outside(self, "schema_json")
  local found = type(v) == "string" and component.find(v) or v
  return host.schema_json(component.expect(found, "ecs.world:schema_json").id)
end

rt.owned.extend_world(methods, epoch_address, expect_outside, check_entity)

world.object = setmetatable({}, {
  __index = function(_, key)
    local method = methods[key]
    if method then return method end
    local list = {}
    for name in next, methods do list[#list + 1] = name end
    fail.raise("ecs.world has no method " .. fail.shown(key) .. fail.suggestion(key, list))
  end,
  __newindex = function() fail.raise("ecs.world cannot be changed") end,
  __metatable = false,
})

return world
