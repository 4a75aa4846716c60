-- Finds variables that presentation changes and simulation reads: from the code (check), and in development by
-- comparing before and after each presentation system (run --check-presentation, test). Invariant: nothing here calls
-- the mod's code or changes its data. Included only on the host's request. Not here: the reads and writes of code
-- (reads.lua).
local need = ...
local module, host, reads = need "module", need "host", need "reads"
local inner, constants = need "tables".inner, need "constants"
local type, next, rawget, tostring, format = type, next, rawget, tostring, string.format
local is_name = need "fail".is_name
local match = string.match
local getinfo, getupvalue, upvalueid = debug.getinfo, debug.getupvalue, debug.upvalueid
local get_meta, getlocal, status, sort = debug.getmetatable, debug.getlocal, coroutine.status, table.sort
local floor = math.floor
local ANY, trusted, file_of, is_engines = reads.ANY, reads.trusted, reads.file_of, reads.is_engines
local add_function, reader_of_field, fuel_id = reads.add_function, reads.reader_of_field, reads.fuel_id

local sharing = {}
local kMaxEntries = reads.max_entries
local kMaxLocals = 50  -- of a coroutine, that are checked
local kWhy = ": the frame rate "

-- ---- the functions of systems -------------------------------------------------------------------------------

local callbacks = constants.system_functions
local declared = {}  -- by owner: { presentation =, functions =, steps =, sketch = }; `steps` run in each step
local has_changed = true  -- true if changed since the sides were read

local function note(what, presentation, functions, sketch, steps)
  declared[what] = { presentation = presentation, functions = functions, steps = steps or functions, sketch = sketch }
  has_changed = true
end

local function note_spec(kind, spec)
  local functions, steps, sketch = {}, {}, nil
  for i = 1, #callbacks do
    local f = spec[callbacks[i]]
    if f and trusted[f] then sketch = spec.name else functions[#functions + 1] = f end
    if f and (callbacks[i] == "run" or callbacks[i] == "run_if") then steps[#steps + 1] = f end
  end
  note(kind .. " '" .. spec.name .. "'", spec.presentation or false, functions, sketch, steps)
end

local finish_system, finish_group, add_service = host.finish_system, host.finish_group, host.add_service

function host.finish_system(address, spec, chunk, ctx)
  note_spec("system", spec)
  return finish_system(address, spec, chunk, ctx)
end

function host.finish_group(address, spec, chunk, ctx)
  note_spec("group", spec)
  return finish_group(address, spec, chunk, ctx)
end

function host.add_service(name, f)
  note("service '" .. name .. "'", false, { f })
  return add_service(name, f)
end

local kStateSystem = "system 'keep state'"  -- state.lua

-- All tables in the table `state`, which simulation reads as a whole.
local function tables_of_state()
  local t, found = rawget(module.env, "state"), {}
  local stack = { declared[kStateSystem] and type(t) == "table" and t or nil }
  while #stack > 0 do
    local one = stack[#stack]
    stack[#stack] = nil
    if not found[one] and not is_engines(one) then
      found[one] = true
      for _, value in next, one do
        if type(value) == "table" then stack[#stack + 1] = value end
      end
    end
  end
  return found
end

-- `words`: "functions", or "steps" for those that run in each step.
local function read_side(presentation, words)
  local side, names = reads.new_side(), {}
  if not presentation and declared[kStateSystem] then
    inner(side.global_reads, module.env).state = kStateSystem
    for t in next, tables_of_state() do inner(side.field_reads, t)[ANY] = kStateSystem end
  end
  for what in next, declared do names[#names + 1] = what end
  sort(names)
  for i = 1, #names do
    local one = declared[names[i]]
    if one.presentation == presentation then
      if one.sketch then
        inner(side.global_reads, module.env)[one.sketch] = names[i]
        add_function(side, rawget(module.env, one.sketch), names[i])
      end
      local functions = one[words or "functions"]
      for j = 1, #functions do add_function(side, functions[j], names[i]) end
    end
  end
  return reads.finish(side)
end

-- ---- inspection ---------------------------------------------------------------------------------------------

local function shown_path(path, key)
  if key == ANY then return "'" .. path .. "[…]'" end
  if is_name(key) then return "'" .. path .. "." .. key .. "'" end
  return "'" .. path .. "[" .. tostring(key) .. "]'"
end

--- Writes of presentation code to data that simulation code reads: { file =, line =, message = } for each place.
function sharing.findings()
  local simulation, presentation, list, known = read_side(false), read_side(true), {}, {}
  for i = 1, #presentation.writes do
    local write, reader, what = presentation.writes[i]
    if write.id then
      reader, what = simulation.up_reads[write.id], "local '" .. write.name .. "'"
    elseif write.env then
      local globals = simulation.global_reads[write.env]
      reader, what = globals and globals[write.key], "global '" .. write.key .. "'"
    else
      reader, what = reader_of_field(simulation, write.base, write.key), shown_path(write.path, write.key)
    end
    local place = file_of(write.f) .. ":" .. write.line .. ":" .. what
    if reader and not known[place] then
      known[place] = true
      list[#list + 1] = { file = file_of(write.f), line = write.line, message = format(
        "%s is changed by presentation %s, and simulation %s reads it%swould change the game", what, write.system,
        reader, kWhy) }
    end
  end
  return list
end

local kUpdate = "system 'update'"

-- Variables outside of the world that simulation keeps from step to step: { file =, line =, message = } for each.
local function forgotten()
  local side, kept, list, known = read_side(false, "steps"), tables_of_state(), {}, {}
  local is_sketch = declared[kUpdate] and declared[kUpdate].sketch
  for i = 1, #side.writes do
    local write = side.writes[i]
    local name = write.name or write.env == module.env and write.key or write.path and match(write.path, "^[%a_][%w_]*")
    local is_kept = is_sketch and name == "state" or write.base and (kept[write.base] or is_engines(write.base))
    local of_sketch = is_sketch and write.system == kUpdate
    local place = name and file_of(write.f) .. ":" .. name
    if name and not is_kept and not known[place] and (of_sketch or reads.is_kept(side, write)) then
      known[place] = true
      list[#list + 1] = { file = file_of(write.f), line = write.line, message = of_sketch and format("'%s' is " ..
        "reset when a file is saved, and is not in the world hash; keep it in the table 'state': state.%s", name, name)
        or format("'%s' keeps state outside of the world: a saved world and the world hash do not have it; keep it " ..
        "in a component or a resource", name) }
    end
  end
  return list
end

--- Called after the mod's files have run for inspection.
function sharing.report()
  local list, notes = sharing.findings(), forgotten()
  for i = 1, #list do host.note_finding(list[i].file, list[i].line, list[i].message) end
  for i = 1, #notes do host.note_finding(notes[i].file, notes[i].line, notes[i].message, true) end
end

-- ---- before and after ---------------------------------------------------------------------------------------

local side, picture = nil, nil

local function same(a, b) return a == b or a ~= a and b ~= b end

-- The visible progress of a coroutine.
local function thread_state(co)
  local state, level = { status(co) }, 0
  local info = getinfo(co, level, "Sl")
  while info and info.what == "C" do  -- yield
    level = level + 1
    info = getinfo(co, level, "Sl")
  end
  if not info then return state end
  state[2] = info.currentline
  for i = 1, kMaxLocals do
    local name, value = getlocal(co, level, i)
    if not name then break end
    state[i + 2] = value
  end
  return state
end

-- A copy of everything that simulation can reach and reads.
local function take_picture()
  local taken = { list = {}, entries = 0, seen = {} }
  local queue, first = {}, 1
  local function visit(value, path, file, system)
    local kind = type(value)
    if kind ~= "table" and kind ~= "function" and kind ~= "thread" or taken.seen[value] then return end
    taken.seen[value] = true
    queue[#queue + 1] = { value = value, path = path, file = file, system = system }
  end
  local function of_function(f, system)
    local file = file_of(f)
    for i = 1, 255 do
      local name, value = getupvalue(f, i)
      if not name then break end
      local id = upvalueid(f, i)
      if id ~= fuel_id and side.up_reads[id] and not taken.seen[id] then
        taken.seen[id] = true
        taken.list[#taken.list + 1] = { f = f, up = i, value = value, what = "local '" .. name .. "'", file = file,
          system = side.up_reads[id] }
        visit(value, name, file, system)
      end
    end
  end
  for f, system in next, side.known do of_function(f, system) end
  for env, globals in next, side.global_reads do
    for name, system in next, globals do
      local value = rawget(env, name)
      taken.list[#taken.list + 1] = { env = env, key = name, value = value, what = "global '" .. name .. "'", file = "",
        system = system }
      if value ~= env then visit(value, name, "", system) end
    end
  end
  while queue[first] and taken.entries < kMaxEntries do
    local one = queue[first]
    first = first + 1
    local value = one.value
    if type(value) == "thread" then
      taken.list[#taken.list + 1] = { co = value, state = thread_state(value), what = "coroutine '" .. one.path .. "'",
        file = one.file, system = one.system }
    elseif type(value) == "function" then
      -- The function from coroutine.wrap has its coroutine as an upvalue.
      for i = 1, trusted[value] and 8 or 0 do
        local name, up = getupvalue(value, i)
        if not name then break end
        if type(up) == "thread" then visit(up, one.path, one.file, one.system) end
      end
    elseif not is_engines(value) then
      local copy, count = {}, 0
      for key, entry in next, value do
        copy[key] = entry
        count = count + 1
        visit(entry, one.path .. (type(key) == "string" and "." .. key or "[…]"), one.file, one.system)
      end
      taken.entries = taken.entries + count
      local meta = get_meta(value)
      if meta then visit(meta, one.path, one.file, one.system) end
      taken.list[#taken.list + 1] = { t = value, copy = copy, meta = meta, path = one.path, file = one.file,
        system = one.system }
    end
  end
  return taken
end

-- The keys of a table that changed and are read, as text, with the system that reads them.
local function changed_keys(one, report)
  local t, copy = one.t, one.copy
  local function look(key)
    local reader = one.system
    if type(key) == "string" then
      local fields = side.field_reads[t]
      reader = side.all_names[key] or fields and fields[ANY] or not side.tables[t] and side.names[ANY]
    end
    -- For a growing list, one element represents all.
    local kind = shown_path(one.path, type(key) == "string" and key or ANY)
    if reader then report(shown_path(one.path, key), reader, kind) end
  end
  for key, value in next, t do
    if not same(copy[key], value) then look(key) end
  end
  for key in next, copy do
    if rawget(t, key) == nil then look(key) end
  end
  if get_meta(t) ~= one.meta then report("metatable of '" .. one.path .. "'", one.system) end
end

-- After the first frames, a mod with much data is checked only in every nth frame.
local kFirstPictures, kEntriesPerPicture = 5, 100
local pictures, entries, is_skipped = 0, 0, false

--- Before a presentation system; `is_fresh`: simulation has run since the last one.
function sharing.begin(is_fresh)
  if has_changed then side, picture = read_side(false), nil end
  has_changed = false
  if is_fresh then
    pictures = pictures + 1
    is_skipped = pictures > kFirstPictures and pictures % floor(1 + entries / kEntriesPerPicture) ~= 0
    picture = nil
  end
  if is_skipped or picture then return end
  picture = take_picture()
  entries = picture.entries
end

local reported = {}

--- After it: its changes, each once, as { file, message, file, message, … }.
function sharing.finish(name)
  local list = {}
  if is_skipped then return list end
  local function reporter_of(one)
    return function(what, reader, kind)
      kind = (kind or what) .. name
      if reported[kind] then return end
      reported[kind] = true
      list[#list + 1] = { one.file, format(
        "%s was changed by presentation system '%s', and simulation %s reads it%schanges the game", what, name,
        reader or one.system, kWhy) }
    end
  end
  local has_found = false
  local function note_change(one)
    local report = reporter_of(one)
    return function(...)
      has_found = true
      report(...)
    end
  end
  for i = 1, #picture.list do
    local one = picture.list[i]
    local report = note_change(one)
    if one.up then
      local _, value = getupvalue(one.f, one.up)
      if not same(value, one.value) then report(one.what) end
    elseif one.env then
      if not same(rawget(one.env, one.key), one.value) then report(one.what) end
    elseif one.co then
      local now = thread_state(one.co)
      for at = 1, kMaxLocals + 2 do
        if not same(now[at], one.state[at]) then
          report(one.what)
          break
        end
      end
    else
      changed_keys(one, report)
    end
  end
  if has_found then picture = nil end
  sort(list, function(a, b) return a[2] < b[2] end)
  local flat = {}
  for i = 1, #list do flat[2 * i - 1], flat[2 * i] = list[i][1], list[i][2] end
  return flat
end

return sharing
