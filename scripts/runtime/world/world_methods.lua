-- The methods of ecs.world for entities and their values. Changes happen at once.
-- Inside a system each change is an error that names ctx.commands; before main.lua there is no world yet.
local need = ...
local kind_methods, sketch, host, fail, api = need "kind_methods", need "sketch", need "host", need "fail", need "api"
local component, value, prefab, proxy = need "component", need "value", need "prefab", need "proxy"
local phase, world = need "phase", need "world"
local spend = need "fuel".spend
local select, format = select, string.format
local handle, epoch_address = host.world, world.epoch

-- Steps of fuel: entities take memory that is not counted elsewhere.
local kStepsPerChange = 20

local function refuse(self, name)
  if self ~= world.object then fail.raise("call it as a method: ecs.world:" .. name .. "(…)") end
  phase.refuse_world("ecs.world:" .. name)
end

local function expect_outside(self, name)
  if self ~= world.object or not (phase.has_world() or phase.is_sketch() and sketch.may(name)) then
    refuse(self, name)
  end
  spend(kStepsPerChange)
end

local function parts(v, name, takes_more)
  local id, bytes, more = value.parts(v, "ecs.world:" .. name, takes_more)
  local description = component.by_id(id)
  if description.kind == "resource" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is a resource; use ecs.world:resource")
  end
  if description.kind == "event" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is an event, not a component; send it with " ..
      "ecs.world:send")
  end
  return id, bytes, description, more
end

-- Components maintained by the engine are read-only. Inside a system, so are those of other systems.
local function parts_to_change(v, name, takes_more)
  local id, bytes, description, more = parts(v, name, takes_more)
  if description.owner == "engine" then
    fail.raise("ecs.world:" .. name .. ": '" .. description.name .. "' is kept by the engine")
  end
  if phase.is_exclusive() and description.kind ~= "chunk" then
    local refusal = host.refusal(0, id)
    if refusal then fail.raise("ecs.world:" .. name .. ": " .. refusal) end
  end
  return id, bytes, description, more
end

-- Of a new entity that has its other components: the chunk component `v`.
local function start_chunk(entity, v)
  local id, bytes = parts_to_change(v, "spawn")
  api.world_start_chunk(handle, entity, id, bytes)
end

-- Adds a checked value; `more` is its additional part (value.parts).
local function add_value(entity, v, name, undo)
  local id, bytes, _, more = parts_to_change(v, name, true)
  if more ~= nil then return (kind_methods.add_at_once(entity, id, bytes, more, "ecs.world:" .. name, undo)) end
  if api.world_add(handle, entity, id, bytes) then return true end
  local refusal = host.share_used_up()
  if not refusal then return false end
  if undo then undo(entity) end
  fail.raise("ecs.world:" .. name .. ": " .. refusal)
end

local check_entity = fail.entity_check("ecs.world:")

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

-- How presentation data looks depends on the frame rate; exclusive systems and update() of a sketch come here too.
local function expect_no_step(what, description)
  if not phase.is_step() then return end
  fail.raise(format("%s: '%s' is presentation data, whose values depend on the frame rate; read it in a " ..
    "presentation system or in draw()", what, description.name))
end

local function new_maker(v)
  local id, _, description = parts(v, "get")
  component.expect_reachable(description, "ecs.world:get")
  if description.size == 0 then
    fail.raise("ecs.world:get: '" .. description.name .. "' " ..
      (description.kind == "tag" and "is a tag and has no value" or "has no fields") .. "; use has")
  end
  local make = proxy.entity_maker(description, description.owner ~= "engine", epoch_address)
  if description.presentation then
    local make_any = make
    make = function(entity)
      expect_no_step("ecs.world:get", description)
      return make_any(entity)
    end
  end
  world.makers[id] = make
  return make
end

--- Adds them to the table and returns it.
local function extend(methods)
  local function destroy_new(entity) api.world_destroy(handle, entity) end

  --- spawn(prefab, values…) or spawn(values…): the new entity, alive at once.
  --- A nil after the first is skipped, as in commands:spawn.
  function methods.spawn(self, ...)
    expect_outside(self, "spawn")
    local first = ...
    local given = select("#", ...)
    if first == nil and given ~= 0 then
      fail.raise("ecs.world:spawn: expected a prefab or a component first, got nil")
    end
    local is_prefab = prefab.is_prefab(first)
    local values, count = {}, 0
    local chunk_values, chunk_count = nil, 0  -- they come last: each further component may move the entity
    for i = is_prefab and 2 or 1, given do
      local v = select(i, ...)
      if v ~= nil then
        local _, _, description = parts_to_change(v, "spawn", true)  -- all checked before the entity is created
        if description.kind == "chunk" then
          chunk_values, chunk_count = chunk_values or {}, chunk_count + 1
          chunk_values[chunk_count] = v
        else
          count = count + 1
          values[count] = v
        end
      end
    end
    local entity = is_prefab and api.world_spawn(handle, prefab.expect(first)) or api.world_spawn_empty(handle)
    if entity == 0 then fail.raise("ecs.world:spawn: " .. host.refusal_of_world()) end
    for i = 1, count do add_value(entity, values[i], "spawn", destroy_new) end
    for i = 1, chunk_count do start_chunk(entity, chunk_values[i]) end
    if count + chunk_count == 0 then return entity end
    -- Now it is in its last chunk.
    if is_prefab then api.world_start_prefab_chunk(handle, entity, prefab.expect(first)) end
    for i = 1, chunk_count do start_chunk(entity, chunk_values[i]) end
    return entity
  end

  --- load("data/level.json"): a list of the file's top-level entities, and its prefabs by name.
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
    if more ~= nil then return (kind_methods.set_at_once(entity, id, bytes, more, "ecs.world:set")) end
    if bytes == nil then
      fail.raise("ecs.world:set: expected a value such as C.Health { current = 1 }, got a component")
    end
    return api.world_set(handle, entity, id, bytes)
  end

  --- get(entity, C.Health): a proxy whose fields read and write, or nil. For tags use has.
  function methods.get(self, entity, v)
    expect_outside(self, "get")
    if entity == nil then return nil end
    check_entity(entity, "get")
    local make = world.makers[component.id_of(v)] or new_maker(v)
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

  --- clone(entity): a new entity with the same components and values.
  function methods.clone(self, entity)
    expect_outside(self, "clone")
    check_alive(entity, "clone")
    local made = api.world_clone(handle, entity)
    if made == 0 then fail.raise("ecs.world:clone: " .. host.refusal_of_world()) end
    return made
  end

  return methods
end

return {
  extend = extend, expect_outside = expect_outside, check_entity = check_entity, check_alive = check_alive,
  expect_no_step = expect_no_step, parts = parts, parts_to_change = parts_to_change,
}
