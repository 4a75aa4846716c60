-- Object components: a Lua value per entity, which the world refers to by number.
-- Invariant: values stay in the state of the mod that set them. C++ counts the references to a number; when there are
-- none, the number comes back through take_dead, and only then is the value released and the number reused. A table has
-- one number, however many entities it is set on, so that they still share it after a world was saved. Other mods can
-- read numbers, booleans and texts; other values read as nil.
local need = ...
local row_column, fail, component, host = need "row_column", need "fail", need "component", need "host"
local load, running, api = need "load", need "running", need "api"
local spend, later = need "fuel".spend, need "parts".later
local constants = need "constants"
local ffi = require("ffi")
local type, format, next, setmetatable = type, string.format, next, setmetatable
local pcall, error = pcall, error
local get_env, set_env, get_meta, set_meta = getfenv, setfenv, debug.getmetatable, debug.setmetatable
local get_upvalue, set_upvalue, upvalue_id = debug.getupvalue, debug.setupvalue, debug.upvalueid
local get_info, sub = debug.getinfo, string.sub
local serialise = later "serialise"
local cast = ffi.cast

local object = {}

local kinds = {}  -- by Lua type, those that other mods can read; and `own`
for number, name in ipairs(constants.object_kinds) do kinds[name] = number end
local kNumber, kBoolean, kText, kOwn = kinds.number, kinds.boolean, kinds.string, kinds.own
local home = cast("void *", host.objects)
local found = ffi.new("perigee_object")

local values, free, count = {}, {}, 0
local numbers = {}  -- of values that are tables

--- Releases the values that no entity refers to any more. Called by C++ before a run.
function object.collect()
  while true do
    local reference = api.object_take_dead(home)
    if reference == 0 then return end
    local value = values[reference]
    if type(value) == "table" then numbers[value] = nil end
    values[reference] = nil
    free[#free + 1] = reference
  end
end

-- Number, kind and plain value of v, in the form for C++.
local function kept(v)
  if v == nil then return 0, 0, 0, nil, 0 end
  object.collect()
  local is_table = type(v) == "table"
  if is_table and numbers[v] then return numbers[v], 0, 0, nil, 0 end
  if not api.object_may_hold(type(v) == "string" and #v or 0) then fail.raise(host.refusal_of_world()) end
  local last, reference = #free, count + 1
  if last > 0 then
    reference = free[last]
    free[last] = nil
  else
    count = reference
  end
  values[reference] = v
  if is_table then
    numbers[v] = reference
    return reference, 0, 0, nil, 0
  end
  local kind = kinds[type(v)] or 0
  if kind == kText then return reference, kind, 0, v, #v end
  return reference, kind, kind == kNumber and v or v == true and 1 or 0, nil, 0
end

--- The entity's value, and whether it has the component.
function object.get(entity, id)
  if not api.object_get(home, entity, id, found) then return nil, false end
  local kind = found.kind
  if kind == kOwn then return values[found.reference], true end
  if kind == kNumber then return found.number, true end
  if kind == kBoolean then return found.number ~= 0, true end
  if kind == kText then return ffi.string(found.text, found.length), true end
  return nil, true
end

--- False when the entity lacks the component.
function object.set(entity, id, v)
  local reference, kind, number, text, length = kept(v)
  return api.object_set(home, entity, id, reference, kind, number, text, length)
end

--- Adds the component at playback, with the value.
function object.record(system, entity, id, v)
  local reference, kind, number, text, length = kept(v)
  api.command_add_object(system, home, entity, id, reference, kind, number, text, length)
end

--- The component of a handle, or an error that says what it is.
function object.expect(handle, what)
  local description = component.expect(handle, what)
  if description.kind ~= "object" then
    fail.raise(format("%s: '%s' is a %s, not an object component", what, description.name, description.kind))
  end
  return description
end

--- chunk.Brain: function(epoch) -> an object whose i-th entry is the value of row i, while the views are lent under
--- this epoch (a pointer's bits); and the type of it.
function object.column(view, entity_view, description, writable)
  local id, where = description.id, description.root.where
  local function read(entity) return (object.get(entity, id)) end
  local function write(entity, value)
    if not writable then
      fail.read_only(where)
    end
    object.set(entity, id, value)
  end
  return row_column.make(view, entity_view, where, "objects of ", read, write)
end

-- ---- snapshots and saved worlds ------------------------------------------------------------------------------
-- Called by C++ between steps.

local kMaxTextBytes = 2 ^ 20

--- The value as text. Errors: it is not plain data, with the place in it.
function object.to_text(reference)
  local text = serialise.value_to_text(values[reference], kMaxTextBytes, "the object cannot be kept", "value", true)
  if not text then fail.raise("the object cannot be kept: it takes more than " .. kMaxTextBytes .. " bytes of text") end
  return text
end

--- Takes in a new value; returns its number, kind and plain value, as for C++.
function object.from_text(text)
  local value = #text <= kMaxTextBytes and serialise.to_value(text)
  if value == nil or #text > kMaxTextBytes then fail.raise("the object is damaged") end
  local reference, kind, number, plain = kept(value)
  return reference, kind, number, plain
end

-- ---- the world hash -----------------------------------------------------------------------------------------
-- A run is the same whether or not a hash of it is taken, so a hash function must have no side effects: it gets a copy
-- of the value, its upvalues and the stream of math.random are restored afterwards, it cannot write globals, and only
-- coroutines and iterators that it created advance (running.lua). C++ closes the world meanwhile (phase.lua). Not
-- enforced: tables that it reaches, and writes by functions that it calls.

local hashes = {}
local random_state = ffi.new("uint64_t[4]")

-- The fuel counter is shared by all code and is not restored.
local counter
for i = 1, 60 do
  local name, number = get_upvalue(spend, i)
  if name == nil then break end
  if type(number) == "number" then counter = upvalue_id(spend, i) end
end

-- A deep copy of a table without recursion, since values may be lists of any length.
local function copy_of(root)
  if type(root) ~= "table" then return root end
  local copies, waiting, last = {}, {}, 0
  local function place(v)
    if type(v) ~= "table" then return v end
    if copies[v] == nil then
      copies[v] = {}
      last = last + 1
      waiting[last] = v
    end
    return copies[v]
  end
  local copy = place(root)
  local at = 1
  while at <= last do
    local from = waiting[at]
    local to, steps = copies[from], 1
    for key, entry in next, from do
      to[place(key)] = place(entry)
      steps = steps + 1
    end
    set_meta(to, get_meta(from))
    spend(steps)
    at = at + 1
  end
  return copy
end

local function variables_of(f)
  local list, last = {}, 0
  while true do
    local name, entry = get_upvalue(f, last + 1)
    if name == nil then return list, last end
    last = last + 1
    list[last] = entry
  end
end

local function isolated(hash, where)
  local is_of_mod = sub(get_info(hash, "S").source, 1, 1) == "@"
  if not is_of_mod then return function(v) return hash(copy_of(v)) end end
  local env = setmetatable({}, {
    __index = get_env(hash),
    __newindex = function(_, name)
      fail.raise(format("%s: its hash function cannot set the global %s", where, fail.shown(name)))
    end,
    __metatable = false,
  })
  set_env(hash, env)
  return function(v)
    load.hash_env = env
    local before, last = variables_of(hash)
    api.random_state(host.random, random_state)
    local ok, number = pcall(hash, copy_of(v))
    api.random_set_state(host.random, random_state)
    for i = 1, last do
      if upvalue_id(hash, i) ~= counter then set_upvalue(hash, i, before[i]) end
    end
    if not ok then error(number, 0) end
    return number
  end
end

--- hash = function(value) return number end: the contribution of the component's values to the world hash.
function object.declare_hash(id, hash)
  hashes[id] = isolated(hash, component.by_id(id).root.where)
  host.object_hash(id)
end

--- The hash of a stored value, from the mod's hash function. Called by C++, protected.
function object.hash_of(id, reference)
  local v = values[reference]
  running.hash_calls = running.hash_calls + 1
  local hash = v ~= nil and hashes[id](v) or 0
  if type(hash) ~= "number" then
    fail.raise(format("%s: expected a number from its hash function, got %s", component.by_id(id).root.where,
      fail.shown(hash)))
  end
  return hash
end

return object
