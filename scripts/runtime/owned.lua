-- The words of ctx, ctx.commands and ecs.world for buffers and objects.
-- Invariant: adds methods to the tables of others and keeps no state; what a buffer or an object does stands in
-- buffer.lua and object.lua. Access is checked as for try_get: what the system declared.
local rt = ...
local ffi = require("ffi")
local cast = ffi.cast
local buffer, object, fail, component = rt.buffer, rt.object, rt.fail, rt.component

local owned = {}

local function undeclared(description)
  fail.raise(description.root.where .. " is not declared; add it to access.read or access.write of the system")
end

local function expect_write(description, allowed)
  if allowed[description.id] == nil then undeclared(description) end
  if not allowed[description.id] then
    fail.raise(description.root.where .. " is read-only here; declare the component under 'write' to change it")
  end
end

--- ctx: `allowed` says by number what the system declared, true for write.
function owned.extend_context(methods, allowed, epoch_address, check_running, check_entity)
  local getters = {}

  local function new_getter(handle)
    local description = buffer.expect(handle, "ctx:buffer")
    local write = allowed[description.id]
    if write == nil then undeclared(description) end
    getters[description.id] = buffer.getter(description, write, epoch_address)
    return getters[description.id]
  end

  --- buffer(entity, C.Path): the entity's buffer, or nil.
  function methods.buffer(_, entity, handle)
    check_running("buffer")
    local getter = getters[component.id_of(handle)] or new_getter(handle)
    if entity == nil then return nil end
    check_entity(entity, "buffer")
    return (getter(entity))
  end

  --- object(entity, C.Brain): the value, or nil.
  function methods.object(_, entity, handle)
    check_running("object")
    local description = object.expect(handle, "ctx:object")
    if allowed[description.id] == nil then undeclared(description) end
    if entity == nil then return nil end
    check_entity(entity, "object")
    return (object.get(entity, description.id))
  end

  --- set_object(entity, C.Brain, value): at once; false when the entity lacks the component.
  function methods.set_object(_, entity, handle, v)
    check_running("set_object")
    local description = object.expect(handle, "ctx:set_object")
    expect_write(description, allowed)
    check_entity(entity, "set_object")
    return (object.set(entity, description.id, v))
  end
end

--- ctx.commands: `check(system, id, what)` raises for components that the system may not change.
function owned.extend_commands(methods, system_of, check_entity, check)
  local epoch_offset = ffi.offsetof("perigee_system", "epoch")

  local function record(self, entity, handle, name, is_set)
    local system = system_of(self)
    check_entity(entity, name)
    local description = buffer.expect(handle, "commands:" .. name)
    check(system, description.id, name)
    local epoch_address = cast("uint64_t", cast("void *", self)) + epoch_offset
    return (buffer.recorded(system, entity, description, is_set, epoch_address))
  end

  --- buffer(entity, C.Path): a buffer to fill now. At playback the component is added if need be, and the elements
  --- replace those that the entity has.
  function methods.buffer(self, entity, handle) return (record(self, entity, handle, "buffer", false)) end

  --- set_buffer(entity, C.Path): likewise, but nothing happens when the entity has no such buffer by then.
  function methods.set_buffer(self, entity, handle) return (record(self, entity, handle, "set_buffer", true)) end

  --- set_object(entity, C.Brain, value): at playback the component is added if need be and gets the value.
  function methods.set_object(self, entity, handle, v)
    local system = system_of(self)
    check_entity(entity, "set_object")
    local description = object.expect(handle, "commands:set_object")
    check(system, description.id, "set_object")
    object.record(system, entity, description.id, v)
  end
end

--- ecs.world
function owned.extend_world(methods, epoch_address, expect_outside, check_entity)
  local getters = {}

  --- buffer(entity, C.Path): the entity's buffer, or nil; good until entities or components come or go.
  function methods.buffer(self, entity, handle)
    expect_outside(self, "buffer")
    local description = buffer.expect(handle, "ecs.world:buffer")
    if entity == nil then return nil end
    check_entity(entity, "buffer")
    local id = description.id
    getters[id] = getters[id] or buffer.outside_getter(description, epoch_address)
    return (getters[id](entity))
  end

  --- object(entity, C.Brain): the value, or nil.
  function methods.object(self, entity, handle)
    expect_outside(self, "object")
    local description = object.expect(handle, "ecs.world:object")
    if entity == nil then return nil end
    check_entity(entity, "object")
    return (object.get(entity, description.id))
  end

  --- set_object(entity, C.Brain, value): false when the entity lacks the component.
  function methods.set_object(self, entity, handle, v)
    expect_outside(self, "set_object")
    local description = object.expect(handle, "ecs.world:set_object")
    check_entity(entity, "set_object")
    return (object.set(entity, description.id, v))
  end
end

return owned
