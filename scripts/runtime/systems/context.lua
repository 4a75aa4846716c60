-- The members of ctx besides the time, created for each system on first use. Invariant: everything checks that its
-- system is running and has declared the access. Messages omit the system's name: the report of a run's error adds it.
local need = ...
local commands, event, order, kind_methods = need "commands", need "event", need "order", need "kind_methods"
local random, host, fail, api, component = need "random", need "host", need "fail", need "api", need "component"
local proxy, text, query, relation = need "proxy", need "text", need "query_handle", need "relation"
local switches, job = need "parts".later "switches", need "parts".later "job"
local spend = need "fuel".spend
local ffi = require("ffi")
local type, format, rawget, istype = type, string.format, rawget, ffi.istype

local context = {}

local function extend(methods, cell, allowed, owner)
  local epoch_address = ffi.cast("uint64_t", ffi.cast("void *", cell)) + ffi.offsetof("perigee_system", "epoch")
  local world_handle = host.world
  local is_alive, has, is_enabled = api.world_is_alive, api.world_has, api.world_is_enabled
  local id_of = component.id_of
  local getters, resources = {}, {}

  -- For methods that do not access the world, and so work while jobs do.
  local function check_context(name, self)
    if not istype(owner.ctype, self) then fail.raise("call it as a method: ctx:" .. name .. "(…)") end
    if cell.epoch == 0 and cell.open_jobs == 0 then fail.run_closed("ctx:" .. name, 0) end
  end

  local function check_running(name, self)
    check_context(name, self)
    if cell.epoch == 0 then fail.run_closed("ctx:" .. name, cell.open_jobs) end
  end

  local check_entity = fail.entity_check("ctx:")

  -- In an order, the rows of a visit are copies, and those that the query writes replace the originals after it.
  local function expect_original(description, name)
    if not owner.copied[description.id] then return end
    fail.raise(format("ctx:%s: the query of this system writes '%s' in an order, and its rows are copies until the " ..
      "visit ends; use the chunk's columns, or name the component under access instead of in the query", name,
      description.name))
  end

  local function new_getter(handle, self)
    check_running("try_get", self)
    local description = component.expect(handle, "ctx:try_get")
    if description.kind == "resource" then
      fail.raise(format("ctx:try_get: '%s' is a resource; use ctx:resource", description.name))
    end
    if description.kind == "event" then
      fail.raise(format("ctx:try_get: '%s' is an event; read it with ctx:events", description.name))
    end
    component.expect_reachable(description, "ctx:try_get")
    if description.size == 0 then
      fail.raise(format("ctx:try_get: '%s' %s; use ctx:has%s", description.name,
        description.kind == "tag" and "is a tag and has no value" or "has no fields",
        description.kind == "enableable" and " or ctx:is_enabled" or ""))
    end
    local write = allowed[description.id]
    if write == nil then fail.undeclared(description.root.where) end
    expect_original(description, "try_get")
    -- The changes of an exclusive system move rows, so its proxies look up their entity at each access.
    local make = owner.exclusive and proxy.entity_maker or proxy.located_maker
    getters[description.id] = make(description, write, epoch_address)
    return getters[description.id]
  end

  function methods.try_get(self, entity, handle)
    if cell.epoch == 0 then check_running("try_get", self) end
    local getter = getters[id_of(handle)] or new_getter(handle, self)
    if type(entity) ~= "number" then
      if entity == nil then return nil end
      check_entity(entity, "try_get")
    end
    return (getter(entity))
  end

  function methods.has(self, entity, handle)
    check_running("has", self)
    local description = component.expect(handle, "ctx:has")
    if entity == nil then return false end
    check_entity(entity, "has")
    return (has(world_handle, entity, description.id))
  end

  --- True if the entity has the component and, for an enableable kind, it is enabled.
  function methods.is_enabled(self, entity, handle)
    check_running("is_enabled", self)
    local description = component.expect(handle, "ctx:is_enabled")
    if description.kind == "enableable" then
      if allowed[description.id] == nil then fail.undeclared(description.root.where) end
      expect_original(description, "is_enabled")
    end
    if entity == nil then return false end
    check_entity(entity, "is_enabled")
    return (is_enabled(world_handle, entity, description.id))
  end

  -- Filters that counting depends on are data accesses like any other.
  local function countable(of, name, work)
    local handle = query.expect(of, name)
    if not api.system_may_count(cell.system, handle) then
      fail.raise(name .. ": the query asks which rows are enabled or what changed, of components that are not " ..
        "declared; add them to access.read of the system")
    end
    query.pay(handle, work)
    return handle
  end

  --- The number of rows in this run; with a query, the number of its matches.
  function methods.entity_count(self, of)
    check_running("entity_count", self)
    if of ~= nil then return api.query_entity_count(countable(of, "ctx:entity_count", query.count_rows)) end
    spend(api.system_steps_to_count(cell.system))
    return query.counted(api.system_row_count(cell.system), "ctx:entity_count")
  end

  --- The number of chunk calls in this run: the last value of chunk.index; with a query, the number of its chunks.
  function methods.chunk_count(self, of)
    check_running("chunk_count", self)
    if of ~= nil then
      return query.counted(api.query_chunk_count(countable(of, "ctx:chunk_count", query.count_chunks)),
        "ctx:chunk_count")
    end
    spend(api.system_steps_to_count(cell.system))
    return query.counted(api.system_visit_count(cell.system), "ctx:chunk_count")
  end

  function methods.is_alive(self, entity)
    check_running("is_alive", self)
    if entity == nil then return false end
    check_entity(entity, "is_alive")
    return (is_alive(world_handle, entity))
  end

  function methods.resource(self, handle)
    check_running("resource", self)
    local id = id_of(handle)
    local make = resources[id]
    if not make then
      local description = component.expect(handle, "ctx:resource")
      if description.kind ~= "resource" then
        fail.raise(format("ctx:resource: '%s' is not a resource; use ctx:try_get with an entity, or chunk columns",
          description.name))
      end
      if allowed[id] == nil then fail.undeclared(description.root.where) end
      make = proxy.resource_maker(description, allowed[id], epoch_address)
      resources[id] = make
    end
    if host.notes_access then api.note_resource(world_handle, id, allowed[id]) end
    return (make())
  end

  function methods.log(self, ...)
    host.log("info", text.joined(...))
  end

  return check_running, check_entity, epoch_address, check_context
end

-- Parts to add, most frequently used first.
local steps = {
  function(owner)
    owner.check_running, owner.check_entity, owner.epoch_address, owner.check_context = extend(owner.entries,
      owner.cell, owner.allowed, owner)
  end,
  function(owner)
    relation.extend_context(owner.entries, owner.allowed, owner.check_running, owner.check_entity)
  end,
  function(owner) event.extend_context(owner.entries, owner.cell, owner.allowed, owner.check_running) end,
  function(owner)
    kind_methods.extend_context(owner.entries, owner.allowed, owner.epoch_address, owner.check_running,
      owner.check_entity, owner.exclusive)
  end,
  function(owner) switches.extend_context(owner.entries, owner.check_running) end,
  function(owner) job.extend_context(owner.entries, owner.check_context) end,
}

local function unknown(owner, key)
  if key == "commands" then fail.raise("a presentation system sees a finished world and has no commands") end
  if key == "queries" then
    fail.raise("this system has no named queries; declare them as queries = { name = { … } }")
  end
  if commands.has(key) then
    fail.raise(format("ctx has no field '%s'; did you mean ctx.commands:%s?", key, key))
  end
  local list = { "dt", "tick", "time", "alpha", "random" }
  if owner.has_commands then list[#list + 1] = "commands" end
  if owner.queries then list[#list + 1] = "queries" end
  for _, name in ipairs(order.names(owner.entries)) do list[#list + 1] = name end
  fail.raise(format("ctx has no field %s%s", fail.shown(key), fail.suggestion(key, list)))
end

--- Returns the entry `key` of a system's ctx and stores it there, or raises. Fields of `owner`: entries (those made so
--- far), cell, allowed (number -> true if the declared access is write), copied (what an ordered query writes), queries
--- (nil without named ones), has_commands, exclusive, ctype (of the ctx).
function context.entry(owner, key)
  local entries = owner.entries
  if key == "random" then
    entries.random = random.at(owner.cell)
  elseif key == "commands" and owner.has_commands then
    entries.commands = commands.at(owner.cell)
  elseif key == "queries" and owner.queries then
    entries.queries = owner.queries
  else
    for i = (owner.grown or 0) + 1, #steps do
      if rawget(entries, key) ~= nil then break end
      steps[i](owner)
      owner.grown = i
    end
  end
  local entry = rawget(entries, key)
  if entry == nil then unknown(owner, key) end
  return entry
end

return context
