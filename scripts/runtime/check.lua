-- Loading for a look: what a mod declares is told to the host, mistakes are noted with their place, and loading goes
-- on. Invariant: included last, and only where the host wants it; nothing here runs in a game. Of functions that a mod
-- hands over, none is called: not even on_create.
local rt = ...
local type, next, pcall, tonumber, format = type, next, pcall, tonumber, string.format
local getinfo, getupvalue, sub, find, gsub = debug.getinfo, debug.getupvalue, string.sub, string.find, string.gsub
local host, component, schema, fail = rt.host, rt.component, rt.schema, rt.fail

local check = {}

-- "game/main.lua" without the mod: what its author calls the file.
local function file_of(source)
  return (gsub(sub(source, 2), "^[^/]*/", "", 1))
end

-- ---- what there is no word for ------------------------------------------------------------------------------

local imports = {}  -- what ecs.import gave, and the components in it -> what it is

local function meaning_of(value)
  local description = component.of_handle(value)
  if description then return { kind = "component", id = description.id } end
  if type(value) ~= "table" then return nil end
  if value == component.components then return { kind = "components" } end
  if value == rt.modules.ecs then return { kind = "ecs" } end
  return imports[value] and { kind = "import", import = imports[value] }
end

local function captured_by(f)
  local list = {}
  for i = 1, 255 do
    local name, value = getupvalue(f, i)
    if not name then break end
    local meaning = meaning_of(value)
    if meaning then
      meaning.name = name
      list[#list + 1] = meaning
    end
  end
  return list
end

local words = { "run", "run_if", "on_create", "on_start", "on_stop", "on_destroy" }

local function functions_of(spec)
  local list = {}
  for i = 1, #words do
    local f = spec[words[i]]
    local info = f and getinfo(f, "S")
    if info and sub(info.source, 1, 9) ~= "=perigee/" then
      list[#list + 1] = {
        word = words[i], file = file_of(info.source), first = info.linedefined, last = info.lastlinedefined,
        captured = captured_by(f),
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

function host.finish_system(address, spec, chunk, ctx)
  local at = place()
  at.functions = functions_of(spec)
  host.note_system(spec, at)
  spec.on_create, spec.on_destroy = nil, nil
  return finish_system(address, spec, chunk, ctx)
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

-- ---- going on after a mistake -------------------------------------------------------------------------------

-- With the place in front, as an error would have it.
local function note(message)
  if type(message) ~= "string" then message = "an error that is no text" end
  schema.note(message)
end

-- A chunk asks for short names that need not be there.
local is_asked_by_mod = true
local make_chunk = rt.chunk.make

function rt.chunk.make(...)
  is_asked_by_mod = false
  local chunk = make_chunk(...)
  is_asked_by_mod = true
  return chunk
end

local component_id = host.component_id

--- An unknown name stands for the nearest one, which was probably meant.
function host.component_id(name)
  local id, nearest = component_id(name)
  if id or nearest == "" or not is_asked_by_mod then return id, nearest end
  local _, message = pcall(fail.raise, format("unknown component '%s'; did you mean '%s'?", name, nearest))
  note(message)
  return component_id(nearest)
end

local function noting(declare)
  return function(...)
    local done, message = pcall(declare, ...)
    if not done then note(message) end
  end
end

-- Those that return nothing, so that nothing after them needs their result.
local quiet = { "system", "group", "replace_system", "wrap_system", "patch_prefab", "service", "on", "on_added",
  "on_removed", "on_changed", "on_destroyed" }

--- Wraps the entries of require "ecs".
function check.extend(ecs)
  for _, name in next, quiet do ecs[name] = noting(ecs[name]) end
  local import = ecs.import
  ecs.import = function(mod)
    local given = import(mod)
    if given ~= nil then
      imports[given], imports[given.components] = mod, mod .. ".components"
      imports[given.resources], imports[given.events] = mod .. ".resources", mod .. ".events"
    end
    return given
  end
end

return check
