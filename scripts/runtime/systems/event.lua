-- The mods' view of events: ctx:events, ctx:send, ctx:send_many, ecs.world:send; and the batches of observers.
-- Invariant: a batch is a struct of columns over rows that C++ lends for one run of the system; there is one view per
-- system, type and direction, for the life of the state. A system may send and read only what it declared. Rows of
-- send_many stay where they are until the run ends, so filling them later in the run is safe.
local need = ...
local order, host, fail, layout, api = need "order", need "host", need "fail", need "layout", need "api"
local component, value, view, phase = need "component", need "value", need "view", need "phase"
local spend = need "fuel".spend
local ffi = require("ffi")
local type, format, floor, copy, setmetatable = type, string.format, math.floor, ffi.copy, setmetatable
local event_view, event_read, event_send, event_send_many =
  api.event_view, api.event_read, api.event_send, api.event_send_many
local id_of = component.id_of
local byte_pointer = ffi.typeof("uint8_t *")

-- Steps of fuel: events take memory that is not counted elsewhere.
local kStepsPerEvent = 4

local event = {}

local function expect_event(handle, what)
  local description = component.expect(handle, what)
  if description.kind ~= "event" then
    fail.raise(format("%s: '%s' is a %s, not an event", what, description.name, description.kind))
  end
  return description
end

local function too_many(id) fail.raise(host.events_full(id)) end

-- The address of the view of one type in a system.
local function view_of(system, id, is_writing)
  local address = event_view(system, id, is_writing)
  if address == nil then fail.raise(fail.no_memory) end
  return ffi.cast(layout.view_pointer, address)
end

-- function() -> columns over the rows that the view at `at` has now.
local function batches_of(at, description, writable)
  local make, lent = view.columns(description, writable, at), ffi.cast(layout.lent_pointer, at)
  return function() return (make(lent.epoch)) end
end

--- function() -> the columns of the events that a reaction gets.
function event.batch_of(cell, description)
  return (batches_of(view_of(cell.system, description.id, false), description, false))
end

-- ---- sending one ----------------------------------------------------------------------------------------------

-- function(fields): writes the row of an event to separate memory and returns it. On an error nothing is sent.
local function row_maker(description)
  if description.make_row then return description.make_row end
  local size = description.size
  local place, defaults = ffi.new("uint8_t[?]", size + 1), ffi.new("uint8_t[?]", size + 1)
  copy(defaults, description.defaults, size)
  local base = ffi.cast(byte_pointer, place)
  local write = value.writers(description)[description.root]
  function description.make_row(fields)
    copy(place, defaults, size)
    if fields ~= nil then write(base, fields, nil) end
    return base
  end
  return description.make_row
end

-- ---- ctx ------------------------------------------------------------------------------------------------------

--- Adds to the methods of a ctx. `cell` is the system's memory, `allowed` its declared access: true for write.
function event.extend_context(methods, cell, allowed, check_running)
  local system = cell.system
  local readers, makers, writers = {}, {}, {}

  local function check_sending(name, self)
    check_running(name, self)
    if layout.cell.is_presentation ~= 0 then
      fail.raise(format("ctx:%s: a presentation system sees a finished world and sends no events", name))
    end
    if cell.may_command == 0 then fail.raise("ctx:" .. name .. ": run_if cannot send events") end
  end

  local function expect_sendable(description, what)
    if allowed[description.id] ~= true then
      fail.raise(format("%s: %s is not declared as written; add it to access.write of the system", what,
        description.root.where))
    end
    return description
  end

  local function new_reader(handle, self)
    check_running("events", self)
    local description = expect_event(handle, "ctx:events")
    if allowed[description.id] == nil then
      fail.raise(format("ctx:events: %s is not declared; add it to access.read of the system", description.root.where))
    end
    readers[description.id] = event.batch_of(cell, description)
    return readers[description.id]
  end

  local function new_writer(handle, self)
    check_running("send_many", self)
    local description = expect_sendable(expect_event(handle, "ctx:send_many"), "ctx:send_many")
    local address = view_of(system, description.id, true)
    writers[description.id] = batches_of(address, description, true)
    return writers[description.id]
  end

  --- events(C.Damage): columns of the events delivered since this system's last run: for i = 1, events.count do … end
  function methods.events(self, handle)
    if cell.epoch == 0 then check_running("events", self) end
    local id = id_of(handle)
    local batch = readers[id] or new_reader(handle, self)
    event_read(system, id)
    return (batch())
  end

  --- send(C.Damage, { target = e, amount = 3 }), send(C.Damage) or send(C.Damage { … })
  function methods.send(self, what, fields)
    if cell.may_command == 0 then check_sending("send", self) end
    spend(kStepsPerEvent)
    local id = id_of(what)
    local row
    if id ~= nil then
      local make = makers[id]
      if make == nil then
        check_running("send", self)
        make = row_maker(expect_sendable(expect_event(what, "ctx:send"), "ctx:send"))
        makers[id] = make
      end
      row = make(fields)
    else
      check_running("send", self)
      id, row = value.parts(what, "ctx:send")
      if makers[id] == nil then
        local description = component.by_id(id)
        makers[id] = row_maker(expect_sendable(expect_event(description.handle, "ctx:send"), "ctx:send"))
      end
      if fields ~= nil then fail.raise("ctx:send: expected an event and its fields, got a value and something else") end
    end
    if not event_send(system, id, row) then too_many(id) end
  end

  --- send_many(C.Damage, count): columns of `count` new events, to be filled in this run. The next send_many of the
  --- same type ends this one's columns.
  function methods.send_many(self, handle, count)
    if cell.may_command == 0 then check_sending("send_many", self) end
    local id = id_of(handle)
    local batch = writers[id] or new_writer(handle, self)
    if type(count) ~= "number" or not (count >= 0 and count < 2 ^ 31) then
      fail.raise("ctx:send_many: expected a count of at least 0, got " .. fail.shown(count))
    end
    if not event_send_many(system, id, floor(count)) then too_many(id) end
    spend(count)  -- charged now, since their number is limited
    return (batch())
  end
end

-- ---- outside systems ------------------------------------------------------------------------------------------

--- Adds to the methods of ecs.world.
function event.extend_world(methods, expect_outside)
  --- ecs.world:send(C.Damage, { … }) or send(C.Damage { … }): delivered at once.
  function methods.send(self, what, fields)
    expect_outside(self, "send")
    if phase.is_exclusive() then fail.raise("ecs.world:send: not inside an exclusive system; use ctx:send") end
    local id = id_of(what)
    local row
    if id ~= nil then
      row = row_maker(expect_event(what, "ecs.world:send"))(fields)
    else
      id, row = value.parts(what, "ecs.world:send")
      expect_event(component.by_id(id).handle, "ecs.world:send")
    end
    if not api.world_send(host.world, id, row) then too_many(id) end
  end
end

-- ---- batches of observers -------------------------------------------------------------------------------------

local E = layout.epoch_name

--- The batch of ecs.on_added etc.: batch.count, batch.entity[i], and batch.Health.current[i] if there are values. At
--- views_address are the views of the entities and of the values. Returns function() -> the batch that C++ has lent; it
--- ends with the run.
function event.observed(chunk_address, views_address, description, has_values, what)
  local views, memory = ffi.cast(layout.view_pointer, views_address), ffi.cast(layout.chunk_pointer, chunk_address)
  local lent = ffi.cast(layout.lent_pointer, views_address)
  local makers = { entity = view.entities(views), count = function() return memory.count end }
  if has_values then
    -- A plain list of values for every kind: without enabled bits, not shared.
    description.as_list = description.as_list or setmetatable({ kind = "component", is_list = true },
      { __index = description })
    local columns = view.columns(description.as_list, false, views + 1)
    makers[description.handle] = columns
    makers[description.name], makers[description.short] = columns, columns
  end
  local function expect_lent(batch)
    if lent.epoch ~= batch[E] then
      fail.raise(format("the batch of %s is used after its run; batches and their columns end with it, so keep " ..
        "copies of the values, or entities", what))
    end
  end
  local ctype = layout.dressed(layout.epoch_text, {
    __index = function(batch, key)
      local make = makers[key]
      if make ~= nil then
        expect_lent(batch)
        return (make(batch[E]))
      end
      if key == component.id_name then return nil end  -- queried by value.lua
      fail.raise(format("the batch of %s has no entry %s%s", what, fail.shown(key),
        fail.suggestion(key, order.names(makers))))
    end,
    __len = function(batch)
      expect_lent(batch)
      return memory.count
    end,
    __newindex = function() fail.raise("a batch cannot be changed; it reports what has happened") end,
    __tostring = function() return "batch of " .. what end,
  }, E)
  return function() return (ctype(lent.epoch)) end
end

return event
