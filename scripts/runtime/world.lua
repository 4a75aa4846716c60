-- ecs.world: the world outside of systems, at load and in tests. Changes happen at once.
-- Inside a system each change is an error that names ctx.commands; before main.lua there is no world yet.
local rt = ...
local ffi = require("ffi")
local type, select, setmetatable, format, ipairs = type, select, setmetatable, string.format, ipairs
local host, fail, layout, api, component, value, prefab, proxy, changes, query =
  rt.host, rt.fail, rt.layout, rt.api, rt.component, rt.value, rt.prefab, rt.proxy, rt.changes, rt.query
local cell, phases = layout.cell, layout.phases
local handle = host.world
local epoch_address = ffi.cast("uint64_t", ffi.cast("void *", cell))

-- Steps of fuel: entities take memory that nothing else counts.
local spend, kStepsPerChange = rt.fuel.spend, 20

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

local function refuse(self, name)
  if self ~= world.object then fail.raise("call it as a method: ecs.world:" .. name .. "(…)") end
  local phase = cell.phase
  if phase == phases.schema then
    fail.raise("ecs.world:" .. name .. ": there is no world yet in schema.lua; move this to main.lua")
  end
  if phase == phases.system then
    fail.raise("ecs.world:" .. name .. ": not inside a system; use ctx.commands for changes and ctx:try_get for values")
  end
  fail.raise("ecs.world:" .. name .. ": not inside an initialiser of spawn_many")
end

local function expect_outside(self, name)
  local phase = cell.phase
  if self ~= world.object or (phase ~= phases.idle and phase ~= phases.main) then refuse(self, name) end
  spend(kStepsPerChange)
end

local function parts(v, name, takes_more)
  local id, bytes, more = value.parts(v, "ecs.world:" .. name, takes_more)
  local description = component.by_id(id)
  if description.kind == "resource" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is a resource; use ecs.world:resource")
  end
  if description.kind == "event" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is an event and no component; send it with " ..
      "ecs.world:send")
  end
  return id, bytes, description, more
end

-- What the engine keeps itself is only looked at.
local function parts_to_change(v, name, takes_more)
  local id, bytes, description, more = parts(v, name, takes_more)
  if description.owner == "engine" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is kept by the engine")
  end
  return id, bytes, description, more
end

-- Adds a checked value; `more` is what it says besides its bytes (value.parts).
local function add_value(entity, v, name, undo)
  local id, bytes, _, more = parts_to_change(v, name, true)
  if more ~= nil then return (rt.owned.add_at_once(entity, id, bytes, more, "ecs.world:" .. name, undo)) end
  return api.world_add(handle, entity, id, bytes)
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

-- A destroyed entity still has its cleanup components.
local function check_there(entity, id, name)
  check_entity(entity, name)
  if not api.world_has(handle, entity, id) then check_alive(entity, name) end
end

local methods = {}

local function destroy_new(entity) api.world_destroy(handle, entity) end

--- spawn(prefab, values…) or spawn(values…): the new entity, alive at once.
function methods.spawn(self, first, ...)
  expect_outside(self, "spawn")
  local is_prefab = prefab.is_prefab(first)
  local values = is_prefab and { ... } or { first, ... }
  local count = select("#", ...) + ((is_prefab or first == nil) and 0 or 1)
  for i = 1, count do parts_to_change(values[i], "spawn", true) end  -- all checked before there is an entity
  local entity = is_prefab and api.world_spawn(handle, prefab.expect(first)) or api.world_spawn_empty(handle)
  if entity == 0 then fail.raise("ecs.world:spawn: the world is full") end
  for i = 1, count do add_value(entity, values[i], "spawn", destroy_new) end
  return entity
end

--- load("data/level.json"): a list of the entities that stand at the top of the file, and its prefabs by name.
function methods.load(self, path)
  expect_outside(self, "load")
  local prefabs, entities = prefab.load_file(path, false, "ecs.world:load")
  return entities, prefabs
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
  return add_value(entity, v, "add")
end

function methods.remove(self, entity, v)
  expect_outside(self, "remove")
  local id = parts_to_change(v, "remove")
  check_there(entity, id, "remove")
  return api.world_remove(handle, entity, id)
end

--- set(entity, C.Health { current = 1 }): false when the entity lacks the component.
function methods.set(self, entity, v)
  expect_outside(self, "set")
  local id, bytes, _, more = parts_to_change(v, "set", true)
  check_there(entity, id, "set")
  if more ~= nil then return (rt.owned.set_at_once(entity, id, bytes, more, "ecs.world:set")) end
  if bytes == nil then
    fail.raise("ecs.world:set: expected a value such as C.Health { current = 1 }, got a component")
  end
  return api.world_set(handle, entity, id, bytes)
end

local makers = {}  -- by number of the component

local function new_maker(v)
  local id, _, description = parts(v, "get")
  component.expect_reachable(description, "ecs.world:get")
  if description.size == 0 then
    fail.raise("ecs.world:get: '" .. description.name .. "' " ..
      (description.kind == "tag" and "is a tag and has no value" or "has no fields") .. "; use has")
  end
  makers[id] = proxy.entity_maker(description, description.owner ~= "engine", epoch_address)
  return makers[id]
end

--- get(entity, C.Health): a proxy whose fields read and write, or nil. For tags use has.
function methods.get(self, entity, v)
  expect_outside(self, "get")
  if entity == nil then return nil end
  check_entity(entity, "get")
  local make = makers[component.id_of(v)] or new_maker(v)
  return make(entity)
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

--- The number of living entities; with a query, of those that it matches.
function methods.entity_count(self, of)
  expect_outside(self, "entity_count")
  if of ~= nil then return api.query_entity_count(query.expect(of, "ecs.world:entity_count")) end
  return api.world_entity_count(handle)
end

--- The number of chunks that a query matches.
function methods.chunk_count(self, of)
  expect_outside(self, "chunk_count")
  return api.query_chunk_count(query.expect(of, "ecs.world:chunk_count"))
end

-- ---- the other kinds of change --------------------------------------------------------------------------------

local function parts_to_enable(v, flag, name)
  local id, _, description = parts_to_change(v, name)
  if description.kind ~= "enableable" then
    fail.raise(format("ecs.world:%s: '%s' is a %s and cannot be switched off; declare it with kind = \"enableable\"",
      name, description.name, description.kind))
  end
  if type(flag) ~= "boolean" then
    fail.raise(format("ecs.world:%s: expected true or false, got %s", name, fail.shown(flag)))
  end
  return id
end

--- enable(entity, C.Shield, true or false): false when the entity lacks it.
function methods.enable(self, entity, v, flag)
  expect_outside(self, "enable")
  check_alive(entity, "enable")
  return api.world_set_enabled(handle, entity, parts_to_enable(v, flag, "enable"), flag)
end

--- is_enabled(entity, C.Shield): is it there and, if it can be switched off, switched on?
function methods.is_enabled(self, entity, v)
  expect_outside(self, "is_enabled")
  if entity == nil then return false end
  check_entity(entity, "is_enabled")
  return api.world_is_enabled(handle, entity, (parts(v, "is_enabled")))
end

--- change(entity, { values to add }, { components to remove }): all in one move.
function methods.change(self, entity, added, removed)
  expect_outside(self, "change")
  check_alive(entity, "change")
  local packed, add_count, remove_count = changes.pack(added, removed, "ecs.world:change", function(id)
    parts_to_change(component.by_id(id).handle, "change")
  end)
  return api.world_change(handle, entity, packed, add_count, remove_count)
end

--- clone(entity): a new entity with the same components and values.
function methods.clone(self, entity)
  expect_outside(self, "clone")
  check_alive(entity, "clone")
  local made = api.world_clone(handle, entity)
  if made == 0 then fail.raise("ecs.world:clone: the world is full") end
  return made
end

-- By query; each returns how many entities it reached.

function methods.add_all(self, which, v)
  expect_outside(self, "add_all")
  local address = query.expect(which, "ecs.world:add_all")
  local id, bytes = parts_to_change(v, "add_all")
  return api.world_add_all(handle, address, id, bytes)
end

function methods.remove_all(self, which, v)
  expect_outside(self, "remove_all")
  local address = query.expect(which, "ecs.world:remove_all")
  return api.world_remove_all(handle, address, (parts_to_change(v, "remove_all")))
end

function methods.set_all(self, which, v)
  expect_outside(self, "set_all")
  local address = query.expect(which, "ecs.world:set_all")
  local id, bytes = parts_to_change(v, "set_all")
  if bytes == nil then
    fail.raise("ecs.world:set_all: expected a value such as C.Health { current = 1 }, got a component")
  end
  return api.world_set_all(handle, address, id, bytes)
end

function methods.enable_all(self, which, v, flag)
  expect_outside(self, "enable_all")
  local address = query.expect(which, "ecs.world:enable_all")
  return api.world_enable_all(handle, address, parts_to_enable(v, flag, "enable_all"), flag)
end

function methods.destroy_all(self, which)
  expect_outside(self, "destroy_all")
  return api.world_destroy_all(handle, query.expect(which, "ecs.world:destroy_all"))
end

-- ---- figures --------------------------------------------------------------------------------------------------

--- stats(): a table of entities, archetypes, chunks, chunk_bytes, unused_bytes.
function methods.stats(self)
  expect_outside(self, "stats")
  return host.stats()
end

--- shared_values(C.Team): a list of { value = { id = 2 }, entities =, chunks = }; C.Team(entry.value) is that value.
function methods.shared_values(self, v)
  expect_outside(self, "shared_values")
  local id, _, description = parts(v, "shared_values")
  if not component.is_shared(description) then
    fail.raise("ecs.world:shared_values: '" .. description.name .. "' is a " .. description.kind ..
      "; only shared components have values in common")
  end
  local list = {}
  for i, entry in ipairs(host.shared_values(id)) do
    local fields = proxy.over_bytes(description, entry[1], epoch_address)
    list[i] = { value = value.table_of(description.root, fields), entities = entry[2], chunks = entry[3] }
  end
  return list
end

local resource_makers = {}

--- Layouts have changed.
function world.forget_layouts() makers, resource_makers = {}, {} end

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
rt.words[world.object] = rt.keys_of(methods)

-- For the files that add methods.
world.methods, world.expect_outside, world.check_entity = methods, expect_outside, check_entity
world.epoch, world.parts = epoch_address, parts

return world
