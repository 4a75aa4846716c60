-- ecs.system: checks the declaration, passes it to C++ (scripting/host/internal/world_host.h), and builds the arguments
-- of the run function: chunk and ctx.
-- Invariant: a system may access only what it declared; everything else is an error that says what to declare.
local need = ...
local chunk, context, keeps, order = need "chunk", need "context", need "keeps", need "order"
local parts, sketch, state, host, fail = need "parts", need "sketch", need "state", need "host", need "fail"
local layout, component, phase, query = need "layout", need "component", need "phase", need "query"
local queries = need "queries"
local constants = need "constants"
local ffi = require("ffi")
local type, format, next, rawget = type, string.format, next, rawget
local getinfo, sub, setmetatable = debug.getinfo, string.sub, setmetatable

local system = {}

-- ---- reading the declaration --------------------------------------------------------------------------------

local callbacks = constants.system_functions
local known_keys = { group = true, query = true, queries = true, access = true, after = true, before = true,
  every = true, enabled = true, exclusive = true, commands = true }
for i = 1, #callbacks do known_keys[callbacks[i]] = true end
local access_keys = { read = true, write = true, services = true }
local check_table, list_of, components_of = query.check_table, query.list_of, query.components_of

-- Each is looked up when systems are ordered; a group does the same with a single name.
local max_names = constants.max_listed_names

local function names_of(t, what)
  local list, given = {}, list_of(t, what)
  if #given > max_names then
    fail.raise(format("%s: expected at most %d names of systems, got %d; a group orders many systems by one name", what,
      max_names, #given))
  end
  for i, name in ipairs(given) do
    if type(name) ~= "string" then
      fail.raise(format("%s: expected names of systems, got %s", what, fail.shown(name)))
    end
    fail.check_name(name, what)
    list[i] = name
  end
  return list
end

local engine_groups = constants.engine_groups

-- True for presentation and the groups inside it.
local function is_presentation(group, what, may_be_step)
  if may_be_step and group == "step" then return false end
  if type(group) ~= "string" then fail.raise(what .. ": expected a group name, got " .. fail.shown(group)) end
  local known = host.groups()
  -- These are for work that depends on the commands of simulation.
  for i = 1, #engine_groups do known[engine_groups[i]] = nil end
  local own = known[host.own_name(group)]
  if own == nil then own = known[group] end
  if own ~= nil then return own end
  local list, others = {}, {}
  for i, name in ipairs(constants.groups) do list[i], known[name] = name, nil end
  for name in next, known do others[#others + 1] = name end
  table.sort(others)
  for i = 1, #others do list[#list + 1] = others[i] end
  if may_be_step then list[#list + 1] = "step" end
  fail.raise(format("%s: unknown group '%s'; groups are %s%s", what, group, table.concat(list, ", "),
    fail.suggestion(group, list)))
end

local function flag_from(description, key, what)
  local flag = description[key]
  if flag ~= nil and type(flag) ~= "boolean" then
    fail.raise(format("%s: expected true or false for '%s', got %s", what, key, fail.shown(flag)))
  end
  return flag
end

-- The common part of systems and groups.
local function spec_from(name, description, what, keys, may_be_step)
  check_table(description, keys, what)
  local group, every = description.group or "simulation", description.every or 0
  local presentation = is_presentation(group, what, may_be_step)
  for i = 1, #callbacks do
    local f = description[callbacks[i]]
    if f ~= nil and type(f) ~= "function" then
      fail.raise(format("%s: expected a function '%s', got %s", what, callbacks[i], fail.shown(f)))
    end
  end
  if type(every) ~= "number" or not (every >= 0 and every < 1e9) then
    fail.raise(what .. ": expected 'every' in seconds, at least 0, got " .. fail.shown(every))
  end
  local enabled, exclusive = flag_from(description, "enabled", what), flag_from(description, "exclusive", what)
  local commands = description.commands
  if commands ~= nil and (type(commands) ~= "string" or commands == "") then
    fail.raise(what .. ": expected a point such as \"end of simulation\" for 'commands', got " .. fail.shown(commands))
  end
  local access = description.access or {}
  check_table(access, access_keys, what .. ", access")
  local spec = {
    name = name, group = group, every = every, enabled = enabled, exclusive = exclusive,
    commands = commands, presentation = presentation, terms = {},
    after = names_of(description.after, what .. ", after"),
    before = names_of(description.before, what .. ", before"),
    read = components_of(access.read, what .. ", access.read"),
    write = components_of(access.write, what .. ", access.write"),
    services = names_of(access.services, what .. ", access.services"),
  }
  if presentation and spec.services[1] then
    fail.raise(what .. ": a presentation system may not call services, which belong to the simulation")
  end
  for i = 1, #callbacks do spec[callbacks[i]] = description[callbacks[i]] end
  return spec
end

-- What the simulation may not do is checked by C++ (Schedule::check_presentation_data).
local function check_presentation(spec, what)
  if not spec.presentation then return end
  local function check(description)
    if description.presentation then return end
    fail.raise(format("%s: a presentation system sees a finished world and may not write '%s'; move the writing to " ..
      "group 'simulation', or declare '%s' with presentation = true if only the picture depends on it", what,
      description.name, description.name))
  end
  for i = 1, #spec.write do check(spec.write[i]) end
  for i = 1, #spec.terms do
    if spec.terms[i].write then check(spec.terms[i].description) end
  end
end

-- ---- ctx ----------------------------------------------------------------------------------------------------

-- The declared accesses by number: true for write.
local function access_map(spec)
  local map = {}
  local function allow(id, write) map[id] = map[id] or write end
  for i = 1, #spec.terms do allow(spec.terms[i].id, spec.terms[i].write) end
  for i = 1, #spec.read do allow(spec.read[i].id, false) end
  for i = 1, #spec.write do allow(spec.write[i].id, true) end
  return map
end

-- Components, by number, whose changes a chunk of the system may tell.
local function visible_to(spec, allowed)
  local visible = {}
  for id in next, allowed do visible[id] = true end
  for _, ids in next, { spec.any, spec.without, spec.changed } do
    for i = 1, #ids do
      visible[ids[i]] = spec.presentation or not component.by_id(ids[i]).presentation or nil
    end
  end
  return visible
end

local function refuse_change() fail.raise("ctx cannot be changed; keep data in components, resources or locals") end

local function make_context(spec, address, what)
  local entries = {}
  local owner = {
    entries = entries, cell = ffi.cast(layout.system_pointer, address), allowed = access_map(spec),
    copied = queries.copied_by(spec), has_commands = not spec.presentation, exclusive = spec.exclusive, what = what,
  }
  if spec.queries then owner.queries = queries.make(spec, owner, address, visible_to(spec, owner.allowed)) end
  local ctype = layout.dressed("struct { const double dt, tick, time, alpha; }", {
    __index = function(_, key)
      local entry = entries[key]
      if entry ~= nil or key == component.id_name then return entry end  -- value.lua queries the latter
      return (context.entry(owner, key))
    end,
    __newindex = refuse_change,
    __tostring = function() return "context of " .. what end,
  })
  owner.ctype = ctype
  return layout.reference(ctype, address)
end

-- ---- ecs.system ---------------------------------------------------------------------------------------------

-- The host's half of a declaration, with the arguments of its functions.
local function make(spec, what)
  local address, views, chunk_address = host.make_system(spec)
  if #spec.terms == 0 then return address, nil, make_context(spec, address, what) end
  local is_steady = not keeps.first_argument(spec.run, spec.runs)
  local how = { takes_runs = spec.runs, is_steady = is_steady, visible = visible_to(spec, access_map(spec)) }
  local visited = chunk.make(chunk_address, views, spec.terms, what, how)
  if not is_steady then visited = chunk.entered(visited) end
  return address, visited, make_context(spec, address, what)
end

local function expect(done, message)
  if not done then fail.raise(message) end
end

-- `replaces`: the name is that of an existing system, which it replaces. `more`: options that only the library sets.
local function declare(name, description, what, replaces, more)
  phase.expect_loading(what)
  local spec = spec_from(name, description, what, known_keys)
  if not spec.run then fail.raise(what .. ": expected a function 'run', got nil") end
  if spec.on_create and coroutine.running() then
    fail.raise(what .. ": a system with on_create is declared outside of coroutines")
  end
  if spec.exclusive and (description.query ~= nil or description.queries ~= nil) then
    fail.raise(what .. ": an exclusive system is lent no rows, since it may move them; make a query with ecs.query " ..
      "and visit ecs.world:entities(query)")
  end
  local wanted = description.query or {}
  query.read(wanted, spec, what, { "runs" })
  spec.runs, spec.replaces = query.flag_of(wanted, "runs", what .. ", query"), replaces
  queries.read(description.queries, spec, what)
  check_presentation(spec, what)
  for key, word in next, more or {} do spec[key] = word end
  local address, visited, ctx = make(spec, what)
  expect(host.finish_system(address, spec, visited, ctx))
end

function system.declare(name, description)
  fail.check_name(name, "ecs.system")
  declare(name, description, format("system '%s'", name))
end

-- Wrapper -> the original function of a sketch. For check.lua and for positions of errors.
system.sketches = setmetatable({}, { __mode = "k" })

local function sketched(env, name, is_picture, call)
  local first = rawget(env, name)
  local function run(_, ctx)
    local f = env[name]
    if type(f) ~= "function" then
      fail.raise(format("'%s' was a function and is %s now; give the variable another name", name, fail.shown(f)))
    end
    sketch.enter(ctx, is_picture)
    call(ctx)
    sketch.leave()
    return first  -- reported with errors that have no line
  end
  system.sketches[run] = first
  return run
end

local kAlone = { alone = true }

--- A sketch: plain update(dt) and draw() in main.lua are systems that declare nothing, and may use ecs.world
--- (sketch.lua); their persistent data is `state` (state.lua).
function system.declare_sketch(env)
  if type(rawget(env, "update")) == "function" then
    local run = sketched(env, "update", false, function(ctx) env.update(ctx.dt, ctx) end)
    declare("update", { run = run }, "system 'update'", nil, kAlone)
  end
  if type(rawget(env, "draw")) == "function" then
    local run = sketched(env, "draw", true, function(ctx) env.draw(ctx) end)
    declare("draw", { group = "presentation", run = run }, "system 'draw'", nil, kAlone)
  end
  if host.mentions_state() then state.declare(env) end
  if host.note_system then return end  -- check reports it with more detail
  local functions = {}
  for name, f in next, env do
    if type(name) == "string" and type(f) == "function" then functions[#functions + 1] = name end
  end
  for _, name in ipairs(order.sort(functions)) do
    local info = getinfo(rawget(env, name), "S")
    local advice = sub(info.source, 1, 1) == "@" and host.instead_of_love(name)
    if advice and host.count_word(sub(info.source, #host.mod + 3), name) == 1 then
      host.log("warning", format("%s:%d: nothing calls the function '%s'; %s", sub(info.source, 2), info.linedefined,
        name, advice))
    end
  end
end

-- For system_more.lua.
system.known_keys, system.names_of, system.spec_from, system.check_presentation = known_keys, names_of, spec_from,
  check_presentation
system.make, system.make_context, system.expect = make, make_context, expect
system.declare_as = declare

return parts.grow(system, "system_more")
