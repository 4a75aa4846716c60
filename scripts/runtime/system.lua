-- ecs.system: checks the declaration, hands it to C++, and builds what the run function gets: chunk and ctx.
-- Invariant: what a system may touch is what it declared; everything else is an error that says what to declare.
local rt = ...
local ffi = require("ffi")
local type, format, gsub, next, rawget = type, string.format, string.gsub, next, rawget
local host, fail, layout, api, component, proxy = rt.host, rt.fail, rt.layout, rt.api, rt.component, rt.proxy
local text, world, query = rt.text, rt.world, rt.query

local system = {}

-- ---- reading the declaration --------------------------------------------------------------------------------

local words = { "run", "run_if", "on_create", "on_start", "on_stop", "on_destroy" }
local known_keys = { group = true, query = true, access = true, after = true, before = true, every = true }
for i = 1, #words do known_keys[words[i]] = true end
local group_keys = { group = true, access = true, after = true, before = true, every = true, run_if = true }
local access_keys = { read = true, write = true, services = true }
local check_table, list_of, components_of = query.check_table, query.list_of, query.components_of

local function names_of(t, what)
  local list = {}
  for i, name in ipairs(list_of(t, what)) do
    if type(name) ~= "string" then
      fail.raise(format("%s: expected names of systems, got %s", what, fail.shown(name)))
    end
    list[i] = name
  end
  return list
end

-- Is the group of this name presentation, or in it?
local function is_presentation(group, what)
  if type(group) ~= "string" then fail.raise(what .. ": expected a group name, got " .. fail.shown(group)) end
  local known = host.groups()
  known.transforms, known.reactions = nil, nil  -- for what follows from the commands of simulation
  local own = known[host.own_name(group)]
  if own == nil then own = known[group] end
  if own ~= nil then return own end
  local list = { "initialization", "simulation", "presentation" }
  local others = {}
  known.initialization, known.simulation, known.presentation = nil, nil, nil
  for name in next, known do others[#others + 1] = name end
  table.sort(others)
  for i = 1, #others do list[#list + 1] = others[i] end
  fail.raise(format("%s: unknown group '%s'; groups are %s%s", what, group, table.concat(list, ", "),
    fail.suggestion(group, list)))
end

-- What systems and groups have in common.
local function spec_from(name, description, what, keys)
  check_table(description, keys, what)
  local group, every = description.group or "simulation", description.every or 0
  local presentation = is_presentation(group, what)
  for i = 1, #words do
    local f = description[words[i]]
    if f ~= nil and type(f) ~= "function" then
      fail.raise(format("%s: expected a function '%s', got %s", what, words[i], fail.shown(f)))
    end
  end
  if type(every) ~= "number" or not (every >= 0 and every < 1e9) then
    fail.raise(what .. ": expected 'every' in seconds, at least 0, got " .. fail.shown(every))
  end
  local access = description.access or {}
  check_table(access, access_keys, what .. ", access")
  local spec = {
    name = name, group = group, every = every, presentation = presentation, terms = {},
    after = names_of(description.after, what .. ", after"),
    before = names_of(description.before, what .. ", before"),
    read = components_of(access.read, what .. ", access.read"),
    write = components_of(access.write, what .. ", access.write"),
    services = names_of(access.services, what .. ", access.services"),
  }
  if presentation and spec.services[1] then
    fail.raise(what .. ": a presentation system may not call services, which belong to the simulation")
  end
  for i = 1, #words do spec[words[i]] = description[words[i]] end
  return spec
end

local function check_presentation(spec, what)
  if not spec.presentation then return end
  local written = spec.write[1] and spec.write[1].name
  for i = 1, #spec.terms do
    if spec.terms[i].write then written = spec.terms[i].description.name end
  end
  if written then
    fail.raise(format("%s: a presentation system sees a finished world and may not write '%s'; move the writing to " ..
      "group 'simulation'", what, written))
  end
end

-- ---- ctx ----------------------------------------------------------------------------------------------------

-- Messages from here on leave the system out: whoever reports an error of a run names it.

-- What the system declared, by number: true for write.
local function access_map(spec)
  local map = {}
  local function allow(id, write) map[id] = map[id] or write end
  for i = 1, #spec.terms do allow(spec.terms[i].id, spec.terms[i].write) end
  for i = 1, #spec.read do allow(spec.read[i].id, false) end
  for i = 1, #spec.write do allow(spec.write[i].id, true) end
  return map
end

local function undeclared(description)
  fail.raise(description.root.where .. " is not declared; add it to access.read or access.write of the system")
end

local function context_methods(spec, cell)
  local epoch_address = ffi.cast("uint64_t", ffi.cast("void *", cell)) + ffi.offsetof("perigee_system", "epoch")
  local world_handle, allowed = host.world, access_map(spec)
  local is_alive, has, is_enabled = api.world_is_alive, api.world_has, api.world_is_enabled
  local id_of = component.id_of
  local getters, resources = {}, {}

  local function check_running(name)
    if cell.epoch == 0 then fail.raise("ctx:" .. name .. " is used outside of its system's run") end
  end

  local function check_entity(entity, name)
    if type(entity) ~= "number" then
      fail.raise(format("ctx:%s: expected an entity, got %s", name, fail.shown(entity)))
    end
  end

  local function new_getter(handle)
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
    if write == nil then undeclared(description) end
    getters[description.id] = proxy.located_maker(description, write, epoch_address)
    return getters[description.id]
  end

  local methods = {}

  function methods.try_get(_, entity, handle)
    if cell.epoch == 0 then check_running("try_get") end
    local getter = getters[id_of(handle)] or new_getter(handle)
    if type(entity) ~= "number" then
      if entity == nil then return nil end
      check_entity(entity, "try_get")
    end
    return (getter(entity))
  end

  function methods.has(_, entity, handle)
    check_running("has")
    local description = component.expect(handle, "ctx:has")
    if entity == nil then return false end
    check_entity(entity, "has")
    return (has(world_handle, entity, description.id))
  end

  --- Is the component there and, if it can be switched off, switched on?
  function methods.is_enabled(_, entity, handle)
    check_running("is_enabled")
    local description = component.expect(handle, "ctx:is_enabled")
    if allowed[description.id] == nil and description.kind == "enableable" then undeclared(description) end
    if entity == nil then return false end
    check_entity(entity, "is_enabled")
    return (is_enabled(world_handle, entity, description.id))
  end

  -- What counting looks at besides the number of rows is data like any other.
  local function countable(of, name)
    local handle = query.expect(of, name)
    if not api.system_may_count(cell.system, handle) then
      fail.raise(name .. ": the query asks which rows are enabled or what changed, of components that are not " ..
        "declared; add them to access.read of the system")
    end
    return handle
  end

  --- How many rows this run shows in all; with a query, how many that one matches.
  function methods.entity_count(_, of)
    check_running("entity_count")
    if of ~= nil then return api.query_entity_count(countable(of, "ctx:entity_count")) end
    return api.system_row_count(cell.system)
  end

  --- How often this run is given a chunk: the last value of chunk.index; with a query, the number of its chunks.
  function methods.chunk_count(_, of)
    check_running("chunk_count")
    if of ~= nil then return api.query_chunk_count(countable(of, "ctx:chunk_count")) end
    return api.system_visit_count(cell.system)
  end

  function methods.is_alive(_, entity)
    check_running("is_alive")
    if entity == nil then return false end
    check_entity(entity, "is_alive")
    return (is_alive(world_handle, entity))
  end

  function methods.resource(_, handle)
    check_running("resource")
    local id = id_of(handle)
    local make = resources[id]
    if not make then
      local description = component.expect(handle, "ctx:resource")
      if description.kind ~= "resource" then
        fail.raise(format("ctx:resource: '%s' is no resource; use ctx:try_get with an entity, or chunk columns",
          description.name))
      end
      if allowed[id] == nil then undeclared(description) end
      make = proxy.resource_maker(description, allowed[id], epoch_address)
      resources[id] = make
    end
    if host.notes_access then api.note_resource(world_handle, id, allowed[id]) end
    return (make())
  end

  rt.owned.extend_context(methods, allowed, epoch_address, check_running, check_entity)
  rt.event.extend_context(methods, cell, allowed, check_running)

  function methods.log(self, ...)
    host.log("info", text.joined(...))
  end

  return methods
end

local function make_context(spec, address, what)
  local cell = ffi.cast(layout.system_pointer, address)
  local entries = context_methods(spec, cell)
  entries.random = rt.random.at(address)
  if not spec.presentation then entries.commands = rt.commands.at(address) end
  local ctype = layout.dressed("struct { const double dt, tick, time, alpha; }", {
    __index = function(_, key)
      local entry = entries[key]
      if entry ~= nil or key == component.id_name then return entry end  -- value.lua asks for the latter
      if key == "commands" then
        fail.raise("a presentation system sees a finished world and has no commands")
      end
      local list = { "dt", "tick", "time", "alpha" }
      for name in next, entries do list[#list + 1] = name end
      if rt.commands.has(key) then
        fail.raise(format("ctx has no field '%s'; did you mean ctx.commands:%s?", key, key))
      end
      fail.raise(format("ctx has no field %s%s", fail.shown(key), fail.suggestion(key, list)))
    end,
    __newindex = function()
      fail.raise("ctx cannot be changed; keep data in components, resources or locals")
    end,
    __tostring = function() return "context of " .. what end,
  })
  return layout.reference(ctype, address)
end

-- ---- ecs.system ---------------------------------------------------------------------------------------------

local function check_name(name, of)
  if type(name) ~= "string" or name == "" then fail.raise(of .. ": expected a name, got " .. fail.shown(name)) end
end

-- The host's half of a declaration, with what its functions are called with.
local function make(spec, what)
  local address, views, chunk_address = host.make_system(spec)
  local chunk = #spec.terms > 0 and rt.chunk.make(chunk_address, views, spec.terms, what, spec.runs) or nil
  return address, chunk, make_context(spec, address, what)
end

local function expect(done, message)
  if not done then fail.raise(message) end
end

-- `replaces`: the name is that of a system that is there, whose place it takes.
local function declare(name, description, what, replaces)
  world.expect_loading(what)
  local spec = spec_from(name, description, what, known_keys)
  if not spec.run then fail.raise(what .. ": expected a function 'run', got nil") end
  if spec.on_create and coroutine.running() then
    fail.raise(what .. ": a system with on_create is declared outside of coroutines")
  end
  local wanted = description.query or {}
  query.read(wanted, spec, what, { "runs" })
  spec.runs, spec.replaces = query.flag_of(wanted, "runs", what .. ", query"), replaces
  check_presentation(spec, what)
  local address, chunk, ctx = make(spec, what)
  expect(host.finish_system(address, spec, chunk, ctx))
end

function system.declare(name, description)
  check_name(name, "ecs.system")
  declare(name, description, format("system '%s'", name))
end

-- ---- systems of other mods ----------------------------------------------------------------------------------

-- What is known of a system that is to be changed, and a copy of the description that goes with it.
local function other_system(name, description, what)
  world.expect_loading(what)
  local info, message = host.system_info(name)
  if not info then fail.raise(what .. ": " .. message) end
  local copy = {}
  for key, entry in next, description do copy[key] = entry end
  if copy.group ~= nil then fail.raise(what .. ": 'group' is that of the system itself") end
  copy.group = info.group
  if copy.every == nil then copy.every = info.every end
  return info, copy
end

--- ecs.replace_system("mod:name", { … }): in its place, under its name and between its neighbours, from when this mod
--- has loaded.
function system.replace(name, description)
  check_name(name, "ecs.replace_system")
  local what = format("system '%s'", name)
  check_table(description, known_keys, what)
  local _, copy = other_system(name, description, what)
  declare(name, copy, what, true)
end

local function extended(names, more, what)
  local list = names_of(names, what)
  for i = 1, #more do list[#list + 1] = more[i] end
  return list
end

local wrap_keys = { before = true, after = true }

--- ecs.wrap_system("mod:name", { before = { … }, after = { … } }): systems that run before and after it, within what it
--- is ordered by itself. Each is a declaration, or a function that touches nothing.
function system.wrap(name, parts)
  check_name(name, "ecs.wrap_system")
  local what = format("ecs.wrap_system '%s'", name)
  check_table(parts, wrap_keys, what)
  if parts.before == nil and parts.after == nil then fail.raise(what .. ": expected 'before' or 'after'") end
  for _, side in ipairs { "before", "after" } do
    local part = parts[side]
    if type(part) == "function" then part = { run = part } end
    if part ~= nil then
      local place = what .. ", " .. side
      check_table(part, known_keys, place)
      local info, copy = other_system(name, part, place)
      if side == "before" then
        copy.before = extended(copy.before, { info.name }, place .. ", before")
        copy.after = extended(copy.after, info.after, place .. ", after")
      else
        copy.after = extended(copy.after, { info.name }, place .. ", after")
        copy.before = extended(copy.before, info.before, place .. ", before")
      end
      local own = side .. " " .. gsub(name, ":", ".")
      declare(own, copy, format("system '%s'", own))
    end
  end
end

--- A group of systems inside another one; run_if gets a ctx without commands and rows.
function system.declare_group(name, description)
  check_name(name, "ecs.group")
  local what = format("group '%s'", name)
  world.expect_loading(what)
  local spec = spec_from(name, description or {}, what, group_keys)
  check_presentation(spec, what)
  local address, _, ctx = make(spec, what)
  expect(host.finish_group(address, spec, nil, ctx))
end

local reaction_keys = { name = true, access = true, after = true, before = true, run_if = true }

--- For reaction.lua. `make_batch` gives what `run` is called with beside ctx.
function system.declare_reaction(kind, name, description, options, run, what, make_batch)
  local spec = spec_from(name, options, what, reaction_keys)
  spec.run, spec.trigger = run, { kind = kind, id = description.id }
  if kind == "event" then spec.read[#spec.read + 1] = description end
  local address, views, chunk_address = host.make_system(spec)
  local batch = make_batch(ffi.cast(layout.system_pointer, address), views, chunk_address)
  expect(host.finish_system(address, spec, batch, make_context(spec, address, what)))
end

--- A sketch: plain update(dt) and draw() in main.lua are systems that declare nothing.
function system.declare_sketch(env)
  if type(rawget(env, "update")) == "function" then
    system.declare("update", { run = function(_, ctx) env.update(ctx.dt, ctx) end })
  end
  if type(rawget(env, "draw")) == "function" then
    system.declare("draw", { group = "presentation", run = function(_, ctx) env.draw(ctx) end })
  end
end

return system
