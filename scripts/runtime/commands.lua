-- ctx.commands: structural changes, written down now and carried out at the end of the group.
-- Invariant: every call is one call of a C function from compiled code; arguments are checked here, since C++ trusts
-- them. The commands of a system that fails are dropped as a whole.
-- Here and in all hot paths of the library: no tail calls. Compiled code takes 15 of them per trace, all counted
-- together, so `return f(x)` is written `return (f(x))`.
local rt = ...
local ffi = require("ffi")
local type, select, istype, floor = type, select, ffi.istype, math.floor
local host, fail, layout, api, component, value, prefab =
  rt.host, rt.fail, rt.layout, rt.api, rt.component, rt.value, rt.prefab
local command_spawn, command_spawn_empty, command_spawn_many =
  api.command_spawn, api.command_spawn_empty, api.command_spawn_many
local command_destroy, command_add, command_remove, command_set =
  api.command_destroy, api.command_add, api.command_remove, api.command_set

local commands = {}
local MAY, SYSTEM = layout.secret_name(), layout.secret_name()
local ctype = layout.opaque("const double %s[4]; const uint64_t %s; const int32_t %s; const uint32_t %s; " ..
  "void * const %s; void * const %s;", layout.secret_name(), layout.secret_name(), layout.secret_name(), MAY,
  layout.secret_name(), SYSTEM)

local function system_of(self)
  if not istype(ctype, self) then fail.raise("call it as a method: ctx.commands:destroy(entity)") end
  if self[MAY] == 0 then fail.raise("ctx.commands is used outside of its system's run") end
  return self[SYSTEM]
end

local function check_entity(entity, what)
  if type(entity) ~= "number" then
    fail.raise("commands:" .. what .. ": expected an entity, got " .. fail.shown(entity))
  end
end

local kinds_of_the_world = { resource = true, event = true, blob = true }

local function check_kind(id, what)
  local description = component.by_id(id)
  if kinds_of_the_world[description.kind] then
    fail.raise("commands:" .. what .. ": '" .. description.name .. "' is a " .. description.kind ..
      " and does not belong to entities")
  end
  if description.kind == "chunk" then
    fail.raise("commands:" .. what .. ": '" .. description.name .. "' is a chunk component, one value for all rows " ..
      "of a chunk; write it as chunk." .. description.short .. ".… in a system, or add it outside of systems")
  end
end

-- Checked once per component: is it of a kind that entities have?
local checked = {}
local function parts(v, what)
  local id, bytes = value.parts(v, "commands:" .. what)
  if not checked[id] then
    check_kind(id, what)
    checked[id] = true
  end
  return id, bytes
end

local methods = {}

local function add_one(system, entity, v)
  local id, bytes = parts(v, "spawn")
  command_add(system, entity, id, bytes)
end

-- Six values without varargs, which compiled code does not take everywhere; seldom are there more.
local function add_values(system, entity, a, b, c, d, e, f)
  if a ~= nil then add_one(system, entity, a) end
  if b ~= nil then add_one(system, entity, b) end
  if c ~= nil then add_one(system, entity, c) end
  if d ~= nil then add_one(system, entity, d) end
  if e ~= nil then add_one(system, entity, e) end
  if f ~= nil then add_one(system, entity, f) end
end

local function add_rest(system, entity, ...)
  for i = 1, select("#", ...) do add_values(system, entity, (select(i, ...))) end
end

--- spawn(prefab, C.Position { x = 1 }, …) or spawn(C.Position, …): the entity's number, alive after playback.
--- A nil among the values is passed over: spawn(prefab, is_boss and C.Boss or nil).
function methods.spawn(self, first, a, b, c, d, e, f, g, ...)
  local system = system_of(self)
  local entity
  if prefab.is_prefab(first) then
    entity = command_spawn(system, prefab.expect(first))
    first = nil
  else
    entity = command_spawn_empty(system)
  end
  if entity == 0 then fail.raise("commands:spawn: the world is full") end
  if first ~= nil then add_one(system, entity, first) end
  add_values(system, entity, a, b, c, d, e, f)
  if g ~= nil then add_rest(system, entity, g, ...) end
  return entity
end

--- spawn_many(prefab, count [, function(chunk, first, last) … end]): the function runs at playback, over the new rows.
function methods.spawn_many(self, what, count, initialize)
  local system = system_of(self)
  local id = prefab.expect(what, "commands:spawn_many")
  if type(count) ~= "number" or not (count >= 0 and count < 2 ^ 31) then
    fail.raise("commands:spawn_many: expected a count of at least 0, got " .. fail.shown(count))
  end
  count = floor(count)
  if count == 0 then return end
  if initialize == nil then return command_spawn_many(system, id, count, 0) end
  if type(initialize) ~= "function" then
    fail.raise("commands:spawn_many: expected a function(chunk, first, last), got " .. fail.shown(initialize))
  end
  command_spawn_many(system, id, count, host.keep(initialize))
end

--- destroy(entity): nothing happens when it is dead by then.
function methods.destroy(self, entity)
  local system = system_of(self)
  check_entity(entity, "destroy")
  command_destroy(system, entity)
end

--- add(entity, C.Burning { left = 2 }) or add(entity, C.Burning): adds the component, or sets it if it is there.
function methods.add(self, entity, v)
  local system = system_of(self)
  check_entity(entity, "add")
  local id, bytes = parts(v, "add")
  command_add(system, entity, id, bytes)
end

--- remove(entity, C.Burning)
function methods.remove(self, entity, handle)
  local system = system_of(self)
  check_entity(entity, "remove")
  local id = component.id_of(handle)
  if not id then fail.raise("commands:remove: expected a component such as C.Health, got " .. fail.shown(handle)) end
  if not checked[id] then
    check_kind(id, "remove")
    checked[id] = true
  end
  command_remove(system, entity, id)
end

--- set(entity, C.Health { current = 5 }): sets the whole component if the entity has it at playback.
function methods.set(self, entity, v)
  local system = system_of(self)
  check_entity(entity, "set")
  local id, bytes = parts(v, "set")
  if bytes == nil then
    fail.raise("commands:set: expected a value such as C.Health { current = 1 }, got a component")
  end
  command_set(system, entity, id, bytes)
end

rt.owned.extend_commands(methods, system_of, check_entity, function(_, id, what) check_kind(id, what) end)

ffi.metatype(ctype, {
  __index = function(_, key)
    local method = methods[key]
    if method then return method end
    if key == component.id_name then return nil end  -- asked by value.lua
    local list = {}
    for name in next, methods do list[#list + 1] = name end
    fail.raise("ctx.commands has no method " .. fail.shown(key) .. fail.suggestion(key, list))
  end,
  __tostring = function() return "commands" end,
})

--- Is `name` one of the commands?
function commands.has(name) return methods[name] ~= nil end

function commands.at(address) return layout.reference(ctype, address) end

return commands
