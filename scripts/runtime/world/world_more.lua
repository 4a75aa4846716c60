-- Further methods of ecs.world: statistics, enabling, changes by query, resources. Extends world.lua on first use.
local need = ...
local kind_methods, host, fail = need "kind_methods", need "host", need "fail"
local api, component = need "api", need "component"
local value, proxy, changes, world = need "value", need "proxy", need "changes", need "world"
local own = need "world_methods"
local later = need "parts".later
local query = later "query_handle"
local ffi = require("ffi")
local type, ipairs = type, ipairs
local methods, epoch_address, handle = world.methods, world.epoch, host.world
local expect_outside, check_entity, check_alive = own.expect_outside, own.check_entity, own.check_alive
local parts, parts_to_change = own.parts, own.parts_to_change
local spend = need "fuel".spend
local kStepsPerArchetype = 20  -- to compute its hash

-- The address of a query whose rows or chunks the method will read.
local function paid(of, name, work)
  local address = query.expect(of, "ecs.world:" .. name)
  query.pay(address, work)
  return address
end

--- The number of living entities; with a query, the number of its matches.
function methods.entity_count(self, of)
  expect_outside(self, "entity_count")
  if of ~= nil then return api.query_entity_count(paid(of, "entity_count", query.count_rows)) end
  return api.world_entity_count(handle)
end

--- A list of the entities that a query matches, in the order of its chunks.
function methods.entities(self, of)
  expect_outside(self, "entities")
  local address = paid(of, "entities", query.reach_rows)
  local count = api.query_entity_count(address)
  local numbers, list = ffi.new("double[?]", count), {}
  if not api.query_entities(address, numbers) then fail.raise("ecs.world:entities: there is no memory left") end
  for i = 1, count do list[i] = numbers[i - 1] end
  return list
end

--- The number of chunks that a query matches.
function methods.chunk_count(self, of)
  expect_outside(self, "chunk_count")
  return query.counted(api.query_chunk_count(paid(of, "chunk_count", query.count_chunks)), "ecs.world:chunk_count")
end

-- ---- further changes ------------------------------------------------------------------------------------------

local function parts_to_enable(v, flag, name)
  local id, _, description = parts_to_change(v, name)
  component.expect_enableable(description, flag, "ecs.world:", name)
  return id
end

--- enable(entity, C.Shield, true or false): false when the entity lacks it.
function methods.enable(self, entity, v, flag)
  expect_outside(self, "enable")
  check_alive(entity, "enable")
  return api.world_set_enabled(handle, entity, parts_to_enable(v, flag, "enable"), flag)
end

--- is_enabled(entity, C.Shield): true if the entity has it and, for an enableable kind, it is enabled.
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
  local packed, add_count, remove_count, behind = changes.pack(added, removed, "ecs.world:change", function(id)
    parts_to_change(component.by_id(id).handle, "change")
  end)
  local is_done = api.world_change(handle, entity, packed, add_count, remove_count)
  for i = 1, is_done and behind and #behind or 0 do
    local part = behind[i]
    kind_methods.set_at_once(entity, part.id, part.bytes, part.more, "ecs.world:change")
  end
  return is_done
end

-- Changes by query; each returns the number of entities that it reached.

function methods.add_all(self, which, v)
  expect_outside(self, "add_all")
  local address = paid(which, "add_all", query.reach_rows)
  local id, bytes = parts_to_change(v, "add_all")
  return api.world_add_all(handle, address, id, bytes)
end

function methods.remove_all(self, which, v)
  expect_outside(self, "remove_all")
  local address = paid(which, "remove_all", query.reach_rows)
  return api.world_remove_all(handle, address, (parts_to_change(v, "remove_all")))
end

function methods.set_all(self, which, v)
  expect_outside(self, "set_all")
  local address = paid(which, "set_all", query.reach_rows)
  local id, bytes = parts_to_change(v, "set_all")
  if bytes == nil then
    fail.raise("ecs.world:set_all: expected a value such as C.Health { current = 1 }, got a component")
  end
  return api.world_set_all(handle, address, id, bytes)
end

function methods.enable_all(self, which, v, flag)
  expect_outside(self, "enable_all")
  local address = paid(which, "enable_all", query.reach_rows)
  return api.world_enable_all(handle, address, parts_to_enable(v, flag, "enable_all"), flag)
end

function methods.destroy_all(self, which)
  expect_outside(self, "destroy_all")
  return api.world_destroy_all(handle, paid(which, "destroy_all", query.reach_rows))
end

-- ---- statistics --------------------------------------------------------------------------------------------------

--- stats(): a table of entities, archetypes, chunks, chunk_bytes, unused_bytes.
function methods.stats(self)
  expect_outside(self, "stats")
  return host.stats()
end

--- archetype(entity) or archetype("3e8d2551f704794b"): a table of hash, components (their names), entities, chunks; nil
--- when there is none. The hash is that of the names, so it is the same in each run.
function methods.archetype(self, which)
  expect_outside(self, "archetype")
  if type(which) ~= "string" then
    if which == nil then return nil end
    check_entity(which, "archetype")
  else
    spend(host.stats().archetypes * kStepsPerArchetype)
  end
  local hash, components, entities, chunks = host.archetype(which)
  return hash and { hash = hash, components = components, entities = entities, chunks = chunks } or nil
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

--- resource(C.Wave): a proxy of the world's one value.
function methods.resource(self, v)
  expect_outside(self, "resource")
  local description = component.expect(v, "ecs.world:resource")
  if description.kind ~= "resource" then
    fail.raise("ecs.world:resource: '" .. description.name .. "' is not a resource")
  end
  if description.presentation then own.expect_no_step("ecs.world:resource", description) end
  local id = description.id
  local makers = world.resource_makers
  makers[id] = makers[id] or proxy.resource_maker(description, true, epoch_address)
  return makers[id]()
end

--- schema_json(C.Health): the schema as JSON, for tools.
function methods.schema_json(self, v)
  expect_outside(self, "schema_json")
  local found = type(v) == "string" and component.find(v) or v
  return host.schema_json(component.expect(found, "ecs.world:schema_json").id)
end
