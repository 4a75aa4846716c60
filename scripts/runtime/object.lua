-- Object components: a Lua value per entity, which the world refers to by number.
-- Invariant: values stay in the state of the mod that gave them. C++ counts who refers to a number; when nobody does
-- any more the number comes back through take_dead, and only then is the value let go and the number used again.
-- Other mods read numbers, booleans and texts; of everything else they read nil.
local rt = ...
local ffi = require("ffi")
local type, format, tostring = type, string.format, tostring
local cast, typeof = ffi.cast, ffi.typeof
local fail, component, layout, host, api = rt.fail, rt.component, rt.layout, rt.host, rt.api

local object = {}
local ID = component.id_name

ffi.cdef "typedef struct { double number; const char *text; uint32_t length, kind, reference; } perigee_object;"
local kinds = { number = 1, boolean = 2, string = 3 }  -- what crosses to other mods
local kOwn = 4
local home = cast("void *", host.objects)
local found = ffi.new("perigee_object")
local long_pointer = typeof("int64_t *")

local values, free, count = {}, {}, 0

--- Lets go of the values that no entity refers to any more. Called by C++ before a run.
function object.collect()
  while true do
    local reference = api.object_take_dead(home)
    if reference == 0 then return end
    values[reference] = nil
    free[#free + 1] = reference
  end
end

-- Number, kind and plain value of v, as C++ takes them.
local function kept(v)
  if v == nil then return 0, 0, 0, nil, 0 end
  object.collect()
  local last, reference = #free, count + 1
  if last > 0 then
    reference = free[last]
    free[last] = nil
  else
    count = reference
  end
  values[reference] = v
  local kind = kinds[type(v)] or 0
  if kind == 3 then return reference, kind, 0, v, #v end
  return reference, kind, kind == 1 and v or v == true and 1 or 0, nil, 0
end

--- The entity's value, and whether it has the component.
function object.get(entity, id)
  if not api.object_get(home, entity, id, found) then return nil, false end
  local kind = found.kind
  if kind == kOwn then return values[found.reference], true end
  if kind == 1 then return found.number, true end
  if kind == 2 then return found.number ~= 0, true end
  if kind == 3 then return ffi.string(found.text, found.length), true end
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

--- The component behind a handle, or an error that says what it is.
function object.expect(handle, what)
  local description = component.expect(handle, what)
  if description.kind ~= "object" then
    fail.raise(format("%s: '%s' is a %s and no object component", what, description.name, description.kind))
  end
  return description
end

--- chunk.Brain: entry i is the value of row i. Both views are armed and disarmed by C++.
function object.column(view, entity_view, description, writable)
  local id, where = description.id, description.root.where
  local function entity_at(i)
    if type(i) ~= "number" then fail.raise(format("%s: a row index must be a number, got %s", where, type(i))) end
    local k = i - 1ULL
    if k < view.count then return (tonumber(cast(long_pointer, entity_view.address)[k])) end
    if view.count == 0 then
      fail.raise(where .. ": this column is no longer lent; columns end with the run of their system")
    end
    fail.raise(format("%s: row %s is out of range, this chunk has rows 1 to %d", where, tostring(i), view.count), i)
  end
  return layout.object {
    __index = function(_, i)
      if i == ID then return nil end
      return (object.get(entity_at(i), id))
    end,
    __newindex = function(_, i, v)
      local entity = entity_at(i)
      if not writable then
        fail.raise(where .. " is read-only here; declare the component under 'write' to change it")
      end
      object.set(entity, id, v)
    end,
    __len = function() return view.count end,
    __tostring = function() return "objects of " .. where end,
  }
end

-- ---- the world hash -----------------------------------------------------------------------------------------

local hashes = {}

--- hash = function(value) return number end: what counts of the component's values in the world hash.
function object.declare_hash(id, hash)
  hashes[id] = hash
  host.object_hash(id)
end

--- Called by C++, protected.
function object.hash_of(id, reference)
  local v = values[reference]
  local hash = v ~= nil and hashes[id](v) or 0
  if type(hash) ~= "number" then
    fail.raise(format("%s: expected a number from its hash function, got %s", component.by_id(id).root.where,
      fail.shown(hash)))
  end
  return hash
end

return object
