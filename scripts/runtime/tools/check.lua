-- Loading for inspection: reports a mod's declarations to the host, records errors with their position, and continues
-- loading. Invariant: included last, and only on the host's request; nothing here runs in a game. No function passed by
-- a mod is called, not even on_create.
local need = ...
local callers, chunk, import, module = need "callers", need "chunk", need "import", need "module"
local order, system, host, component = need "order", need "system", need "host", need "component"
local schema, fail, constants = need "schema", need "fail", need "constants"
local type, next, ipairs, rawget, pcall, tonumber, format = type, next, ipairs, rawget, pcall, tonumber, string.format
local getinfo, getupvalue, getmetatable = debug.getinfo, debug.getupvalue, debug.getmetatable
local find, setmetatable = string.find, setmetatable

local check = {}

-- ---- collecting values without names ------------------------------------------------------------------------------

local imports = {}  -- results of ecs.import, and their components -> description
local services = setmetatable({}, { __mode = "k" })  -- function -> "weather:forecast"

-- Functions and tables of the mod known to the host -> their number there. Their captured values are reported once, as
-- of the declaration of the first system that needs them.
local numbers = {}
local kDeepest, kMaxFields = 6, 200

local meaning_of

-- The relevant upvalues of a function, or fields of a table.
local function captured_by(f, depth)
  local list = {}
  for i = 1, 255 do
    local name, value = getupvalue(f, i)
    if not name then break end
    local meaning = meaning_of(value, depth)
    if meaning then
      meaning.name = name
      list[#list + 1] = meaning
    end
  end
  return list
end

local function fields_of(t, depth)
  local list, names, count = {}, {}, 0
  for key in next, t do
    count = count + 1
    if count > kMaxFields then return {} end
    if type(key) == "string" then names[#names + 1] = key end
  end
  for _, name in ipairs(order.sort(names)) do
    local meaning = meaning_of(rawget(t, name), depth)
    if meaning then
      meaning.name = name
      list[#list + 1] = meaning
    end
  end
  return list
end

local function function_meaning(f, depth)
  if services[f] then return { kind = "service", import = services[f] } end
  local info = getinfo(f, "S")
  if info.what == "C" or callers.is_runtime(info.source) then return nil end
  if not numbers[f] then
    local first, last = info.linedefined, info.lastlinedefined
    numbers[f] = host.new_function { file = callers.file_of(info.source), first = first, last = last }
    host.note_captured(numbers[f], { names = captured_by(f, depth + 1) })
  end
  return { kind = "function", number = numbers[f] }
end

local function table_meaning(t, depth)
  if not numbers[t] then
    numbers[t] = host.new_table()
    host.note_fields(numbers[t], { names = fields_of(t, depth + 1) })
  end
  return { kind = "table", number = numbers[t] }
end

function meaning_of(value, depth)
  local description = component.of_handle(value)
  if description then return { kind = "component", id = description.id } end
  local kind = type(value)
  if kind ~= "table" and kind ~= "function" then return nil end
  if value == component.components then return { kind = "components" } end
  if value == module.loaded.ecs then return { kind = "ecs" } end
  if imports[value] then return { kind = "import", import = imports[value] } end
  if depth > kDeepest and not numbers[value] then return nil end
  if kind == "function" then return function_meaning(value, depth) end
  if getmetatable(value) ~= nil then return nil end
  return table_meaning(value, depth)
end

local callbacks = constants.system_functions

local function functions_of(spec)
  local list = {}
  for i = 1, #callbacks do
    local f, word = spec[callbacks[i]], callbacks[i]
    -- In a sketch, a library function calls the mod's function: update(dt, ctx) and draw(ctx).
    local of_sketch = system.sketches[f]
    if of_sketch then f, word = of_sketch, spec.presentation and "draw" or "update" end
    local info = f and getinfo(f, "S")
    if info and not callers.is_runtime(info.source) then
      list[#list + 1] = {
        word = word, file = callers.file_of(info.source), first = info.linedefined, last = info.lastlinedefined,
        captured = captured_by(f, 1),
      }
    end
  end
  return list
end

local function place()
  local at = schema.position()
  local _, _, file, line = find(at, "^[^/]*/(.*):(%d+)$")
  return { file = file or "", line = tonumber(line) or 0 }
end

local finish_system = host.finish_system

function host.finish_system(address, spec, visited, ctx)
  local at = place()
  at.functions = functions_of(spec)
  host.note_system(spec, at)
  spec.on_create, spec.on_destroy = nil, nil
  return finish_system(address, spec, visited, ctx)
end

local patch_prefab = host.patch_prefab

function host.patch_prefab(name, description)
  local at = place()
  at.given, at.taken = {}, description.removed
  for _, id in next, description.ids do at.given[#at.given + 1] = { id = id } end
  for i, id in next, description.field_ids do
    at.given[#at.given + 1] = { id = id, field = description.field_names[i] }
  end
  host.note_patch(name, at)
  return patch_prefab(name, description)
end

-- ---- continuing after an error -------------------------------------------------------------------------------

-- With the position in front, as in errors.
local function note(message)
  if type(message) ~= "string" then message = "an error that is not a text" end
  schema.note(message)
end

-- A chunk looks up short names that may not exist.
local is_asked_by_mod = true
local make_chunk = chunk.make

function chunk.make(...)
  is_asked_by_mod = false
  local made, is_lent = make_chunk(...)
  is_asked_by_mod = true
  return made, is_lent
end

local component_id = host.component_id

--- An unknown name is replaced by the nearest one, which was probably meant.
function host.component_id(name)
  local id, nearest = component_id(name)
  if id or nearest == "" or not is_asked_by_mod then return id, nearest end
  local _, message = pcall(fail.raise, format("unknown component '%s'%s", name, fail.did_you_mean(nearest)))
  note(message)
  return component_id(nearest)
end

local function noting(declare)
  return function(...)
    local done, message = pcall(declare, ...)
    if not done then note(message) end
  end
end

-- Functions without a result, which later code cannot depend on.
local quiet = { "system", "group", "replace_system", "wrap_system", "patch_prefab", "service", "on", "on_added",
  "on_removed", "on_changed", "on_destroyed" }

--- Wraps the entries of require "ecs".
function check.extend(ecs)
  for _, name in next, quiet do ecs[name] = noting(ecs[name]) end
  local service_of = import.service_of
  function import.service_of(mod, name)
    local f = service_of(mod, name)
    services[f] = mod .. ":" .. name
    return f
  end
  local find_mod = ecs.import
  ecs.import = function(mod)
    local given = find_mod(mod)
    if given ~= nil then
      imports[given], imports[given.components] = mod, mod .. ".components"
      imports[given.resources], imports[given.events] = mod .. ".resources", mod .. ".events"
      imports[given.services] = mod .. ".services"
    end
    return given
  end
end

return check
