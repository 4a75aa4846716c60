-- ctx.commands: structural changes, recorded now and carried out at the end of the group.
-- Invariant: every call is one call of a C function from compiled code; arguments are checked here, since C++ trusts
-- them. All commands of a failing system are dropped.
-- Here and in all hot paths of the library: no tail calls. Compiled code allows 15 of them per trace in total, so
-- `return f(x)` is written `return (f(x))`.
local need = ...
local hierarchy, order, kind_methods = need "hierarchy", need "order", need "kind_methods"
local host, fail, layout, api, component = need "host", need "fail", need "layout", need "api", need "component"
local value, prefab, changes, query = need "value", need "prefab", need "changes", need "query_handle"
local spend, grow, switches = need "fuel".spend, need "parts".grow, need "parts".later "switches"
local ffi = require("ffi")
local type, select, istype, floor, format, tonumber = type, select, ffi.istype, math.floor, string.format, tonumber
local command_spawn, command_spawn_empty, command_spawn_many =
  api.command_spawn, api.command_spawn_empty, api.command_spawn_many
local command_start_prefab_chunk = api.command_start_prefab_chunk
local command_destroy, command_add, command_remove, command_set =
  api.command_destroy, api.command_add, api.command_remove, api.command_set

local command_enable, command_change, command_clone, command_is_allowed =
  api.command_enable, api.command_change, api.command_clone, api.command_is_allowed
local command_add_all, command_remove_all, command_set_all, command_enable_all, command_destroy_all =
  api.command_add_all, api.command_remove_all, api.command_set_all, api.command_enable_all, api.command_destroy_all

-- Steps of fuel: recorded commands take memory, and time at playback, that are not counted elsewhere.
local kStepsPerCommand = 10

local commands = {}
local MAY, SYSTEM = layout.secret_name(), layout.secret_name()
local ctype = layout.opaque("const double $times[4]; const uint64_t $epoch; const uint32_t $reserved; " ..
  "const uint32_t $may; void * const $random; void * const $system;", {
    times = layout.secret_name(), epoch = layout.secret_name(), reserved = layout.secret_name(), may = MAY,
    random = layout.secret_name(), system = SYSTEM,
  })

local function system_of(self, name)
  if not istype(ctype, self) then fail.raise("call it as a method: ctx.commands:" .. name .. "(…)") end
  if self[MAY] == 0 then fail.run_closed("ctx.commands", 0) end
  spend(kStepsPerCommand)
  return self[SYSTEM]
end

local check_entity = fail.entity_check("commands:")

local kinds_of_the_world = { resource = true, event = true, blob = true }

-- Components that every system may change at any time, by number; others are checked each time.
local free = {}

local is_chunk = {}  -- by number
local for_all = { add_all = true, set_all = true, remove_all = true }

local function check_kind(system, id, what)
  local description = component.by_id(id)
  local kind = description.kind
  if kinds_of_the_world[kind] then
    fail.raise(format("commands:%s: '%s' is %s %s and does not belong to entities", what, description.name,
      kind == "event" and "an" or "a", kind))
  end
  -- A new entity may be placed in any chunk; the value is used only if it starts a new chunk.
  if kind == "chunk" and what == "spawn" then
    is_chunk[id] = true
    return
  end
  local takes_chunks = for_all[what] or false
  if kind == "chunk" and not takes_chunks then
    fail.raise("commands:" .. what .. ": '" .. description.name .. "' is a chunk component, one value for all rows " ..
      "of a chunk; write it as chunk." .. description.short .. ".… in a system, or change it for the chunks of a " ..
      "query with add_all, set_all and remove_all")
  end
  if not command_is_allowed(system, id, takes_chunks) then
    fail.raise("commands:" .. what .. ": " .. host.refusal(tonumber(ffi.cast("uintptr_t", system)), id, takes_chunks))
  end
  free[id] = description.owner == "" and kind ~= "cleanup" and kind ~= "shared_cleanup" and kind ~= "chunk"
end

local function full(what) fail.raise(what .. ": " .. host.refusal_of_world()) end

-- The cost of copying a large value into the list of commands, by component.
local kFreeBytes, kBytesPerStep = 256, 32
local weights = {}

local function weigh(id)
  local size = component.by_id(id).size
  weights[id] = size > kFreeBytes and size / kBytesPerStep or 0
  return weights[id]
end

local function parts(system, v, what, takes_more)
  local id, bytes, more = value.parts(v, "commands:" .. what, takes_more)
  if not free[id] then check_kind(system, id, what) end
  if bytes ~= nil then
    local weight = weights[id] or weigh(id)
    if weight > 0 then spend(weight) end
  end
  return id, bytes, more
end

-- `more` is the additional part of the value; see value.parts.
local function record_add(system, entity, id, bytes, more, what, undo)
  if more == nil then
    if not command_add(system, entity, id, bytes) then
      if undo then undo(system, entity) end
      full(what)
    end
  else
    kind_methods.record(system, entity, id, bytes, more, false, what, undo)
  end
end

local has_chunk_values = false  -- of the entity that is being recorded

-- Adds one more value of a new entity; without memory for it the entity is not created. Chunk components come last:
-- each further component may move the entity.
local function record_part(system, entity, id, bytes, more)
  if is_chunk[id] then
    has_chunk_values = true
    return
  end
  record_add(system, entity, id, bytes, more, "commands:spawn", command_destroy)
end

local function component_of(system, handle, what)
  local id = component.id_of(handle)
  if not id then
    fail.raise("commands:" .. what .. ": expected a component such as C.Health, got " .. fail.shown(handle))
  end
  if not free[id] then check_kind(system, id, what) end
  return id
end

local function check_enableable(id, flag, what)
  component.expect_enableable(component.by_id(id), flag, "commands:", what)
end

local function start_chunks(system, entity, ...)
  local is_recorded = true
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if v ~= nil and not prefab.is_prefab(v) then
      local id, bytes = parts(system, v, "spawn", true)
      if is_chunk[id] then is_recorded = api.command_start_chunk(system, entity, id, bytes) and is_recorded end
    end
  end
  return is_recorded
end

-- Of a new entity with all other components: those of its chunk. Once it has them all, it is in its last chunk, and
-- they are set. `prefab_number` nil: it has no prefab.
local function record_chunks(system, entity, prefab_number, ...)
  has_chunk_values = false
  local is_recorded = start_chunks(system, entity, ...)
  if prefab_number then is_recorded = command_start_prefab_chunk(system, entity, prefab_number) and is_recorded end
  return start_chunks(system, entity, ...) and is_recorded
end

local methods = {}

local function add_rest(system, entity, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if v ~= nil then
      local id, bytes, more = parts(system, v, "spawn", true)
      record_part(system, entity, id, bytes, more)
    end
  end
end

local function check_rest(system, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if v ~= nil then parts(system, v, "spawn", true) end
  end
end

--- spawn(prefab, C.Position { x = 1 }, …) or spawn(C.Position, …): the entity's number, alive after playback. A nil
--- after the first is skipped: spawn(prefab, is_boss and C.Boss or nil).
-- All values are checked before anything is recorded. Up to six without varargs, which cannot be compiled everywhere;
-- more are rare.
function methods.spawn(self, ...)
  local system = system_of(self, "spawn")
  local first, a, b, c, d, e, f, g = ...
  if first == nil and select("#", ...) ~= 0 then
    fail.raise("commands:spawn: expected a prefab or a component first, got nil")
  end
  local is_prefab = prefab.is_prefab(first)
  local id0, id1, id2, id3, id4, id5, id6
  local bytes0, bytes1, bytes2, bytes3, bytes4, bytes5, bytes6
  local more0, more1, more2, more3, more4, more5, more6
  if first ~= nil and not is_prefab then id0, bytes0, more0 = parts(system, first, "spawn", true) end
  if a ~= nil then id1, bytes1, more1 = parts(system, a, "spawn", true) end
  if b ~= nil then id2, bytes2, more2 = parts(system, b, "spawn", true) end
  if c ~= nil then id3, bytes3, more3 = parts(system, c, "spawn", true) end
  if d ~= nil then id4, bytes4, more4 = parts(system, d, "spawn", true) end
  if e ~= nil then id5, bytes5, more5 = parts(system, e, "spawn", true) end
  if f ~= nil then id6, bytes6, more6 = parts(system, f, "spawn", true) end
  if g ~= nil or select("#", ...) > 8 then check_rest(system, select(8, ...)) end
  local entity
  if is_prefab then
    entity = command_spawn(system, prefab.expect(first))
  else
    entity = command_spawn_empty(system)
  end
  if entity == 0 then full("commands:spawn") end
  if id0 then record_part(system, entity, id0, bytes0, more0) end
  if id1 then record_part(system, entity, id1, bytes1, more1) end
  if id2 then record_part(system, entity, id2, bytes2, more2) end
  if id3 then record_part(system, entity, id3, bytes3, more3) end
  if id4 then record_part(system, entity, id4, bytes4, more4) end
  if id5 then record_part(system, entity, id5, bytes5, more5) end
  if id6 then record_part(system, entity, id6, bytes6, more6) end
  if g ~= nil or select("#", ...) > 8 then add_rest(system, entity, select(8, ...)) end
  local is_recorded = true
  if has_chunk_values then
    is_recorded = record_chunks(system, entity, is_prefab and prefab.expect(first), ...)
  elseif is_prefab and (a ~= nil or select("#", ...) > 2) then
    is_recorded = command_start_prefab_chunk(system, entity, prefab.expect(first))
  end
  if not is_recorded then
    command_destroy(system, entity)
    full("commands:spawn")
  end
  return entity
end

--- spawn_many(prefab, count [, function(chunk, first, last) … end]): the function runs at playback, over the new rows.
function methods.spawn_many(self, what, count, initialize)
  local system = system_of(self, "spawn_many")
  local id = prefab.expect(what, "commands:spawn_many")
  if type(count) ~= "number" or not (count >= 0 and count < 2 ^ 31) then
    fail.raise("commands:spawn_many: expected a count of at least 0, got " .. fail.shown(count))
  end
  count = floor(count)
  if count == 0 then return end
  spend(count)
  if initialize == nil then
    if not command_spawn_many(system, id, count, 0) then full("commands:spawn_many") end
    return
  end
  if type(initialize) ~= "function" then
    fail.raise("commands:spawn_many: expected a function(chunk, first, last), got " .. fail.shown(initialize))
  end
  if not command_spawn_many(system, id, count, host.keep(initialize)) then full("commands:spawn_many") end
end

--- load("data/wave.json"): the entities of a file of the mod, created at playback; the file itself is read now. Its
--- errors are reported at playback, and then none of its entities are created.
function methods.load(self, path)
  local system = system_of(self, "load")
  if type(path) ~= "string" then fail.raise("commands:load: expected a path, got " .. fail.shown(path)) end
  local bytes, message = host.record_load(tonumber(ffi.cast("uintptr_t", system)), path)
  if not bytes then fail.raise("commands:load: " .. message) end
  spend(bytes / 16)  -- for the work at playback
end

--- destroy(entity): does nothing if it is dead at playback.
function methods.destroy(self, entity)
  local system = system_of(self, "destroy")
  check_entity(entity, "destroy")
  command_destroy(system, entity)
end

--- add(entity, C.Burning { left = 2 }) or add(entity, C.Burning): adds the component, or sets it if it exists.
function methods.add(self, entity, v)
  local system = system_of(self, "add")
  check_entity(entity, "add")
  local id, bytes, more = parts(system, v, "add", true)
  record_add(system, entity, id, bytes, more, "commands:add")
end

--- remove(entity, C.Burning)
function methods.remove(self, entity, handle)
  local system = system_of(self, "remove")
  check_entity(entity, "remove")
  local id = component_of(system, handle, "remove")
  command_remove(system, entity, id)
end

--- set(entity, C.Health { current = 5 }): sets the whole component if the entity has it at playback.
function methods.set(self, entity, v)
  local system = system_of(self, "set")
  check_entity(entity, "set")
  local id, bytes, more = parts(system, v, "set", true)
  if more ~= nil then
    kind_methods.record(system, entity, id, bytes, more, true, "commands:set")
    return
  end
  if bytes == nil then
    fail.raise("commands:set: expected a value such as C.Health { current = 1 }, got a component")
  end
  command_set(system, entity, id, bytes)
end

--- enable(entity, C.Shield, true or false)
function methods.enable(self, entity, handle, flag)
  local system = system_of(self, "enable")
  check_entity(entity, "enable")
  local id = component_of(system, handle, "enable")
  check_enableable(id, flag, "enable")
  command_enable(system, entity, id, flag)
end

--- change(entity, { C.Burning { left = 2 }, C.Marked }, { C.Frozen }): adds and removes in one move.
function methods.change(self, entity, added, removed)
  local system = system_of(self, "change")
  check_entity(entity, "change")
  local packed, add_count, remove_count, behind = changes.pack(added, removed, "commands:change", function(id)
    if not free[id] then check_kind(system, id, "change") end
  end)
  if not command_change(system, entity, packed, add_count, remove_count) then full("commands:change") end
  for i = 1, behind and #behind or 0 do
    local part = behind[i]
    kind_methods.record(system, entity, part.id, part.bytes, part.more, true, "commands:change")
  end
end

--- clone(entity): the number of a clone, made from the entity's state at playback.
function methods.clone(self, entity)
  local system = system_of(self, "clone")
  check_entity(entity, "clone")
  local made = command_clone(system, entity)
  if made == 0 then full("commands:clone") end
  return made
end

-- ---- for all entities that a query made by ecs.query matches at playback --------------------------------------

--- add_all(query, C.Burning { left = 2 }) or add_all(query, C.Burning). A chunk that has a chunk component keeps its
--- value.
function methods.add_all(self, which, v)
  local system = system_of(self, "add_all")
  local address = query.expect(which, "commands:add_all")
  local id, bytes = parts(system, v, "add_all")
  if not command_add_all(system, address, id, bytes) then full("commands:add_all") end
end

--- remove_all(query, C.Burning)
function methods.remove_all(self, which, handle)
  local system = system_of(self, "remove_all")
  local address = query.expect(which, "commands:remove_all")
  command_remove_all(system, address, component_of(system, handle, "remove_all"))
end

--- set_all(query, C.Health { current = 5 }): for entities that have it.
function methods.set_all(self, which, v)
  local system = system_of(self, "set_all")
  local address = query.expect(which, "commands:set_all")
  local id, bytes = parts(system, v, "set_all")
  if bytes == nil then
    fail.raise("commands:set_all: expected a value such as C.Health { current = 1 }, got a component")
  end
  command_set_all(system, address, id, bytes)
end

--- enable_all(query, C.Shield, true or false)
function methods.enable_all(self, which, handle, flag)
  local system = system_of(self, "enable_all")
  local address = query.expect(which, "commands:enable_all")
  local id = component_of(system, handle, "enable_all")
  check_enableable(id, flag, "enable_all")
  command_enable_all(system, address, id, flag)
end

--- destroy_all(query)
function methods.destroy_all(self, which)
  local system = system_of(self, "destroy_all")
  command_destroy_all(system, query.expect(which, "commands:destroy_all"))
end

--- sort_key(2): from now on commands of this run are played back after those with a lower key.
function methods.sort_key(self, key)
  local system = system_of(self, "sort_key")
  if type(key) ~= "number" or key ~= key or key == 1 / 0 or key == -1 / 0 then
    fail.raise("commands:sort_key: expected a number, got " .. fail.shown(key))
  end
  if not api.command_sort_key(system, key) then fail.raise("commands:sort_key: there is no memory left") end
end

local function check_change(system, id, what)
  if not free[id] then check_kind(system, id, what) end
end

grow(methods,
  function() hierarchy.extend_commands(methods, system_of, check_entity) end,
  function() kind_methods.extend_commands(methods, system_of, check_entity, check_change) end,
  function() switches.extend_commands(methods, system_of) end)

ffi.metatype(ctype, {
  __index = function(_, key)
    if key == component.id_name then return nil end  -- queried by value.lua
    local method = methods[key]
    if method then return method end
    fail.raise("ctx.commands has no method " .. fail.shown(key) .. fail.suggestion(key, order.names(methods)))
  end,
  __tostring = function() return "commands" end,
})

--- True if `name` is a command.
function commands.has(name) return methods[name] ~= nil end

function commands.at(address) return layout.reference(ctype, address) end

return commands
