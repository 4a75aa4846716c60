-- Methods of ctx, ctx.commands and ecs.world for kinds of components whose values are more than the bytes of a row:
-- buffers, objects, enableable components. Invariant: it only adds methods to tables of other parts; buffer.lua and
-- object.lua implement buffers and objects. Access is checked against the system's declaration, as for try_get.
local need = ...
local buffer, object, fail, component = need "buffer", need "object", need "fail", need "component"
local api, host = need "api", need "host"
local ffi = require("ffi")
local cast = ffi.cast
local type = type

local kind_methods = {}

local function expect_write(description, allowed)
  if allowed[description.id] == nil then fail.undeclared(description.root.where) end
  if not allowed[description.id] then
    fail.read_only(description.root.where)
  end
end

-- ---- values with elements of a buffer, or with an enabled bit (value.parts) --------------------------------------

local function no_memory(what, id)
  local refusal = host.share_used_up()
  if refusal then fail.raise(what .. ": " .. refusal) end
  fail.raise(what .. ": there is no memory for all elements of '" .. component.by_id(id).name .. "'")
end

-- `undo` reverts what the caller has done for the value, when memory runs out.

--- Adds the component with all parts of the value. False when the row gets too wide.
function kind_methods.add_at_once(entity, id, bytes, more, what, undo)
  local is_list = type(more) == "number"
  local was_there = api.world_has(host.world, entity, id)
  if not api.world_add(host.world, entity, id, not is_list and bytes or nil) then return false end
  if not is_list then
    api.world_set_enabled(host.world, entity, id, more)
  elseif not api.buffer_assign(host.world, entity, id, bytes, more) then
    if not was_there then api.world_remove(host.world, entity, id) end
    if undo then undo(entity) end
    no_memory(what, id)
  end
  return true
end

--- False when the entity lacks the component.
function kind_methods.set_at_once(entity, id, bytes, more, what)
  if not api.world_has(host.world, entity, id) then return false end
  if type(more) == "number" then
    if not api.buffer_assign(host.world, entity, id, bytes, more) then no_memory(what, id) end
    return true
  end
  if bytes ~= nil then api.world_set(host.world, entity, id, bytes) end
  api.world_set_enabled(host.world, entity, id, more)
  return true
end

--- The same two as commands.
function kind_methods.record(system, entity, id, bytes, more, is_set, what, undo)
  if type(more) == "number" then
    if not api.command_assign(host.world, system, entity, id, bytes, more, is_set) then
      if undo then undo(system, entity) end
      no_memory(what, id)
    end
    return
  end
  if not is_set then
    if not api.command_add(system, entity, id, bytes) then
      if undo then undo(system, entity) end
      fail.raise(what .. ": " .. host.refusal_of_world())
    end
  elseif bytes ~= nil then
    api.command_set(system, entity, id, bytes)
  end
  api.command_enable(system, entity, id, more)
end

--- ctx: `allowed` has the declared access by number, true for write. Rows move while an exclusive system runs.
function kind_methods.extend_context(methods, allowed, epoch_address, check_running, check_entity, is_exclusive)
  local getters = {}

  local function new_getter(handle)
    local description = buffer.expect(handle, "ctx:buffer")
    local write = allowed[description.id]
    if write == nil then fail.undeclared(description.root.where) end
    local make = is_exclusive and buffer.outside_getter or buffer.getter
    getters[description.id] = make(description, write, epoch_address)
    return getters[description.id]
  end

  --- buffer(entity, C.Path): the entity's buffer, or nil.
  function methods.buffer(self, entity, handle)
    check_running("buffer", self)
    local getter = getters[component.id_of(handle)] or new_getter(handle)
    if entity == nil then return nil end
    check_entity(entity, "buffer")
    return (getter(entity))
  end

  --- object(entity, C.Brain): the value, or nil.
  function methods.object(self, entity, handle)
    check_running("object", self)
    local description = object.expect(handle, "ctx:object")
    if allowed[description.id] == nil then fail.undeclared(description.root.where) end
    if entity == nil then return nil end
    check_entity(entity, "object")
    return (object.get(entity, description.id))
  end

  --- set_object(entity, C.Brain, value): at once; false when the entity lacks the component.
  function methods.set_object(self, entity, handle, v)
    check_running("set_object", self)
    local description = object.expect(handle, "ctx:set_object")
    expect_write(description, allowed)
    check_entity(entity, "set_object")
    return (object.set(entity, description.id, v))
  end
end

--- ctx.commands: `check(system, id, what)` raises for components that the system may not change.
function kind_methods.extend_commands(methods, system_of, check_entity, check)
  local epoch_offset = ffi.offsetof("perigee_system", "epoch")

  local function record(self, entity, handle, name, is_set)
    local system = system_of(self, name)
    check_entity(entity, name)
    local description = buffer.expect(handle, "commands:" .. name)
    check(system, description.id, name)
    local epoch_address = cast("uint64_t", cast("void *", self)) + epoch_offset
    return (buffer.recorded(system, entity, description, is_set, epoch_address))
  end

  --- buffer(entity, C.Path): a buffer to fill now. At playback the component is added if missing, and the elements
  --- replace the entity's.
  function methods.buffer(self, entity, handle) return (record(self, entity, handle, "buffer", false)) end

  --- set_buffer(entity, C.Path): the same, but does nothing if the entity lacks the buffer at playback.
  function methods.set_buffer(self, entity, handle) return (record(self, entity, handle, "set_buffer", true)) end

  --- set_object(entity, C.Brain, value): at playback the component is added if missing and gets the value.
  function methods.set_object(self, entity, handle, v)
    local system = system_of(self, "set_object")
    check_entity(entity, "set_object")
    local description = object.expect(handle, "commands:set_object")
    check(system, description.id, "set_object")
    object.record(system, entity, description.id, v)
  end
end

local getters = {}  -- of ecs.world

--- Called when layouts have changed.
function kind_methods.forget_layouts() getters = {} end

--- Adds the methods to ecs.world.
function kind_methods.extend_world(methods, epoch_address, expect_outside, check_entity)
  --- buffer(entity, C.Path): the entity's buffer, or nil; valid until entities or components are added or removed.
  function methods.buffer(self, entity, handle)
    expect_outside(self, "buffer")
    local description = buffer.expect(handle, "ecs.world:buffer")
    if entity == nil then return nil end
    check_entity(entity, "buffer")
    local id = description.id
    getters[id] = getters[id] or buffer.outside_getter(description, true, epoch_address)
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

return kind_methods
